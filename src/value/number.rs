//! Numbers of the four BSON types on one scale, as the server compares them.

use std::cmp::Ordering;

use super::decimal::Decimal;
use super::{Item, Value};

/// A number without its type: `5`, `5.0`, `NumberLong(5)` and `NumberDecimal("5.00")` are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// Not a number; equal to itself only.
    NaN,
    /// An infinity.
    Infinite {
        /// Below every number.
        negative: bool,
    },
    /// `±coefficient × 10^exponent`, without trailing zeros in the coefficient.
    Finite {
        /// Below zero; never set for zero.
        negative: bool,
        /// At most 38 digits.
        coefficient: u128,
        /// Power of ten.
        exponent: i32,
    },
}

impl Number {
    /// The number of an item, if it is one.
    pub fn of(item: &Item<'_>) -> Option<Number> {
        match item {
            Item::Int(v) => Some(Number::from_i64(i64::from(*v))),
            Item::Long(v) => Some(Number::from_i64(*v)),
            Item::Double(v) => Some(Number::from_f64(*v)),
            Item::Decimal(v) => Some(Number::from_decimal(*v)),
            _ => None,
        }
    }

    /// The number of an owned value, if it is one.
    pub fn of_value(value: &Value) -> Option<Number> {
        match value {
            Value::Int(v) => Some(Number::from_i64(i64::from(*v))),
            Value::Long(v) => Some(Number::from_i64(*v)),
            Value::Double(v) => Some(Number::from_f64(*v)),
            Value::Decimal(v) => Some(Number::from_decimal(*v)),
            _ => None,
        }
    }

    /// A whole number.
    pub fn from_i64(value: i64) -> Number {
        Number::finite(value < 0, u128::from(value.unsigned_abs()), 0)
    }

    /// A double, by the value that it stands for (0.1 is a little more than a tenth), to 37 digits.
    pub fn from_f64(value: f64) -> Number {
        if value.is_nan() {
            return Number::NaN;
        }
        if value.is_infinite() {
            return Number::Infinite { negative: value < 0.0 };
        }
        if value.fract() == 0.0 && value.abs() < 9.0e18 {
            return Number::from_i64(value as i64);
        }
        let text = format!("{:.36e}", value.abs());
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let coefficient = digits
            .bytes()
            .filter(u8::is_ascii_digit)
            .fold(0u128, |sum, digit| sum.saturating_mul(10).saturating_add(u128::from(digit - b'0')));
        Number::finite(value < 0.0, coefficient, exponent.parse::<i32>().unwrap_or(0) - 36)
    }

    /// A Decimal128 in the byte order of BSON.
    pub fn from_decimal(bytes: [u8; 16]) -> Number {
        match Decimal::from_bytes(bytes) {
            Decimal::NaN => Number::NaN,
            Decimal::Infinity { negative } => Number::Infinite { negative },
            Decimal::Finite { negative, coefficient, exponent } => Number::finite(negative, coefficient, exponent),
        }
    }

    fn finite(negative: bool, mut coefficient: u128, mut exponent: i32) -> Number {
        if coefficient == 0 {
            return Number::Finite { negative: false, coefficient: 0, exponent: 0 };
        }
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        Number::Finite { negative, coefficient, exponent }
    }

    /// The order of two numbers; none where one is NaN and the other is not.
    pub fn compare(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::NaN, Number::NaN) => Some(Ordering::Equal),
            (Number::NaN, _) | (_, Number::NaN) => None,
            (a, b) => Some(a.sign().cmp(&b.sign()).then_with(|| {
                let magnitude = a.compare_magnitude(b);
                if a.sign() < 0 { magnitude.reverse() } else { magnitude }
            })),
        }
    }

    /// Whether the number is a whole multiple of another; unknown where the arithmetic would not be exact.
    pub fn is_multiple_of(self, other: Number) -> Option<bool> {
        let (Number::Finite { coefficient: a, exponent: x, .. }, Number::Finite { coefficient: b, exponent: y, .. }) =
            (self, other)
        else {
            return Some(false);
        };
        if b == 0 {
            return None;
        }
        let lowest = x.min(y);
        let scale = |coefficient: u128, exponent: i32| {
            10u128.checked_pow((exponent - lowest) as u32).and_then(|power| coefficient.checked_mul(power))
        };
        Some(scale(a, x)? % scale(b, y)? == 0)
    }

    fn sign(self) -> i8 {
        match self {
            Number::Finite { coefficient: 0, .. } | Number::NaN => 0,
            Number::Infinite { negative } | Number::Finite { negative, .. } => {
                if negative {
                    -1
                } else {
                    1
                }
            }
        }
    }

    fn compare_magnitude(self, other: Number) -> Ordering {
        match (self, other) {
            (Number::Infinite { .. }, Number::Infinite { .. }) => Ordering::Equal,
            (Number::Infinite { .. }, _) => Ordering::Greater,
            (_, Number::Infinite { .. }) => Ordering::Less,
            (
                Number::Finite { coefficient: a, exponent: x, .. },
                Number::Finite { coefficient: b, exponent: y, .. },
            ) => {
                // Both get 38 digits, so that the coefficients compare once the magnitudes are equal.
                let digits = |coefficient: u128| coefficient.checked_ilog10().map_or(0, |log| log as i32 + 1);
                let pad = |coefficient: u128| {
                    coefficient.saturating_mul(10u128.pow((38 - digits(coefficient).min(38)) as u32))
                };
                (digits(a) + x).cmp(&(digits(b) + y)).then_with(|| pad(a).cmp(&pad(b)))
            }
            _ => Ordering::Equal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(coefficient: u128, exponent: i32) -> Number {
        Number::from_decimal((coefficient | (((exponent + 6176) as u128) << 113)).to_le_bytes())
    }

    #[test]
    fn the_four_types_share_one_scale() {
        assert_eq!(Number::from_i64(5), Number::from_f64(5.0));
        assert_eq!(Number::from_i64(5), decimal(500, -2));
        assert_eq!(Number::from_f64(-0.0), Number::from_i64(0));
        assert_eq!(Number::from_f64(0.5), decimal(5, -1));
        // The double 0.1 is not the decimal 0.1: the server tells them apart.
        assert_eq!(Number::from_f64(0.1).compare(decimal(1, -1)), Some(Ordering::Greater));
    }

    #[test]
    fn order_is_the_servers() {
        let ascending = [
            Number::Infinite { negative: true },
            Number::from_i64(i64::MIN),
            Number::from_f64(-1.5),
            Number::from_i64(0),
            decimal(1, -6000),
            Number::from_f64(0.3),
            decimal(31, -2),
            Number::from_i64(i64::MAX),
            Number::from_f64(1e300),
            decimal(1, 6000),
            Number::Infinite { negative: false },
        ];
        for pair in ascending.windows(2) {
            assert_eq!(pair[0].compare(pair[1]), Some(Ordering::Less), "{pair:?}");
            assert_eq!(pair[1].compare(pair[0]), Some(Ordering::Greater), "{pair:?}");
        }
        assert_eq!(Number::NaN.compare(Number::from_i64(1)), None);
        assert_eq!(Number::NaN.compare(Number::NaN), Some(Ordering::Equal));
    }

    #[test]
    fn multiples() {
        assert_eq!(Number::from_i64(10).is_multiple_of(decimal(25, -1)), Some(true));
        assert_eq!(Number::from_i64(10).is_multiple_of(Number::from_i64(3)), Some(false));
        assert_eq!(decimal(1, 6000).is_multiple_of(Number::from_i64(3)), None);
    }
}
