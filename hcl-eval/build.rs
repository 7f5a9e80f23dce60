//! Packs texts: those about the codes of diagnostics, a zero byte between one file and the next, and the character sets.

#[cfg(feature = "packed")]
fn main() -> std::io::Result<()> {
    use std::path::Path;
    use std::{env, fs, io};

    let mut codes = Vec::new();
    for name in ["eval", "value", "type", "dynamic", "decode", "order", "limits", "api"] {
        codes.push(fs::read(format!("src/codes/{name}.md"))?);
    }
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    let write = |name: &str, text: &[u8]| {
        fs::write(Path::new(&out).join(name), miniz_oxide::deflate::compress_to_vec(text, 10))
    };
    write("codes.z", &codes.join(&0))?;
    write("charsets.z", &fs::read("src/stdlib/charsets.txt")?)
}

#[cfg(not(feature = "packed"))]
fn main() {}
