//! Texts that are not to be shown.

use std::borrow::Cow;

use hcl_eval::Value;
use hcl_syntax::diagnostic::Diagnostic;

/// The texts in the values of sensitive variables and locals. Values flow freely in templates, so what is kept from
/// view are the texts, wherever they occur.
///
/// ```
/// use hcl_module::TextFiles;
/// use hcl_module::packer::{Template, TemplateOptions};
/// use hcl_syntax::diagnostic::IntoResult;
///
/// let text = "variable \"key\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\n";
/// let files = TextFiles::from_iter([("image.pkr.hcl", text)]);
/// let template = Template::read(".", &files, &TemplateOptions::default()).into_result()?;
/// assert!(!template.secrets().blot("the key is hunter2").contains("hunter2"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    /// Longer ones first, so that what one is a part of goes as a whole.
    texts: Vec<String>,
}

/// The stand-in for a text that is not to be shown.
const BLOT: &str = "<sensitive>";

impl Secrets {
    /// The texts in values, at any depth.
    pub(super) fn of(values: impl Iterator<Item = Value>) -> Self {
        let mut texts: Vec<String> = Vec::new();
        for value in values {
            value.walk(&mut |_, part| {
                texts.extend(part.as_str().filter(|text| !text.is_empty()).map(str::to_owned));
                true
            });
        }
        texts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        texts.dedup();
        Self { texts }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// A text without the secrets in it.
    pub fn blot<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut blotted = Cow::Borrowed(text);
        for secret in self.texts.iter().filter(|secret| *secret != BLOT) {
            if blotted.contains(secret.as_str()) {
                blotted = Cow::Owned(blotted.replace(secret.as_str(), BLOT));
            }
        }
        blotted
    }

    /// A diagnostic without the secrets in its detail and the values that it tells. Its title stays; the lines of the
    /// source that a snippet shows are left out if they contain one.
    pub fn blot_diagnostic(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if self.is_empty() {
            return diagnostic;
        }
        diagnostic.detail = self.blot(&diagnostic.detail).into_owned();
        for value in &mut diagnostic.values {
            value.description = self.blot(&value.description).into_owned();
        }
        let shown = diagnostic.source.as_ref().zip(diagnostic.subject.as_ref());
        let shows_secret = shown.is_some_and(|(source, subject)| {
            let widest = diagnostic.context.as_ref().unwrap_or(subject);
            let first = subject.start.line.min(widest.start.line);
            let last = subject.end.line.max(widest.end.line);
            let lines = source.text().split_inclusive('\n').skip(first.saturating_sub(1) as usize);
            let shown: String = lines.take((last - first + 1) as usize).collect();
            self.texts.iter().any(|secret| shown.contains(secret.as_str()))
        });
        if shows_secret {
            diagnostic.source = None;
        }
        diagnostic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_blotted_out_wherever_they_are() {
        let texts = ["hunter", "hunter2", ""].map(Value::string);
        let secrets = Secrets::of(std::iter::once(Value::tuple(texts.to_vec())));
        assert_eq!(secrets.blot("user:hunter2/hunter!"), "user:<sensitive>/<sensitive>!");
        assert_eq!(secrets.blot("nothing"), "nothing");
    }
}
