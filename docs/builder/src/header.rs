//! The reference of the C interface: a page for each group of `hcl.h`.

/// A page: its title and its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The name of the group in the header, which is the name of the page.
    pub name: String,
    /// The title for people.
    pub title: String,
    /// The page.
    pub text: String,
}

/// The text between `/*` or `/**` and `*/`, without the stars of its lines.
fn comment_text(comment: &str) -> String {
    let inside = comment.trim_start_matches("/*").trim_start_matches('*').trim_end_matches("*/");
    let lines = inside.lines().map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix('*').unwrap_or(line);
        line.strip_prefix(' ').unwrap_or(line).trim_end()
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// The rules that hold for all functions, as the comment at the top of the header tells them.
pub fn rules(header: &str) -> String {
    let end = header.find("*/").unwrap_or(header.len());
    let text = comment_text(&header[..end]);
    let start = text.find("RULES THAT HOLD").unwrap_or(0);
    let mut out = String::from("# Rules that hold for all functions\n");
    for paragraph in text[start..].split("\n\n").skip(1) {
        match paragraph.split_once(". ") {
            Some((title, rest)) if title.len() < 25 && !title.contains('\n') => {
                out.push_str(&format!("\n## {title}\n\n{rest}\n"));
            }
            _ => out.push_str(&format!("\n{paragraph}\n")),
        }
    }
    out
}

/// The groups of the header in order, after them its types and constants, which stand before the first group.
///
/// # Errors
/// The header has no groups, or a declaration without a comment.
pub fn groups(header: &str) -> Result<Vec<Group>, String> {
    let mut parts = header.split("\\defgroup ");
    let before = parts.next().unwrap_or_default();
    let before = before.rsplit_once("/**").map_or(before, |(before, _)| before);
    let mut found = Vec::new();
    for part in parts {
        let (line, rest) = part.split_once('\n').ok_or("a group without an end")?;
        let (name, title) = line.split_once(' ').ok_or_else(|| format!("a group without a title: {line}"))?;
        let (introduction, rest) = rest.split_once("@{").ok_or_else(|| format!("{name} does not open"))?;
        let (items, _) = rest.split_once("/** @}").ok_or_else(|| format!("{name} does not close"))?;
        let text = format!("# {title}\n\n{}\n{}", comment_text(introduction), declarations(items)?);
        found.push(Group { name: name.to_owned(), title: title.to_owned(), text });
    }
    if found.is_empty() {
        return Err("the header has no groups".to_owned());
    }
    let start = before.find("/** As a length").ok_or("the first constant is gone")?;
    let text = format!(
        "# Types and constants\n\nConstants, opaque types and structs, in the order of the header.\n{}",
        declarations(&before[start..])?
    );
    found.push(Group {
        name: "types-and-constants".to_owned(),
        title: "Types and constants".to_owned(),
        text,
    });
    Ok(found)
}

/// Each declaration under its name, with its comment.
fn declarations(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/**") {
        let end = rest[start..].find("*/").ok_or("a comment without an end")? + start + 2;
        let comment = comment_text(&rest[start..end]);
        rest = &rest[end..];
        let end = declaration_end(rest);
        let whole = rest[..end].replace("HCL_API\n", "").replace("HCL_API ", "");
        let declaration = whole.trim();
        rest = &rest[end..];
        if declaration.is_empty() || !declaration.contains("hcl_") && !declaration.contains("HCL_") {
            continue;
        }
        let name = name_of(declaration).ok_or_else(|| format!("no name in {declaration}"))?.to_owned();
        out.push_str(&format!("\n## {name}\n\n```c\n{declaration}\n```\n\n{comment}\n"));
    }
    Ok(out)
}

/// The first line that ends a declaration: a blank one, outside of braces.
fn declaration_end(text: &str) -> usize {
    let mut depth = 0_i32;
    let mut at = 0;
    let mut started = false;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() && started && depth == 0 {
            return at;
        }
        started |= !line.trim().is_empty();
        depth += i32::try_from(line.matches('{').count()).unwrap_or(0);
        depth -= i32::try_from(line.matches('}').count()).unwrap_or(0);
        at += line.len();
    }
    at
}

/// The name that a declaration introduces.
fn name_of(declaration: &str) -> Option<&str> {
    let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
    if let Some(rest) = declaration.strip_prefix("#define ") {
        return rest.split(is_end).next();
    }
    // Constants without a type of their own: the first stands for all.
    if declaration.starts_with("enum {") {
        let code = declaration.lines().filter(|line| !line.trim_start().starts_with("/*"));
        return code.flat_map(|line| line.split(is_end)).find(|word| word.starts_with("HCL_"));
    }
    if declaration.starts_with("typedef") && declaration.contains("(*") {
        return declaration.split("(*").nth(1)?.split(')').next();
    }
    if declaration.starts_with("typedef") || declaration.ends_with("};") {
        return declaration.rsplit(is_end).find(|word| word.starts_with("hcl_"));
    }
    let before = declaration.split('(').next()?;
    before.rsplit(is_end).find(|word| word.starts_with("hcl_"))
}

#[cfg(test)]
mod tests {
    use super::{groups, name_of, rules};

    const HEADER: &str = "/* x\n *\n * RULES THAT HOLD FOR ALL\n *\n * Threads. One.\n *\n * Plain.\n */\n\
        /** As a length. */\n#define HCL_NUL SIZE_MAX\n\n/**\n * \\defgroup t Texts\n *\n * About texts.\n * @{\n */\n\n\
        /**\n * Frees it.\n */\nHCL_API void hcl_free(hcl_x *x,\n  int y);\n\n/** @} */\n";

    #[test]
    fn a_group_is_a_page() {
        let found = groups(HEADER).expect("a header");
        assert_eq!(
            found[0].text,
            "# Texts\n\nAbout texts.\n\n## hcl_free\n\n```c\nvoid hcl_free(hcl_x *x,\n  int y);\n```\n\nFrees it.\n"
        );
        assert!(found[1].text.contains("## HCL_NUL"), "{}", found[1].text);
        assert_eq!(rules(HEADER), "# Rules that hold for all functions\n\n## Threads\n\nOne.\n\nPlain.\n");
    }

    #[test]
    fn names() {
        for (declaration, name) in [
            ("typedef struct hcl_value hcl_value;", "hcl_value"),
            ("typedef int32_t (*hcl_call_fn)(void *user, hcl_call *call);", "hcl_call_fn"),
            ("typedef struct hcl_str {\n  const char *ptr;\n} hcl_str;", "hcl_str"),
            ("HCL_API\nhcl_status hcl_eval_i64(const hcl_program *p);", "hcl_eval_i64"),
            ("enum {\n    /** HCL_NEW */\n    HCL_OLD HCL_DEPRECATED(\"use HCL_NEW\") = 0,\n};", "HCL_OLD"),
        ] {
            assert_eq!(name_of(declaration), Some(name));
        }
    }
}
