//! Formats: types in short, as the C data interface has them.

use hcl_eval::columns::Wanted;

/// Precision, scale and bits of a decimal, by what follows `d:`.
pub(crate) fn decimal(text: &str) -> Option<(u8, i32, u16)> {
    let mut parts = text.split(',');
    let precision: u8 = parts.next()?.parse().ok()?;
    let scale: i32 = parts.next()?.parse().ok()?;
    let bits: u16 = parts.next().map_or(Some(128), |bits| bits.parse().ok())?;
    // As many digits as the greatest number has, less one.
    let most = match bits {
        32 => 9,
        64 => 18,
        128 => 38,
        256 => 76,
        _ => return None,
    };
    let is_one = parts.next().is_none() && (1..=most).contains(&precision) && (-76..=76).contains(&scale);
    is_one.then_some((precision, scale, bits))
}

/// The type of results that a format is; `None` for one that results can't have. The empty format stands for the type that is
/// found.
///
/// ```
/// use hcl_arrow::wanted;
/// use hcl_eval::columns::Wanted;
///
/// assert_eq!(wanted("b"), Some(Wanted::Bool));
/// assert_eq!(wanted("d:10,2"), Some(Wanted::Decimal { bits: 128, precision: 10, scale: 2 }));
/// assert_eq!(wanted("vu"), None);
/// ```
#[must_use]
pub fn wanted(format: &str) -> Option<Wanted> {
    let integer = |bits, is_signed| Wanted::Integer { bits, is_signed };
    Some(match format {
        "" => Wanted::Found,
        "b" => Wanted::Bool,
        "c" => integer(8, true),
        "C" => integer(8, false),
        "s" => integer(16, true),
        "S" => integer(16, false),
        "i" => integer(32, true),
        "I" => integer(32, false),
        "l" => integer(64, true),
        "L" => integer(64, false),
        "f" => Wanted::F32,
        "g" => Wanted::F64,
        "u" => Wanted::Text,
        "U" => Wanted::LargeText,
        _ => {
            let (precision, scale, bits) = decimal(format.strip_prefix("d:")?)?;
            let scale = i8::try_from(scale).ok().filter(|_| bits >= 64)?;
            Wanted::Decimal { bits, precision, scale }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_decimals_are_read_and_held_against_what_fits() {
        assert_eq!(decimal("38,-2"), Some((38, -2, 128)));
        assert_eq!(decimal("76,10,256"), Some((76, 10, 256)));
        assert_eq!(decimal("9,2,32"), Some((9, 2, 32)));
        for wrong in ["", "10", "39,2", "0,0", "10,2,16", "10,2,128,1", "x,2", "10,77", "19,0,64"] {
            assert_eq!(decimal(wrong), None, "{wrong}");
        }
        assert_eq!(wanted("d:9,2,32"), None);
    }
}
