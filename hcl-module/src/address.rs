//! Addresses of modules: `./net`, `hashicorp/consul/aws`, `git::https://…`.

/// The target of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Address {
    /// A folder, from that of the caller on.
    Local(String),
    /// A module of a registry, which has versions.
    Registry,
    /// Anything that has to be fetched.
    Remote,
}

/// Words that name a way to fetch something, or a site that is known.
const SITES: [&str; 3] = ["github.com/", "bitbucket.org/", "git@"];

impl Address {
    /// The target of an address; nothing if it is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let path = text.replace('\\', "/");
        if path.starts_with("./") || path.starts_with("../") || matches!(text, "." | "..") {
            // `//` splits a package from a folder in it; of a folder it means nothing.
            return Some(Self::Local(path));
        }
        if text.contains("::")
            || text.contains("://")
            || text.starts_with('/')
            || SITES.iter().any(|site| text.starts_with(site))
        {
            return Some(Self::Remote);
        }
        let package = text.split("//").next().unwrap_or_default();
        let parts: Vec<&str> = package.split('/').collect();
        let is_name = |part: &&str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        };
        let names = match parts.as_slice() {
            [host, names @ ..] if names.len() == 3 && host.contains('.') => names,
            names => names,
        };
        (names.len() == 3 && names.iter().all(is_name)).then_some(Self::Registry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart() {
        assert_eq!(Address::parse("./x"), Some(Address::Local("./x".to_owned())));
        assert_eq!(Address::parse("hashicorp/consul/aws//modules/x"), Some(Address::Registry));
        assert_eq!(Address::parse("app.example.io/a/b/c"), Some(Address::Registry));
        for remote in ["git::x", "https://x/y.zip", "/srv/x", "github.com/a/b", "git@x:a/b"] {
            assert_eq!(Address::parse(remote), Some(Address::Remote), "{remote}");
        }
        for none in ["a/b/c/d", "a//b/c", "a/b/c!", "app.example.io/a/b/c/d"] {
            assert_eq!(Address::parse(none), None, "{none}");
        }
        assert_eq!(Address::parse("x"), None);
        assert_eq!(Address::parse("5"), None);
        assert_eq!(Address::parse(""), None);
    }
}
