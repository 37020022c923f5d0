//! Files inside documents. Words, reasons and examples: inline-file.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Collection, Model};
use crate::profile::{Field, Shape};
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Bytes of the average value from which on a path holds files.
    bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { bytes: 64 * 1024 }
    }
}

/// Values of one path that may be files.
struct Files {
    count: u64,
    bytes: u64,
    variant: &'static str,
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents().filter(|(c, _)| !is_gridfs(c)) {
        for at in collection.fields() {
            let Some(files) = files(at.field) else { continue };
            let mean = files.bytes / files.count;
            if mean < options.bytes {
                continue;
            }
            findings
                .measured(Place::path(&collection.ns, &at.path), files.count)
                .number("mean", mean)
                .number("max", at.field.max_bytes)
                .number("share", files.bytes as f64 / profile.sizes.sum().max(1) as f64)
                .variant(files.variant);
        }
    }
}

fn files(field: &Field) -> Option<Files> {
    let binaries = field.count_of(Type::BinData);
    let texts = [Shape::Base64, Shape::DataUri];
    let texts = texts.map(|shape| {
        let bytes = field.strings.as_ref().and_then(|s| s.shape_bytes.get(shape as usize)).copied();
        (field.shape_count(shape), bytes.unwrap_or(0))
    });
    let count = texts.iter().map(|(count, _)| count).sum();
    let bytes = texts.iter().map(|(_, bytes)| bytes).sum();
    match (binaries, count) {
        (0, 0) => None,
        (_, 0) => Some(Files {
            count: binaries,
            bytes: field.binaries.as_ref().map_or(0, |b| b.lengths.sum()),
            variant: "binary",
        }),
        _ => Some(Files { count, bytes, variant: "text" }),
    }
}

/// The chunks of GridFS are where files belong.
fn is_gridfs(collection: &Collection) -> bool {
    let Some(profile) = &collection.profile else { return false };
    ["files_id", "n", "data"].iter().all(|name| !profile.resolve(name).is_empty())
}
