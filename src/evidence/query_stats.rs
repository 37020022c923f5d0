//! Output of `$queryStats`: query shapes with what they cost since the server started to count.

use super::profiler::{date, is_internal, number};
use crate::catalogue::Namespace;
use crate::value::{Type, Value};
use crate::workload::{Hole, Key, Member, Operation, Origin, Runs, Spread, Term, What, command};

/// The operation of one entry; nothing where it concerns the server itself.
pub fn read(entry: &Value) -> Option<Operation> {
    let key = entry.get("key")?;
    let shape = key.get("queryShape")?;
    let name = shape.get("command").and_then(Value::as_str)?;
    let ns = shape.get("cmdNs")?;
    let ns = Namespace::new(ns.get("db")?.as_str()?, ns.get("coll")?.as_str()?);
    if is_internal(&ns) {
        return None;
    }
    // The shape is the command without its name, which the reader of commands expects first.
    let mut command = vec![(name.to_owned(), Value::String(ns.collection.clone()))];
    let parts = shape.as_object()?.iter().filter(|(name, _)| !matches!(name.as_str(), "command" | "cmdNs"));
    command.extend(parts.cloned());
    for option in ["collation", "let", "hint", "readConcern", "maxTimeMS"] {
        if shape.get(option).is_none()
            && let Some(value) = key.get(option)
        {
            command.push((option.to_owned(), value.clone()));
        }
    }
    let mut term = Term::from(Value::Object(command));
    placeholders(&mut term);
    let mut operation = command::read(&term, ns.database.as_deref()).into_iter().next()?;
    operation.runs = Some(runs(entry.get("metrics")?, entry, key));
    operation.forget_values();
    Some(operation)
}

fn runs(metrics: &Value, entry: &Value, key: &Value) -> Runs {
    let count = metrics.get("execCount").and_then(number).unwrap_or_default();
    // Later versions sort the figures into groups.
    let groups = ["cursor", "queryExec", "queryPlanner", "fromPlanner"];
    let find = |name: &str| metrics.get(name).or_else(|| groups.iter().find_map(|group| metrics.get(group)?.get(name)));
    let spread = |name: &str| match find(name) {
        Some(figure) => Spread {
            count,
            sum: figure.get("sum").and_then(number).unwrap_or_default(),
            max: figure.get("max").and_then(number).unwrap_or_default(),
        },
        None => Spread::default(),
    };
    let times = |name: &str| find(name).and_then(|figure| number(figure.get("true")?)).unwrap_or_default();
    let mut micros = spread("totalExecMicros");
    let working = spread("workingTimeMillis");
    if working.sum > 0 {
        let micro = |millis: u64| millis.saturating_mul(1_000);
        micros = Spread { count, sum: micro(working.sum), max: micro(working.max) };
    }
    let time = |name: &str| metrics.get(name).and_then(date);
    let mut runs = Runs {
        count,
        first: time("firstSeenTimestamp"),
        last: time("latestSeenTimestamp").or_else(|| entry.get("asOf").and_then(as_of)),
        micros,
        docs_examined: spread("docsExamined"),
        keys_examined: spread("keysExamined"),
        returned: spread("docsReturned"),
        sorted: times("hasSortStage"),
        spilled: times("usedDisk"),
        ..Runs::default()
    };
    let application = key.get("client").and_then(|client| client.get("application")?.get("name"));
    if let Some(name) = application.and_then(Value::as_str) {
        runs.applications.insert(name.to_owned(), count);
    }
    runs
}

fn as_of(value: &Value) -> Option<i64> {
    match value {
        Value::Timestamp(seconds, _) => Some(i64::from(*seconds) * 1_000),
        other => date(other),
    }
}

/// Replaces `"?number"` by what it stands for, and `{$eq: x}` by `x`, as the other readers meet it.
fn placeholders(term: &mut Term) {
    match &mut term.what {
        What::Value(Value::String(text)) => {
            if let Some(stands) = text.strip_prefix('?') {
                term.what = stands_for(stands);
            }
        }
        What::Object(members) => {
            for member in &mut *members {
                placeholders(&mut member.value);
            }
            if let [Member { key: Key::Name(name), value, .. }] = members.as_mut_slice()
                && name == "$eq"
                && !matches!(value.what, What::Array(_))
            {
                term.what = std::mem::replace(&mut value.what, What::Array(Vec::new()));
            }
        }
        What::Array(elements) => elements.iter_mut().for_each(placeholders),
        What::Value(_) | What::Hole(_) => {}
    }
}

/// What a placeholder stands for: `number`, `array<?string>`, `array<>`, `objectId`, `[]`, …
fn stands_for(name: &str) -> What {
    let hole = |kind| What::Hole(Hole { kind, origin: Origin::Hidden });
    if let Some(element) = name.strip_prefix("array<").and_then(|rest| rest.strip_suffix('>')) {
        return match element {
            "" => What::Array(Vec::new()),
            element => What::Array(vec![Term::new(match element.strip_prefix('?').and_then(kind_of) {
                Some(kind) => hole(Some(kind)),
                None => hole(None),
            })]),
        };
    }
    if name == "[]" {
        return What::Array(Vec::new());
    }
    hole(kind_of(name))
}

fn kind_of(name: &str) -> Option<Type> {
    match name {
        "number" => Some(Type::Double),
        "timestamp" => Some(Type::Timestamp),
        "binData" | "bindata" => Some(Type::BinData),
        name => Type::from_alias(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::samples::literal;
    use crate::workload::{Verb, shape};

    const ENTRY: &str = "{key: {queryShape: {cmdNs: {db: 'shop', coll: 'orders'}, command: 'find',
        filter: {$and: [{customer: {$eq: '?objectId'}}, {state: {$in: '?array<?string>'}}]}, sort: {at: -1},
        limit: '?number'}, client: {application: {name: 'web'}}},
        metrics: {execCount: Long('12'), totalExecMicros: {sum: Long('9000'), max: Long('5000')},
        docsReturned: {sum: Long('24'), max: Long('3')}, docsExamined: {sum: Long('4800'), max: 900},
        hasSortStage: {true: Long('12'), false: 0}, latestSeenTimestamp: ISODate('2026-10-20T00:00:00Z')}}";

    #[test]
    fn a_shape_with_its_cost() {
        let operation = read(&literal(ENTRY)).unwrap();
        let runs = operation.runs.clone().unwrap();
        assert_eq!((operation.verb, runs.count, runs.sorted, runs.micros.sum), (Verb::Find, 12, 12, 9_000));
        assert_eq!((runs.docs_examined.sum, runs.returned.mean()), (4_800, Some(2)));
        let logged = "{find: 'orders', filter: {$and: [{customer: ObjectId('6712f0a1c0ffee0000000a17')},
            {state: {$in: ['a', 'b']}}]}, sort: {at: -1}, limit: 20, $db: 'shop'}";
        let mut logged = command::read(&Term::from(literal(logged)), None).remove(0);
        logged.forget_values();
        assert_eq!(shape::key(&operation), shape::key(&logged));
    }

    #[test]
    fn nothing_of_the_server_itself() {
        assert_eq!(read(&literal(&ENTRY.replace("db: 'shop'", "db: 'config'"))), None);
        assert_eq!(read(&literal("{key: {}, metrics: {}}")), None);
    }
}
