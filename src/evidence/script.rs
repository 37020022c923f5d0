//! Scripts: mongosh files, JavaScript and TypeScript of applications.
//!
//! A script is scanned, parsed whole or (where that fails) statement by statement, and read for what it wants of the
//! catalogue. Nothing is executed: what is not known from the text alone is a hole, and what depends on it is not said.

mod calls;
mod collect;
mod context;
mod flow;
mod link;
mod literal;
mod markdown;
mod modules;
mod mongoose;
mod operations;
pub mod scanner;
mod source;
mod targets;
mod tree;
mod uses;

pub use link::{Source, link};
use modules::Imports;
pub use modules::Module;
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use crate::catalogue::replica_set::DefaultWriteConcern;
use crate::catalogue::{Namespace, Statement};
use crate::order::Ordered;
use crate::value::location::{Lines, Position};
use crate::workload::Operation;

/// A part of a script that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptProblem {
    /// Byte offset.
    pub offset: usize,
    /// Where, in lines and columns.
    pub position: Position,
    /// What is wrong, in English, without text of the script.
    pub message: String,
}

/// What a script wants of the catalogue, and what of it could not be read.
#[derive(Debug, Default)]
pub struct ScriptReading {
    /// Statements in source order.
    pub statements: Vec<Statement>,
    /// What it does with documents, in source order.
    pub operations: Vec<Operation>,
    /// The default write concerns that it sets.
    pub write_concerns: Vec<DefaultWriteConcern>,
    /// What it says to other files, and what it asks of them.
    pub module: Module,
    /// Parts that could not be read.
    pub problems: Vec<ScriptProblem>,
}

/// Reads a script for what it says about collections and indexes.
///
/// `namespace` is what the input's name says (`shop.orders.mongodb.js`): its database stands where the script names none.
pub fn read(input: &str, text: &str, namespace: Option<&Namespace>) -> ScriptReading {
    read_with(input, text, namespace, Imports::default())
}

/// Reads a script with what is known of the things that it imports.
fn read_with(input: &str, text: &str, namespace: Option<&Namespace>, imports: Imports) -> ScriptReading {
    let lines = Lines::new(text);
    let fenced = markdown::fenced(input, text);
    let text = fenced.as_deref().unwrap_or(text);
    let database = namespace.and_then(|n| n.database.clone());
    let mut reading = ScriptReading::default();
    let problems = match scanner::scan(text) {
        Ok(scanned) => {
            let allocator = Allocator::default();
            let (program, text, problems) = program(&allocator, &scanned, source_type(input));
            if let Some(program) = program {
                let script = source::Script::new(text, &program, database, &scanned.directives, imports);
                let read = calls::Reader::read(input, &lines, &script);
                reading.statements = read.statements;
                reading.operations = read.operations;
                reading.write_concerns = read.write_concerns;
                let calls = read.calls;
                uses::read(&script, &program, &calls, &mut reading.operations);
                reading.module = modules::module(&script);
            }
            problems
        }
        Err(refusal) => vec![(refusal.offset, refusal.reason.to_owned())],
    };
    reading.problems = problems
        .into_iter()
        .map(|(offset, message)| ScriptProblem { offset, position: lines.position(offset), message })
        .collect();
    reading
}

/// Programs that are tried before a script is given up.
const MOST_TRIES: usize = 20;

/// Parses a script: whole, else without the statements that do not parse. Gives the program, the text that it is of (as
/// long as the script), and the offsets and reasons of what does not parse.
fn program<'a>(
    allocator: &'a Allocator,
    scanned: &scanner::Scanned,
    kind: SourceType,
) -> (Option<Program<'a>>, &'a str, Vec<(usize, String)>) {
    // What is pasted has no name that tells its language, and types stand in files of plain JavaScript too.
    let typed = [SourceType::ts(), SourceType::tsx()].into_iter().filter(|_| !kind.is_typescript());
    for kind in [kind].into_iter().chain(typed) {
        if let Ok((program, text)) = parse(allocator, &scanned.text, kind) {
            return (Some(program), text, Vec::new());
        }
    }
    let mut pieces = Pieces { kind, typed: false, problems: Vec::new(), blanks: Vec::new(), ends: Vec::new() };
    pieces.statements(&scanned.text, &scanned.ends, 0, true);
    let Pieces { mut problems, blanks, mut ends, typed, .. } = pieces;
    let kind = if typed { SourceType::ts() } else { kind };
    ends.order();
    let mut bytes = scanned.text.clone().into_bytes();
    let blank = |bytes: &mut Vec<u8>, from: usize, to: usize| {
        for byte in bytes.get_mut(from..to).unwrap_or_default() {
            if !matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        // So that what stands before and behind stays apart.
        if let Some(last) = to.checked_sub(1).and_then(|last| bytes.get_mut(last)).filter(|_| to > from + 1) {
            *last = b';';
        }
    };
    for (from, to) in blanks {
        blank(&mut bytes, from, to);
    }
    // What parses by itself hardly ever fails beside its neighbours; then the statement that fails goes too.
    for _ in 0..MOST_TRIES {
        let Ok(text) = std::str::from_utf8(&bytes) else { break };
        match parse(allocator, text, kind) {
            Ok((program, text)) => return (Some(program), text, problems),
            Err((offset, message)) => {
                let at = ends.partition_point(|end| *end <= offset);
                let from = at.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
                let to = ends.get(at).copied().unwrap_or(bytes.len());
                problems.push((offset, message));
                blank(&mut bytes, from, to);
            }
        }
    }
    (None, "", problems)
}

/// Parses statements one by one.
struct Pieces {
    kind: SourceType,
    /// Whether a statement parses as TypeScript only.
    typed: bool,
    problems: Vec<(usize, String)>,
    /// Ranges that are no statements.
    blanks: Vec<(usize, usize)>,
    /// Ends of all statements that were tried.
    ends: Vec<usize>,
}

impl Pieces {
    fn statements(&mut self, text: &str, ends: &[usize], base: usize, again: bool) {
        let mut start = 0;
        for end in ends {
            if let Some(text) = text.get(start..*end) {
                self.statement(text, base + start, again);
            }
            self.ends.push(base + *end);
            start = *end;
        }
    }

    /// Parses one statement. A bracket that is not closed makes the rest of the file one statement: then the lines that
    /// start like a command are tried on their own.
    fn statement(&mut self, text: &str, base: usize, again: bool) {
        if text.trim().is_empty() {
            return;
        }
        let allocator = Allocator::default();
        let Err((offset, message)) = parse(&allocator, text, self.kind) else { return };
        if !self.kind.is_typescript() && parse(&allocator, text, SourceType::ts()).is_ok() {
            self.typed = true;
            return;
        }
        // A printed object or array is no statement, and no fault either.
        if text.trim_start().starts_with(['{', '['])
            && parse(&allocator, &format!("({})", text.trim()), self.kind).is_ok()
        {
            self.blanks.push((base, base + text.len()));
            return;
        }
        let commands: Vec<usize> = if again { command_starts(text).collect() } else { Vec::new() };
        if commands.is_empty() {
            self.problems.push((base + offset.min(text.len()), message));
            self.blanks.push((base, base + text.len()));
            return;
        }
        let mut from = 0;
        for to in commands.into_iter().chain([text.len()]) {
            let Some(piece) = text.get(from..to) else { continue };
            match scanner::scan(piece) {
                Ok(scanned) => {
                    let changed = piece.bytes().zip(scanned.text.bytes()).enumerate().filter(|(_, (a, b))| a != b);
                    self.blanks.extend(changed.map(|(at, _)| (base + from + at, base + from + at + 1)));
                    self.statements(&scanned.text, &scanned.ends, base + from, false);
                }
                Err(_) => self.blanks.push((base + from, base + to)),
            }
            from = to;
        }
    }
}

/// Offsets of lines behind the first that start like a command in the first column.
fn command_starts(text: &str) -> impl Iterator<Item = usize> {
    const STARTS: &[&str] = &["db.", "db[", "use(", "const ", "let ", "var ", "function ", "async function "];
    text.match_indices('\n')
        .map(|(at, _)| at + 1)
        .filter(move |at| text.get(*at..).is_some_and(|rest| STARTS.iter().any(|start| rest.starts_with(start))))
}

fn parse<'a>(
    allocator: &'a Allocator,
    text: &str,
    kind: SourceType,
) -> Result<(Program<'a>, &'a str), (usize, String)> {
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let text: &'a str = allocator.alloc_str(text);
    let parsed = Parser::new(allocator, text, kind).with_options(options).parse();
    match parsed.diagnostics.first() {
        None if !parsed.panicked => Ok((parsed.program, text)),
        diagnostic => {
            let offset = diagnostic.and_then(|d| d.labels.first()).map_or(0, |label| label.offset() as usize);
            // The parser's own words may quote the script.
            Err((offset, "this is no JavaScript that can be parsed".to_owned()))
        }
    }
}

fn source_type(input: &str) -> SourceType {
    let name = input.to_ascii_lowercase();
    if [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| name.ends_with(ending)) {
        return SourceType::d_ts();
    }
    match name.rsplit('.').next() {
        Some("tsx") => SourceType::tsx(),
        Some("ts" | "mts" | "cts") => SourceType::ts(),
        Some("jsx") => SourceType::jsx(),
        // JSX is no valid JavaScript of another kind.
        _ => SourceType::unambiguous().with_jsx(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Catalogue, Claim, Collection, IndexName};
    use crate::value::Value;

    fn state(text: &str) -> std::collections::BTreeMap<String, Collection> {
        let reading = read("s.mongodb.js", text, None);
        assert_eq!(reading.problems, [], "{text}");
        let mut catalogue = Catalogue::default();
        catalogue.extend(reading.statements);
        catalogue.collections(None).into_iter().map(|(n, c)| (n.to_string(), c)).collect()
    }

    fn indexes(text: &str) -> Vec<String> {
        state(text)
            .into_iter()
            .flat_map(|(ns, c)| c.indexes.into_iter().map(move |i| format!("{ns} {} {}", i.name, i.key_script())))
            .collect()
    }

    #[test]
    fn all_ways_to_name_a_collection() {
        let text = r"
            use('shop');
            db.a.createIndex({ x: 1 });
            db['b-c'].createIndex({ x: 1 });
            db.getCollection('d.e').createIndex({ x: 1 });
            db.f.g.createIndex({ x: 1 });
            db.getSiblingDB('other').h.createIndex({ x: 1 });
            const shop = db.getSiblingDB('third');
            shop.i.createIndex({ x: 1 });
            const NAME = 'j';
            const coll = db.collection(NAME);
            await coll.createIndex({ x: 1 });
        ";
        assert_eq!(
            indexes(text),
            [
                "other.h x_1 { x: 1 }",
                "shop.a x_1 { x: 1 }",
                "shop.b-c x_1 { x: 1 }",
                "shop.d.e x_1 { x: 1 }",
                "shop.f.g x_1 { x: 1 }",
                "shop.j x_1 { x: 1 }",
                "third.i x_1 { x: 1 }",
            ]
        );
    }

    #[test]
    fn all_ways_to_define_indexes() {
        let text = r#"
            db.a.createIndexes([{ x: 1 }, { y: -1 }], { sparse: true });
            db.a.ensureIndex({ z: "text" });
            db.runCommand({ createIndexes: "b", indexes: [{ key: { "p.q": 1 }, name: "pq", unique: true }] });
            db.collection("c").createIndexes([{ key: { k: 1 }, expireAfterSeconds: 60 * 60 }]);
            db.b.hideIndex("pq");
            db.a.dropIndex({ y: -1 });
        "#;
        assert_eq!(
            indexes(text),
            ["a x_1 { x: 1 }", "a z_text { z: \"text\" }", "b pq { \"p.q\": 1 }", "c k_1 { k: 1 }"]
        );
        let state = state(text);
        assert!(state["a"].indexes[0].sparse && state["b"].indexes[0].hidden && state["b"].indexes[0].unique);
        assert_eq!(state["c"].indexes[0].expire_after_seconds, Some(Value::Int(3600)));
        assert!(!state["a"].indexes_known, "a script alone makes no whole catalogue");
    }

    #[test]
    fn validators_of_create_collection_and_coll_mod() {
        let text = r"
            use('library')
            const schema = { bsonType: 'object', required: ['isbn'] };
            db.createCollection('books', { validator: { $jsonSchema: schema }, validationAction: 'warn' });
            db.runCommand({ collMod: 'loans', validator: { $jsonSchema: { bsonType: 'object', properties: { n: { minimum: 1 } } } }, validationLevel: 'moderate' });
            db.createCollection('logs', { capped: true, size: 1024 * 1024 });
            db.createCollection('t', { timeseries: { timeField: 'at', metaField: 'm' } });
        ";
        let state = state(text);
        let books = state["library.books"].validator().unwrap();
        assert_eq!(books.action.word(), "warn");
        assert_eq!(books.location.as_ref().unwrap().start.unwrap().line, 4);
        assert_eq!(state["library.loans"].validator().unwrap().level.word(), "moderate");
        assert_eq!(state["library.logs"].options.as_ref().unwrap().size, Some(1_048_576));
        assert!(state["library.t"].options.as_ref().unwrap().timeseries.is_some());
    }

    #[test]
    fn what_is_not_known_is_not_said() {
        let text = r"
            db.a.createIndex(keys);
            db.a.createIndex({ [name]: 1 });
            db.a.createIndex({ x: 1 }, { unique: flag });
            db[name].createIndex({ x: 1 });
            [1].map(db.x);
            map.createIndex({ x: 1 });
            db.createCollection('b', { validator: makeValidator() });
            db.createCollection('c', options);
            function down(db) { return db.collection('z').dropIndex('x_1'); }
            async function each(name) { await db.collection(name).createIndex({ q: 1 }); }
        ";
        let reading = read("s.js", text, None);
        assert_eq!(reading.problems, []);
        let said: Vec<String> = reading.statements.iter().map(|s| format!("{} {:?}", s.namespace, s.claim)).collect();
        assert!(said.iter().all(|s| s.starts_with("b Options") && s.contains("validator: None")), "{said:#?}");
    }

    #[test]
    fn only_the_failing_statement_is_a_problem() {
        let text = "use shop\ndb.a.createIndex({ x: 1 })\ndb.b.createIndex({ x: 1 )\ndb.c.createIndex({ x: 1 });\n{ acknowledged: true, insertedId: ObjectId('66650185b2e3e580840082af') }\n";
        let reading = read("s.js", text, None);
        let names: Vec<String> = reading.statements.iter().map(|s| s.namespace.to_string()).collect();
        assert_eq!(names, ["shop.a", "shop.c"]);
        assert_eq!(reading.problems.len(), 1);
        assert_eq!(reading.problems[0].position.line, 3);
    }

    #[test]
    fn types_are_read_whatever_the_name_says() {
        let typed = "interface Order { at: Date }\nconst orders: Collection<Order> = db.collection<Order>('orders');\norders.find({ a: 1 } as Filter);\n";
        let operations = |text: &str| {
            let reading = read("script.mongodb.js", text, None);
            (reading.operations.len(), reading.problems.len())
        };
        assert_eq!(operations(typed), (1, 0));
        assert_eq!(operations(&format!("{typed}db.b.find({{ x: 1 )\ndb.c.find({{ y: 1 }});\n")), (2, 1));
    }

    #[test]
    fn an_unclosed_call_does_not_hide_the_next_command() {
        let text = "db.a.find({ x: 1\n\ndb.b.createIndex({ x: 1 })\n";
        let reading = read("s.js", text, None);
        assert_eq!(reading.statements.len(), 1);
        assert_eq!(reading.problems.len(), 1);
    }

    #[test]
    fn types_and_places() {
        let text = "// ñ\n/* é */ db.a.createIndex({ at: 1 } as const, { expireAfterSeconds: 30, partialFilterExpression: { at: { $lt: new Date('2026-01-01') }, n: { $gt: NumberLong(5) }, s: /^x/i } } satisfies Options);";
        let reading = read("s.ts", text, None);
        let Claim::CreateIndex(index) = &reading.statements[0].claim else { panic!() };
        assert_eq!(index.location.as_ref().unwrap().start, Some(Position { line: 2, column: 9 }));
        let filter = index.partial_filter.as_ref().unwrap();
        assert_eq!(filter.get("at").unwrap().get("$lt"), Some(&Value::Date(1_767_225_600_000)));
        assert_eq!(filter.get("n").unwrap().get("$gt"), Some(&Value::Long(5)));
        assert_eq!(filter.get("s"), Some(&Value::Regex("^x".into(), "i".into())));
    }

    #[test]
    fn drops() {
        let reading =
            read("s.js", "db.a.dropIndexes(); db.a.dropIndex('x_1'); db.a.drop(); db.a.dropIndexes(['b', 'c'])", None);
        let claims: Vec<&Claim> = reading.statements.iter().map(|s| &s.claim).collect();
        assert_eq!(claims.len(), 5);
        assert_eq!(*claims[0], Claim::DropIndex(IndexName::All));
        assert_eq!(*claims[2], Claim::Drop);
    }

    /// The stack of a WebAssembly instance is a megabyte; what passes the scan must fit into much less.
    #[test]
    fn the_longest_that_is_taken_fits_the_stack() {
        let cases = [
            format!("db.a.createIndex({})", "[".repeat(240) + &"]".repeat(240)),
            format!("x = {}1", "1 + ".repeat(900)),
            format!("x = {}1", "!".repeat(900)),
            format!("x{}", ".a()".repeat(450)),
            format!("{}{{}}", "if (a) {} else ".repeat(900)),
            format!("x = {}0", "a ? b : ".repeat(450)),
            format!("{}1", "x => ".repeat(450)),
        ];
        for text in cases {
            let run = std::thread::Builder::new().stack_size(2 << 20).spawn(move || read("s.js", &text, None).problems);
            let problems = run.unwrap().join().expect("no overflow");
            assert_eq!(problems, []);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_survived(text in "[a-z0-9 \\n;,.:'\"`$(){}\\[\\]/*+=>!?-]{0,200}|\\PC{0,80}") {
            let _ = read("s.js", &text, None);
            if let Ok(scanned) = scanner::scan(&text) {
                proptest::prop_assert_eq!(scanned.text.len(), text.len());
                proptest::prop_assert!(scanned.ends.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
    }
}
