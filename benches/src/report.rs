//! Tables, as text for a terminal and as Markdown.

use std::fmt::Write as _;

/// The findings of a run, in their order.
#[derive(Debug, Default)]
pub(crate) struct Report {
    sections: Vec<Section>,
}

#[derive(Debug)]
struct Section {
    title: String,
    table: Vec<Vec<String>>,
    notes: Vec<String>,
}

impl Report {
    /// Starts a table.
    pub(crate) fn section(&mut self, title: &str, header: &[&str]) {
        let header = header.iter().map(|&cell| cell.to_owned()).collect();
        self.sections.push(Section { title: title.to_owned(), table: vec![header], notes: Vec::new() });
    }

    /// Puts the table begun last before all others.
    pub(crate) fn move_to_front(&mut self) {
        self.sections.rotate_right(1);
    }

    /// Adds a row to the table begun last.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        if let Some(section) = self.sections.last_mut() {
            section.table.push(cells);
        }
    }

    /// Adds a line below the table begun last.
    pub(crate) fn note(&mut self, note: String) {
        if let Some(section) = self.sections.last_mut() {
            section.notes.push(note);
        }
    }

    /// Markdown whose tables are aligned, so that it also reads well as plain text.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        for section in &self.sections {
            let _ = writeln!(text, "## {}\n", section.title);
            write_table(&section.table, &mut text);
            if !section.notes.is_empty() {
                text.push('\n');
            }
            for note in &section.notes {
                let _ = writeln!(text, "- {note}");
            }
            text.push('\n');
        }
        text
    }
}

fn write_table(table: &[Vec<String>], text: &mut String) {
    let n_columns = table.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..n_columns)
        .map(|column| table.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max())
        .map(|width| width.unwrap_or_default().max(3))
        .collect();
    for (index, row) in table.iter().enumerate() {
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let _ = if column == 0 {
                write!(text, "| {cell:<width$} ")
            } else {
                write!(text, "| {cell:>width$} ")
            };
        }
        text.push_str("|\n");
        if index == 0 {
            for (column, width) in widths.iter().enumerate() {
                let end = if column == 0 { "-" } else { ":" };
                let _ = write!(text, "|{}{end}", "-".repeat(width + 1));
            }
            text.push_str("|\n");
        }
    }
}

/// `12.3x`, or a dash.
pub(crate) fn ratio(of: f64, to: f64) -> String {
    if to > 0.0 && of.is_finite() { format!("{:.1}x", of / to) } else { "-".into() }
}

/// A number to three figures or so.
pub(crate) fn figure(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// Nanoseconds, shortened.
pub(crate) fn nanos(time: f64) -> String {
    match time {
        time if time >= 1e6 => format!("{:.2}M", time / 1e6),
        time if time >= 1e4 => format!("{:.1}k", time / 1e3),
        time => format!("{time:.0}"),
    }
}

/// The geometric mean, with the least and the greatest, of ratios.
pub(crate) fn geometric_mean(name: &str, ratios: &[f64]) -> String {
    let count = u32::try_from(ratios.len()).unwrap_or(u32::MAX);
    if count == 0 {
        return format!("{name}: nothing to compare");
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / f64::from(count)).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = ratios.iter().copied().fold(0.0, f64::max);
    format!("{name}: geometric mean {mean:.1}x, least {least:.2}x, greatest {greatest:.1}x, of {count}")
}
