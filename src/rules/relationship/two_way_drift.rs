//! Both sides of a relationship hold references that disagree. Words, reasons and examples: two-way-drift.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Model, Relation};
use crate::rules::{Findings, Place};
use crate::value::event::{Document, Item};
use crate::value::hash::hash_key;
use crate::value::path::reach;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the links of each side that the other must have too: below it the two fields mean different things,
    /// or one holds only a part on purpose.
    agreement: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { agreement: 0.8 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (at, one) in model.relations.iter().enumerate() {
        for other in model.relations.iter().skip(at + 1) {
            let is_inverse = one.from == other.to && one.to == other.from && !one.is_self();
            if !is_inverse || !one.many && !other.many {
                continue;
            }
            let (forward, backward) = (links(model, one, other), links(model, other, one));
            if !forward.agree(options) || !backward.agree(options) || forward.alone + backward.alone == 0 {
                continue;
            }
            // The reader must look where links lack, which is at the list where only one side has one.
            let at_other = if one.many == other.many { backward.alone <= forward.alone } else { other.many };
            let (here, there) = if at_other { (other, one) } else { (one, other) };
            let (mine, theirs) = if at_other { (backward, forward) } else { (forward, backward) };
            findings
                .measured(Place::path(&here.from, &here.path), mine.compared.max(theirs.compared))
                .number("links", mine.compared)
                .number("aloneHere", mine.alone)
                .number("aloneThere", theirs.alone)
                .text("other", &there.from)
                .text("field", &there.path);
        }
    }
}

/// The links of one side.
#[derive(Debug, Default, Clone, Copy)]
struct Links {
    /// Links of which both documents are at hand.
    compared: u64,
    /// Of these, how many the other side lacks.
    alone: u64,
}

impl Links {
    fn agree(self, options: &Options) -> bool {
        0 < self.compared && options.agreement * self.compared as f64 <= (self.compared - self.alone) as f64
    }
}

/// The links that `one` holds, and whether `other` holds them too.
fn links(model: &Model, one: &Relation, other: &Relation) -> Links {
    let mut links = Links::default();
    let Some(pairs) = one.pairs(model) else { return links };
    pairs.each(|pair| {
        // What `other` should hold: the key of the document that `one` stands in.
        let keys = keys(pair.child, other.target.as_str());
        let held = whole(pair.parent, other.path.as_str());
        if let (true, true, Some(held)) = (pair.sampled, pair.same_type && !keys.is_empty(), held) {
            links.compared += 1;
            links.alone += u64::from(!keys.iter().any(|key| held.contains(key)));
        }
    });
    links
}

fn keys(document: &Document<'_>, path: &str) -> Vec<u64> {
    let items = reach(document, path).into_iter().filter_map(|at| document.entries.get(at)).map(|entry| entry.item);
    items.filter(|item| !matches!(item, Item::Object { .. } | Item::Array { .. })).map(|item| hash_key(&item)).collect()
}

/// All values of a path; nothing where an array on the way was cut.
fn whole(document: &Document<'_>, path: &str) -> Option<Vec<u64>> {
    let mut prefix = String::new();
    for name in path.split('.') {
        if !prefix.is_empty() {
            prefix.push('.');
        }
        prefix.push_str(name);
        let (holder, leaf) = prefix.rsplit_once('.').unwrap_or(("", prefix.as_str()));
        let holders = if holder.is_empty() { vec![0] } else { reach(document, holder) };
        for (at, entry) in holders.into_iter().flat_map(|at| document.children(at)).filter(|(_, e)| e.key == leaf) {
            if let Item::Array { len, .. } = entry.item
                && (document.children(at).count() as u64) < u64::from(len)
            {
                return None;
            }
        }
    }
    Some(keys(document, path))
}
