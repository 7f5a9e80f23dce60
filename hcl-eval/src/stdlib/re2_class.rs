//! Character classes of RE2: the Perl ones, Unicode properties, POSIX names.
//!
//! The classes `\d`, `\s`, `\w` and those of POSIX are sets of ASCII characters. Names of Unicode differ between
//! releases of Go, which [`ClassNames`] tells apart; the characters behind a name are those of `regex-syntax`.

use std::sync::LazyLock;

use regex_syntax::ast::{self, Ast, ClassUnicodeKind, ClassUnicodeOpKind, Position, Span};
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::pattern_case::add_cases;
use super::re2::{PatternError, error};

/// The first and the last characters of ranges.
type Ranges = &'static [(char, char)];

/// The digits of `\d`, which are those of ASCII.
const DIGITS: Ranges = &[('0', '9')];
/// The characters of `\w`, which are those of ASCII.
const WORD: Ranges = &[('0', '9'), ('A', 'Z'), ('a', 'z'), ('_', '_')];

/// How a class is meant: with the characters in other cases, and all but them.
#[derive(Copy, Clone)]
pub(super) struct Sense {
    /// Characters that differ in case only are meant too. They are added before the class is negated.
    pub(super) any_case: bool,
    /// All other characters are meant.
    pub(super) negated: bool,
}

/// How names of Unicode's categories and scripts are read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ClassNames {
    /// Categories by their short names, scripts by their full ones, both as they are spelled. What is not assigned is in no
    /// category. So did RE2 in Go before 1.25.
    Exact,
    /// Categories by all their names; capitals, blanks, `_` and `-` do not matter.
    Loose,
}

/// The letters and decimal digits of Unicode.
static LETTERS_AND_DIGITS: LazyLock<ClassUnicode> = LazyLock::new(|| {
    let mut all = ClassUnicode::empty();
    for mut name in ["pL", "p{Nd}"] {
        if let Ok(class) = property(&mut name, false, ClassNames::Exact) {
            all.union(&class);
        }
    }
    all
});

/// Returns whether a replacement may have a character in the name of a group: a letter, a decimal digit or `_`.
pub(super) fn is_of_name(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    let ranges = LETTERS_AND_DIGITS.ranges();
    let after = ranges.partition_point(|range| range.start() <= c);
    ranges[..after].last().is_some_and(|range| c <= range.end())
}

/// A set as it is meant.
pub(super) fn meant(mut set: ClassUnicode, sense: Sense) -> ClassUnicode {
    if sense.any_case {
        add_cases(&mut set);
    }
    if sense.negated {
        set.negate();
    }
    set
}

/// The characters of ranges.
fn of_ranges(ranges: Ranges) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|&(low, high)| ClassUnicodeRange::new(low, high)))
}

/// The class for `d`, `s`, `w`, `p…` and their negations behind a backslash.
pub(super) fn shorthand(
    rest: &mut &str,
    any_case: bool,
    names: ClassNames,
) -> Result<Option<ClassUnicode>, PatternError> {
    let Some(c) = rest.chars().next() else { return Ok(None) };
    let ranges = match c {
        'd' | 'D' => DIGITS,
        // Without the vertical tab, which `[[:space:]]` has.
        's' | 'S' => &[('\t', '\n'), ('\x0c', '\r'), (' ', ' ')],
        'w' | 'W' => WORD,
        'p' | 'P' => return property(rest, any_case, names).map(Some),
        _ => return Ok(None),
    };
    *rest = &rest[1..];
    Ok(Some(meant(of_ranges(ranges), Sense { any_case, negated: c.is_ascii_uppercase() })))
}

/// Reads `pN`, `p{Name}`, `p{^Name}` and the forms with a capital P, which negate. Two negations cancel each other.
/// An error quotes the class as it is written.
fn property(rest: &mut &str, any_case: bool, names: ClassNames) -> Result<ClassUnicode, PatternError> {
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
    let found = match names {
        ClassNames::Exact => exact_class(plain),
        ClassNames::Loose => loose_class(plain),
    };
    match found {
        Some(set) => Ok(meant(set, Sense { any_case, negated })),
        None => {
            let text = &start[..start.len() - rest.len()];
            Err(error("invalid character class range", &format!("\\{text}")))
        }
    }
}

/// The general categories that mean the same in all releases: all but `C`, `Cn`, `Cs` and `LC`.
const CATEGORIES: &[&str] = &[
    "Cc", "Cf", "Co", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P",
    "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs",
];

/// Other names of categories, without what does not matter, sorted for the search.
const CATEGORY_NAMES: &[(&str, &str)] = &[
    ("casedletter", "LC"),
    ("closepunctuation", "Pe"),
    ("cntrl", "Cc"),
    ("combiningmark", "M"),
    ("connectorpunctuation", "Pc"),
    ("control", "Cc"),
    ("currencysymbol", "Sc"),
    ("dashpunctuation", "Pd"),
    ("decimalnumber", "Nd"),
    ("digit", "Nd"),
    ("enclosingmark", "Me"),
    ("finalpunctuation", "Pf"),
    ("format", "Cf"),
    ("initialpunctuation", "Pi"),
    ("letter", "L"),
    ("letternumber", "Nl"),
    ("lineseparator", "Zl"),
    ("lowercaseletter", "Ll"),
    ("mark", "M"),
    ("mathsymbol", "Sm"),
    ("modifierletter", "Lm"),
    ("modifiersymbol", "Sk"),
    ("nonspacingmark", "Mn"),
    ("number", "N"),
    ("openpunctuation", "Ps"),
    ("other", "C"),
    ("otherletter", "Lo"),
    ("othernumber", "No"),
    ("otherpunctuation", "Po"),
    ("othersymbol", "So"),
    ("paragraphseparator", "Zp"),
    ("privateuse", "Co"),
    ("punct", "P"),
    ("punctuation", "P"),
    ("separator", "Z"),
    ("spaceseparator", "Zs"),
    ("spacingmark", "Mc"),
    ("surrogate", "Cs"),
    ("symbol", "S"),
    ("titlecaseletter", "Lt"),
    ("unassigned", "Cn"),
    ("uppercaseletter", "Lu"),
];

/// A class by its name as it is spelled; nothing if there is none of this name.
fn exact_class(name: &str) -> Option<ClassUnicode> {
    match name {
        "Any" => Some(of_ranges(&[('\0', char::MAX)])),
        // Surrogates cannot occur.
        "Cs" => Some(ClassUnicode::empty()),
        "C" => union_of(&["Cc", "Cf", "Co"]),
        _ if CATEGORIES.contains(&name) => of_property("gc", name),
        _ if SCRIPTS.binary_search(&name).is_ok() => of_property("sc", name),
        _ => None,
    }
}

/// A class by any of its names; nothing if there is none of this name.
fn loose_class(name: &str) -> Option<ClassUnicode> {
    let name: String = loosely(name).collect();
    let name = match CATEGORY_NAMES.binary_search_by_key(&name.as_str(), |(other, _)| other) {
        Ok(at) => CATEGORY_NAMES[at].1.to_ascii_lowercase(),
        Err(_) => name,
    };
    match name.as_str() {
        "any" => Some(of_ranges(&[('\0', char::MAX)])),
        "ascii" => Some(of_ranges(&[('\0', '\x7f')])),
        "assigned" => of_property("gc", "Cn").map(|set| meant(set, Sense { any_case: false, negated: true })),
        "c" => union_of(&["Cc", "Cf", "Cn", "Co"]),
        "cn" => of_property("gc", "Cn"),
        "cs" => Some(ClassUnicode::empty()),
        "lc" => union_of(&["Ll", "Lt", "Lu"]),
        name => {
            let is_it = |other: &&&str| loosely(other).eq(name.chars());
            let category = CATEGORIES.iter().find(is_it).map(|name| ("gc", name));
            let (property, name) =
                category.or_else(|| SCRIPTS.iter().find(is_it).map(|name| ("sc", name)))?;
            of_property(property, name)
        }
    }
}

/// Returns the characters of a name that matter.
fn loosely(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).map(|c| c.to_ascii_lowercase())
}

/// The characters of these categories.
fn union_of(categories: &[&str]) -> Option<ClassUnicode> {
    categories.iter().try_fold(ClassUnicode::empty(), |mut all, name| {
        all.union(&of_property("gc", name)?);
        Some(all)
    })
}

/// The characters whose property of this name has this value; nothing if there is no such property or value.
fn of_property(name: &str, value: &str) -> Option<ClassUnicode> {
    let (name, value) = (name.to_owned(), value.to_owned());
    let kind = ClassUnicodeKind::NamedValue { op: ClassUnicodeOpKind::Equal, name, value };
    // The place is one for messages of the crate, which nobody reads.
    let span = Span::splat(Position::new(0, 1, 1));
    let class = Ast::class_unicode(ast::ClassUnicode { span, negated: false, kind });
    match Translator::new().translate("", &class).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(set)) => Some(set),
        // A class of one character.
        HirKind::Literal(one) => {
            let one = str::from_utf8(&one.0).ok()?.chars().next()?;
            Some(ClassUnicode::new([ClassUnicodeRange::new(one, one)]))
        }
        _ => None,
    }
}

/// The class of `[:name:]` or `[:^name:]`; nothing for any other name, which the caller complains of.
pub(super) fn posix_class(name: &str, any_case: bool) -> Option<ClassUnicode> {
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
    Some(meant(of_ranges(ranges), Sense { any_case, negated: plain.len() != name.len() }))
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
