//! Projections that include and exclude. Words, reasons and examples: projection-mix.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DEEPEST, joined};
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::value::Value;
use crate::workload::{Api, Operation, Term, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none()) {
        for (stage, projection) in projections(operation) {
            let mut sides = Sides { in_pipeline: stage.is_some(), ..Sides::default() };
            match &projection.what {
                What::Value(Value::String(names)) if operation.api == Api::Mongoose => sides.names(names),
                _ => sides.members(projection, "", DEEPEST),
            }
            let (Some(included), Some(excluded)) = (sides.included, sides.excluded) else { continue };
            let place = Place::operation(model, operation, None);
            let place = match stage {
                Some(stage) => place.with_stage(stage),
                None => place,
            };
            findings.certain(place).text("included", included).text("excluded", excluded);
        }
    }
}

/// The projection of a find, and those of a pipeline with their stages.
fn projections(operation: &Operation) -> Vec<(Option<u32>, &Term)> {
    let mut found: Vec<(Option<u32>, &Term)> = operation.projection.iter().map(|term| (None, term)).collect();
    let stages = operation.pipeline.as_ref().and_then(Term::elements).unwrap_or_default();
    for (number, stage) in stages.iter().enumerate() {
        if let Some(("$project", argument)) = stage.only_member() {
            found.push((u32::try_from(number).ok(), argument));
        }
    }
    found
}

/// The first path of each kind.
#[derive(Default)]
struct Sides {
    included: Option<String>,
    excluded: Option<String>,
    in_pipeline: bool,
}

impl Sides {
    fn members(&mut self, projection: &Term, prefix: &str, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for member in projection.members().unwrap_or_default() {
            let Some(name) = member.name() else { continue };
            let path = joined(prefix, name);
            // `_id` may be left out of what is included, and kept beside what is excluded.
            if path == "_id" {
                continue;
            }
            match &member.value.what {
                What::Value(Value::Null | Value::Undefined) | What::Hole(_) => {}
                What::Value(value) => match value.as_bool().or_else(|| value.as_f64().map(|number| number != 0.0)) {
                    Some(false) => self.exclude(path),
                    Some(true) | None => self.include(path),
                },
                What::Array(_) => self.include(path),
                What::Object(_) => {
                    let first = member.value.members().and_then(|members| members.first()?.name());
                    match first {
                        // In a find they go with either.
                        Some("$slice" | "$elemMatch" | "$meta") if !self.in_pipeline => {}
                        Some("$meta") => {}
                        // A condition may remove the field: `$$REMOVE` is no exclusion.
                        Some(name) if name.starts_with('$') => self.include(path),
                        _ => self.members(&member.value, &path, depth),
                    }
                }
            }
        }
    }

    /// `name -email`, as Mongoose takes it; `+name` takes back a default.
    fn names(&mut self, names: &str) {
        for name in names.split_whitespace() {
            match name.strip_prefix('-') {
                Some("_id") => {}
                Some(name) => self.exclude(name.to_owned()),
                None if name.starts_with('+') || name == "_id" => {}
                None => self.include(name.to_owned()),
            }
        }
    }

    fn include(&mut self, path: String) {
        self.included.get_or_insert(path);
    }

    fn exclude(&mut self, path: String) {
        self.excluded.get_or_insert(path);
    }
}
