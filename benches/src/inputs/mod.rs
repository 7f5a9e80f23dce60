//! Files as people write them, of any size: Terraform-like, Nomad-like, and pure data.
//!
//! Each generator is seeded and adds whole pieces until the size is reached, so a file is a little longer
//! than asked for.

mod blanks;
mod data;
mod nomad;
mod real;
mod terraform;

pub(crate) use real::real_files;

/// A kind of file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Variables, locals with `for` expressions, resources with dynamic blocks and heredocs, comments.
    Terraform,
    /// Jobs: blocks in blocks, short strings, small heredocs.
    Nomad,
    /// One attribute with a deep value of literals.
    Data,
}

impl Style {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Terraform, Self::Nomad, Self::Data];

    /// The kind and size that a name like `tf_100k` says.
    pub(crate) fn of_name(name: &str) -> Option<(Self, usize)> {
        let (style, size) = name.split_once('_')?;
        let style = Self::ALL.into_iter().find(|known| known.name() == style)?;
        let unit = if size.ends_with('k') { 1_000 } else { 1_000_000 };
        let count: usize = size.strip_suffix(['k', 'm'])?.parse().ok()?;
        Some((style, count.checked_mul(unit)?))
    }

    /// Returns the name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Terraform => "tf",
            Self::Nomad => "nomad",
            Self::Data => "data",
        }
    }

    /// A file of at least `size` bytes.
    pub(crate) fn file(self, size: usize, seed: u64) -> String {
        match self {
            Self::Terraform => terraform::file(size, seed),
            Self::Nomad => nomad::file(size, seed),
            Self::Data => data::file(size, seed),
        }
    }
}

/// Many small files, half a kilobyte on average: what one parse costs before it has read anything counts.
pub(crate) fn small_files(count: u64) -> Vec<String> {
    (0..count)
        .map(|seed| match seed % 5 {
            0 => terraform::one_item(seed),
            1..=3 => terraform::few_attributes(seed),
            _ => data::file(100, seed),
        })
        .collect()
}
