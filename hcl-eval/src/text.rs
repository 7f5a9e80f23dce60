//! Text of values and names.
//!
//! Values are made, moved and compared far more often than anything else, so their text is laid out for that: as words,
//! which are written, moved and compared whole. A library for short strings keeps their bytes in an array behind a tag,
//! and moving a value that was just made of such parts waits for them to arrive in memory. With words, making
//! values of literals takes an eighth less time.

#![expect(unsafe_code, reason = "a text is bytes in place or a pointer, which only a union can be")]

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::Deref;
use std::ptr;
use std::slice;
use std::sync::Arc;

/// Text of values and names, UTF-8: short ones in place, long ones shared. Clones never copy a long text.
///
/// ```
/// use hcl_eval::Str;
///
/// let name = Str::from("web");
/// assert_eq!(name, "web");
/// assert_eq!(name.clone().to_ascii_uppercase().as_str(), "WEB");
/// const REGION: Str = Str::new_static("region");
/// assert_eq!(REGION.len(), 6);
/// ```
#[repr(C)]
pub struct Str {
    first: First,
    /// The next eight bytes of a text in place, or the length of one elsewhere.
    second: u64,
    /// The last bytes of a text in place.
    third: u32,
    tag: Tag,
}

#[derive(Copy, Clone)]
union First {
    /// The first eight bytes, in the order of memory; those behind the text are zero.
    bytes: u64,
    /// Where a text elsewhere begins.
    pointer: *const u8,
}

/// Where the text is; how long, if it is in place. The other patterns of the four bytes are what values use to be
/// something other than a text.
#[repr(u32)]
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Tag {
    Len0,
    Len1,
    Len2,
    Len3,
    Len4,
    Len5,
    Len6,
    Len7,
    Len8,
    Len9,
    Len10,
    Len11,
    Len12,
    Len13,
    Len14,
    Len15,
    Len16,
    Len17,
    Len18,
    Len19,
    Len20,
    /// Part of the program.
    Static,
    /// The count of a leaked `Arc<str>`.
    Shared,
}

/// How many bytes are UTF-8, up to the first character that is none. They are checked in pieces of so many; `go_on` is told of
/// each beforehand.
pub(crate) fn end_of_utf8<E>(
    bytes: &[u8],
    piece: usize,
    go_on: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<usize, E> {
    let mut end = 0;
    while end < bytes.len() {
        let next = &bytes[end..bytes.len().min(end + piece)];
        go_on(next.len())?;
        let is_last = end + next.len() == bytes.len();
        match std::str::from_utf8(next) {
            Ok(text) => end += text.len(),
            Err(error) => {
                end += error.valid_up_to();
                // A character may end in the next piece.
                if error.error_len().is_some() || is_last {
                    break;
                }
            }
        }
    }
    Ok(end)
}

/// Bytes as a text, unless they are not UTF-8, which is checked as [`end_of_utf8`] does.
#[cfg(feature = "encoding")]
pub(crate) fn utf8_in_pieces<E>(
    bytes: Vec<u8>,
    piece: usize,
    go_on: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<Option<String>, E> {
    Ok(match end_of_utf8(&bytes, piece, go_on)? == bytes.len() {
        // SAFETY: all of it has been checked.
        true => Some(unsafe { String::from_utf8_unchecked(bytes) }),
        false => None,
    })
}

/// Up to so many bytes are in place, always: a text elsewhere is longer.
const IN_PLACE: u32 = 20;

const _: () = assert!(size_of::<Str>() == 24 && size_of::<Option<Str>>() == 24);

// SAFETY: what is pointed at is a `&'static str` or an `Arc<str>`, both of which threads may hand over.
unsafe impl Send for Str {}
// SAFETY: as above; nothing is changed through a shared text but the count, which is atomic.
unsafe impl Sync for Str {}

impl Str {
    /// A copy of a text.
    pub fn new(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        match ShortStr::of(text.as_bytes()) {
            Some(short) => short.into_str(),
            None => Self::shared(text.into()),
        }
    }

    /// A copy of a long text that is made in pieces of so many bytes; `go_on` is told of each beforehand.
    pub(crate) fn copied<E>(
        text: &str,
        piece: usize,
        mut go_on: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut copy = Arc::new_uninit_slice(text.len());
        let room: &mut [MaybeUninit<u8>] = Arc::get_mut(&mut copy).unwrap_or_default();
        for (room, bytes) in room.chunks_mut(piece).zip(text.as_bytes().chunks(piece)) {
            go_on(bytes.len())?;
            room.write_copy_of_slice(bytes);
        }
        // SAFETY: nobody else had the copy, which is as long as the text; so all of its bytes were written, those of a `str`.
        Ok(Self::shared(unsafe { Arc::from_raw(Arc::into_raw(copy) as *const str) }))
    }

    /// A text of the program, which nothing copies.
    #[must_use]
    pub const fn new_static(text: &'static str) -> Self {
        match ShortStr::of(text.as_bytes()) {
            Some(short) => short.into_str(),
            None => Self {
                first: First { pointer: text.as_ptr() },
                second: text.len() as u64,
                third: 0,
                tag: Tag::Static,
            },
        }
    }

    /// A long text.
    fn shared(text: Arc<str>) -> Self {
        let (second, pointer) = (text.len() as u64, Arc::into_raw(text).cast());
        Self { first: First { pointer }, second, third: 0, tag: Tag::Shared }
    }

    /// The `Arc<str>` behind a shared text, as it was leaked: made of the pointer itself, because what is reached through a
    /// reference to the text ends with the text, and the count stands before it.
    fn leaked(&self) -> *const str {
        // SAFETY: a shared text is elsewhere, so the pointer was written.
        let start = unsafe { self.first.pointer };
        ptr::slice_from_raw_parts(start, self.len_elsewhere()) as *const str
    }

    /// Where a shared text is, 0 for others.
    pub(crate) fn address(&self) -> usize {
        if self.tag == Tag::Shared { self.as_ptr().addr() } else { 0 }
    }

    /// Others hold the text, too.
    pub(crate) fn is_shared(&self) -> bool {
        // SAFETY: by its tag it was made of an `Arc<str>`, of which this text holds a count, and whose drop does not run here.
        self.tag == Tag::Shared
            && Arc::strong_count(&*ManuallyDrop::new(unsafe { Arc::from_raw(self.leaked()) })) > 1
    }

    /// How long the text is, if it is elsewhere.
    #[expect(clippy::cast_possible_truncation, reason = "it was a `usize`")]
    const fn len_elsewhere(&self) -> usize {
        self.second as usize
    }

    /// The text, if it is in place.
    fn short(&self) -> Option<ShortStr> {
        if self.tag >= Tag::Static {
            return None;
        }
        // SAFETY: by its tag the text is in place, so the bytes were written.
        let first = unsafe { self.first.bytes };
        Some(ShortStr {
            first: u64::from_le(first),
            second: u64::from_le(self.second),
            third: u32::from_le(self.third),
            tag: self.tag,
        })
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let (start, len) = if self.tag >= Tag::Static {
            // SAFETY: by its tag the text is elsewhere, so the pointer was written.
            (unsafe { self.first.pointer }, self.len_elsewhere())
        } else {
            (ptr::from_ref(self).cast(), self.tag as usize)
        };
        // SAFETY: as many bytes as a tag says are in place, where `repr(C)` leaves no gap between them; elsewhere are
        // a `str` of this length that lives forever, or one that lives as long as a count that this text is part of.
        let bytes = unsafe { slice::from_raw_parts(start, len) };
        // SAFETY: the bytes are those of a `str`.
        unsafe { str::from_utf8_unchecked(bytes) }
    }

    /// The first eight bytes as a number that sorts like the bytes; what is missing counts as zero.
    pub(crate) fn prefix(&self) -> u64 {
        match self.short() {
            Some(short) => short.prefix(),
            None => self.as_bytes().first_chunk().map_or(0, |chunk| u64::from_be_bytes(*chunk)),
        }
    }

    /// Returns whether the text is in place.
    pub(crate) fn is_in_place(&self) -> bool {
        self.tag < Tag::Static
    }

    /// Returns whether the text is in place and ASCII.
    pub(crate) fn is_short_ascii(&self) -> bool {
        self.short().is_some_and(ShortStr::is_ascii)
    }

    /// How many bytes it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_str().len()
    }

    /// Returns whether the text has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tag == Tag::Len0
    }

    /// Returns whether all bytes are ASCII.
    ///
    /// ```
    /// use hcl_eval::Str;
    ///
    /// assert!(Str::new("web").is_ascii() && !Str::new("Zoë").is_ascii());
    /// ```
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.short().map_or_else(|| self.as_str().is_ascii(), ShortStr::is_ascii)
    }

    /// Returns the text with capital ASCII letters in place of small ones.
    #[must_use]
    pub fn to_ascii_uppercase(&self) -> Self {
        self.with_case(0x61, 0x7a, str::make_ascii_uppercase)
    }

    /// Returns the text with small ASCII letters in place of capital ones.
    #[must_use]
    pub fn to_ascii_lowercase(&self) -> Self {
        self.with_case(0x41, 0x5a, str::make_ascii_lowercase)
    }

    /// Returns the text with the other case for letters from `low` to `high`.
    fn with_case(&self, low: u64, high: u64, change: fn(&mut str)) -> Self {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let Some(ShortStr { first, second, third, tag }) = self.short() else {
            let mut text: Arc<str> = self.as_str().into();
            if let Some(text) = Arc::get_mut(&mut text) {
                change(text);
            }
            return Self::shared(text);
        };
        // In each byte of ASCII the highest bit tells, after an addition, whether the byte was at least some value.
        let other_case = |word: u64| {
            let plain = word & (0x7f * ONES);
            let letters =
                (plain + (0x80 - low) * ONES) & !(plain + (0x7f - high) * ONES) & !word & (0x80 * ONES);
            word ^ (letters >> 2)
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the upper half is zero, and no letter is made of zero"
        )]
        let third = other_case(third.into()) as u32;
        ShortStr { first: other_case(first), second: other_case(second), third, tag }.into_str()
    }
}

/// The tags of texts in place.
const LENGTHS: [Tag; IN_PLACE as usize + 1] = [
    Tag::Len0,
    Tag::Len1,
    Tag::Len2,
    Tag::Len3,
    Tag::Len4,
    Tag::Len5,
    Tag::Len6,
    Tag::Len7,
    Tag::Len8,
    Tag::Len9,
    Tag::Len10,
    Tag::Len11,
    Tag::Len12,
    Tag::Len13,
    Tag::Len14,
    Tag::Len15,
    Tag::Len16,
    Tag::Len17,
    Tag::Len18,
    Tag::Len19,
    Tag::Len20,
];

/// A text that is in place, as words; the first byte is in the lowest bits.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) struct ShortStr {
    first: u64,
    second: u64,
    third: u32,
    tag: Tag,
}

impl ShortStr {
    /// A text of at most [`IN_PLACE`] bytes.
    const fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > IN_PLACE as usize {
            return None;
        }
        let tag = LENGTHS[bytes.len()];
        let len = tag as u32;
        // The first and the last bytes, which may overlap, are read as words; what does not belong there is shifted out.
        let (first, second, third) = match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) if len <= 16 => {
                (u64::from_le_bytes(*first), u64::from_le_bytes(*last).unbounded_shr(8 * (16 - len)), 0)
            }
            (Some(first), Some(_)) => match (bytes.split_at(8).1.first_chunk(), bytes.last_chunk()) {
                (Some(second), Some(last)) => {
                    let third = u32::from_le_bytes(*last).unbounded_shr(8 * (IN_PLACE - len));
                    (u64::from_le_bytes(*first), u64::from_le_bytes(*second), third)
                }
                _ => return None,
            },
            _ => match (bytes.first_chunk(), bytes.last_chunk()) {
                (Some(first), Some(last)) => {
                    let last = (u32::from_le_bytes(*last) as u64) << (8 * (len - 4));
                    (u32::from_le_bytes(*first) as u64 | last, 0, 0)
                }
                _ if bytes.is_empty() => (0, 0, 0),
                _ => {
                    let middle = (bytes[bytes.len() / 2] as u64) << (8 * (len / 2));
                    let last = (bytes[bytes.len() - 1] as u64) << (8 * (len - 1));
                    (bytes[0] as u64 | middle | last, 0, 0)
                }
            },
        };
        Some(Self { first, second, third, tag })
    }

    /// A text that is short and ASCII.
    pub(crate) fn of_ascii(text: &str) -> Option<Self> {
        Self::of(text.as_bytes()).filter(|short| short.is_ascii())
    }

    /// Returns whether all bytes are ASCII.
    fn is_ascii(self) -> bool {
        const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
        (self.first | self.second | u64::from(self.third)) & HIGH_BITS == 0
    }

    /// How many bytes it has.
    pub(crate) const fn len(self) -> usize {
        self.tag as usize
    }

    /// The first eight bytes as a number that sorts like the bytes; what is missing counts as zero.
    pub(crate) const fn prefix(self) -> u64 {
        self.first.swap_bytes()
    }

    const fn into_str(self) -> Str {
        let Self { first, second, third, tag } = self;
        Str { first: First { bytes: first.to_le() }, second: second.to_le(), third: third.to_le(), tag }
    }
}

impl From<ShortStr> for Str {
    fn from(short: ShortStr) -> Self {
        short.into_str()
    }
}

impl Clone for Str {
    fn clone(&self) -> Self {
        if self.tag == Tag::Shared {
            // SAFETY: by its tag it was made of an `Arc<str>`, of which this text holds a count.
            unsafe { Arc::increment_strong_count(self.leaked()) };
        }
        Self { ..*self }
    }
}

impl Drop for Str {
    fn drop(&mut self) {
        if self.tag == Tag::Shared {
            // SAFETY: by its tag it was made of an `Arc<str>`, whose count is given back once, here.
            drop(unsafe { Arc::from_raw(self.leaked()) });
        }
    }
}

impl Default for Str {
    fn default() -> Self {
        Self::new_static("")
    }
}

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Str {
    fn borrow(&self) -> &str {
        self
    }
}

/// Texts from so many bytes on are more to work on than other things, and are compared with looks at the limits.
pub(crate) const LONG_TEXT: usize = 1 << 12;

impl Str {
    /// Returns whether the text is one of [`LONG_TEXT`].
    pub(crate) fn is_long(&self) -> bool {
        self.tag >= Tag::Static && self.len_elsewhere() >= LONG_TEXT
    }

    /// Returns whether the texts are equal, unless they are long and of one length: to tell that takes time.
    pub(crate) fn equals_at_once(&self, other: &Str) -> Option<bool> {
        match (self.short(), other.short()) {
            (Some(ours), Some(theirs)) => Some(ours == theirs),
            (None, None) if self.second == other.second => {
                (self.len_elsewhere() < LONG_TEXT).then(|| self.as_bytes() == other.as_bytes())
            }
            _ => Some(false),
        }
    }

    /// Returns whether both are in place and equal, which takes no look at what is elsewhere.
    pub(crate) fn is_short_and(&self, other: &Str) -> bool {
        self.tag == other.tag && self.short().is_some_and(|ours| other.short() == Some(ours))
    }
}

impl PartialEq for Str {
    fn eq(&self, other: &Self) -> bool {
        match (self.short(), other.short()) {
            (Some(ours), Some(theirs)) => ours == theirs,
            (None, None) => self.as_bytes() == other.as_bytes(),
            _ => false,
        }
    }
}

impl Eq for Str {}

impl PartialOrd for Str {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Str {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.short(), other.short()) {
            (Some(ours), Some(theirs)) => {
                // Of two texts of the same bytes but for zeros at the end the shorter comes first.
                let by_bytes = |ShortStr { first, second, third, tag }| {
                    (first.swap_bytes(), second.swap_bytes(), third.swap_bytes(), tag)
                };
                by_bytes(ours).cmp(&by_bytes(theirs))
            }
            _ => self.as_bytes().cmp(other.as_bytes()),
        }
    }
}

impl Hash for Str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialEq<str> for Str {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Str {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<Str> for str {
    fn eq(&self, other: &Str) -> bool {
        self == other.as_str()
    }
}

impl PartialEq<Str> for &str {
    fn eq(&self, other: &Str) -> bool {
        *self == other.as_str()
    }
}

impl PartialEq<String> for Str {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl From<&str> for Str {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<&String> for Str {
    fn from(text: &String) -> Self {
        Self::new(text)
    }
}

impl From<String> for Str {
    fn from(text: String) -> Self {
        match ShortStr::of(text.as_bytes()) {
            Some(short) => short.into_str(),
            None => Self::shared(text.into()),
        }
    }
}

impl From<Box<str>> for Str {
    fn from(text: Box<str>) -> Self {
        String::from(text).into()
    }
}

impl From<Cow<'_, str>> for Str {
    fn from(text: Cow<'_, str>) -> Self {
        match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl From<Str> for String {
    fn from(text: Str) -> Self {
        text.as_str().to_owned()
    }
}

impl FromIterator<char> for Str {
    fn from_iter<I: IntoIterator<Item = char>>(characters: I) -> Self {
        characters.into_iter().collect::<String>().into()
    }
}

#[cfg(test)]
mod tests {
    use hcl_syntax::hash::HashSet;

    use super::*;

    /// Texts of all lengths around [`IN_PLACE`], with zeros, capital letters and characters of several bytes.
    fn texts() -> Vec<String> {
        let mut texts: Vec<String> = (0..=IN_PLACE as usize + 5)
            .flat_map(|len| {
                let letters = |first: u8| {
                    (0..len).map(|at| char::from(first + u8::try_from(at).expect("few"))).collect()
                };
                [
                    letters(b'a'),
                    letters(b'A'),
                    letters(b'@'),
                    "\0".repeat(len),
                    "é".repeat(len / 2),
                    "{z[Z`@".repeat(len),
                ]
            })
            .collect();
        for at in 0..texts.len() {
            let (mut with_zero, mut with_letter) = (texts[at].clone(), texts[at].clone());
            with_zero.push('\0');
            with_letter.push('z');
            texts.extend([with_zero, with_letter]);
        }
        texts
    }

    #[test]
    fn a_text_is_the_one_it_was_made_of() {
        for text in texts() {
            let made = Str::new(&text);
            let leaked: &'static str = Box::leak(text.clone().into_boxed_str());
            for other in
                [Str::from(text.clone()), Str::new_static(leaked), made.clone(), text.chars().collect()]
            {
                assert_eq!(other.as_str(), text);
                assert_eq!(other, made);
                assert_eq!((other.len(), other.is_empty()), (text.len(), text.is_empty()));
            }
            assert_eq!(made.is_ascii(), text.is_ascii());
            assert_eq!(made.to_ascii_uppercase(), text.to_ascii_uppercase());
            assert_eq!(made.to_ascii_lowercase(), text.to_ascii_lowercase());
        }
    }

    #[test]
    fn texts_compare_as_their_bytes_do() {
        let texts = texts();
        for a in &texts {
            for b in &texts {
                let (ours, theirs) = (Str::new(a), Str::new(b));
                assert_eq!(ours.cmp(&theirs), a.cmp(b), "{a:?} {b:?}");
                assert_eq!(ours == theirs, a == b, "{a:?} {b:?}");
                assert!(ours.prefix() <= theirs.prefix() || a > b, "{a:?} {b:?}");
            }
        }
        let distinct: HashSet<Str> = texts.iter().map(Str::from).collect();
        assert!(texts.iter().all(|text| distinct.contains(text.as_str())));
    }

    #[test]
    fn a_long_text_is_shared_and_let_go() {
        let text: Arc<str> = "long ".repeat(IN_PLACE as usize).into();
        let weak = Arc::downgrade(&text);
        let one = Str::shared(text);
        assert!(!one.is_shared());
        let other = one.clone();
        assert_eq!(one.as_ptr(), other.as_ptr());
        assert_eq!((one.is_shared(), weak.strong_count()), (true, 2));
        drop(one);
        assert!(!other.is_shared());
        assert_eq!(other.len(), 5 * IN_PLACE as usize);
        drop(other);
        assert_eq!(weak.strong_count(), 0);
    }
}
