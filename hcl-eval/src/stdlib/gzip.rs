//! The frame that gzip (RFC 1952) puts around deflated bytes: a header before them, checksum and length after them.

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

use super::deflate::Deflater;
use crate::value::set_hash::{crc32, crc32_with};

/// Deflated bytes, no flags, no time, an unknown system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
/// So many bytes are packed at once.
pub(super) const PIECE: usize = 4096;

/// Packs a text piece by piece.
pub(super) struct Packer<'t> {
    text: &'t [u8],
    /// Deflates it, behind the header.
    deflater: Deflater<'t>,
    /// The end for the part of the text that has been gone through.
    end: End,
}

/// The end of a member: the checksum and the length of the text so far.
#[derive(Default)]
struct End {
    /// CRC-32.
    checksum: u32,
    /// In bytes.
    length: usize,
}

impl End {
    /// Counts a further piece of the text.
    fn add(&mut self, text: &[u8]) {
        self.checksum = crc32_with(self.checksum, text);
        self.length += text.len();
    }

    /// As it is written: the length as far as it fits.
    fn bytes(&self) -> [u8; 8] {
        let [a, b, c, d, ..] = self.length.to_le_bytes();
        let [e, f, g, h] = self.checksum.to_le_bytes();
        [e, f, g, h, a, b, c, d]
    }
}

impl<'t> Packer<'t> {
    /// `None` if there is no memory to work with.
    pub(super) fn new(text: &'t [u8]) -> Option<Self> {
        Some(Self { text, deflater: Deflater::new(text, HEADER.to_vec())?, end: End::default() })
    }

    /// Packs the next piece; false if it was the last.
    pub(super) fn advance(&mut self) -> bool {
        let rest = &self.text[self.end.length..];
        self.end.add(&rest[..rest.len().min(PIECE)]);
        self.deflater.advance(PIECE)
    }

    /// The packed bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.end.add(&self.text[self.end.length..]);
        let mut packed = self.deflater.finish();
        packed.extend(self.end.bytes());
        packed
    }
}

/// Unpacks one member, of which there may be several.
pub(super) struct Unpacker<'a> {
    /// The state of unpacking, which is large and is therefore not moved.
    state: Box<InflateState>,
    /// The packed bytes that are left.
    rest: &'a [u8],
    /// True if the deflated part has ended, so that its checksum comes next.
    ended: bool,
    end: End,
}

/// The next piece of a member.
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
        Some(Unpacker {
            state: InflateState::new_boxed(DataFormat::Raw),
            rest,
            ended: false,
            end: End::default(),
        })
    }

    /// Unpacks into `room`.
    pub(super) fn next(&mut self, room: &mut [u8]) -> Step<'a> {
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
                self.end.add(&room[..done.bytes_written]);
                return Step::Text(done.bytes_written);
            }
        }
        match self.rest.split_at_checked(8) {
            Some((end, after)) if end == self.end.bytes() => Step::End(after),
            Some(_) => Step::Broken("its checksum or length is not that of the text"),
            None => Step::Broken("it ends too early"),
        }
    }
}

/// Returns the bytes behind a header. A name, a comment and more may be in it.
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
    use std::io::{Read, Write};

    use flate2::read::GzDecoder;
    use flate2::{Compression, GzBuilder};

    use super::{Packer, Step, Unpacker};

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut packer = Packer::new(text).expect("memory");
        while packer.advance() {}
        packer.finish()
    }

    fn text() -> Vec<u8> {
        (0..300_000_u32).flat_map(|n| n.wrapping_mul(n).to_string().into_bytes()).collect()
    }

    fn unpacked(packed: &[u8]) -> Result<(Vec<u8>, &[u8]), &'static str> {
        let mut unpacker = Unpacker::new(packed).ok_or("no header")?;
        let (mut plain, mut room) = (Vec::new(), [0; 1000]);
        loop {
            match unpacker.next(&mut room) {
                Step::Text(n) => plain.extend_from_slice(&room[..n]),
                Step::End(rest) => return Ok((plain, rest)),
                Step::Broken(problem) => return Err(problem),
            }
        }
    }

    /// A generator of texts that need no luck: the same on every run.
    fn noise(seed: u32, length: usize, letters: u32) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            u8::try_from((state >> 16) % letters).unwrap_or(0)
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn what_is_packed_is_unpacked_again_by_us_and_by_others() {
        let mut texts = vec![Vec::new(), b"a".to_vec(), vec![b'a'; 70_000], text(), noise(1, 200_000, 256)];
        for letters in [2, 3, 5, 20, 256] {
            texts.extend((0..40).map(|n| noise(n, 1 + n as usize * n as usize * 7, letters)));
            let words: Vec<_> = (0..300).map(|n| noise(n % 17, 1 + n as usize % 90, letters)).collect();
            texts.push(words.concat());
        }
        // A match as far back as may be, and one byte farther.
        for distance in [32_768, 32_769] {
            let mut far = noise(7, distance, 256);
            far.extend_from_within(..300);
            texts.push(far);
        }
        for whole in texts {
            let packed = packed(&whole);
            assert!(unpacked(&packed) == Ok((whole.clone(), &[][..])), "{} bytes", whole.len());
            let mut by_others = Vec::new();
            GzDecoder::new(&packed[..]).read_to_end(&mut by_others).expect("gzip");
            assert!(by_others == whole, "{} bytes", whole.len());
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
