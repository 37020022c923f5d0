//! Arrays that nothing bounds. Words, reasons and examples: unbounded-array.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::advice;
use crate::facts::limits;
use crate::finding::Severity;
use crate::model::{Array, Collection, Model};
use crate::rules::{Draft, Findings, Place};
use crate::value::time::DAY;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Arrays whose longest is shorter than this say nothing yet.
    min_length: u64,
    /// The longest array from which on an uneven distribution counts.
    uneven_length: u64,
    /// How many times the median the longest must be for that.
    uneven_ratio: u64,
    /// The length that the forecast is made for.
    forecast_length: u64,
    /// Longest array below which a far forecast makes the finding a hint.
    short_length: u64,
    /// Days from which on a forecast is far.
    far_days: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            min_length: 20,
            uneven_length: 100,
            uneven_ratio: 10,
            forecast_length: 1_000,
            short_length: 250,
            far_days: 3 * 365,
        }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    check_those(model, options, findings, |_, _| true);
}

/// The same for some arrays: of those that hold references another rule tells.
pub(crate) fn check_those(
    model: &Model,
    options: &Options,
    findings: &mut Findings,
    is_meant: impl Fn(&Collection, &Array) -> bool,
) {
    for collection in &model.collections {
        for array in collection.arrays().iter().filter(|array| is_meant(collection, array)) {
            if let Some(sign) = sign(model, collection, array, options) {
                tell(model, collection, array, sign, options, findings);
            }
        }
    }
}

/// What shows that nothing bounds an array.
enum Sign {
    /// Its length grows with age, or its elements come month by month.
    Growth(Forecast),
    /// The declared model.
    Declared,
    /// The longest is far from the rest.
    Uneven,
}

fn sign(model: &Model, collection: &Collection, array: &Array, options: &Options) -> Option<Sign> {
    let lengths = &array.stats.lengths;
    let max = lengths.max();
    let declared = model.declared_bound(&collection.ns, array.path.as_str());
    let bound = collection.validator().and_then(|validator| validator.array_bound(array.path.as_str()));
    if bound.is_some() || declared.holds(max) {
        return None;
    }
    // What the team says counts more than what the lengths show so far.
    let is_declared = declared.bounded == Some(false);
    let shows_bound = max < options.min_length || array.stats.is_constant() || array.is_capped();
    if shows_bound && !is_declared {
        return None;
    }
    let forecast = Forecast::of(collection, array, options);
    let uneven = lengths.median().max(1).saturating_mul(options.uneven_ratio);
    if (ages(array) || (array.is_list() && array.grows())) && forecast.days_to_length <= FARTHEST {
        Some(Sign::Growth(forecast))
    } else if is_declared {
        Some(Sign::Declared)
    } else {
        (array.is_list() && options.uneven_length <= max && uneven <= max).then_some(Sign::Uneven)
    }
}

/// Whether older documents have longer arrays.
fn ages(array: &Array) -> bool {
    array.growth.is_some_and(|growth| growth.is_steady())
}

fn tell(model: &Model, collection: &Collection, array: &Array, sign: Sign, options: &Options, findings: &mut Findings) {
    let decision = advice::relationship(findings.recommendations(), &collection.ns, array.path.as_str());
    let help = decision.and_then(|decision| help(&decision.decision));
    let lengths = &array.stats.lengths;
    let is_short = lengths.max() < options.short_length;
    let place = Place::path(&collection.ns, &array.path);
    let (finding, is_far) = match sign {
        Sign::Growth(forecast) => {
            let points = array.growth.filter(|_| ages(array)).map(|growth| growth.points);
            let sampled = points.or(array.element_times.map(|times| times.arrays));
            let finding = findings
                .measured(place, sampled.unwrap_or(0))
                .number("perMonth", array.per_month() as f64 / 1000.0)
                .number("bytesPerElement", forecast.bytes_per_element)
                .number("forecastLength", options.forecast_length);
            forecast.tell(model.now, finding);
            (finding, options.far_days < forecast.days_to_length)
        }
        Sign::Declared => {
            let finding = findings.inferred(place, "the declared model").sampled(lengths.count());
            (finding.variant("declared"), false)
        }
        Sign::Uneven => {
            let finding = findings.inferred(place, "the longest array against the median").sampled(lengths.count());
            // Lengths that were followed over a long time and did not grow are a spread with a long tail.
            (finding.variant("uneven"), array.growth.is_some_and(|growth| growth.is_telling()))
        }
    };
    finding.number("max", lengths.max()).number("median", lengths.median());
    if is_short && is_far {
        finding.severity(Severity::Info);
    }
    if let Some(help) = help {
        finding.help(help);
    }
}

/// The words for what advice decided about the elements.
fn help(decision: &str) -> Option<&'static str> {
    ["keep", "parent-reference", "child-references", "association", "outlier", "time-series"]
        .into_iter()
        .find(|known| *known == decision)
}

/// When an array gets too long, from its growth and its measured bytes, in whole numbers.
struct Forecast {
    bytes_per_element: u64,
    /// Days until the longest array has the length; 0 where it has it.
    days_to_length: u64,
    /// Days until its document has the size that the server refuses.
    days_to_limit: u64,
}

/// Beyond this a date says nothing.
const DECADES: u64 = 30 * 365;
/// What takes longer than this does not grow.
const FARTHEST: u64 = 200 * 365;
impl Forecast {
    fn of(collection: &Collection, array: &Array, options: &Options) -> Forecast {
        let lengths = &array.stats.lengths;
        let bytes_per_element = array.stats.sizes.sum().checked_div(lengths.sum()).unwrap_or(0).max(1);
        let largest = collection.profile.as_ref().map_or(0, |profile| profile.sizes.max());
        let room = u64::from(limits::DOCUMENT_BYTES).saturating_sub(largest) / bytes_per_element;
        let days = |elements: u64| {
            (u128::from(elements) * 1000 * 30)
                .checked_div(u128::from(array.per_month()))
                .map_or(u64::MAX, |days| u64::try_from(days).unwrap_or(u64::MAX))
        };
        Forecast {
            bytes_per_element,
            days_to_length: days(options.forecast_length.saturating_sub(lengths.max())),
            days_to_limit: days(room),
        }
    }

    /// Adds the days, or picks the words that go without.
    fn tell(&self, now: Option<i64>, finding: &mut Draft) {
        let after = |now: i64, days: u64| {
            let days = i64::try_from(days).unwrap_or(i64::MAX);
            now.saturating_add(days.saturating_mul(DAY))
        };
        match (now, self.days_to_length) {
            (_, 0) => finding.variant("long"),
            (_, days) if DECADES < days => finding.variant("slow"),
            (None, days) => finding.number("lengthInDays", days).variant("undated"),
            (Some(now), days) if DECADES < self.days_to_limit => {
                finding.date("lengthOn", after(now, days)).variant("far")
            }
            (Some(now), days) => {
                finding.date("lengthOn", after(now, days)).date("limitOn", after(now, self.days_to_limit))
            }
        };
    }
}
