//! Character classes of RE2: the Perl ones, Unicode properties, POSIX names.
//!
//! Each is given as a class of the `regex` family that means the same with Unicode
//! and case folding switched on.

use regex_syntax::ast::{ClassBracketed, ClassSetItem};

use super::re2::{PatternError, error};
use super::re2_tree as tree;

/// The first and the last characters of ranges.
type Ranges = &'static [(char, char)];

const ALL: Ranges = &[('\0', char::MAX)];
const DIGITS: Ranges = &[('0', '9')];
const WORD: Ranges = &[('0', '9'), ('A', 'Z'), ('a', 'z'), ('_', '_')];

/// A class that no character is in.
pub(super) fn nothing() -> ClassBracketed {
    of_ranges(true, ALL)
}

fn of_ranges(negated: bool, ranges: Ranges) -> ClassBracketed {
    tree::class(negated, ranges.iter().map(|&(low, high)| tree::range(low, high)).collect())
}

/// The class for `d`, `s`, `w`, `p…` and their negations behind a backslash.
pub(super) fn shorthand(rest: &mut &str) -> Result<Option<ClassBracketed>, PatternError> {
    let Some(c) = rest.chars().next() else { return Ok(None) };
    let ranges = match c {
        'd' | 'D' => DIGITS,
        's' | 'S' => &[('\t', '\n'), ('\x0c', '\r'), (' ', ' ')],
        'w' | 'W' => WORD,
        'p' | 'P' => return property(rest).map(Some),
        _ => return Ok(None),
    };
    *rest = &rest[1..];
    Ok(Some(of_ranges(c.is_ascii_uppercase(), ranges)))
}

/// `pN`, `p{Name}`, `p{^Name}` and the same with a capital P.
fn property(rest: &mut &str) -> Result<ClassBracketed, PatternError> {
    let start = *rest;
    let mut negated = start.starts_with('P');
    let after = &start[1..];
    let name = match after.strip_prefix('{') {
        Some(braced) => {
            let Some(end) = braced.find('}') else {
                return Err(error("invalid character class range", &format!("\\{start}")));
            };
            *rest = &braced[end + 1..];
            &braced[..end]
        }
        None => {
            let length = after.chars().next().map_or(0, char::len_utf8);
            *rest = &after[length..];
            &after[..length]
        }
    };
    let plain = name.strip_prefix('^').unwrap_or(name);
    negated ^= plain.len() != name.len();
    match property_class(plain) {
        Some(items) => Ok(tree::class(negated, items)),
        None => {
            let text = &start[..start.len() - rest.len()];
            Err(error("invalid character class range", &format!("\\{text}")))
        }
    }
}

/// General categories by their short names and scripts by their full ones, in
/// exactly this spelling.
fn property_class(name: &str) -> Option<Vec<ClassSetItem>> {
    const CATEGORIES: &[&str] = &[
        "Cc", "Cf", "Co", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No",
        "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs",
    ];
    match name {
        "Any" => Some(vec![tree::range('\0', char::MAX)]),
        // Unassigned code points do not count, surrogates cannot occur.
        "C" => Some(["Cc", "Cf", "Co"].map(|name| tree::property("gc", name)).into()),
        "Cs" => Some(vec![ClassSetItem::Bracketed(Box::new(nothing()))]),
        _ if CATEGORIES.contains(&name) => Some(vec![tree::property("gc", name)]),
        _ if SCRIPTS.binary_search(&name).is_ok() => Some(vec![tree::property("sc", name)]),
        _ => None,
    }
}

/// `[:name:]` and `[:^name:]`.
pub(super) fn posix_class(name: &str) -> Option<ClassBracketed> {
    let name = name.strip_prefix("[:")?.strip_suffix(":]")?;
    let plain = name.strip_prefix('^').unwrap_or(name);
    let ranges: Ranges = match plain {
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "ascii" => &[('\0', '\x7f')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "cntrl" => &[('\0', '\x1f'), ('\x7f', '\x7f')],
        "digit" => DIGITS,
        "graph" => &[('!', '~')],
        "lower" => &[('a', 'z')],
        "print" => &[(' ', '~')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "upper" => &[('A', 'Z')],
        "word" => WORD,
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    };
    Some(of_ranges(plain.len() != name.len(), ranges))
}

/// The scripts of Unicode by their full names, sorted.
const SCRIPTS: &[&str] = &[
    "Adlam",
    "Ahom",
    "Anatolian_Hieroglyphs",
    "Arabic",
    "Armenian",
    "Avestan",
    "Balinese",
    "Bamum",
    "Bassa_Vah",
    "Batak",
    "Bengali",
    "Bhaiksuki",
    "Bopomofo",
    "Brahmi",
    "Braille",
    "Buginese",
    "Buhid",
    "Canadian_Aboriginal",
    "Carian",
    "Caucasian_Albanian",
    "Chakma",
    "Cham",
    "Cherokee",
    "Chorasmian",
    "Common",
    "Coptic",
    "Cuneiform",
    "Cypriot",
    "Cypro_Minoan",
    "Cyrillic",
    "Deseret",
    "Devanagari",
    "Dives_Akuru",
    "Dogra",
    "Duployan",
    "Egyptian_Hieroglyphs",
    "Elbasan",
    "Elymaic",
    "Ethiopic",
    "Georgian",
    "Glagolitic",
    "Gothic",
    "Grantha",
    "Greek",
    "Gujarati",
    "Gunjala_Gondi",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hanifi_Rohingya",
    "Hanunoo",
    "Hatran",
    "Hebrew",
    "Hiragana",
    "Imperial_Aramaic",
    "Inherited",
    "Inscriptional_Pahlavi",
    "Inscriptional_Parthian",
    "Javanese",
    "Kaithi",
    "Kannada",
    "Katakana",
    "Kawi",
    "Kayah_Li",
    "Kharoshthi",
    "Khitan_Small_Script",
    "Khmer",
    "Khojki",
    "Khudawadi",
    "Lao",
    "Latin",
    "Lepcha",
    "Limbu",
    "Linear_A",
    "Linear_B",
    "Lisu",
    "Lycian",
    "Lydian",
    "Mahajani",
    "Makasar",
    "Malayalam",
    "Mandaic",
    "Manichaean",
    "Marchen",
    "Masaram_Gondi",
    "Medefaidrin",
    "Meetei_Mayek",
    "Mende_Kikakui",
    "Meroitic_Cursive",
    "Meroitic_Hieroglyphs",
    "Miao",
    "Modi",
    "Mongolian",
    "Mro",
    "Multani",
    "Myanmar",
    "Nabataean",
    "Nag_Mundari",
    "Nandinagari",
    "New_Tai_Lue",
    "Newa",
    "Nko",
    "Nushu",
    "Nyiakeng_Puachue_Hmong",
    "Ogham",
    "Ol_Chiki",
    "Old_Hungarian",
    "Old_Italic",
    "Old_North_Arabian",
    "Old_Permic",
    "Old_Persian",
    "Old_Sogdian",
    "Old_South_Arabian",
    "Old_Turkic",
    "Old_Uyghur",
    "Oriya",
    "Osage",
    "Osmanya",
    "Pahawh_Hmong",
    "Palmyrene",
    "Pau_Cin_Hau",
    "Phags_Pa",
    "Phoenician",
    "Psalter_Pahlavi",
    "Rejang",
    "Runic",
    "Samaritan",
    "Saurashtra",
    "Sharada",
    "Shavian",
    "Siddham",
    "SignWriting",
    "Sinhala",
    "Sogdian",
    "Sora_Sompeng",
    "Soyombo",
    "Sundanese",
    "Syloti_Nagri",
    "Syriac",
    "Tagalog",
    "Tagbanwa",
    "Tai_Le",
    "Tai_Tham",
    "Tai_Viet",
    "Takri",
    "Tamil",
    "Tangsa",
    "Tangut",
    "Telugu",
    "Thaana",
    "Thai",
    "Tibetan",
    "Tifinagh",
    "Tirhuta",
    "Toto",
    "Ugaritic",
    "Vai",
    "Vithkuqi",
    "Wancho",
    "Warang_Citi",
    "Yezidi",
    "Yi",
    "Zanabazar_Square",
];
