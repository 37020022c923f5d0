//! Equality with a whole embedded document. Words, reasons and examples: whole-object-match.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{each_test, filters};
use crate::model::Model;
use crate::rules::Findings;
use crate::value::Type;
use crate::workload::{Member, Operator};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model).filter(|asked| asked.stored) {
        each_test(asked.filter, &mut |path, test, _| {
            let own = test.argument.members().unwrap_or_default();
            // A compound `_id` is matched whole, with its index; a name with a dollar sign is an operator or a DBRef.
            let is_key = path == "_id" || path.ends_with("._id");
            let names: Vec<String> =
                own.iter().filter_map(Member::name).map(|name| super::joined(path, name)).collect();
            if test.operator != Operator::Eq || is_key || names.is_empty() || test.argument.is_operators() {
                return;
            }
            // Where documents never hold an object there, the type is wrong, not the order.
            let holds = |(_, profile): (_, &crate::profile::CollectionProfile)| {
                let ids = profile.resolve(path);
                let elements = ids.iter().filter_map(|id| profile.elements(*id).map(|(id, _)| id));
                let mut all = ids.iter().copied().chain(elements);
                all.any(|id| profile.field(id).is_some_and(|field| field.count_of(Type::Object) > 0))
            };
            if asked.documents(model).is_none_or(holds) {
                findings.certain(asked.place(model).with_path(path)).list("fields", names);
            }
        });
    }
}
