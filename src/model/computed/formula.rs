//! A formula over the parts of one document, and what a document says to it.

use serde::{Deserialize, Serialize};

use crate::value::event::{Document, Item};
use crate::value::number::Number;
use crate::value::path::reach;

/// How a stored number follows from other parts of the same object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Formula {
    /// Path of the array whose elements hold it; empty where documents do. All other paths start there.
    pub scope: String,
    /// Path of the stored number.
    pub target: String,
    /// What it follows from.
    pub base: Base,
    /// What is added to that, or taken from it.
    pub parts: Vec<Part>,
    /// By what share the sum is raised or lowered at last.
    pub rate: Option<Rate>,
    /// Power of ten by which the parts are multiplied: -2 where they are cents and the stored number is not.
    pub scale: i32,
    /// Decimal places to which the stored number is rounded; absent where it is not.
    pub decimals: Option<u32>,
    /// Whether any rounding goes, up and down too.
    pub coarse: bool,
    /// Fields that play in, in a way that is not understood, where they hold anything: coupons, an overflow elsewhere.
    pub doubts: Vec<String>,
}

/// What a stored number follows from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Base {
    /// The number of elements of an array.
    Count {
        /// Path of the array.
        array: String,
        /// The length at which arrays are cut while the count goes on: a subset.
        cap: Option<u64>,
    },
    /// The sum over the elements of an array of a field, or of the product of two.
    Sum {
        /// Path of the array.
        array: String,
        /// Paths in its elements; the empty one is the element itself.
        factors: Vec<String>,
        /// What each element is lowered by.
        less: Option<Less>,
    },
    /// The mean over the elements of an array.
    Mean {
        /// Path of the array.
        array: String,
        /// Path in its elements; the empty one is the element itself.
        field: String,
    },
    /// Another number.
    Field(String),
    /// One number divided by another.
    Quotient {
        /// What is divided.
        sum: String,
        /// By what.
        count: String,
    },
    /// One number times another.
    Product([String; 2]),
}

/// What lowers an element of a sum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Less {
    /// An amount.
    Amount(String),
    /// A share: 0.1.
    Share(String),
    /// A percentage: 10.
    Percent(String),
}

/// A number that is added or taken away.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its path.
    pub path: String,
    /// Whether it is taken away.
    pub negative: bool,
}

/// A share by which all is raised or lowered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Its path.
    pub path: String,
    /// Whether all is lowered.
    pub negative: bool,
    /// Whether it is given in percent.
    pub percent: bool,
}

/// What one object says to a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The stored number is what follows.
    Agrees,
    /// It is not.
    Differs {
        /// Whether it is higher.
        above: bool,
    },
    /// A part is missing or not understood.
    Unjudged,
}

impl Formula {
    /// The path of the stored number in its document.
    pub fn path(&self) -> String {
        self.whole(&self.target)
    }

    /// A path of the formula as it is in the document.
    pub fn whole(&self, path: &str) -> String {
        if self.scope.is_empty() { path.to_owned() } else { format!("{}.{path}", self.scope) }
    }

    /// The array that it sums up, counts or averages.
    pub fn array(&self) -> Option<&str> {
        match &self.base {
            Base::Count { array, .. } | Base::Sum { array, .. } | Base::Mean { array, .. } => Some(array),
            Base::Field(_) | Base::Quotient { .. } | Base::Product(_) => None,
        }
    }

    /// The formula as text.
    pub fn describe(&self) -> String {
        let in_array = |array: &str, field: &str| match field {
            "" => self.whole(array),
            field => format!("{}.{field}", self.whole(array)),
        };
        let mut text = match &self.base {
            Base::Count { array, .. } => format!("count({})", self.whole(array)),
            Base::Sum { array, factors, less } => {
                let product = factors.iter().map(|f| in_array(array, f)).collect::<Vec<_>>().join(" * ");
                match less {
                    None => format!("sum({product})"),
                    Some(Less::Amount(path)) => format!("sum({product} - {})", in_array(array, path)),
                    Some(Less::Share(path)) => format!("sum({product} * (1 - {}))", in_array(array, path)),
                    Some(Less::Percent(path)) => format!("sum({product} * (1 - {} / 100))", in_array(array, path)),
                }
            }
            Base::Mean { array, field } => format!("avg({})", in_array(array, field)),
            Base::Field(path) => self.whole(path),
            Base::Quotient { sum, count } => format!("{} / {}", self.whole(sum), self.whole(count)),
            Base::Product([a, b]) => format!("{} * {}", self.whole(a), self.whole(b)),
        };
        for part in &self.parts {
            text.push_str(if part.negative { " - " } else { " + " });
            text.push_str(&self.whole(&part.path));
        }
        if let Some(rate) = &self.rate {
            let share = if rate.percent { " / 100" } else { "" };
            let sign = if rate.negative { '-' } else { '+' };
            text = format!("({text}) * (1 {sign} {}{share})", self.whole(&rate.path));
        }
        match self.scale {
            0 => text,
            scale if scale < 0 => format!("({text}) / {}", 10_i64.pow(scale.unsigned_abs().min(18))),
            scale => format!("({text}) * {}", 10_i64.pow(scale.unsigned_abs().min(18))),
        }
    }

    /// Compares every object of a document that holds the stored number.
    pub fn each(&self, document: &Document<'_>, tell: &mut impl FnMut(Outcome)) {
        for at in objects(document, &self.scope) {
            if let Some(stored) = number(document, at, &self.target) {
                tell(self.compare(document, at, stored));
            }
        }
    }

    fn compare(&self, document: &Document<'_>, at: usize, stored: f64) -> Outcome {
        let Some((computed, summands)) = self.compute(document, at) else { return Outcome::Unjudged };
        if self.is_close(stored, computed, summands) {
            return Outcome::Agrees;
        }
        if self.doubts.iter().any(|path| says_something(document, at, path)) {
            return Outcome::Unjudged;
        }
        if let Base::Count { cap: Some(cap), .. } = self.base
            && cap as f64 <= computed
            && computed < stored
        {
            return Outcome::Unjudged;
        }
        Outcome::Differs { above: computed < stored }
    }

    /// Whether two numbers are one, as far as rounding tells.
    pub(super) fn is_close(&self, stored: f64, computed: f64, summands: u64) -> bool {
        let gap = (stored - computed).abs();
        let exact = stored.abs().max(computed.abs()).max(1e-6) * 1e-9;
        if gap <= exact {
            return true;
        }
        let Some(decimals) = self.decimals else { return false };
        let power = libm::pow(10.0, f64::from(decimals));
        let is_rounded = 1e-6 < (computed * power - (computed * power).round()).abs();
        let unit = if self.coarse { 1.0 } else { 0.5 };
        // Each line may have been rounded, and the sum again.
        let roundings = if matches!(self.base, Base::Sum { .. }) { summands as f64 + 1.0 } else { 1.0 };
        is_rounded && gap <= unit * roundings / power * 1.000_001 + exact
    }

    /// What follows from the parts, and from how many summands.
    pub(super) fn compute(&self, document: &Document<'_>, at: usize) -> Option<(f64, u64)> {
        let (mut value, summands) = match &self.base {
            Base::Count { array, .. } => (array_at(document, at, array)?.1 as f64, 0),
            Base::Sum { array, factors, less } => sum(document, at, array, factors, less.as_ref())?,
            Base::Mean { array, field } => {
                let (sum, summands) = sum(document, at, array, std::slice::from_ref(field), None)?;
                if summands == 0 {
                    return None;
                }
                (sum / summands as f64, summands)
            }
            Base::Field(path) => (number(document, at, path)?, 1),
            Base::Quotient { sum, count } => {
                let (sum, count) = (number(document, at, sum)?, number(document, at, count)?);
                if count == 0.0 {
                    return None;
                }
                (sum / count, 1)
            }
            Base::Product([a, b]) => (number(document, at, a)? * number(document, at, b)?, 1),
        };
        for part in &self.parts {
            let amount = optional(document, at, &part.path)?;
            value += if part.negative { -amount } else { amount };
        }
        if let Some(rate) = &self.rate {
            let share = optional(document, at, &rate.path)? / if rate.percent { 100.0 } else { 1.0 };
            value *= 1.0 + if rate.negative { -share } else { share };
        }
        Some((value * libm::pow(10.0, f64::from(self.scale)), summands))
    }
}

fn sum(document: &Document<'_>, at: usize, array: &str, factors: &[String], less: Option<&Less>) -> Option<(f64, u64)> {
    let (place, length) = array_at(document, at, array)?;
    let (mut sum, mut summands) = (0.0, 0);
    for (element, _) in document.children(place) {
        let mut product = 1.0;
        for factor in factors {
            product *= number(document, element, factor)?;
        }
        product = match less {
            None => product,
            Some(Less::Amount(path)) => product - optional(document, element, path)?,
            Some(Less::Share(path)) => product * (1.0 - optional(document, element, path)?),
            Some(Less::Percent(path)) => product * (1.0 - optional(document, element, path)? / 100.0),
        };
        sum += product;
        summands += 1;
    }
    // Of an array that was cut the sum is not known.
    (summands == length).then_some((sum, summands))
}

/// The objects in which a scope looks.
pub(super) fn objects(document: &Document<'_>, scope: &str) -> Vec<usize> {
    if scope.is_empty() {
        return vec![0];
    }
    let is_object = |at: &usize| matches!(document.entries.get(*at).map(|e| e.item), Some(Item::Object { .. }));
    reach(document, scope).into_iter().filter(is_object).collect()
}

/// The place of the value at a path that passes objects only; the empty path is the place itself.
pub(in crate::model) fn place(document: &Document<'_>, mut at: usize, path: &str) -> Option<usize> {
    if path.is_empty() {
        return Some(at);
    }
    for name in path.split('.') {
        if !matches!(document.entries.get(at)?.item, Item::Object { .. }) {
            return None;
        }
        at = document.children(at).find(|(_, entry)| entry.key == name)?.0;
    }
    Some(at)
}

/// The place of an array and its true length.
pub(super) fn array_at(document: &Document<'_>, at: usize, path: &str) -> Option<(usize, u64)> {
    let place = place(document, at, path)?;
    match document.entries.get(place)?.item {
        Item::Array { len, .. } => Some((place, u64::from(len))),
        _ => None,
    }
}

/// The finite number at a path.
pub(super) fn number(document: &Document<'_>, at: usize, path: &str) -> Option<f64> {
    value_of(&document.entries.get(place(document, at, path)?)?.item)
}

/// The finite number of an item.
pub(in crate::model) fn value_of(item: &Item<'_>) -> Option<f64> {
    let value = match item {
        Item::Int(value) => f64::from(*value),
        Item::Long(value) => *value as f64,
        Item::Double(value) => *value,
        Item::Decimal(bytes) => match Number::from_decimal(*bytes) {
            // The text is read exactly; a power of ten would add its own error.
            Number::Finite { negative, coefficient, exponent } => {
                let sign = if negative { "-" } else { "" };
                format!("{sign}{coefficient}e{exponent}").parse().ok()?
            }
            _ => return None,
        },
        _ => return None,
    };
    value.is_finite().then_some(value)
}

/// The number at a path, 0 where nothing is there; nothing where something else is.
fn optional(document: &Document<'_>, at: usize, path: &str) -> Option<f64> {
    match place(document, at, path).and_then(|place| document.entries.get(place)).map(|entry| entry.item) {
        None | Some(Item::Null | Item::Undefined) => Some(0.0),
        Some(item) => value_of(&item),
    }
}

/// Whether a field holds anything but nothing: no null, no zero, no false, nothing empty.
fn says_something(document: &Document<'_>, at: usize, path: &str) -> bool {
    let Some(item) = place(document, at, path).and_then(|place| document.entries.get(place)).map(|e| e.item) else {
        return false;
    };
    match item {
        Item::Null | Item::Undefined | Item::Bool(false) | Item::Array { len: 0, .. } => false,
        Item::String(text) => !text.is_empty(),
        Item::Object { bytes, .. } => 5 < bytes,
        other => value_of(&other) != Some(0.0),
    }
}
