//! The findings of a run: tables for people, figures that goals are held against, charts.

use std::collections::BTreeMap;

use crate::charts::Chart;
use crate::report::Report;

/// All that was found, in the order of finding.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The tables.
    pub(crate) report: Report,
    /// The pictures.
    pub(crate) charts: Vec<Chart>,
    figures: BTreeMap<String, f64>,
}

impl Findings {
    /// Remembers a figure, unless there is none.
    pub(crate) fn figure(&mut self, name: &str, figure: Option<f64>) {
        if let Some(figure) = figure.filter(|figure| figure.is_finite()) {
            self.figures.insert(name.to_owned(), figure);
        }
    }

    /// A figure that was measured.
    pub(crate) fn get(&self, name: &str) -> Option<f64> {
        self.figures.get(name).copied()
    }
}

/// The least, if there are any.
pub(crate) fn least(figures: impl IntoIterator<Item = f64>) -> Option<f64> {
    figures.into_iter().min_by(f64::total_cmp)
}

/// The greatest, if there are any.
pub(crate) fn greatest(figures: impl IntoIterator<Item = f64>) -> Option<f64> {
    figures.into_iter().max_by(f64::total_cmp)
}

/// The geometric mean, if there are any.
pub(crate) fn geometric(figures: &[f64]) -> Option<f64> {
    let count = u32::try_from(figures.len()).ok().filter(|count| *count > 0)?;
    Some((figures.iter().map(|figure| figure.ln()).sum::<f64>() / f64::from(count)).exp())
}
