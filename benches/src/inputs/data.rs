//! Pure data: one attribute with a nested value of literals.
//!
//! Half of the keys are quoted, numbers are whole or have a fraction, some strings have escapes and some
//! are not ASCII.

use std::fmt::Write as _;

use super::blanks::Filler;

/// A file of at least `size` bytes.
pub(super) fn file(size: usize, seed: u64) -> String {
    let mut writer = Writer { filler: Filler::new(seed), text: String::with_capacity(size + 64 * 1024) };
    let depth = if size < 50_000 { 3 } else { 5 };
    writer.text.push_str("data = [\n");
    while writer.text.len() < size {
        writer.text.push_str("  ");
        writer.value(depth, 1);
        writer.text.push_str(",\n");
    }
    writer.text.push_str("]\n");
    writer.text
}

struct Writer {
    filler: Filler,
    text: String,
}

impl Writer {
    fn indent(&mut self, level: usize) {
        self.text.extend(std::iter::repeat_n("  ", level));
    }

    fn value(&mut self, depth: u64, level: usize) {
        match self.filler.random.between(0, 3) {
            0 if depth > 0 => self.list(depth, level),
            1 if depth > 0 => self.object(depth, level),
            _ => self.literal(),
        }
    }

    fn list(&mut self, depth: u64, level: usize) {
        self.text.push_str("[\n");
        for _ in 0..self.filler.random.between(2, 12) {
            self.indent(level + 1);
            self.value(depth - 1, level + 1);
            self.text.push_str(",\n");
        }
        self.indent(level);
        self.text.push(']');
    }

    fn object(&mut self, depth: u64, level: usize) {
        self.text.push_str("{\n");
        for i in 0..self.filler.random.between(2, 10) {
            self.indent(level + 1);
            let quote = if i % 2 == 0 { "\"" } else { "" };
            let (first, second) = (self.filler.word(), self.filler.word());
            let _ = write!(self.text, "{quote}{first}_{second}_{i}{quote} = ");
            self.value(depth - 1, level + 1);
            self.text.push('\n');
        }
        self.indent(level);
        self.text.push('}');
    }

    fn literal(&mut self) {
        match self.filler.random.between(0, 99) {
            0..=29 => {
                let number = self.filler.random.between(0, 100_000);
                let _ = write!(self.text, "{number}");
            }
            30..=39 => {
                let number = self.filler.random.fraction() * 1000.0;
                let _ = write!(self.text, "{number:.3}");
            }
            40..=49 => {
                self.text.push_str(if self.filler.random.between(0, 1) == 0 { "true" } else { "false" });
            }
            50..=52 => self.text.push_str("null"),
            _ => self.string(),
        }
    }

    fn string(&mut self) {
        let (first, second) = (self.filler.word(), self.filler.word());
        let _ = match self.filler.random.between(0, 19) {
            0 => write!(self.text, "\"línea {first} 日本\""),
            1 => write!(self.text, "\"{first}\\n\\\"{second}\\\"\\t{first}\""),
            _ => {
                let n_words = self.filler.random.between(1, 6);
                let words: Vec<&str> = (0..n_words).map(|_| self.filler.word()).collect();
                write!(self.text, "\"{}\"", words.join(" "))
            }
        };
    }
}
