//! Tags and directives of YAML.
//!
//! A tag is read as a handle and a suffix; the parser puts the prefix of the handle in its place. Percent escapes are
//! decoded here.

use super::cursor::is_break;
use super::scanner::{Scanned, Scanner, Token, is_word};

impl Scanner<'_> {
    /// `!suffix`, `!handle!suffix` or `!<name>`: handle and suffix. The handle is empty for a name in angle brackets
    /// and for a lone `!`.
    pub(super) fn tag(&mut self) -> Scanned<(String, String)> {
        let (handle, suffix) = if self.cursor.peek_at(1) == Some('<') {
            self.cursor.skip_many(2);
            let name = self.tag_uri(String::new())?;
            if self.cursor.peek() != Some('>') {
                return self.fail("a tag that starts with !< ends with >");
            }
            self.cursor.skip();
            (String::new(), name)
        } else {
            let handle = self.tag_handle()?;
            match handle.len() > 1 && handle.ends_with('!') {
                true => {
                    let suffix = self.tag_uri(String::new())?;
                    (handle, suffix)
                }
                false if handle == "!" && !self.cursor.peek().is_some_and(is_uri) => (String::new(), handle),
                // A word without an exclamation mark behind it is the beginning of the suffix, not a handle.
                false => ("!".to_owned(), self.tag_uri(handle[1..].to_owned())?),
            }
        };
        match self.cursor.blank_or_end_at(0) {
            true => Ok((handle, suffix)),
            false => self.fail("a space is missing behind a tag"),
        }
    }

    /// `!`, `!!` or `!word!`; the start of a tag without a handle, too.
    fn tag_handle(&mut self) -> Scanned<String> {
        if self.cursor.peek() != Some('!') {
            return self.fail("a tag starts with an exclamation mark");
        }
        let mut handle = String::from('!');
        self.cursor.skip();
        while let Some(c) = self.cursor.peek().filter(|&c| is_word(c)) {
            handle.push(c);
            self.cursor.skip();
        }
        if self.cursor.peek() == Some('!') {
            handle.push('!');
            self.cursor.skip();
        }
        Ok(handle)
    }

    /// Reads the rest of a tag, with its percent escapes as the bytes of UTF-8 that they stand for.
    fn tag_uri(&mut self, start: String) -> Scanned<String> {
        let mut bytes = start.into_bytes();
        while let Some(c) = self.cursor.peek().filter(|&c| is_uri(c)) {
            self.cursor.skip();
            match c {
                '%' => {
                    let mut digit = || {
                        let digit = self.cursor.peek().and_then(|c| c.to_digit(16));
                        self.cursor.skip();
                        digit.and_then(|digit| u8::try_from(digit).ok())
                    };
                    match (digit(), digit()) {
                        (Some(high), Some(low)) => bytes.push(high << 4 | low),
                        _ => return self.fail("two hexadecimal digits are missing behind % in a tag"),
                    }
                }
                c => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        match String::from_utf8(bytes) {
            Ok(uri) if !uri.is_empty() => Ok(uri),
            Ok(_) => self.fail("the name of a tag is missing"),
            Err(_) => self.fail("the escapes of a tag are not UTF-8"),
        }
    }

    /// `%YAML 1.1` or `%TAG !handle! prefix`
    pub(super) fn scan_directive(&mut self) -> Scanned<Token> {
        self.cursor.skip();
        let mut name = String::new();
        while let Some(c) = self.cursor.peek().filter(|&c| is_word(c)) {
            name.push(c);
            self.cursor.skip();
        }
        if !self.cursor.blank_or_end_at(0) {
            return self.fail("the name of a directive has letters and digits only");
        }
        self.cursor.skip_blanks();
        let token = match name.as_str() {
            "YAML" => {
                let major = self.version_number()?;
                if self.cursor.peek() != Some('.') {
                    return self.fail("a version is written 1.1");
                }
                self.cursor.skip();
                Token::Version(major, self.version_number()?)
            }
            "TAG" => self.tag_directive()?,
            _ => return self.fail("there are no directives but %YAML and %TAG"),
        };
        self.cursor.skip_blanks();
        if self.cursor.peek() == Some('#') {
            self.cursor.skip_to_break();
        }
        match self.cursor.peek() {
            Some(c) if !is_break(c) => self.fail("a directive ends with its line"),
            _ => Ok(token),
        }
    }

    /// Reads a number of a version; one too large for 32 bits becomes the largest.
    fn version_number(&mut self) -> Scanned<u32> {
        let mut number = None;
        while let Some(digit) = self.cursor.peek().and_then(|c| c.to_digit(10)) {
            number = Some(number.unwrap_or(0_u32).saturating_mul(10).saturating_add(digit));
            self.cursor.skip();
        }
        match number {
            Some(number) => Ok(number),
            None => self.fail("a version is written 1.1"),
        }
    }

    /// Reads handle and prefix behind `%TAG`.
    fn tag_directive(&mut self) -> Scanned<Token> {
        let handle = self.tag_handle()?;
        if !handle.ends_with('!') {
            return self.fail("a handle of tags ends with an exclamation mark");
        }
        if !self.cursor.peek().is_some_and(super::cursor::is_blank) {
            return self.fail("a space is missing behind a handle of tags");
        }
        self.cursor.skip_blanks();
        let prefix = self.tag_uri(String::new())?;
        match self.cursor.blank_or_end_at(0) {
            true => Ok(Token::TagDirective(handle, prefix)),
            false => self.fail("a space is missing behind a prefix of tags"),
        }
    }
}

/// True for the characters of a tag's suffix and prefix; `%` begins an escape.
fn is_uri(c: char) -> bool {
    is_word(c) || ";/?:@&=+$,.!~*'()[]%".contains(c)
}
