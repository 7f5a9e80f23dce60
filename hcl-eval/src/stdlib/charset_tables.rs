//! The characters of the large character sets, at the places of their bytes.

use super::packed_chars::Table;

/// A table that the build script has packed.
macro_rules! table {
    ($file:literal) => {
        Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".z")))
    };
}

/// Pairs of bytes, from 81 40 to fe fe.
pub(super) static BIG5: Table = table!("big5");
pub(super) static EUC_KR: Table = table!("euc-kr");
pub(super) static GBK: Table = table!("gbk");
/// The four bytes of GB18030 within the first plane, in their order.
pub(super) static GB18030: Table = table!("gb18030");
/// Rows of 94 characters.
pub(super) static JIS0208: Table = table!("jis0208");
pub(super) static JIS0212: Table = table!("jis0212");

impl Table {
    /// The character at a place; nothing if there is none.
    pub(super) fn at(&self, place: usize) -> Option<char> {
        self.chars().get(place).copied().filter(|&c| c != char::REPLACEMENT_CHARACTER)
    }
}
