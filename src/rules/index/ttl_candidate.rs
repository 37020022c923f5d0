//! Documents that expire by name and by no index. Words, reasons and examples: ttl-candidate.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::{Index, IndexKind, Origin};
use crate::facts::names;
use crate::model::{FieldRef, Model};
use crate::profile::{FieldId, FieldKind};
use crate::remedy;
use crate::rules::{Findings, Place};
use crate::value::Value;
use crate::value::event::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Last words of collections whose documents are of use for a time only.
const SHORT_LIVED: &[&str] =
    &["session", "sessions", "log", "logs", "otp", "otps", "nonce", "nonces", "codes", "cache"];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let options = collection.options();
        let expires_otherwise = options
            .is_some_and(|o| o.capped == Some(true) || o.timeseries.is_some() || o.expire_after_seconds.is_some());
        // Without its indexes one cannot say that there is none.
        if !collection.catalogue.indexes_known || expires_otherwise || collection.indexes().iter().any(Index::is_ttl) {
            continue;
        }
        let dated = || collection.fields().filter(|at| is_mostly_a_date(at, profile.documents));
        if let Some(at) = dated().find(|at| names::is_expiry(at.leaf())) {
            let draft = findings.inferred(Place::path(&collection.ns, &at.path), "names");
            draft.sampled(profile.documents).remedy(remedy::index::create(&collection.ns, &ttl(&at, 0)));
            continue;
        }
        let short_lived =
            names::words(&collection.ns.collection).pop().is_some_and(|word| SHORT_LIVED.contains(&word.as_str()));
        if let Some(at) = dated().find(|_| short_lived) {
            let draft = findings.inferred(Place::path(&collection.ns, &at.path), "names");
            draft.sampled(profile.documents).number("documents", collection.stored()).variant("collection");
        }
    }
}

fn is_mostly_a_date(at: &FieldRef<'_>, documents: u64) -> bool {
    at.field.kind == FieldKind::Named
        && at.field.parent == FieldId::ROOT
        && documents <= at.field.count_of(Type::Date) * 2
}

fn ttl(at: &FieldRef<'_>, seconds: i32) -> Index {
    let mut index = Index::of_key(&[(at.path.to_string(), Value::Int(1))], Origin::Wanted);
    debug_assert!(matches!(index.key.as_slice(), [(_, IndexKind::Ascending)]));
    index.expire_after_seconds = Some(Value::Int(seconds));
    index
}
