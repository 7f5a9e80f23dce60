//! The frame that gzip (RFC 1952) puts around deflated bytes: a header before them, checksum and length after them.

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

use crate::value::set_hash::crc32;

/// Deflated bytes, no flags, no time, an unknown system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
/// How hard repetitions are looked for.
const LEVEL: i32 = 6;

/// Packs a text piece by piece.
pub(super) struct Packer {
    state: Box<CompressorOxide>,
    out: Vec<u8>,
}

impl Packer {
    pub(super) fn new() -> Packer {
        let flags = create_comp_flags_from_zip_params(LEVEL, 0, 0);
        Packer { state: Box::new(CompressorOxide::new(flags)), out: HEADER.to_vec() }
    }

    pub(super) fn add(&mut self, piece: &[u8]) {
        self.deflate(piece, TDEFLFlush::None);
    }

    /// What has been packed; `whole` is all of it once more.
    pub(super) fn finish(mut self, whole: &[u8]) -> Vec<u8> {
        self.deflate(&[], TDEFLFlush::Finish);
        self.out.extend(trailer(whole));
        self.out
    }

    fn deflate(&mut self, piece: &[u8], flush: TDEFLFlush) {
        let out = &mut self.out;
        compress_to_output(&mut self.state, piece, flush, |packed| {
            out.extend_from_slice(packed);
            true
        });
    }
}

/// The checksum, and the length as far as it fits.
fn trailer(whole: &[u8]) -> [u8; 8] {
    let [a, b, c, d, ..] = whole.len().to_le_bytes();
    let [e, f, g, h] = crc32(whole).to_le_bytes();
    [e, f, g, h, a, b, c, d]
}

/// Unpacks one member, of which there may be several.
pub(super) struct Unpacker<'a> {
    state: Box<InflateState>,
    rest: &'a [u8],
    ended: bool,
}

/// What comes next of a member.
pub(super) enum Step<'a> {
    /// So many bytes of its text.
    Text(usize),
    /// Nothing; this follows it.
    End(&'a [u8]),
    /// It is not what gzip writes, because of this.
    Broken(&'static str),
}

impl<'a> Unpacker<'a> {
    /// `None` without a header.
    pub(super) fn new(packed: &'a [u8]) -> Option<Unpacker<'a>> {
        let rest = after_header(packed)?;
        Some(Unpacker { state: InflateState::new_boxed(DataFormat::Raw), rest, ended: false })
    }

    /// Unpacks into `room`; `before` is what has been unpacked already.
    pub(super) fn next(&mut self, room: &mut [u8], before: &[u8]) -> Step<'a> {
        while !self.ended {
            let done = inflate(&mut self.state, self.rest, room, MZFlush::None);
            self.rest = self.rest.get(done.bytes_consumed..).unwrap_or_default();
            self.ended = match done.status {
                Ok(MZStatus::StreamEnd) => true,
                Ok(_) if done.bytes_consumed + done.bytes_written > 0 => false,
                _ if self.rest.is_empty() => return Step::Broken("it ends too early"),
                _ => return Step::Broken("what it packs is damaged"),
            };
            if done.bytes_written > 0 {
                return Step::Text(done.bytes_written);
            }
        }
        match self.rest.split_at_checked(8) {
            Some((end, after)) if end == trailer(before) => Step::End(after),
            Some(_) => Step::Broken("its checksum or length is not that of the text"),
            None => Step::Broken("it ends too early"),
        }
    }
}

/// What follows a header. A name, a comment and more may be in it.
fn after_header(packed: &[u8]) -> Option<&[u8]> {
    let [checked, extra, name, comment] = [2, 4, 8, 16];
    let (&[0x1f, 0x8b, 8, flags @ 0..=0x1f, ..], mut rest) = packed.split_first_chunk::<10>()? else {
        return None;
    };
    if flags & extra != 0 {
        let (length, after) = rest.split_first_chunk::<2>()?;
        rest = after.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    for text in [name, comment] {
        if flags & text != 0 {
            let end = rest.iter().position(|&byte| byte == 0)?;
            rest = &rest[end + 1..];
        }
    }
    if flags & checked != 0 {
        let header = &packed[..packed.len() - rest.len()];
        let [a, b, ..] = crc32(header).to_le_bytes();
        rest = rest.strip_prefix(&[a, b])?;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::write::GzEncoder;
    use flate2::{Compression, GzBuilder};

    use super::{Packer, Step, Unpacker};

    fn text() -> Vec<u8> {
        (0..300_000_u32).flat_map(|n| n.wrapping_mul(n).to_string().into_bytes()).collect()
    }

    fn unpacked(packed: &[u8]) -> Result<(Vec<u8>, &[u8]), &'static str> {
        let mut unpacker = Unpacker::new(packed).ok_or("no header")?;
        let (mut plain, mut room) = (Vec::new(), [0; 1000]);
        loop {
            match unpacker.next(&mut room, &plain) {
                Step::Text(n) => plain.extend_from_slice(&room[..n]),
                Step::End(rest) => return Ok((plain, rest)),
                Step::Broken(problem) => return Err(problem),
            }
        }
    }

    #[test]
    fn packed_as_by_others() {
        for whole in [&b""[..], b"a", &text()] {
            let mut packer = Packer::new();
            whole.chunks(1 << 16).for_each(|piece| packer.add(piece));
            let packed = packer.finish(whole);
            let mut others = GzEncoder::new(Vec::new(), Compression::default());
            others.write_all(whole).expect("room");
            assert!(packed == others.finish().expect("room"));
            assert!(unpacked(&packed) == Ok((whole.to_vec(), &[][..])));
        }
    }

    #[test]
    fn headers_with_everything() {
        let builder = GzBuilder::new().filename("name").comment("comment").extra(b"extra".to_vec()).mtime(1);
        let mut others = builder.write(Vec::new(), Compression::best());
        others.write_all(b"text").expect("room");
        let packed = [others.finish().expect("room"), b"more".to_vec()].concat();
        assert_eq!(unpacked(&packed), Ok((b"text".to_vec(), &b"more"[..])));
        // With a checksum of the header: that of its first ten bytes.
        let short = [
            &[0x1f, 0x8b, 8, 2, 0, 0, 0, 0, 0, 255],
            &super::crc32(&[0x1f, 0x8b, 8, 2, 0, 0, 0, 0, 0, 255]).to_le_bytes()[..2],
            &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ]
        .concat();
        assert_eq!(unpacked(&short), Ok((Vec::new(), &[][..])));
        assert_eq!(unpacked(&[&short[..10], &[0, 0], &short[12..]].concat()), Err("no header"));
        for end in 0..packed.len() - 4 {
            assert!(unpacked(&packed[..end]).is_err(), "{end}");
        }
        for at in packed.len() - 12..packed.len() - 4 {
            let mut broken = packed.clone();
            broken[at] ^= 1;
            assert!(unpacked(&broken).is_err(), "{at}");
        }
    }
}
