//! Numbers through the public interface: recorded expressions, and every rule of numbers with its
//! examples.

#![expect(clippy::unwrap_used, reason = "a failed test panics, its helpers too")]

use std::cmp::Ordering;

use hcl_eval::Number;

fn n(text: &str) -> Number {
    Number::parse(text).unwrap_or_else(|| panic!("{text} is not a number"))
}

fn f(v: f64) -> Number {
    Number::from_f64(v).unwrap()
}

fn text(number: &Number) -> String {
    number.to_text()
}

/// Evaluates tokens in reverse Polish order: `L` a literal, `I` a machine integer, `F` the bits of
/// an `f64`, `~` negation, and operators.
fn evaluate(tokens: &str) -> Result<Number, String> {
    let mut stack: Vec<Number> = Vec::new();
    for token in tokens.split(' ') {
        let operand = match token.split_at(1) {
            ("L", literal) => Number::parse_literal(literal).ok_or_else(|| literal.to_owned())?,
            ("I", integer) => Number::from_i64(integer.split(':').next().unwrap().parse().unwrap()),
            ("F", bits) => f(f64::from_bits(u64::from_str_radix(bits, 16).unwrap())),
            ("~", _) => stack.pop().unwrap().neg(),
            (operator, _) => {
                let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap());
                let result = match operator {
                    "+" => a.add(&b),
                    "-" => a.sub(&b),
                    "*" => a.mul(&b),
                    "/" => a.div(&b),
                    "%" => a.rem(&b),
                    _ => panic!("{operator}"),
                };
                result.map_err(|error| error.to_string())?
            }
        };
        stack.push(operand);
    }
    Ok(stack.pop().unwrap())
}

#[test]
fn recorded_expressions() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/conformance/numbers_512.tsv");
    let recorded = std::fs::read_to_string(path).unwrap();
    let mut count = 0;
    for line in recorded.lines() {
        let (tokens, expected) = line.split_once('\t').unwrap();
        assert_eq!(evaluate(tokens).map(|number| text(&number)).as_deref(), Ok(expected), "{tokens}");
        count += 1;
    }
    assert_eq!(count, 1000);
}

#[test]
fn texts_that_are_numbers() {
    for (source, expected) in [
        ("010", "10"),
        ("1.", "1"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("+1", "1"),
        ("1.50", "1.5"),
        ("1.e5", "100000"),
        ("1e3", "1000"),
        ("1E+3", "1000"),
        ("1e-7", "0.0000001"),
        ("1p3", "8"),
        ("1.5P3", "12"),
        ("3p-1", "1.5"),
        ("0.1p1", "0.2"),
        ("Inf", "+Inf"),
        ("inf", "+Inf"),
        ("+Inf", "+Inf"),
        ("-inf", "-Inf"),
        ("-0", "-0"),
        ("-0.000e5", "-0"),
        ("0e99", "0"),
        ("00012", "12"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "9223372036854775808"),
        ("1e999999999", "+Inf"),
        ("-1e999999999", "-Inf"),
        ("1e2000000000", "+Inf"),
        ("1e-2000000000", "0"),
        ("1e-2147483649", "0"),
        ("-1e-2147483649", "-0"),
    ] {
        assert_eq!(text(&n(source)), expected, "{source}");
        assert_eq!(n(source).precision(), 512, "{source}");
    }
}

#[test]
fn powers_of_two_behind_digits_of_any_number_are_factors() {
    let digits = "1234567890".repeat(100);
    for count in [1, 5, 18, 19, 20, 38, 39, 100, 153, 154, 155, 300, 1000] {
        for point in [0, 1, 10, 30, count] {
            let (whole, decimals) = digits[..count].split_at(count.saturating_sub(point));
            let plain = n(&format!("{whole}.{decimals}"));
            for two in [1_u32, 3, 10, 63, 100] {
                let factor = n(&2_u128.pow(two).to_string());
                let (more, less) =
                    (format!("{whole}.{decimals}p{two}"), format!("-{whole}.{decimals}p-{two}"));
                assert!(n(&more).equal(&plain.mul(&factor).unwrap()), "{more}");
                assert!(n(&less).equal(&plain.div(&factor).unwrap().neg()), "{less}");
            }
        }
    }
}

#[test]
fn texts_that_are_not() {
    for source in [
        "",
        ".",
        "-",
        "+",
        "e1",
        "1e",
        "1e+",
        "1e-",
        ".e1",
        "1..5",
        "1.5.5",
        "1e5e5",
        "1e5.5",
        " 1",
        "1 ",
        "1_000",
        "0x10",
        "0b1",
        "NaN",
        "nan",
        "Infinity",
        "infinity",
        "INF",
        "--1",
        "+-1",
        "1p",
        "1p1.5",
        "é",
        "1é",
        "1e2147483647",
        "1e-2147483650",
        "1p2147483647",
        "1e999999999999999999999",
        "0e99999999999999999999",
        "1e-600000000000",
    ] {
        assert!(Number::parse(source).is_none(), "{source}");
    }
    for source in ["-1", "+1", ".5", "1p3", "Inf", "", "1x"] {
        assert!(Number::parse_literal(source).is_none(), "{source}");
    }
    assert_eq!(text(&Number::parse_literal("1.e5").unwrap()), "100000");
}

#[test]
fn the_exponent_of_two_has_32_bits() {
    assert!(Number::parse("1p2147483646").is_some());
    assert!(Number::parse("2p2147483646").is_none());
    // The digits count as they are written.
    assert!(Number::parse("1.0p2147483644").is_some());
    assert!(Number::parse("1.0p2147483645").is_none());
    assert_eq!(n("9p2147483000").cmp(&n("8p2147483000")), Ordering::Greater);
    assert!(n("9p2147483000").mul(&n("9p2147483000")).unwrap().is_infinite());
    assert!(n("9p-2147483000").mul(&n("9p-2147483000")).unwrap().is_zero());
    assert!(n("9p-2147483000").add(&n("9p2147483000")).unwrap().equal(&n("9p2147483000")));
    assert!(n("9p2147483000").rem(&n("7")).is_ok());
}

#[test]
fn precision_is_part_of_the_value() {
    let (one, three) = (Number::from_i64(1), Number::from_i64(3));
    assert_eq!(text(&one.div(&three).unwrap()), "0.33333333333333333334");
    let third = Number::integer_512(1).div(&three).unwrap();
    assert_eq!(text(&third).len(), 2 + 155);
    assert!(third.equal(&n(&text(&third))));
    assert!(one.div(&three).unwrap().equal(&n("0.33333333333333333334")));
    assert!(!one.div(&three).unwrap().equal(&n("1").div(&n("3")).unwrap()));
    assert_eq!(text(&f(2.0).div(&f(6.0)).unwrap()), "0.3333333333333333");
    assert_eq!(text(&f(18_446_744_073_709_551_616.0)), "18446744073709550000");
    assert!(f(18_446_744_073_709_551_616.0).equal(&n("18446744073709551616")));
    assert!(f(2_f64.sqrt()).equal(&n("1.4142135623730951")));
    assert!(n("1.4142135623730951").equal(&f(2_f64.sqrt())));
    assert_eq!(f(0.5).precision(), 53);
    assert_eq!(Number::from_u64(u64::MAX).precision(), 64);
    assert_eq!(text(&Number::from_u64(u64::MAX)), "18446744073709551615");
}

#[test]
fn arithmetic_of_decimals() {
    for (tokens, expected) in [
        ("L0.1 L0.2 +", "0.3"),
        ("L1 L3 / L3 *", "1"),
        ("L2 L3 / L3 *", "2"),
        ("L0.1 L3 *", "0.3"),
        ("L5 ~ L3 %", "-2"),
        ("L5 L3 ~ %", "2"),
        ("L5.5 L2 %", "1.5"),
        ("L5 L0 %", "5"),
        ("L0 L0 %", "0"),
        ("L1e200 L7 %", "0"),
        ("L1 L0 /", "+Inf"),
        ("L1 ~ L0 /", "-Inf"),
        ("L1 L0 ~ /", "-Inf"),
        ("L0 L1 ~ *", "-0"),
        ("L0 ~ L0 +", "0"),
        ("L0 ~ L0 -", "-0"),
        ("L0 L5 ~ /", "-0"),
        ("L5 L5 -", "0"),
        ("L5 ~ L5 %", "0"),
        ("L0 ~ L5 %", "-0"),
    ] {
        assert_eq!(evaluate(tokens).map(|number| text(&number)).as_deref(), Ok(expected), "{tokens}");
    }
    let remainder = evaluate("L11 L5.1 %").unwrap().to_text();
    assert!(remainder.starts_with("0.8000000000000000") && remainder.ends_with("024"), "{remainder}");
    assert!(text(&n("0.9").rem(&n("0.3")).unwrap()).starts_with("0.29999999"));
    let square = text(&n("1.1").mul(&n("1.1")).unwrap());
    assert!(square.len() == 156 && square.starts_with("1.21000000") && square.ends_with('1'), "{square}");
    assert!(!n("1.1").mul(&n("1.1")).unwrap().equal(&n("1.21")));
    assert!(n("0.1").equal(&n("1").div(&n("10")).unwrap()));
}

#[test]
fn operations_without_a_result() {
    let (plus, minus, zero) = (n("Inf"), n("-Inf"), n("0"));
    assert!(plus.add(&minus).is_err() && plus.sub(&plus).is_err());
    assert!(zero.mul(&plus).is_err() && minus.mul(&zero.neg()).is_err());
    assert!(zero.div(&zero).is_err() && plus.div(&minus).is_err());
    assert!(n("1").rem(&plus).is_err() && plus.rem(&n("1")).is_err());
    assert_eq!(text(&plus.add(&plus).unwrap()), "+Inf");
    assert_eq!(text(&n("1").div(&minus).unwrap()), "-0");
    assert!(plus.equal(&plus) && !plus.equal(&minus) && plus.cmp(&n("1e99999")).is_gt());
}

#[test]
fn wide_products_are_cut_to_512_bits() {
    let mut wide = Number::from_i64(1);
    let digits = format!("1{}1", "0".repeat(299));
    wide = wide.add(&n(&digits)).unwrap();
    assert_eq!(wide.precision(), 512);
    let long = n(&format!("{}7", "1".repeat(169)));
    let shown = text(&long);
    assert!(shown.len() == 170 && shown.ends_with("00000"), "{shown}");
}

#[test]
fn rounding_to_whole_numbers() {
    let all = |source: &str| {
        let number = n(source);
        [number.floor(), number.ceil(), number.trunc(), number.abs(), number.neg()]
            .map(|result| text(&result))
    };
    assert_eq!(all("-0.5"), ["-1", "0", "0", "0.5", "0.5"]);
    assert_eq!(all("0.5"), ["0", "1", "0", "0.5", "-0.5"]);
    assert_eq!(all("2.000001"), ["2", "3", "2", "2.000001", "-2.000001"]);
    assert_eq!(all("-0"), ["0", "0", "0", "0", "0"]);
    assert_eq!(all("-Inf"), ["-Inf", "-Inf", "-Inf", "+Inf", "+Inf"]);
    assert_eq!(all("-9223372036854775808")[3], "9223372036854775808");
    assert_eq!(text(&n("9223372036854775808").neg()), "-9223372036854775808");
    assert_eq!(n("-9223372036854775808").neg().neg().to_i64(), Some(i64::MIN));
}

#[test]
fn machine_numbers() {
    assert_eq!(n("9223372036854775807").to_i64(), Some(i64::MAX));
    assert_eq!(n("9223372036854775808").to_i64(), None);
    assert_eq!(n("18446744073709551615").to_u64(), Some(u64::MAX));
    assert_eq!(n("18446744073709551616").to_u64(), None);
    assert_eq!((n("-1").to_u64(), n("-0").to_u64(), n("1.5").to_i64()), (None, Some(0), None));
    assert_eq!(n("1.0").to_usize(), Some(1));
    assert_eq!(n("0.1").f64_exact(), (0.1, false));
    assert_eq!(n("0.5").f64_exact(), (0.5, true));
    assert!(n("1e400").to_f64().is_infinite() && n("-0").to_f64().is_sign_negative());
    for source in [
        "1.7976931348623157e308",
        "5e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "2.2250738585072011e-308",
        "9007199254740993",
        "9007199254740993.0000000000000000000000000000001",
    ] {
        assert_eq!(n(source).to_f64(), source.parse::<f64>().unwrap(), "{source}");
    }
}

#[test]
fn texts_of_ten_digits() {
    for (source, expected) in [
        ("1234567890", "1234567890"),
        ("12345678901", "1.23456789e+10"),
        ("99999999995", "1e+11"),
        ("0.0001", "0.0001"),
        ("0.000012345678901", "1.23456789e-05"),
        ("12345678.905", "12345678.91"),
        ("1.00000000001", "1"),
        ("100", "100"),
        ("1e10", "1e+10"),
        ("-1", "-1"),
        ("0.00001", "1e-05"),
        ("-0", "-0"),
        ("-Inf", "-Inf"),
        ("Inf", "+Inf"),
        ("1e-100000", "1e-100000"),
    ] {
        assert_eq!(n(source).hash_text(), expected, "{source}");
    }
}

#[test]
fn long_texts_round_once() {
    let ones = n(&"1".repeat(1_000_000));
    assert!(ones.equal(&n(&format!("{}e999600", "1".repeat(400)))));
    // A tie: more than 512 bits, and then nothing, a little less, a little more.
    let tie = "26815615859885194199148049996411692254958731641184786755447122887443528060147093953603748596333806855380063716372972101707507765623893139892867298012168193";
    let even = "26815615859885194199148049996411692254958731641184786755447122887443528060147093953603748596333806855380063716372972101707507765623893139892867298012168192";
    let odd = "26815615859885194199148049996411692254958731641184786755447122887443528060147093953603748596333806855380063716372972101707507765623893139892867298012168194";
    let zeros = "0".repeat(100_000);
    assert!(n(tie).equal(&n(even)));
    assert!(n(&format!("{tie}.{zeros}")).equal(&n(even)));
    assert!(n(&format!("{tie}.{zeros}1")).equal(&n(odd)));
    let below = format!("{even}.{}", "9".repeat(100_000));
    assert!(n(&below).equal(&n(even)));
    assert_eq!(text(&n("1e99999")).len(), 100_000);
    assert_eq!(text(&n("1e-99999")), format!("0.{}1", "0".repeat(99_998)));
}

#[test]
fn bounds_of_texts_hold() {
    for source in
        ["0", "-0", "1", "-123.456", "1e300", "1e-300", "Inf", "-9223372036854775808", "0.1", "7e-5000"]
    {
        let number = n(source);
        let (length, bound) = (text(&number).len() as u64, number.text_len_bound());
        assert!(length <= bound && bound <= 2 * length + 400, "{source}: {length} {bound}");
    }
}
