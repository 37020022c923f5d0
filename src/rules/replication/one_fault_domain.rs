//! Sets that one failure takes down. Words, reasons and examples: one-fault-domain.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::replica_set::{Configuration, Member};
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Names of tags that tell where a member stands, those of smaller places first.
const TAGS: [&[&str]; 4] = [
    &["zone", "az", "availabilityzone"],
    &["dc", "datacenter", "datacentre", "site", "location", "building"],
    &["region"],
    &["rack", "host", "node"],
];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for set in model.replica_sets.configurations.iter().filter(|set| 2 < set.voters().count()) {
        let Some((domain, members)) = largest(set) else { continue };
        let voters = set.voters().count();
        if voters - members < set.majority() {
            let draft = findings.inferred(place(&set.file), "hosts and tags").text("set", &set.name);
            draft.text("domain", domain).number("members", members).number("voters", voters);
        }
    }
}

/// The domain with the most voters, and how many these are.
fn largest(set: &Configuration) -> Option<(String, usize)> {
    let mut domains: BTreeMap<String, usize> = BTreeMap::new();
    for domain in domains_of(set) {
        *domains.entry(domain?).or_default() += 1;
    }
    // Of several the first by name, so that the order of the members does not matter.
    domains.into_iter().rev().max_by_key(|(_, members)| *members)
}

/// The domain of each voter; nothing where one of them tells none.
fn domains_of(set: &Configuration) -> Vec<Option<String>> {
    let machine =
        |member: &Member| member.host.rsplit_once(':').map_or(member.host.clone(), |(name, _)| name.to_owned());
    let is_local = |name: &str| matches!(name, "localhost" | "127.0.0.1" | "[::1]");
    let machines: Vec<String> = set.voters().map(machine).collect();
    if machines.iter().any(|name| is_local(name)) {
        return vec![None];
    }
    let Some(names) = TAGS.iter().find(|names| set.voters().any(|member| tag(member, names).is_some())) else {
        // Without tags only members of one machine share a fate for certain.
        return machines.into_iter().map(Some).collect();
    };
    let tagged: Vec<Option<&str>> = set.voters().map(|member| tag(member, names)).collect();
    // A member without the tag stands where those do whose host names differ in the first part alone.
    let beside = |name: &str| {
        let mut found = machines.iter().zip(&tagged).filter(|(other, tag)| tag.is_some() && is_beside(other, name));
        found.next().and_then(|(_, tag)| *tag)
    };
    machines.iter().zip(&tagged).map(|(name, tag)| tag.or_else(|| beside(name)).map(str::to_owned)).collect()
}

fn tag<'m>(member: &'m Member, names: &[&str]) -> Option<&'m str> {
    let is_named = |name: &str| names.contains(&name.to_ascii_lowercase().as_str());
    member.tags.iter().find(|(name, _)| is_named(name)).map(|(_, value)| value.as_str())
}

/// Whether two host names differ in their first part alone: `db-1.north.example.com` and `db-2.north.example.com`.
fn is_beside(a: &str, b: &str) -> bool {
    match (a.split_once('.'), b.split_once('.')) {
        (Some((_, a)), Some((_, b))) => a == b,
        _ => a == b,
    }
}
