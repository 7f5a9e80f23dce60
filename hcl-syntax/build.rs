//! Packs the texts about the codes of diagnostics, a zero byte between one file and the next.

#[cfg(feature = "packed")]
fn main() -> std::io::Result<()> {
    use std::path::Path;
    use std::{env, fs, io};

    let mut texts = Vec::new();
    for name in ["lex", "parse", "json", "content", "edit"] {
        texts.push(fs::read(format!("src/diagnostic/explain/{name}.md"))?);
    }
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    let packed = miniz_oxide::deflate::compress_to_vec(&texts.join(&0), 10);
    fs::write(Path::new(&out).join("explain.z"), packed)
}

#[cfg(not(feature = "packed"))]
fn main() {}
