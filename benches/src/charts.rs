//! Charts as SVG, always with logarithmic axes. Colours and greys are such that they read on white and on black.

use std::fmt::Write as _;

const WIDTH: f64 = 860.0;
const LEFT: f64 = 140.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 70.0;
const BOTTOM: f64 = 44.0;
const ROW: f64 = 22.0;
const PLOT_HEIGHT: f64 = 360.0;
const GREY: &str = "#808890";
/// Of the series in their order; libhcl is the first.
const COLOURS: [&str; 6] = ["#e8590c", "#1c8fb0", "#8b5cd6", "#2f9e44", "#b08900", "#7f8c9a"];

/// The figures of one contender, in each category or at each size.
#[derive(Debug)]
pub(crate) struct Series {
    name: String,
    values: Vec<Option<f64>>,
}

impl Series {
    pub(crate) fn new(name: &str, values: Vec<Option<f64>>) -> Self {
        Self { name: name.to_owned(), values }
    }
}

#[derive(Debug)]
enum Form {
    /// A row of dots for each category.
    Dots { categories: Vec<String> },
    /// Lines over sizes.
    Lines { sizes: Vec<f64>, label: String },
}

/// A picture.
#[derive(Debug)]
pub(crate) struct Chart {
    /// The name of the file, without ending.
    pub(crate) file: String,
    /// The title of the chart.
    pub(crate) title: String,
    form: Form,
    series: Vec<Series>,
}

impl Chart {
    /// Contenders side by side: a row for each category, a dot for each contender.
    pub(crate) fn dots(file: &str, title: &str, categories: Vec<String>, series: Vec<Series>) -> Self {
        Self { file: file.to_owned(), title: title.to_owned(), form: Form::Dots { categories }, series }
    }

    /// Growth with size: a line for each contender.
    pub(crate) fn lines(file: &str, title: &str, sizes: Vec<f64>, label: &str, series: Vec<Series>) -> Self {
        let form = Form::Lines { sizes, label: label.to_owned() };
        Self { file: file.to_owned(), title: title.to_owned(), form, series }
    }

    /// The picture.
    pub(crate) fn svg(&self) -> String {
        let height = match &self.form {
            Form::Dots { categories } => {
                TOP + ROW * f64::from(u32::try_from(categories.len()).unwrap_or_default()) + BOTTOM
            }
            Form::Lines { .. } => TOP + PLOT_HEIGHT + BOTTOM,
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"{GREY}\">\n"
        );
        let _ = writeln!(
            svg,
            "<title>{title}</title>\n<text x=\"12\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{title}</text>",
            title = escaped(&self.title)
        );
        self.legend(&mut svg);
        match &self.form {
            Form::Dots { categories } => self.draw_dots(categories, height - BOTTOM, &mut svg),
            Form::Lines { sizes, label } => self.draw_lines(sizes, label, height - BOTTOM, &mut svg),
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn legend(&self, svg: &mut String) {
        let mut x = 16.0;
        for (series, colour) in self.series.iter().zip(COLOURS) {
            let name = escaped(&series.name);
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.0}\" cy=\"44\" r=\"5\" fill=\"{colour}\"/><text x=\"{:.0}\" y=\"48\">{name}</text>",
                x + 9.0
            );
            x += 34.0 + 7.5 * f64::from(u32::try_from(series.name.len()).unwrap_or_default());
        }
    }

    fn draw_dots(&self, categories: &[String], bottom: f64, svg: &mut String) {
        let axis = Axis::of(self.all_values(), LEFT, WIDTH - RIGHT);
        for (value, name) in axis.decades() {
            let x = axis.place(value);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {TOP}V{bottom:.0}\" stroke=\"{GREY}\" stroke-opacity=\".3\"/>"
            );
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{name}</text>",
                bottom + 18.0
            );
        }
        let mut y = TOP + ROW / 2.0;
        for (index, category) in categories.iter().enumerate() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><path d=\"M{LEFT} {y:.1}H{:.0}\" stroke=\"{GREY}\" stroke-opacity=\".15\"/>",
                LEFT - 8.0,
                y + 4.0,
                escaped(category),
                WIDTH - RIGHT
            );
            // libhcl last, so that nothing lies on it.
            for (series, colour) in self.series.iter().zip(COLOURS).rev() {
                if let Some(value) = series.values.get(index).copied().flatten() {
                    let x = axis.place(value);
                    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{colour}\"/>");
                }
            }
            y += ROW;
        }
    }

    fn draw_lines(&self, sizes: &[f64], label: &str, bottom: f64, svg: &mut String) {
        let across = Axis::of(sizes.iter().copied(), LEFT - 60.0, WIDTH - RIGHT);
        let up = Axis::of(self.all_values(), bottom, TOP);
        for (value, name) in across.decades() {
            let x = across.place(value);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {TOP}V{bottom:.0}\" stroke=\"{GREY}\" stroke-opacity=\".2\"/>"
            );
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{name}</text>",
                bottom + 18.0
            );
        }
        for (value, name) in up.decades() {
            let y = up.place(value);
            let (left, right) = (LEFT - 60.0, WIDTH - RIGHT);
            let _ = writeln!(
                svg,
                "<path d=\"M{left:.0} {y:.1}H{right:.0}\" stroke=\"{GREY}\" stroke-opacity=\".2\"/>"
            );
            let _ = writeln!(
                svg,
                "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
                left - 8.0,
                y + 4.0
            );
        }
        let middle = f64::midpoint(LEFT - 60.0, WIDTH - RIGHT);
        let _ = writeln!(
            svg,
            "<text x=\"{middle:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
            bottom + 36.0,
            escaped(label)
        );
        for (series, colour) in self.series.iter().zip(COLOURS).rev() {
            let mut path = String::new();
            for (&size, value) in sizes.iter().zip(&series.values) {
                if let Some(value) = *value {
                    let (x, y) = (across.place(size), up.place(value));
                    let _ = write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { 'M' } else { 'L' });
                    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>");
                }
            }
            let _ =
                writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        }
    }

    fn all_values(&self) -> impl Iterator<Item = f64> {
        self.series.iter().flat_map(|series| series.values.iter().copied().flatten())
    }
}

/// A logarithmic axis over whole decades.
struct Axis {
    /// The exponents at its ends.
    low: i32,
    high: i32,
    from: f64,
    to: f64,
}

impl Axis {
    #[expect(clippy::cast_possible_truncation, reason = "the exponents of doubles are small")]
    fn of(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let positive = values.filter(|value| *value > 0.0);
        let (low, high) = positive.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value.log10()), high.max(value.log10()))
        });
        if low > high {
            return Self { low: 0, high: 1, from, to };
        }
        let low = (low + 0.02).floor() as i32;
        Self { low, high: ((high - 0.02).ceil() as i32).max(low + 1), from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// The powers of ten and what they are called.
    fn decades(&self) -> impl Iterator<Item = (f64, String)> {
        (self.low..=self.high).map(|exponent| {
            let value = 10f64.powi(exponent);
            let name = match exponent {
                9.. => format!("{}G", 10f64.powi(exponent - 9)),
                6..=8 => format!("{}M", 10f64.powi(exponent - 6)),
                3..=5 => format!("{}k", 10f64.powi(exponent - 3)),
                _ => format!("{value}"),
            };
            (value, name)
        })
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
