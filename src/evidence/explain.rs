//! Outputs of explain: of every command and verbosity, in classic, slot-based and express form, from one server, from a
//! router or of an aggregation's stages.

use super::profiler::{is_internal, named_id, number};
use crate::catalogue::Namespace;
use crate::catalogue::plan::{Lookup, Part, Plan, Stage, Trial};
use crate::facts::Version;
use crate::value::Value;
use crate::workload::{Operation, Runs, Site, Spread, Term, command};

/// How deep plans are followed.
const MAX_DEPTH: u32 = 100;

/// The plan of an explain output; nothing where it concerns the server itself, or tells no plan.
pub fn read(explain: &Value, site: Site) -> Option<Plan> {
    // What `explain` of a shell or driver gives may stand in the reply of a command.
    let inner = ["explain", "result"].iter().find_map(|name| explain.get(name).filter(|inner| is_explain(inner)));
    let explain = inner.unwrap_or(explain);
    let mut parts = Vec::new();
    let mut merged = false;
    if let Some(shards) = explain.get("shards").and_then(Value::as_object) {
        for (name, shard) in shards {
            parts.extend(part(shard).map(|part| Part { shard: Some(name.clone()), ..part }));
        }
        merged = parts.len() > 1;
    } else if let Some(planned) = planned_shards(explain) {
        let ran = explain.get("executionStats").and_then(|stats| stats.get("executionStages")?.get("shards"));
        let ran = ran.and_then(Value::as_array).unwrap_or_default();
        let trials = explain.get("executionStats").and_then(|stats| stats.get("allPlansExecution"));
        let trials = trials.and_then(Value::as_array).unwrap_or_default();
        for shard in planned {
            let name = shard.get("shardName").and_then(Value::as_str);
            let same = |other: &&Value| other.get("shardName").and_then(Value::as_str) == name;
            let mut part = finds(shard, ran.iter().find(same));
            let tried = trials.iter().find(same).and_then(|shard| shard.get("allPlans")?.as_array());
            part.trials = tried.unwrap_or_default().iter().filter_map(trial).collect();
            parts.push(Part { shard: name.map(str::to_owned), ..part });
        }
        merged = parts.len() > 1;
    } else {
        parts.extend(part(explain));
    }
    if parts.is_empty() {
        return None;
    }
    let mut operation =
        explain.get("command").and_then(|told| command::read(&Term::from(told.clone()), None).into_iter().next());
    let namespace = || found(explain, "namespace", 12).and_then(Value::as_str).map(Namespace::parse);
    let ns = operation.as_ref().and_then(|operation| operation.ns.clone()).filter(|ns| ns.database.is_some());
    let ns = ns.or_else(namespace).or_else(|| operation.as_ref()?.ns.clone());
    if ns.as_ref().is_some_and(is_internal) {
        return None;
    }
    if operation.is_none() {
        operation = parsed(explain, ns.as_ref());
    }
    let operation = operation.map(|mut operation| {
        operation.ns.clone_from(&ns);
        operation.runs = Some(runs(&parts, &operation));
        operation.site = Some(site.clone());
        operation.forget_values();
        operation
    });
    let version = version(explain);
    Some(Plan { ns, site, version, operation, merged, parts })
}

/// The version of the server, where the output tells it.
pub fn version(explain: &Value) -> Option<Version> {
    let version = |info: &Value| Version::parse(info.get("version")?.as_str()?);
    version(found(explain, "serverInfo", 12)?)
}

fn is_explain(value: &Value) -> bool {
    ["queryPlanner", "stages", "shards"].iter().any(|name| value.get(name).is_some())
}

/// The first value under a name, wherever it stands.
fn found<'v>(value: &'v Value, name: &str, depth: u32) -> Option<&'v Value> {
    let depth = depth.checked_sub(1)?;
    value.get(name).or_else(|| match value {
        Value::Object(fields) => fields.iter().find_map(|(_, inner)| found(inner, name, depth)),
        Value::Array(elements) => elements.iter().find_map(|inner| found(inner, name, depth)),
        _ => None,
    })
}

/// The shards of a plan that a router made for a find.
fn planned_shards(explain: &Value) -> Option<&[Value]> {
    explain.get("queryPlanner")?.get("winningPlan")?.get("shards")?.as_array()
}

/// Before `command` was told (4.4), the parsed filter is all that is known of a find.
fn parsed(explain: &Value, ns: Option<&Namespace>) -> Option<Operation> {
    let ns = ns?;
    let filter = found(explain, "parsedQuery", 12)?.clone();
    let sort = found(explain, "sortPattern", 24).cloned();
    let mut told = vec![("find".to_owned(), Value::String(ns.collection.clone()))];
    if explain.get("stages").is_some() || explain.get("shards").is_some() {
        return None;
    }
    told.push(("filter".to_owned(), filter));
    told.extend(sort.map(|sort| ("sort".to_owned(), sort)));
    let mut operation = command::read(&Term::from(Value::Object(told)), ns.database.as_deref()).into_iter().next()?;
    operation.filter.iter_mut().for_each(without_equals);
    Some(operation)
}

/// `{a: {$eq: x}}` as people write it.
fn without_equals(term: &mut Term) {
    use crate::workload::What;
    match &mut term.what {
        What::Object(members) => {
            for member in members.iter_mut() {
                without_equals(&mut member.value);
            }
            if let [only] = members.as_mut_slice()
                && only.name() == Some("$eq")
            {
                *term = std::mem::replace(&mut only.value, Term::hole());
            }
        }
        What::Array(elements) => elements.iter_mut().for_each(without_equals),
        What::Value(_) | What::Hole(_) => {}
    }
}

/// What one server answers: the stages of an aggregation, or a plan alone.
fn part(answer: &Value) -> Option<Part> {
    let Some(stages) = answer.get("stages").and_then(Value::as_array) else {
        return answer.get("queryPlanner").map(|planner| finds(planner, answer.get("executionStats")));
    };
    let mut part: Option<Part> = None;
    for told in stages {
        let Some((name, argument)) =
            told.as_object().and_then(|fields| fields.iter().find(|(name, _)| name.starts_with('$')))
        else {
            continue;
        };
        if name.starts_with("$cursor") || argument.get("queryPlanner").is_some() {
            let planner = argument.get("queryPlanner").unwrap_or(argument);
            let mut cursor = finds(planner, argument.get("executionStats"));
            if let Some(returned) = told.get("nReturned").and_then(number) {
                cursor.returned = cursor.returned.or(Some(returned));
            }
            part = Some(cursor);
            continue;
        }
        let stage = pipeline_stage(name, argument, told);
        let known = part.get_or_insert_with(|| Part {
            shard: None,
            root: Stage::default(),
            returned: None,
            docs: None,
            keys: None,
            trials: Vec::new(),
        });
        let input = std::mem::replace(&mut known.root, stage);
        known.returned = known.root.returned.or(known.returned);
        if !input.name.is_empty() {
            known.root.inputs.push(input);
        }
    }
    part
}

/// A stage of an aggregation that follows the cursor.
fn pipeline_stage(name: &str, argument: &Value, told: &Value) -> Stage {
    let figure = |name: &str| told.get(name).and_then(number);
    let mut stage = Stage { name: name.to_owned(), returned: figure("nReturned"), ..Stage::default() };
    spilled(&mut stage, told);
    match name {
        "$sort" => {
            let key = argument.get("sortKey").unwrap_or(argument);
            stage.sort = names(key);
        }
        "$match" => stage.filter = paths(argument),
        "$lookup" => {
            let text = |name: &str| argument.get(name).and_then(Value::as_str).map(str::to_owned);
            stage.lookup = Some(Lookup {
                from: text("from").or_else(|| argument.get("from")?.get("coll")?.as_str().map(str::to_owned)),
                into: text("as"),
                foreign: text("foreignField"),
                strategy: None,
                scans: figure("collectionScans"),
                docs: figure("totalDocsExamined"),
                unwound: argument.get("unwinding").is_some_and(|unwinding| unwinding.as_bool() != Some(false)),
            });
        }
        _ => {}
    }
    stage
}

/// A plan with how it ran: of `queryPlanner` and `executionStats`, or of a shard's parts of both.
fn finds(planner: &Value, ran: Option<&Value>) -> Part {
    let winner = planner.get("winningPlan").unwrap_or(planner);
    let slots = winner.get("queryPlan");
    let executed = ran.and_then(|ran| ran.get("executionStages"));
    let root = match (slots, executed) {
        // The slot-based engine runs other stages than it plans; numbers tell which belong together.
        (Some(planned), executed) => {
            let mut root = stage(planned, MAX_DEPTH);
            if let Some(executed) = executed {
                let mut figures = Vec::new();
                slot_figures(executed, &mut figures, MAX_DEPTH);
                with_figures(&mut root, planned, &figures, MAX_DEPTH);
            }
            root
        }
        (None, Some(executed)) if executed.get("stage").is_some() => {
            let mut root = stage(executed, MAX_DEPTH);
            // What only the plan tells.
            if let Some(reason) = winner.get("type").and_then(Value::as_str)
                && root.name == "EOF"
            {
                root.reason = Some(reason.to_owned());
            }
            root
        }
        _ => stage(winner, MAX_DEPTH),
    };
    let figure = |name: &str| ran.and_then(|ran| ran.get(name)).and_then(number);
    let sum = |of: fn(&Stage) -> Option<u64>| ran.map(|_| root.all().into_iter().filter_map(of).sum());
    let trials = ran.and_then(|ran| ran.get("allPlansExecution")?.as_array()).unwrap_or_default();
    Part {
        shard: None,
        returned: figure("nReturned").or_else(|| root.returned.filter(|_| ran.is_some())),
        docs: figure("totalDocsExamined").or_else(|| sum(|stage| stage.docs)),
        keys: figure("totalKeysExamined").or_else(|| sum(|stage| stage.keys)),
        trials: trials.iter().filter_map(trial).collect(),
        root,
    }
}

/// A stage of the classic engine, or of a plan.
fn stage(told: &Value, depth: u32) -> Stage {
    let text = |name: &str| told.get(name).and_then(Value::as_str).map(str::to_owned);
    let figure = |name: &str| told.get(name).and_then(number);
    let mut stage = Stage {
        name: text("stage").unwrap_or_default(),
        index: text("indexName"),
        filter: told.get("filter").map(paths).unwrap_or_default(),
        sort: told.get("sortPattern").map(names).unwrap_or_default(),
        reason: text("type").filter(|_| told.get("stage").and_then(Value::as_str) == Some("EOF")),
        returned: figure("nReturned"),
        docs: figure("docsExamined"),
        keys: figure("keysExamined"),
        ..Stage::default()
    };
    if stage.name == "COUNT" {
        stage.returned = figure("nCounted").or(stage.returned);
    }
    spilled(&mut stage, told);
    if stage.name.starts_with("EQ_LOOKUP") {
        stage.lookup = Some(Lookup {
            from: text("foreignCollection"),
            into: text("asField"),
            foreign: text("foreignField"),
            strategy: text("strategy"),
            unwound: stage.name == "EQ_LOOKUP_UNWIND",
            ..Lookup::default()
        });
    }
    if let Some(depth) = depth.checked_sub(1) {
        for (_, inner) in inputs(told) {
            stage.inputs.push(self::stage(inner, depth));
        }
    }
    stage
}

/// The stages that feed one: `inputStage`, `inputStages`, `outerStage`, `innerStage`, `thenStage` and so on.
fn inputs(told: &Value) -> impl Iterator<Item = (&str, &Value)> {
    told.as_object().unwrap_or_default().iter().flat_map(|(name, inner)| {
        let several = if name.ends_with("Stages") { inner.as_array().unwrap_or_default() } else { &[] };
        let one = name.ends_with("Stage").then_some(inner).filter(|inner| inner.get("stage").is_some());
        one.into_iter().chain(several).map(|inner| (name.as_str(), inner))
    })
}

fn spilled(stage: &mut Stage, told: &Value) {
    let figure = |name: &str| told.get(name).and_then(number);
    stage.spills = figure("spills").filter(|spills| *spills > 0);
    stage.spilled = told.get("usedDisk").and_then(Value::as_bool) == Some(true) || stage.spills.is_some();
    let sizes = ["totalDataSizeSorted", "totalDataSizeSortedBytesEstimate", "spilledDataStorageSize", "spilledBytes"];
    stage.bytes = sizes.iter().filter_map(|name| figure(name)).max().filter(|bytes| *bytes > 0);
}

/// What the stages of the slot-based engine that belong to one planned stage did together.
#[derive(Debug, Default)]
struct Figures {
    id: i64,
    returned: Option<u64>,
    docs: u64,
    keys: u64,
    scans: u64,
    spill: Stage,
}

fn slot_figures(told: &Value, figures: &mut Vec<Figures>, depth: u32) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let figure = |name: &str| told.get(name).and_then(number);
    if let Some(id) = told.get("planNodeId").and_then(Value::as_i64) {
        let at = figures.iter().position(|known| known.id == id).unwrap_or_else(|| {
            figures.push(Figures { id, ..Figures::default() });
            figures.len() - 1
        });
        if let Some(known) = figures.get_mut(at) {
            // The outermost one gives on what all of them found.
            known.returned = known.returned.or_else(|| figure("nReturned"));
            let reads = figure("numReads").unwrap_or_default();
            match told.get("stage").and_then(Value::as_str).unwrap_or_default() {
                "scan" | "parallelscan" => {
                    known.docs += reads;
                    known.scans += figure("opens").unwrap_or(1);
                }
                "seek" | "fetch" => known.docs += reads,
                name if name.starts_with("ix") => known.keys += figure("keysExamined").unwrap_or(reads),
                _ => {}
            }
            let mut spill = Stage::default();
            spilled(&mut spill, told);
            if spill.spilled {
                known.spill = spill;
            }
        }
    }
    for (_, inner) in inputs(told) {
        slot_figures(inner, figures, depth);
    }
}

fn with_figures(stage: &mut Stage, planned: &Value, figures: &[Figures], depth: u32) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let id = planned.get("planNodeId").and_then(Value::as_i64);
    if let Some(known) = figures.iter().find(|known| Some(known.id) == id) {
        stage.returned = known.returned;
        (stage.spilled, stage.spills, stage.bytes) = (known.spill.spilled, known.spill.spills, known.spill.bytes);
        if let Some(lookup) = &mut stage.lookup {
            (lookup.docs, lookup.scans) = (Some(known.docs), Some(known.scans));
        } else {
            (stage.docs, stage.keys) = (Some(known.docs), Some(known.keys));
        }
    }
    for (stage, (_, planned)) in stage.inputs.iter_mut().zip(inputs(planned)) {
        with_figures(stage, planned, figures, depth);
    }
}

fn trial(told: &Value) -> Option<Trial> {
    let stages = told.get("executionStages")?;
    let figure = |name: &str| stages.get(name).and_then(number);
    let root = stage(stages, MAX_DEPTH);
    let mut indexes: Vec<String> = root.all().into_iter().filter_map(|stage| stage.index.clone()).collect();
    indexes.sort();
    indexes.dedup();
    Some(Trial {
        score: told.get("score").and_then(Value::as_f64),
        advanced: figure("advanced").or_else(|| told.get("nReturned").and_then(number))?,
        works: figure("works").unwrap_or_default(),
        ended: stages.get("isEOF").is_some_and(|end| end.as_i64() == Some(1) || end.as_bool() == Some(true)),
        indexes,
    })
}

/// The paths that a parsed filter tests.
fn paths(filter: &Value) -> Vec<String> {
    let mut out = crate::workload::Filter::read(&Term::from(filter.clone())).paths();
    if out.is_empty() && filter.as_object().is_some_and(|fields| !fields.is_empty()) {
        out = names(filter);
    }
    out.sort();
    out.dedup();
    out
}

fn names(value: &Value) -> Vec<String> {
    // Expressions in a sort (`$meta`) are told by their operator.
    let name = |(name, value): &(String, Value)| match value.as_object().and_then(|inner| inner.first()) {
        Some((operator, _)) => operator.clone(),
        None => name.clone(),
    };
    value.as_object().unwrap_or_default().iter().map(name).collect()
}

fn runs(parts: &[Part], operation: &Operation) -> Runs {
    let spread = |of: &dyn Fn(&Part) -> Option<u64>| {
        let told: Vec<u64> = parts.iter().filter_map(of).collect();
        let mut spread = Spread::default();
        if !told.is_empty() {
            spread.add(told.iter().fold(0, |sum: u64, figure| sum.saturating_add(*figure)));
        }
        spread
    };
    let stages: Vec<&Stage> = parts.iter().flat_map(|part| part.root.all()).collect();
    let ran = parts.iter().any(|part| part.returned.is_some());
    let mut runs = Runs {
        count: u64::from(ran),
        docs_examined: spread(&|part| part.docs),
        keys_examined: spread(&|part| part.keys),
        returned: spread(&|part| part.returned),
        sorted: u64::from(ran && stages.iter().any(|stage| matches!(stage.name.as_str(), "SORT" | "$sort"))),
        spilled: u64::from(ran && stages.iter().any(|stage| stage.spilled)),
        ..Runs::default()
    };
    if let Some(id) = operation.filter.as_ref().and_then(named_id).filter(|_| ran) {
        runs.ids.add(id);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::samples::literal;

    fn plan(text: &str) -> Plan {
        read(&literal(text), Site::Entry { file: "x".into(), part: 0, place: None }).unwrap()
    }

    fn names_of(plan: &Plan) -> Vec<&str> {
        plan.stages().into_iter().map(|stage| stage.name.as_str()).collect()
    }

    #[test]
    fn classic_with_figures() {
        let plan = plan(
            "{queryPlanner: {namespace: 'shop.orders', winningPlan: {stage: 'FETCH', inputStage: {stage: 'IXSCAN'}}},
              executionStats: {nReturned: 2, totalDocsExamined: 9, totalKeysExamined: Long('9'), executionStages: {stage: 'SORT',
              sortPattern: {at: -1}, usedDisk: true, inputStage: {stage: 'FETCH', filter: {$and: [{a: {$eq: 1}}, {b: {$gt: 2}}]},
              docsExamined: 9, nReturned: 2, inputStage: {stage: 'IXSCAN', indexName: 'c_1', keysExamined: 9}}}},
              command: {find: 'orders', filter: {a: 1}, $db: 'shop'}, serverInfo: {version: '7.0.14'}}",
        );
        assert_eq!(names_of(&plan), ["SORT", "FETCH", "IXSCAN"]);
        assert_eq!((plan.indexes(), plan.version), (vec!["c_1"], Some(Version::new(7, 0))));
        let part = &plan.parts[0];
        assert_eq!((part.source().name.as_str(), part.matched(), part.own_docs()), ("FETCH", Some(2), Some(9)));
        assert_eq!(part.source().filter, ["a", "b"]);
        assert!(part.root.spilled && part.root.has_stored_input());
        let runs = plan.operation.unwrap().runs.unwrap();
        assert_eq!((runs.count, runs.docs_examined.sum, runs.sorted), (1, 9, 1));
    }

    #[test]
    fn slots_are_put_to_their_planned_stages() {
        let plan = plan(
            "{queryPlanner: {namespace: 'b.invoices', winningPlan: {queryPlan: {stage: 'EQ_LOOKUP', planNodeId: 3,
              foreignCollection: 'b.payments', strategy: 'NestedLoopJoin', inputStage: {stage: 'COLLSCAN', planNodeId: 1,
              filter: {a: {$eq: 1}}}}, slotBasedPlan: {}}}, executionStats: {nReturned: 2, totalDocsExamined: 50,
              executionStages: {stage: 'nlj', planNodeId: 3, nReturned: 2, outerStage: {stage: 'filter', planNodeId: 1,
              nReturned: 2, inputStage: {stage: 'scan', planNodeId: 1, nReturned: 10, numReads: 10}}, innerStage: {stage: 'scan',
              planNodeId: 3, opens: 2, numReads: 40}}}}",
        );
        let [root, scan] = plan.stages().try_into().unwrap();
        let lookup = root.lookup.as_ref().unwrap();
        assert_eq!((lookup.scans, lookup.docs), (Some(2), Some(40)));
        assert_eq!((scan.docs, scan.returned, plan.parts[0].own_docs()), (Some(10), Some(2), Some(10)));
    }

    #[test]
    fn shards_and_stages() {
        let merged = plan(
            "{queryPlanner: {winningPlan: {stage: 'SHARD_MERGE', shards: [{shardName: 'a', namespace: 's.d',
              parsedQuery: {k: {$eq: 5}}, winningPlan: {stage: 'IXSCAN', indexName: 'k_1'}}, {shardName: 'b', namespace: 's.d',
              winningPlan: {stage: 'EOF'}}]}}, executionStats: {executionStages: {stage: 'SHARD_MERGE', shards: [
              {shardName: 'b', nReturned: 0, executionStages: {stage: 'EOF', nReturned: 0}}, {shardName: 'a', nReturned: 3,
              totalDocsExamined: 3, executionStages: {stage: 'IXSCAN', nReturned: 3, keysExamined: 3}}]}}}",
        );
        assert!(merged.merged && merged.ran());
        let told: Vec<_> = merged.parts.iter().map(|part| (part.shard.as_deref(), part.returned)).collect();
        assert_eq!(told, [(Some("a"), Some(3)), (Some("b"), Some(0))]);
        assert_eq!(merged.operation.unwrap().conditions().paths(), ["k"]);
        let stages = plan(
            "{stages: [{$cursor: {queryPlanner: {namespace: 'w.picks', winningPlan: {stage: 'COLLSCAN'}}}, nReturned: 640},
              {$lookup: {from: 'shelves', as: 'shelf', foreignField: 'code', unwinding: {preserveNullAndEmptyArrays: false}},
              totalDocsExamined: 9, collectionScans: 3, nReturned: 4}, {$group: {_id: 1}, usedDisk: true}]}",
        );
        assert_eq!(names_of(&stages), ["$group", "$lookup", "COLLSCAN"]);
        let lookup = stages.stages()[1].lookup.clone().unwrap();
        assert!(lookup.unwound && lookup.scans == Some(3) && stages.stages()[0].spilled);
        let both = plan(
            "{shards: {a: {host: 'x', queryPlanner: {namespace: 's.d', winningPlan: {stage: 'COLLSCAN'}}},
              b: {stages: [{$cursor: {queryPlanner: {winningPlan: {stage: 'COLLSCAN'}}}}, {$group: {_id: 1}}]}}}",
        );
        assert_eq!((both.parts.len(), both.merged), (2, true));
    }

    #[test]
    fn nothing_where_there_is_no_plan() {
        let site = || Site::Entry { file: "x".into(), part: 0, place: None };
        assert_eq!(read(&literal("{stages: []}"), site()), None);
        assert_eq!(
            read(&literal("{queryPlanner: {namespace: 'local.oplog.rs', winningPlan: {stage: 'COLLSCAN'}}}"), site()),
            None
        );
    }
}
