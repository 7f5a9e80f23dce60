//! One-to-one case mappings of code points.
//!
//! The language maps each code point to at most one other (the simple
//! mappings of the character database). The standard library of Rust has the full mappings, which may be
//! several code points long; where they are, the simple mapping is the code point
//! itself but for the exceptions listed here.

/// The simple upper-case mapping: `ß` stays, `ᾳ` becomes `ᾼ`.
pub(super) fn upper(c: char) -> char {
    match only(c.to_uppercase()) {
        Some(mapped) => mapped,
        None => iota_subscript(c).unwrap_or(c),
    }
}

/// The simple lower-case mapping: `İ` becomes `i`.
pub(super) fn lower(c: char) -> char {
    match only(c.to_lowercase()) {
        Some(mapped) => mapped,
        None if c == '\u{130}' => 'i',
        None => c,
    }
}

/// The simple title-case mapping: that to upper case but for the Latin digraphs,
/// which have a form of their own, and Georgian, which has no title case.
pub(super) fn title(c: char) -> char {
    match c {
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        '\u{10d0}'..='\u{10ff}' => c,
        _ => upper(c),
    }
}

/// Greek small letters with a written iota below have a single capital, though
/// their full mapping writes the iota as a letter of its own.
fn iota_subscript(c: char) -> Option<char> {
    let distance = match c {
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => 8,
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => 9,
        _ => return None,
    };
    char::from_u32(u32::from(c) + distance)
}

/// The mapping if it is a single code point.
fn only(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    let first = mapped.next();
    match mapped.next() {
        None => first,
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{lower, title, upper};

    #[test]
    fn long_mappings_keep_the_code_point() {
        for c in ['ß', 'ŉ', 'ﬁ', 'ΐ', '\u{1f88}', '\u{1e96}'] {
            assert_eq!(upper(c), c);
        }
        assert_eq!(lower('İ'), 'i');
    }

    #[test]
    fn exceptions_have_a_single_partner() {
        assert_eq!((upper('ᾳ'), upper('\u{1f80}'), upper('\u{1fa7}')), ('ᾼ', '\u{1f88}', '\u{1faf}'));
        assert_eq!((title('ǆ'), title('Ǆ'), title('ა'), title('µ')), ('ǅ', 'ǅ', 'ა', 'Μ'));
        assert_eq!((upper('ა'), upper('µ'), lower('Σ')), ('Ა', 'Μ', 'σ'));
    }
}
