//! Which block, object or array of a file a place lies in, for snippets that say so.

use hcl_syntax::json::{JsonFile, JsonKind, JsonValue};
use hcl_syntax::parser::File;
use hcl_syntax::source::Span;

/// The parts of a file that contain others, so that many places can be looked up in it.
#[derive(Debug)]
pub struct Containers {
    /// Each stands before what is in it and after what ends before it.
    all: Vec<Container>,
}

/// A part of a file.
#[derive(Debug)]
struct Container {
    span: Span,
    /// The container around it, by position; none at the top.
    around: Option<usize>,
    /// The step that it adds to the path of the container around it.
    step: String,
}

impl Containers {
    /// The blocks at the top of a file.
    pub fn of_blocks(file: &File) -> Self {
        let blocks = file.body().blocks().map(|block| {
            let mut step = block.block_type().to_owned();
            for label in block.labels() {
                step.push_str(&format!(" \"{}\"", label.text()));
            }
            Container { span: block.span(), around: None, step }
        });
        Self { all: blocks.collect() }
    }

    /// The objects and arrays of a file, at any depth.
    pub fn of_json(file: &JsonFile) -> Self {
        let mut all = Vec::new();
        let mut pending = vec![(file.root(), None, String::new())];
        while let Some((value, around, step)) = pending.pop() {
            let position = all.len();
            let begin = pending.len();
            match value.kind() {
                JsonKind::Object => pending.extend(value.properties().filter_map(|property| {
                    let value = property.value();
                    is_container(value).then(|| (value, Some(position), format!(".{}", property.name())))
                })),
                JsonKind::Array => {
                    let elements = value.elements().enumerate().filter(|&(_, element)| is_container(element));
                    pending.extend(
                        elements.map(|(index, element)| (element, Some(position), format!("[{index}]"))),
                    );
                }
                _ => continue,
            }
            pending[begin..].reverse();
            all.push(Container { span: value.span(), around, step });
        }
        Self { all }
    }

    /// The way to the innermost container that holds the place.
    pub fn path_at(&self, byte: u64) -> Option<String> {
        let after = self.all.partition_point(|container| u64::from(container.span.start) <= byte);
        let mut at = after.checked_sub(1);
        while let Some(container) = at.and_then(|position| self.all.get(position)) {
            if byte < u64::from(container.span.end) {
                break;
            }
            at = container.around;
        }
        let mut steps = Vec::new();
        while let Some(container) = at.and_then(|position| self.all.get(position)) {
            steps.push(container.step.as_str());
            at = container.around;
        }
        let path = steps.into_iter().rev().collect::<String>();
        let path = path.strip_prefix('.').unwrap_or(&path);
        (!path.is_empty()).then(|| path.to_owned())
    }
}

/// True if a value holds others.
fn is_container(value: JsonValue<'_>) -> bool {
    matches!(value.kind(), JsonKind::Object | JsonKind::Array)
}
