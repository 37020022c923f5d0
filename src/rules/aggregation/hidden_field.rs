//! Fields that an earlier stage took away or never made. Words, reasons and examples: hidden-field.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::facts::spelling;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::{Fields, Stage};
use crate::workload::{Filter, Operator};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model).filter(|seen| seen.operation.runs.is_none()) {
        let mut fields = Fields::stored();
        for stage in seen.pipeline.certain() {
            let reads = stage.reads();
            let absence = absent(stage);
            for (path, _) in &reads.paths {
                let Some(by) = fields.gone(path) else { continue };
                // Whether a field is there may well be asked; its parent may be a variable of the driver.
                if absence.iter().any(|asked| asked == path) || path.is_empty() {
                    continue;
                }
                let maker = seen.pipeline.stages.get(by as usize).and_then(|stage| stage.name.clone());
                let draft =
                    seen.certain(findings, stage.position).text("field", path).text("by", maker.unwrap_or_default());
                draft.number("at", by);
                if let Fields::Only { paths, .. } = &fields
                    && let Some(near) = spelling::nearest(path, paths.iter().map(String::as_str))
                {
                    draft.help("near").text("near", near);
                }
                break;
            }
            fields = fields.after(stage);
        }
    }
}

/// The paths that a filter only asks the absence of.
fn absent(stage: &Stage) -> Vec<String> {
    if !stage.is("$match") {
        return Vec::new();
    }
    let filter = Filter::read(&stage.argument);
    let mut paths = Vec::new();
    filter.visit("", &mut |path, test| {
        if test.operator == Operator::Exists || test.argument.as_scalar() == Some(&crate::value::Value::Null) {
            paths.push(path.to_owned());
        }
    });
    paths
}
