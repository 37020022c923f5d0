//! Decimal128 between its sixteen bytes and its text, after the BSON specification.

use std::fmt::Write;

/// Digits of the coefficient.
const DIGITS: usize = 34;
const MAX_COEFFICIENT: u128 = 10_u128.pow(34) - 1;
const MIN_EXPONENT: i32 = -6176;
const MAX_EXPONENT: i32 = 6111;
const BIAS: i32 = 6176;

/// A Decimal128 taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimal {
    /// Not a number.
    NaN,
    /// Positive or negative infinity.
    Infinity {
        /// Whether it is below zero.
        negative: bool,
    },
    /// `coefficient` × 10^`exponent`.
    Finite {
        /// Whether the sign bit is set; zero can be negative.
        negative: bool,
        /// At most 34 digits.
        coefficient: u128,
        /// From -6176 to 6111.
        exponent: i32,
    },
}

impl Decimal {
    /// Takes apart the bytes as BSON stores them.
    pub fn from_bytes(bytes: [u8; 16]) -> Decimal {
        let bits = u128::from_le_bytes(bytes);
        let negative = bits >> 127 == 1;
        match (bits >> 122) & 0x1f {
            0x1f => return Decimal::NaN,
            0x1e => return Decimal::Infinity { negative },
            _ => {}
        }
        // The second form would hold coefficients beyond 34 digits, which count as zero.
        let (biased, coefficient) = if (bits >> 125) & 3 == 3 {
            ((bits >> 111) & 0x3fff, 0)
        } else {
            ((bits >> 113) & 0x3fff, bits & ((1 << 113) - 1))
        };
        let coefficient = if coefficient > MAX_COEFFICIENT { 0 } else { coefficient };
        Decimal::Finite { negative, coefficient, exponent: biased as i32 - BIAS }
    }

    /// The bytes as BSON stores them.
    pub fn to_bytes(self) -> [u8; 16] {
        let bits = match self {
            Decimal::NaN => 0x1f << 122,
            Decimal::Infinity { negative } => 0x1e << 122 | u128::from(negative) << 127,
            Decimal::Finite { negative, coefficient, exponent } => {
                let biased = (exponent.clamp(MIN_EXPONENT, MAX_EXPONENT) + BIAS) as u128;
                coefficient.min(MAX_COEFFICIENT) | biased << 113 | u128::from(negative) << 127
            }
        };
        bits.to_le_bytes()
    }

    /// Reads the text of a number, `Infinity` or `NaN`. Nothing where it is none, or where 34 digits cannot hold it
    /// exactly.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, text.get(1..)?),
            b'+' => (false, text.get(1..)?),
            _ => (false, text),
        };
        if rest.eq_ignore_ascii_case("nan") {
            return Some(Decimal::NaN);
        }
        if rest.eq_ignore_ascii_case("inf") || rest.eq_ignore_ascii_case("infinity") {
            return Some(Decimal::Infinity { negative });
        }
        let (number, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (rest.get(..at)?, parse_exponent(rest.get(at + 1..)?)?),
            None => (rest, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.len() + fraction.len() == 0 {
            return None;
        }
        let mut exponent = exponent.saturating_sub(i64::try_from(fraction.len()).ok()?);
        let mut coefficient: u128 = 0;
        let mut digits = 0;
        // Zeros at the end of too many digits go into the exponent; other digits cannot be kept.
        let mut dropped = 0_i64;
        for byte in whole.bytes().chain(fraction.bytes()) {
            if !byte.is_ascii_digit() {
                return None;
            }
            let digit = u128::from(byte - b'0');
            if digits < DIGITS {
                coefficient = coefficient * 10 + digit;
                digits += usize::from(coefficient != 0);
            } else if digit == 0 {
                dropped += 1;
            } else {
                return None;
            }
        }
        exponent = exponent.saturating_add(dropped);
        if coefficient == 0 {
            let exponent = exponent.clamp(i64::from(MIN_EXPONENT), i64::from(MAX_EXPONENT)) as i32;
            return Some(Decimal::Finite { negative, coefficient, exponent });
        }
        while exponent > i64::from(MAX_EXPONENT) && coefficient <= MAX_COEFFICIENT / 10 {
            coefficient *= 10;
            exponent -= 1;
        }
        while exponent < i64::from(MIN_EXPONENT) && coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        let exponent = i32::try_from(exponent).ok().filter(|e| (MIN_EXPONENT..=MAX_EXPONENT).contains(e))?;
        Some(Decimal::Finite { negative, coefficient, exponent })
    }

    /// The nearest double; infinities and NaN stay what they are.
    pub fn to_f64(self) -> f64 {
        match self {
            Decimal::NaN => f64::NAN,
            Decimal::Infinity { negative: true } => f64::NEG_INFINITY,
            Decimal::Infinity { negative: false } => f64::INFINITY,
            // Text is the exact way: multiplying by a power of ten rounds twice.
            Decimal::Finite { .. } => self.to_string().parse().unwrap_or(f64::NAN),
        }
    }
}

/// The canonical text, which [`Decimal::parse`] reads back to the same bytes.
impl std::fmt::Display for Decimal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (negative, coefficient, exponent) = match *self {
            Decimal::NaN => return out.write_str("NaN"),
            Decimal::Infinity { negative } => return out.write_str(if negative { "-Infinity" } else { "Infinity" }),
            Decimal::Finite { negative, coefficient, exponent } => (negative, coefficient, exponent),
        };
        if negative {
            out.write_char('-')?;
        }
        let digits = coefficient.to_string();
        let scientific = digits.len() as i32 - 1 + exponent;
        if exponent > 0 || scientific < -6 {
            let (first, rest) = digits.split_at(1);
            out.write_str(first)?;
            if !rest.is_empty() {
                write!(out, ".{rest}")?;
            }
            return write!(out, "E{scientific:+}");
        }
        let point = digits.len() as i32 + exponent;
        match usize::try_from(point) {
            _ if exponent == 0 => out.write_str(&digits),
            Ok(point) if point > 0 => {
                let (whole, fraction) = digits.split_at(point);
                write!(out, "{whole}.{fraction}")
            }
            _ => {
                out.write_str("0.")?;
                (point..0).try_for_each(|_| out.write_char('0'))?;
                out.write_str(&digits)
            }
        }
    }
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let size = digits.bytes().fold(0_i64, |n, b| n.saturating_mul(10).saturating_add(i64::from(b - b'0')));
    Some(if text.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) -> String {
        Decimal::parse(text).map_or("refused".to_owned(), |d| Decimal::from_bytes(d.to_bytes()).to_string())
    }

    #[test]
    fn writes_what_it_reads() {
        for text in ["0", "-0", "1", "12.30", "0.001", "1E-7", "1.000E+4", "NaN", "Infinity", "-Infinity", "0E-6176"] {
            assert_eq!(round(text), text);
        }
    }

    #[test]
    fn clamps_what_stays_exact_and_refuses_the_rest() {
        assert_eq!(round("1E6112"), "1.0E+6112");
        assert_eq!(round("0E9999999999"), "0E+6111");
        assert_eq!(round("1E9999999999"), "refused");
        assert_eq!(round("10E-6177"), "1E-6176");
        assert_eq!(round("12345678901234567890123456789012345"), "refused");
        assert_eq!(round("12345678901234567890123456789012340"), "1.234567890123456789012345678901234E+34");
        for text in ["", ".", "+", "1.2.3", "1E", "E5", "1e+", "0x10", " 1", "١"] {
            assert_eq!(round(text), "refused", "{text}");
        }
    }
}
