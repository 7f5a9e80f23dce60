//! Character classes of RE2: the Perl ones, Unicode properties, POSIX names.
//!
//! Each is given as a class of the `regex` crate that means the same with Unicode
//! and case folding switched on.

use super::re2::{PatternError, error};

/// A class that no character is in.
pub(super) const NOTHING: &str = "[^\\x00-\\x{10FFFF}]";

/// The class for `d`, `s`, `w`, `p…` and their negations behind a backslash.
pub(super) fn shorthand(rest: &mut &str) -> Result<Option<String>, PatternError> {
    let class = match rest.chars().next() {
        Some('d') => "[0-9]",
        Some('D') => "[^0-9]",
        Some('s') => "[\\t\\n\\f\\r\\x20]",
        Some('S') => "[^\\t\\n\\f\\r\\x20]",
        Some('w') => "[0-9A-Za-z_]",
        Some('W') => "[^0-9A-Za-z_]",
        Some('p' | 'P') => return property(rest).map(Some),
        _ => return Ok(None),
    };
    *rest = &rest[1..];
    Ok(Some(class.to_owned()))
}

/// `pN`, `p{Name}`, `p{^Name}` and the same with a capital P.
fn property(rest: &mut &str) -> Result<String, PatternError> {
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
    let sign = if negated { "^" } else { "" };
    match property_class(plain) {
        Some(class) => Ok(format!("[{sign}{class}]")),
        None => {
            let text = &start[..start.len() - rest.len()];
            Err(error("invalid character class range", &format!("\\{text}")))
        }
    }
}

/// General categories by their short names and scripts by their full ones, in
/// exactly this spelling.
fn property_class(name: &str) -> Option<String> {
    const CATEGORIES: &[&str] = &[
        "Cc", "Cf", "Co", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No",
        "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs",
    ];
    match name {
        "Any" => Some("\\x00-\\x{10FFFF}".to_owned()),
        // Unassigned code points do not count, surrogates cannot occur.
        "C" => Some("\\p{Cc}\\p{Cf}\\p{Co}".to_owned()),
        "Cs" => Some(NOTHING.to_owned()),
        _ if CATEGORIES.contains(&name) => Some(format!("\\p{{gc={name}}}")),
        _ if SCRIPTS.binary_search(&name).is_ok() => Some(format!("\\p{{sc={name}}}")),
        _ => None,
    }
}

pub(super) fn posix_class(name: &str) -> Option<&'static str> {
    Some(match name {
        "[:alnum:]" => "[0-9A-Za-z]",
        "[:^alnum:]" => "[^0-9A-Za-z]",
        "[:alpha:]" => "[A-Za-z]",
        "[:^alpha:]" => "[^A-Za-z]",
        "[:ascii:]" => "[\\x00-\\x7F]",
        "[:^ascii:]" => "[^\\x00-\\x7F]",
        "[:blank:]" => "[\\t\\x20]",
        "[:^blank:]" => "[^\\t\\x20]",
        "[:cntrl:]" => "[\\x00-\\x1F\\x7F]",
        "[:^cntrl:]" => "[^\\x00-\\x1F\\x7F]",
        "[:digit:]" => "[0-9]",
        "[:^digit:]" => "[^0-9]",
        "[:graph:]" => "[\\x21-\\x7E]",
        "[:^graph:]" => "[^\\x21-\\x7E]",
        "[:lower:]" => "[a-z]",
        "[:^lower:]" => "[^a-z]",
        "[:print:]" => "[\\x20-\\x7E]",
        "[:^print:]" => "[^\\x20-\\x7E]",
        "[:punct:]" => "[\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E]",
        "[:^punct:]" => "[^\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E]",
        "[:space:]" => "[\\t\\n\\x0B\\f\\r\\x20]",
        "[:^space:]" => "[^\\t\\n\\x0B\\f\\r\\x20]",
        "[:upper:]" => "[A-Z]",
        "[:^upper:]" => "[^A-Z]",
        "[:word:]" => "[0-9A-Za-z_]",
        "[:^word:]" => "[^0-9A-Za-z_]",
        "[:xdigit:]" => "[0-9A-Fa-f]",
        "[:^xdigit:]" => "[^0-9A-Fa-f]",
        _ => return None,
    })
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
