//! What tells of replica sets: `rs.conf()`, `rs.status()`, `db.getReplicationInfo()`, `getDefaultRWConcern`, and what
//! the shell prints for `rs.printReplicationInfo()`.

use crate::catalogue::replica_set::{
    Acknowledged, Configuration, DefaultWriteConcern, Member, Oplog, ReplicaSets, State,
};
use crate::value::Value;
use crate::value::location::Location;

/// A part of the configured size from which on an oplog counts as full, in percent.
const FULL: f64 = 90.0;

/// Reads one document.
pub fn read(value: &Value, input: &str) -> ReplicaSets {
    let mut sets = ReplicaSets::default();
    let file = input.to_owned();
    let config = value.get("config").filter(|config| config.get("members").is_some()).unwrap_or(value);
    let members = config.get("members").and_then(Value::as_array).unwrap_or_default();
    let is_status = members.iter().any(|member| member.get("stateStr").is_some());
    if is_status {
        let name = text(config, "set");
        let members = members.iter().filter_map(state).collect();
        sets.states.push(State { file, name, members });
    } else if !members.is_empty() {
        let members = members.iter().filter_map(member).collect();
        sets.configurations.push(Configuration { file, name: text(config, "_id"), members });
    } else if let Some(seconds) = value.get("timeDiff").and_then(Value::as_f64) {
        let share = value.get("usedMB").and_then(Value::as_f64).zip(value.get("logSizeMB").and_then(Value::as_f64));
        sets.oplogs.push(Oplog { file, seconds: seconds as i64, full: share.map(|(used, size)| is_full(used, size)) });
    } else if let Some(concern) = value.get("defaultWriteConcern") {
        let explicit = value.get("defaultWriteConcernSource").and_then(Value::as_str) != Some("implicit");
        let location = Location { file, start: None, end: None };
        sets.write_concerns.extend(write_concern(concern, explicit, location));
    }
    sets
}

/// Whether a text is what the shell prints for `rs.printReplicationInfo()`.
pub(super) fn is_printed(text: &str) -> bool {
    text.contains("configured oplog size") || text.contains("oplog first event time")
}

/// Reads what the shell prints for `rs.printReplicationInfo()`: mongosh writes each value on a line of its own, the old
/// shell behind a colon.
pub fn read_printed(text: &str, input: &str) -> ReplicaSets {
    let number = |label: &str| -> Option<f64> {
        let rest = text.split_once(label)?.1.trim_start_matches([':', ' ', '\t', '\r', '\n', '\'', '"']);
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest.get(..end)?.parse().ok()
    };
    let share = number("actual oplog size").zip(number("configured oplog size"));
    let full = share.map(|(used, size)| is_full(used, size));
    let seconds = number("log length start to end");
    let oplog = seconds.map(|seconds| Oplog { file: input.to_owned(), seconds: seconds as i64, full });
    ReplicaSets { oplogs: oplog.into_iter().collect(), ..ReplicaSets::default() }
}

/// A default write concern; none where the document has no `w`.
pub fn write_concern(concern: &Value, explicit: bool, location: Location) -> Option<DefaultWriteConcern> {
    let w = concern.get("w")?;
    let w = match w.as_str() {
        Some("majority") => Some(Acknowledged::Majority),
        Some(_) => None,
        None => w.as_f64().filter(|w| (0.0..=50.0).contains(w)).map(|w| Acknowledged::Members(w as u32)),
    };
    Some(DefaultWriteConcern { location, w, explicit })
}

fn is_full(used: f64, size: f64) -> bool {
    0.0 < size && FULL <= used / size * 100.0
}

fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn member(value: &Value) -> Option<Member> {
    let set = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
    let number = |name: &str| value.get(name).and_then(Value::as_f64);
    let tags = value.get("tags").and_then(Value::as_object).unwrap_or_default();
    let mut tags: Vec<(String, String)> =
        tags.iter().filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect();
    tags.sort_unstable();
    Some(Member {
        host: value.get("host").and_then(Value::as_str)?.to_owned(),
        votes: number("votes") != Some(0.0),
        arbiter: set("arbiterOnly"),
        delayed: ["secondaryDelaySecs", "slaveDelay"].iter().any(|name| number(name).is_some_and(|n| 0.0 < n)),
        tags,
    })
}

/// Name, state and time of the last operation of a member that is reached.
fn state(value: &Value) -> Option<(String, String, i64)> {
    let at = match value.get("optimeDate") {
        Some(Value::Date(millis)) => *millis,
        _ => match value.get("optime").map(|optime| optime.get("ts").unwrap_or(optime)) {
            Some(Value::Timestamp(seconds, _)) => i64::from(*seconds) * 1000,
            _ => return None,
        },
    };
    Some((text(value, "name"), text(value, "stateStr"), at))
}
