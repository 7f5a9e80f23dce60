//! The picture of the pipeline: from the bytes of a text to a value, and the diagnostics beside it.

use std::fmt::Write as _;

/// The products, from left to right: a name, and what to know of it.
const PRODUCTS: [(&str, &str); 5] = [
    ("bytes", "any text"),
    ("Source", "UTF-8, positions"),
    ("tree", "flat, placeholders"),
    ("program", "names resolved"),
    ("value", "known or not"),
];

/// The stages between them.
const STAGES: [&str; 4] = ["check", "parse", "compile", "evaluate"];

/// The stages that have something to say, by their position.
const TELLING: [usize; 3] = [1, 2, 3];

const BOX: (u32, u32) = (112, 52);
const STEP: u32 = 186;
const MARGIN: u32 = 24;

/// The picture as SVG, in the colours of the other pictures.
pub fn picture() -> String {
    let width = 2 * MARGIN + 4 * STEP + BOX.0;
    let (top, bottom) = (MARGIN, 148);
    let height = bottom + 40 + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>From bytes to a value: check, parse, compile, evaluate; diagnostics beside</title>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0 0 8 4 0 8Z\" fill=\"#8b949e\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <g font-family=\"system-ui, sans-serif\" font-size=\"13\" text-anchor=\"middle\" fill=\"#8b949e\">\n"
    );
    let middle = top + BOX.1 / 2;
    for (n, (name, note)) in (0..).zip(PRODUCTS) {
        let x = MARGIN + n * STEP;
        let center = x + BOX.0 / 2;
        rectangle(&mut out, x, top, BOX, "#30363d");
        text(&mut out, center, top + 23, name, "fill=\"#e6edf3\" font-size=\"15\" font-weight=\"600\"");
        text(&mut out, center, top + 42, note, "font-size=\"11\"");
    }
    let from = MARGIN + STEP;
    let room = (3 * STEP + BOX.0, 40);
    rectangle(&mut out, from, bottom, room, "#ff7b72");
    let words = "diagnostics: code, summary, detail, places, in the order of the text";
    text(&mut out, from + room.0 / 2, bottom + 25, words, "fill=\"#e6edf3\"");
    for (n, stage) in (0..).zip(STAGES) {
        let (start, end) = (MARGIN + n * STEP + BOX.0, MARGIN + (n + 1) * STEP);
        let center = u32::midpoint(start, end);
        line(&mut out, (start + 4, middle), (end - 2, middle), "#8b949e");
        text(&mut out, center, middle - 10, stage, "");
        if TELLING.contains(&(n as usize)) {
            line(&mut out, (center, middle + 8), (center, bottom - 2), "#8b949e");
        }
    }
    out + "</g>\n</svg>\n"
}

fn rectangle(out: &mut String, x: u32, y: u32, (width, height): (u32, u32), stroke: &str) {
    let shape = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"");
    let _ = writeln!(out, "{shape} fill=\"#161b22\" stroke=\"{stroke}\"/>");
}

fn text(out: &mut String, x: u32, y: u32, words: &str, style: &str) {
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" {style}>{words}</text>");
}

fn line(out: &mut String, from: (u32, u32), to: (u32, u32), stroke: &str) {
    let path = format!("<path d=\"M{} {} {} {}\"", from.0, from.1, to.0, to.1);
    let _ = writeln!(out, "{path} fill=\"none\" stroke=\"{stroke}\" marker-end=\"url(#tip)\"/>");
}
