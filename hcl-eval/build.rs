//! Packs texts: those about the codes of diagnostics, a zero byte between one file and the next, and the character sets.
//! Of the large sets, tables are made of what a crate reads their bytes as; of the cases of letters, pairs.

#[cfg(any(feature = "packed", feature = "regex"))]
fn main() -> std::io::Result<()> {
    #[cfg(feature = "packed")]
    {
        let mut codes = Vec::new();
        for name in ["eval", "value", "type", "dynamic", "decode", "order", "limits", "api"] {
            codes.push(std::fs::read(format!("src/codes/{name}.md"))?);
        }
        write("codes", &codes.join(&0))?;
        write("charsets", &std::fs::read("src/stdlib/charsets.txt")?)?;
    }
    #[cfg(feature = "text-encoding")]
    for (name, chars) in large::tables() {
        write(name, &steps(&chars))?;
    }
    #[cfg(feature = "regex")]
    write("cases", &steps(&cases()))?;
    Ok(())
}

#[cfg(not(any(feature = "packed", feature = "regex")))]
fn main() {}

#[cfg(any(feature = "packed", feature = "regex"))]
fn write(name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let out = std::env::var_os("OUT_DIR").ok_or_else(|| std::io::Error::other("cargo sets OUT_DIR"))?;
    let packed = miniz_oxide::deflate::compress_to_vec(bytes, 10);
    std::fs::write(std::path::Path::new(&out).join(name).with_extension("z"), packed)
}

/// Each character that patterns match as another where case does not matter, and that other.
#[cfg(feature = "regex")]
fn cases() -> Vec<char> {
    use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

    let mut pairs = Vec::new();
    for c in ('\0'..=char::MAX).filter(|c| c.is_alphabetic()) {
        let mut alike = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
        alike.case_fold_simple();
        let others = alike.ranges().iter().flat_map(|range| range.start()..=range.end());
        pairs.extend(others.filter(|&other| other != c).flat_map(|other| [c, other]));
    }
    pairs
}

/// Steps from one character to the next, forwards and backwards by turns, in sevens of bits; zero for no character.
#[cfg(any(feature = "text-encoding", feature = "regex"))]
fn steps(chars: &[char]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut last = 0;
    for &c in chars {
        let code = i64::from(u32::from(c));
        let mut step = match (c, code - last - 1) {
            (char::REPLACEMENT_CHARACTER, _) => 0,
            (_, far @ 0..) => far * 2 + 1,
            (_, back) => -back * 2,
        };
        if c != char::REPLACEMENT_CHARACTER {
            last = code;
        }
        loop {
            let [low, ..] = step.to_le_bytes();
            step >>= 7;
            if step == 0 {
                bytes.push(low);
                break;
            }
            bytes.push(low | 0x80);
        }
    }
    bytes
}

#[cfg(feature = "text-encoding")]
mod large {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS};

    /// The characters at each place of a set; U+FFFD where there is none.
    type Chars = Vec<char>;

    pub(super) fn tables() -> [(&'static str, Chars); 6] {
        let pairs = |encoding, known: fn(char) -> bool| {
            let pairs = (0x81..=0xfe).flat_map(|a| (0x40..=0xfe).map(move |b| [a, b]));
            pairs.map(|pair| read(encoding, &pair, known)).collect()
        };
        let four = (0..39420).map(|place| match place {
            // As it was before 2005.
            7457 => '\u{1e3f}',
            _ => read(
                GB18030,
                &[
                    0x81 + digit(place / 12600),
                    0x30 + digit(place / 1260 % 10),
                    0x81 + digit(place / 10 % 126),
                    0x30 + digit(place % 10),
                ],
                |_| true,
            ),
        });
        let rows = (0..60 * 188).map(|place| {
            let (a, b) = (digit(place / 188), digit(place % 188));
            read(
                SHIFT_JIS,
                &[a + if a < 31 { 0x81 } else { 0xc1 }, b + if b < 63 { 0x40 } else { 0x41 }],
                public,
            )
        });
        let more_rows = (0xa1..=0xfe).flat_map(|a| (0xa1..=0xfe).map(move |b| [0x8f, a, b]));
        [
            ("big5", pairs(BIG5, |_| true)),
            ("euc-kr", pairs(EUC_KR, |_| true)),
            ("gbk", pairs(GB18030, |c| public(c) && !is_new_in_gbk(c))),
            ("gb18030", four.collect()),
            ("jis0208", rows.collect()),
            ("jis0212", more_rows.map(|bytes| read(EUC_JP, &bytes, |_| true)).collect()),
        ]
    }

    fn digit(n: usize) -> u8 {
        u8::try_from(n).unwrap_or(u8::MAX)
    }

    fn public(c: char) -> bool {
        !matches!(c, '\u{e000}'..='\u{f8ff}')
    }

    /// Characters that GBK got after the tables of the reference were made.
    fn is_new_in_gbk(c: char) -> bool {
        matches!(c, '\u{1e3f}' | '\u{9fb4}'..='\u{9fbb}' | '\u{fe10}'..='\u{fe19}')
    }

    fn read(encoding: &'static Encoding, bytes: &[u8], known: fn(char) -> bool) -> char {
        let text = encoding.decode_without_bom_handling(bytes).0;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if known(c) => c,
            _ => char::REPLACEMENT_CHARACTER,
        }
    }
}
