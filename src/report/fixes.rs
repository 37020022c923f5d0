//! The remedies of all findings as one script for mongosh, reviewed as a whole: each once, in the order in which they
//! must run, without those that would undo each other.
//!
//! Remedies are scripts; they are read back by the reader of all scripts, which tells what each of them does.

mod merge;

use crate::catalogue::index::script_string;
use crate::catalogue::{Claim, Index, IndexName, Namespace, Statement};
use crate::evidence::script;
use crate::finding::{Finding, Remedy, RemedyKind, Safety};
use crate::locale::{FixSentences, Lang};
use crate::model::Model;
use crate::order::Ordered;
use crate::remedy;
use crate::remedy::literal::pretty;
use crate::value::Value;
use crate::workload::{Operation, Verb};

/// The rules whose remedy takes an index away because another one serves in its place.
const REDUNDANT: [&str; 2] = ["index/duplicate", "index/redundant-prefix"];

/// When a step runs, within what is equally safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// Empty values go, before something tries to convert them.
    Unset,
    /// Values change in place.
    Convert,
    /// Fields get their new names.
    Rename,
    /// What is computed from the others.
    Recount,
    /// Indexes, which may demand what the data now is.
    Index,
    /// Validators, for the same reason.
    Validator,
}

/// Something to run.
struct Step<'a> {
    turn: Turn,
    safety: Safety,
    cures: Vec<&'a Finding>,
    script: String,
}

/// Something for a person, or that is left out of the script, and why.
struct Aside<'a> {
    finding: &'a Finding,
    remedy: &'a Remedy,
    reason: &'static str,
}

/// What a remedy does to indexes.
struct IndexChange<'a> {
    finding: &'a Finding,
    remedy: &'a Remedy,
    ns: Namespace,
    claims: Vec<Claim>,
}

/// What the remedies do to one validator.
struct ValidatorChange<'a> {
    ns: Namespace,
    cures: Vec<&'a Finding>,
    /// The fields of the `collMod` command behind the name.
    command: Value,
}

/// All that the findings ask for, sorted out.
struct Review<'a> {
    model: &'a Model,
    words: &'static FixSentences,
    steps: Vec<Step<'a>>,
    indexes: Vec<IndexChange<'a>>,
    validators: Vec<ValidatorChange<'a>>,
    asides: Vec<Aside<'a>>,
}

/// The script. `findings` come in the order of the report.
pub(super) fn render(findings: &[Finding], model: &Model, lang: Lang) -> String {
    let words = &lang.sentences().fixes;
    let mut review =
        Review { model, words, steps: Vec::new(), indexes: Vec::new(), validators: Vec::new(), asides: Vec::new() };
    for (finding, remedy) in findings.iter().filter_map(|finding| Some((finding, finding.remedy.as_ref()?))) {
        review.take(finding, remedy);
    }
    review.settle_indexes();
    review.settle_validators();
    review.steps.order_by(|a, b| (rank(a.safety), a.turn).cmp(&(rank(b.safety), b.turn)));
    review.script()
}

fn rank(safety: Safety) -> u8 {
    match safety {
        Safety::Safe => 0,
        Safety::Review => 1,
        Safety::Manual => 2,
    }
}

impl<'a> Review<'a> {
    /// Puts one remedy where it belongs.
    fn take(&mut self, finding: &'a Finding, remedy: &'a Remedy) {
        if remedy.safety == Safety::Manual || remedy.kind != RemedyKind::Mongosh {
            self.asides.push(Aside { finding, remedy, reason: self.words.by_hand });
            return;
        }
        let reading = script::read(&finding.rule, &remedy.script, None);
        let is_known = reading.problems.is_empty() && reading.operations.is_empty();
        if is_known && let Some((ns, claims)) = index_changes(&reading.statements) {
            self.indexes.push(IndexChange { finding, remedy, ns, claims });
        } else if is_known && let Some((ns, command)) = validator_change(&reading.statements) {
            self.change_validator(finding, remedy, ns, command);
        } else {
            self.change_data(finding, remedy, turn(&reading.operations));
        }
    }

    fn change_data(&mut self, finding: &'a Finding, remedy: &'a Remedy, turn: Turn) {
        self.add(turn, remedy.safety, finding, remedy.script.trim_end().to_owned());
    }

    /// A step; what several findings ask for runs once.
    fn add(&mut self, turn: Turn, safety: Safety, finding: &'a Finding, script: String) {
        match self.steps.iter_mut().find(|step| step.script == script) {
            Some(step) => step.cures.push(finding),
            None => self.steps.push(Step { turn, safety, cures: vec![finding], script }),
        }
    }

    fn change_validator(&mut self, finding: &'a Finding, remedy: &'a Remedy, ns: Namespace, command: Value) {
        let present = self.model.collections.iter().find(|collection| collection.ns == ns);
        let base = present.and_then(|collection| collection.validator()).map(|validator| {
            Value::Object(vec![
                ("validator".to_owned(), validator.expression.clone()),
                ("validationLevel".to_owned(), Value::String(validator.level.word().to_owned())),
                ("validationAction".to_owned(), Value::String(validator.action.word().to_owned())),
            ])
        });
        let Some(known) = self.validators.iter_mut().find(|change| change.ns == ns) else {
            self.validators.push(ValidatorChange { ns, cures: vec![finding], command });
            return;
        };
        // A command leaves alone what it does not name.
        let whole = |command: &Value| overlaid(base.as_ref(), command);
        match merge::merge(base.as_ref(), &whole(&known.command), &whole(&command)) {
            Some(merged) => {
                known.command = merged;
                known.cures.push(finding);
            }
            None => self.asides.push(Aside { finding, remedy, reason: self.words.contradicts }),
        }
    }

    fn settle_validators(&mut self) {
        for change in std::mem::take(&mut self.validators) {
            let mut fields = vec![("collMod".to_owned(), Value::String(change.ns.collection.clone()))];
            if let Value::Object(changes) = change.command {
                fields.extend(changes);
            }
            let command = pretty(&Value::Object(fields));
            let script = format!("{}.runCommand({command});", remedy::database(&change.ns));
            self.steps.push(Step { turn: Turn::Validator, safety: Safety::Review, cures: change.cures, script });
        }
    }

    /// Index changes as they stand together: none that another makes superfluous, none that takes away what another
    /// counts on.
    fn settle_indexes(&mut self) {
        let changes = std::mem::take(&mut self.indexes);
        let mut reasons: Vec<Option<&'static str>> = vec![None; changes.len()];
        let is_superfluous = |change: &IndexChange<'_>| {
            let mut created = created(change).filter(|index| index.is_bare()).peekable();
            created.peek().is_some()
                && created.all(|index| self.will_be(&changes, change).any(|other| serves(other, index)))
        };
        for (change, reason) in changes.iter().zip(&mut reasons) {
            let counts_on_another = REDUNDANT.contains(&change.finding.rule.as_str());
            if counts_on_another && !self.is_replaced(&changes, change) {
                *reason = Some(self.words.nothing_left);
            } else if is_superfluous(change) {
                *reason = Some(self.words.superfluous);
            }
        }
        for (change, reason) in changes.into_iter().zip(reasons) {
            match reason {
                Some(reason) => self.asides.push(Aside { finding: change.finding, remedy: change.remedy, reason }),
                None => {
                    self.add(Turn::Index, change.remedy.safety, change.finding, index_script(&change));
                }
            }
        }
    }

    /// The indexes of the collection once all is done, but for what this change adds itself.
    fn will_be<'r>(
        &'r self,
        changes: &'r [IndexChange<'_>],
        but: &'r IndexChange<'_>,
    ) -> impl Iterator<Item = &'r Index> {
        let of_collection = move |change: &&IndexChange<'_>| change.ns == but.ns;
        let goes = move |index: &Index| changes.iter().filter(of_collection).any(|change| retires(change, index));
        let present = self.model.collections.iter().find(|collection| collection.ns == but.ns);
        let present = present.map_or(&[][..], |collection| collection.indexes());
        let others = changes.iter().filter(of_collection).filter(move |change| !std::ptr::eq(*change, but));
        present.iter().filter(move |index| !goes(index)).chain(others.flat_map(created))
    }

    /// Whether each index that the change takes away has another that serves in its place.
    fn is_replaced(&self, changes: &[IndexChange<'_>], change: &IndexChange<'_>) -> bool {
        let present = self.model.collections.iter().find(|collection| collection.ns == change.ns);
        let present = present.map_or(&[][..], |collection| collection.indexes());
        present
            .iter()
            .filter(|index| retires(change, index))
            .all(|index| self.will_be(changes, change).any(|other| serves(other, index)))
    }

    fn script(&self) -> String {
        let header = if self.steps.is_empty() { self.words.nothing } else { self.words.header };
        let mut out: String = header.lines().map(remedy::comment).collect();
        if !self.steps.is_empty() {
            let steps: String = self.steps.iter().map(step_script).collect();
            let choice = remedy::comment(self.words.choice).trim_end().replace('\n', "\n  ");
            // The last word first: a script may hold the others.
            out.push_str(
                &include_str!("fixes/frame.js")
                    .replacen("// CHOICE", &choice, 1)
                    .replacen("WOULD_RUN", &script_string(self.words.would_run), 1)
                    .replacen("RUNS", &script_string(self.words.runs), 1)
                    .replacen("STEPS", &steps, 1),
            );
        }
        for aside in &self.asides {
            out.push('\n');
            out.push_str(&remedy::comment(&format!("{}: {}", title(aside.finding), aside.reason)));
            out.push_str(&commented(&aside.remedy.script));
        }
        out
    }
}

/// The collection and its index changes, where a script consists of these alone.
fn index_changes(statements: &[Statement]) -> Option<(Namespace, Vec<Claim>)> {
    let ns = one_namespace(statements)?;
    let is_index = |claim: &Claim| {
        matches!(
            claim,
            Claim::CreateIndex(_)
                | Claim::DropIndex(IndexName::Name(_))
                | Claim::HideIndex { index: IndexName::Name(_), hidden: true }
        )
    };
    let claims = || statements.iter().map(|statement| &statement.claim);
    claims().all(is_index).then(|| (ns, claims().cloned().collect()))
}

/// The collection and what is set of its validator, where a script consists of one `collMod`.
fn validator_change(statements: &[Statement]) -> Option<(Namespace, Value)> {
    let ns = one_namespace(statements)?;
    let [Statement { claim: Claim::ChangeOptions(options), .. }] = statements else { return None };
    let mut fields = Vec::new();
    let mut put = |name: &str, value: Value| fields.push((name.to_owned(), value));
    if let Some(validator) = &options.validator {
        put("validator", validator.expression.clone());
    }
    if let Some(level) = options.level {
        put("validationLevel", Value::String(level.word().to_owned()));
    }
    if let Some(action) = options.action {
        put("validationAction", Value::String(action.word().to_owned()));
    }
    (!fields.is_empty()).then_some((ns, Value::Object(fields)))
}

fn one_namespace(statements: &[Statement]) -> Option<Namespace> {
    let first = statements.first()?;
    statements.iter().all(|other| other.namespace == first.namespace).then(|| first.namespace.clone())
}

/// The fields of the one, with those of the other in their place.
fn overlaid(base: Option<&Value>, changes: &Value) -> Value {
    let (Some(Value::Object(base)), Value::Object(changes)) = (base, changes) else { return changes.clone() };
    let mut fields = base.clone();
    for (name, value) in changes {
        match fields.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value.clone(),
            None => fields.push((name.clone(), value.clone())),
        }
    }
    Value::Object(fields)
}

/// When a change of data runs, by what it writes.
fn turn(operations: &[Operation]) -> Turn {
    if operations.iter().any(|operation| operation.verb == Verb::Find) {
        return Turn::Recount;
    }
    let has = |operator: &str| {
        operations.iter().any(|o| o.update.as_ref().is_some_and(|update| update.get(operator).is_some()))
    };
    if has("$rename") {
        Turn::Rename
    } else if has("$unset") {
        Turn::Unset
    } else {
        Turn::Convert
    }
}

fn created<'c>(change: &'c IndexChange<'_>) -> impl Iterator<Item = &'c Index> {
    change.claims.iter().filter_map(|claim| if let Claim::CreateIndex(index) = claim { Some(index) } else { None })
}

fn retires(change: &IndexChange<'_>, index: &Index) -> bool {
    change.claims.iter().any(|claim| match claim {
        Claim::DropIndex(name) | Claim::HideIndex { index: name, .. } => name.names(index),
        _ => false,
    })
}

/// Whether the one finds and sorts all that the other does.
fn serves(other: &Index, index: &Index) -> bool {
    other.covers(index) || other.same_definition(index)
}

/// The changes of indexes, so that they can run again.
fn index_script(change: &IndexChange<'_>) -> String {
    let collection = remedy::collection(&change.ns);
    let line = |claim: &Claim| match claim {
        Claim::CreateIndex(index) => remedy::index::create(&change.ns, index).script + ";",
        Claim::DropIndex(IndexName::Name(name)) => {
            let replacement = created(change).find(|index| &index.name == name).map(|index| {
                let (key, options) = remedy::index::arguments(index);
                format!(", [{key}, {}]", options.unwrap_or_else(|| "{}".to_owned()))
            });
            format!("drop({collection}, {}{});", script_string(name), replacement.unwrap_or_default())
        }
        Claim::HideIndex { index: IndexName::Name(name), .. } => {
            format!("hide({collection}, {});", script_string(name))
        }
        _ => String::new(),
    };
    change.claims.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn step_script(step: &Step<'_>) -> String {
    let safety = match step.safety {
        Safety::Safe => "safe",
        Safety::Review | Safety::Manual => "review",
    };
    let cures: Vec<String> = step.cures.iter().map(|finding| script_string(&title(finding))).collect();
    let script = step.script.replace('\n', "\n        ");
    let cures = cures.join(",\n        ");
    format!(
        "    {{\n      safety: '{safety}',\n      cures: [\n        {cures},\n      ],\n      run: () => {{\n        {script}\n      }},\n    }},\n"
    )
}

fn title(finding: &Finding) -> String {
    let place = finding.location.as_ref().map(|at| match at.start {
        Some(start) => format!("{}:{}", at.file, start.line),
        None => at.file.clone(),
    });
    let place = finding.collection.clone().or(place).unwrap_or_default();
    format!("{} {place}: {}", finding.rule, finding.message)
}

/// A script as comments. Nothing in it ends a comment or changes how text looks.
fn commented(script: &str) -> String {
    script.trim_end().split('\n').fold(String::new(), |out, line| out + "//   " + &super::escape::line(line) + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vet;
    use crate::vet::{InputOptions, Options};

    /// The script of what is found in these inputs by these rules.
    fn script(select: &[&str], inputs: &[(&str, &str)]) -> String {
        let select = select.iter().map(|rule| (*rule).to_owned()).collect();
        let mut vet = Vet::new(Options { select, ..Options::default() }).expect("options are fine");
        for (name, text) in inputs {
            vet.open(name, InputOptions { named: true, ..InputOptions::default() });
            vet.write(text.as_bytes());
            vet.close();
        }
        vet.finish();
        vet.fix_script().expect("concluded")
    }

    fn position(script: &str, part: &str) -> usize {
        script.find(part).unwrap_or_else(|| panic!("{part} in {script}"))
    }

    #[test]
    fn steps_are_in_the_order_in_which_they_must_run() {
        let documents = (0..60)
            .map(|i| {
                let day = if i % 2 == 0 {
                    format!("'2026-01-{:02}'", i % 28 + 1)
                } else {
                    "ISODate('2026-01-05')".to_owned()
                };
                let name = if i < 40 { "carrierId" } else { "carrierID" };
                format!("{{_id: ObjectId('{i:024x}'), at: {day}, {name}: {i}, note: ''}}")
            })
            .collect::<Vec<_>>()
            .join("\n");
        let indexes = "db.trips.createIndex({at: 1}); db.trips.createIndex({at: 1, carrierId: 1});";
        let inputs = [("t.trips.json5", documents.as_str()), ("t.trips.mongodb.js", indexes)];
        let script = script(&["document/*", "index/*"], &inputs);
        let [unset, convert, rename] = ["$unset", "$convert", "$rename"].map(|part| position(&script, part));
        let safe = position(&script, "hide(db.getSiblingDB(\"t\").getCollection(\"trips\"), \"at_1\")");
        assert!(safe < unset && unset < convert && convert < rename, "{script}");
        let reading = script::read("fix.js", &script, None);
        assert_eq!(reading.problems, []);
    }

    #[test]
    fn a_validator_that_two_findings_change_is_set_once() {
        let validator = "db.createCollection('books', {validationLevel: 'moderate', validator: {$jsonSchema: {bsonType: \
                         'object', required: ['isbn'], properties: {isbn: {bsonType: 'string', format: 'isbn'}}}}})";
        let script = script(&["validation/*"], &[("lib.books.mongodb.js", validator)]);
        assert_eq!(script.matches("runCommand").count(), 1, "{script}");
        assert!(!script.contains("format:"), "{script}");
        assert!(script.contains("validationLevel: \"strict\"") && script.contains("validation/lenient"), "{script}");
    }

    #[test]
    fn what_a_person_must_do_is_a_comment() {
        let pipeline = "db.orders.aggregate([{$unwind: '$items'}, {$match: {state: 'a\u{2028}alert(1)'}}])";
        let script = script(&["aggregation/*"], &[("shop.orders.mongodb.js", pipeline)]);
        assert!(script.lines().all(|line| line.is_empty() || line.starts_with("//")), "{script}");
        assert!(script.contains("$unwind") && !script.contains('\u{2028}'), "{script}");
    }

    #[test]
    fn an_index_stays_where_its_stand_in_goes() {
        let ns = Namespace::bare("c");
        let index = |text: &str| {
            let reading = script::read("i.js", &format!("db.c.createIndex({text})"), None);
            match &reading.statements[..] {
                [Statement { claim: Claim::CreateIndex(index), .. }] => index.clone(),
                other => panic!("{other:?}"),
            }
        };
        assert!(serves(&index("{a: 1, b: 1}"), &index("{a: 1}")));
        assert!(!serves(&index("{b: 1}"), &index("{a: 1}")));
        let claims =
            vec![Claim::DropIndex(IndexName::Name("a_1".into())), Claim::CreateIndex(index("{a: 1}, {unique: true}"))];
        let finding: Finding = serde_json::from_value(serde_json::json!({
            "rule": "index/option-conflict", "severity": "error", "certainty": "certain", "message": "m", "why": "w",
            "help": "h", "evidence": {}, "docs": "d", "fingerprint": "f",
            "remedy": {"safety": "review", "kind": "mongosh", "script": "…"}
        }))
        .expect("a finding");
        let remedy = finding.remedy.as_ref().expect("it has one");
        let change = IndexChange { finding: &finding, remedy, ns, claims };
        let expected = "drop(db.getCollection(\"c\"), \"a_1\", [{ a: 1 }, { unique: true }]);\n\
                        db.getCollection(\"c\").createIndex({ a: 1 }, { unique: true });";
        assert_eq!(index_script(&change), expected);
    }
}
