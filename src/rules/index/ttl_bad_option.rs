//! TTL seconds that are no number of seconds. Words, reasons and examples: ttl-bad-option.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::{Index, Origin};
use crate::facts::limits;
use crate::model::Model;
use crate::remedy;
use crate::rules::Findings;
use crate::value::Value;
use crate::value::number::Number;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for index in collection.indexes() {
            let Some(value) = index.expire_after_seconds.as_ref().filter(|value| **value != Value::Undefined) else {
                continue;
            };
            let Some(variant) = fault(value) else { continue };
            let draft = findings.certain(place(collection, index));
            draft.text("type", value.bson_type().alias()).number("limit", limits::TTL_SECONDS).variant(variant);
            // Text that holds a number says what was meant; what was only wanted is corrected where it is written.
            let present = index.origin == Origin::Present;
            let meant = value
                .as_str()
                .and_then(|text| text.trim().parse::<i32>().ok())
                .filter(|seconds| present && 0 <= *seconds);
            if let Some(seconds) = meant {
                let new = Index { expire_after_seconds: Some(Value::Int(seconds)), ..index.clone() };
                draft.remedy(remedy::index::replace(&collection.ns, index, &new, model.server));
            }
        }
    }
}

fn fault(value: &Value) -> Option<&'static str> {
    let whole = Number::from_i64(0);
    match Number::of_value(value) {
        None => Some("type"),
        Some(Number::NaN) => Some("nan"),
        Some(number) if number.compare(whole).is_some_and(std::cmp::Ordering::is_lt) => Some("negative"),
        Some(number)
            if number.compare(Number::from_i64(limits::TTL_SECONDS)).is_some_and(std::cmp::Ordering::is_gt) =>
        {
            Some("large")
        }
        Some(_) => None,
    }
}
