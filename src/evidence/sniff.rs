//! What an input is, by the first 64 KiB of its content, and by its name where the content leaves it open.

use bumpalo::Bump;

use super::gathered::Gathered;
use super::names::Name;
use super::server_log::{self, is_legacy_line};
use super::{Kind, metadata, replica_set, sharding};
use crate::catalogue::Namespace;
use crate::value::event::{Fidelity, Type};
use crate::value::{Document, Value, bson, ejson, literal};

/// How much of an input is looked at.
pub const HEAD: usize = 64 * 1024;

/// The first bytes of an archive of mongodump.
pub(super) const ARCHIVE_MAGIC: [u8; 4] = 0x8199_e26d_u32.to_le_bytes();

/// How documents are written in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Json,
    Literal,
}

/// What a reader of the input needs to know.
#[derive(Debug, Clone)]
pub(super) struct Sniffed {
    pub(super) kind: Kind,
    pub(super) ns: Option<Namespace>,
    /// How documents are written, where they are text.
    pub(super) dialect: Dialect,
    /// Nothing in the head has a type of its own, and `_id` looks like an ObjectId that has become a string.
    pub(super) plain: bool,
    /// Whether the documents are elements of one array.
    pub(super) in_array: bool,
    /// Leading blanks of the line on which the first document begins; nothing where it begins inside a line.
    pub(super) indent: Option<usize>,
    /// Bytes to pass over at the start: the byte order mark.
    pub(super) skip: usize,
    /// Whether it is prose of the shell or of an old log, and no document.
    pub(super) prose: bool,
    /// Whether it is BSON.
    pub(super) binary: bool,
    /// Whether it is a log, of which each line stands for itself.
    pub(super) lines: bool,
    /// What cannot be read for what it is.
    pub(super) refused: Option<&'static str>,
}

/// What the host knows of an input beyond its bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hints<'a> {
    pub(super) name: &'a Name,
    pub(super) collection: Option<&'a Namespace>,
    /// Named on the command line, or pasted.
    pub(super) named: bool,
    /// A catalogue of the run speaks of this collection.
    pub(super) catalogued: bool,
}

/// Looks at the head of an input; `whole` says that nothing follows it.
pub(super) fn sniff(head: &[u8], whole: bool, hints: Hints<'_>) -> Sniffed {
    let mut sniffed = Sniffed {
        kind: Kind::Other,
        ns: hints.collection.or(hints.name.ns.as_ref()).cloned(),
        dialect: Dialect::Json,
        plain: false,
        in_array: false,
        indent: None,
        skip: 0,
        prose: false,
        binary: false,
        lines: false,
        refused: None,
    };
    let claimed = hints.name.kind;
    if matches!(claimed, Some(Kind::Config | Kind::SavedProfile)) {
        sniffed.kind = claimed.unwrap_or(Kind::Other);
        return sniffed;
    }
    if Gathered::is_saved(head) {
        sniffed.kind = Kind::SavedProfile;
        return sniffed;
    }
    if head.starts_with(&ARCHIVE_MAGIC) {
        sniffed.kind = Kind::Archive;
        return sniffed;
    }
    let is_bson_name = hints.name.extension == "bson";
    if head.is_empty() && is_bson_name {
        // A collection without documents.
        sniffed.binary = true;
        sniffed.kind = claimed.unwrap_or(Kind::BsonDump);
        return sniffed;
    }
    if is_bson_name || looks_like_bson(head, whole) {
        sniffed.binary = true;
        sniffed.kind = match claimed {
            Some(kind @ (Kind::Oplog | Kind::Internal | Kind::Profiler | Kind::TimeSeriesBuckets)) => kind,
            _ => first_bson(head).and_then(|value| workload(&value)).unwrap_or(Kind::BsonDump),
        };
        return sniffed;
    }
    if head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]) {
        sniffed.refused = Some("the text is UTF-16; only UTF-8 is read");
        return sniffed;
    }
    if head.starts_with(&[0xEF, 0xBB, 0xBF]) {
        sniffed.skip = 3;
    }
    let text = head.get(sniffed.skip..).unwrap_or_default();
    if text.iter().all(u8::is_ascii_whitespace) {
        sniffed.kind = if whole { Kind::Empty } else { Kind::Other };
        return sniffed;
    }
    // Pictures and programs; a text holds no NUL, unless a document before it says that it is one.
    if text.contains(&0) {
        let first = Opening::find(text).and_then(|opening| first_document(text, opening.at, whole));
        if !matches!(first, Some((_, Some(_)))) {
            return sniffed;
        }
    }
    sniff_text(text, whole, hints, &mut sniffed);
    sniffed
}

fn sniff_text(text: &[u8], whole: bool, hints: Hints<'_>, sniffed: &mut Sniffed) {
    let claimed = hints.name.kind;
    let opening = Opening::find(text);
    let mut first = text.split(|b| *b == b'\n').take(20);
    if first.clone().any(is_log_line) {
        (sniffed.kind, sniffed.lines) = (Kind::Log, true);
        return;
    }
    if first.any(is_legacy_line) {
        (sniffed.kind, sniffed.lines, sniffed.prose) = (Kind::Log, true, true);
        return;
    }
    if let Some(opening) = opening
        && let Some((dialect, first)) = first_document(text, opening.at, whole)
        // A script may begin with a block; documents in it must be read to be believed.
        && (first.is_some() || (claimed != Some(Kind::Script) && is_believable(text, hints)))
    {
        sniffed.dialect = dialect;
        sniffed.in_array = opening.in_array;
        sniffed.indent = opening.indent;
        sniffed.kind = if dialect == Dialect::Json { Kind::ExtendedJson } else { Kind::Literals };
        let Some((value, length, typed)) = first else { return };
        sniffed.plain = dialect == Dialect::Json && !has_wrapper(text) && has_hex_id(&value);
        if let Some(kind) = block_kind(&value, claimed) {
            sniffed.kind = kind;
            return;
        }
        let behind = text.get(opening.at + length..).unwrap_or_default();
        let several = opening.in_array || behind.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{');
        if !is_evidence(&value, typed, several, hints) {
            sniffed.kind = Kind::Other;
        }
        return;
    }
    if opening.is_none_or(|opening| opening.at == 0) && is_empty_array(text) {
        sniffed.kind = claimed.filter(|kind| kind.is_catalogue()).unwrap_or(Kind::ExtendedJson);
        return;
    }
    let text = std::str::from_utf8(text).unwrap_or_else(|e| {
        // The head may end inside a character.
        std::str::from_utf8(text.get(..e.valid_up_to()).unwrap_or_default()).unwrap_or_default()
    });
    if replica_set::is_printed(text) {
        sniffed.kind = Kind::ReplicaSet;
        sniffed.prose = true;
        return;
    }
    if claimed != Some(Kind::Script) && sharding::is_status(text) {
        sniffed.kind = Kind::Sharding;
        sniffed.prose = true;
        return;
    }
    if claimed == Some(Kind::Script) || (hints.named && looks_like_script(text)) {
        sniffed.kind = Kind::Script;
        return;
    }
    // A file that claims to be JSON and is named by somebody deserves to hear where it breaks.
    let is_json_name = matches!(hints.name.extension.as_str(), "json" | "jsonl" | "ndjson" | "ejson" | "json5");
    if is_json_name && (hints.named || hints.name.extension != "json" || hints.name.in_dump || hints.catalogued) {
        sniffed.kind = claimed.filter(|kind| kind.is_catalogue()).unwrap_or(Kind::ExtendedJson);
    }
}

/// Where the first document or array of a text begins.
#[derive(Debug, Clone, Copy)]
struct Opening {
    /// The brace of the first document.
    at: usize,
    in_array: bool,
    indent: Option<usize>,
}

impl Opening {
    /// Finds the first brace behind white space, brackets, comments and what a shell prints around documents.
    fn find(text: &[u8]) -> Option<Opening> {
        let mut at = 0;
        let mut indent = Some(0);
        let mut in_array = false;
        loop {
            let rest = text.get(at..)?;
            match rest {
                [b'{', ..] => return Some(Opening { at, in_array, indent }),
                [b'[', ..] => {
                    in_array = true;
                    at += 1;
                }
                [b'\n', ..] => {
                    indent = Some(0);
                    at += 1;
                }
                [b' ' | b'\t', ..] => {
                    indent = indent.map(|count| count + 1);
                    at += 1;
                }
                [b'\r', ..] => at += 1,
                [b'/', b'*', comment @ ..] => {
                    at += comment.windows(2).position(|pair| pair == b"*/")? + 4;
                    indent = None;
                }
                [b'/', b'/', ..] => at += rest.iter().position(|b| *b == b'\n')?,
                [] => return None,
                // A line of a shell session may stand before the documents that it printed.
                _ if !in_array && indent.is_some() => {
                    let length = rest.iter().position(|b| *b == b'\n')?;
                    if !is_session_line(rest.get(..length)?) {
                        return None;
                    }
                    at += length;
                }
                _ => return None,
            }
        }
    }
}

/// Whether a shell prints such a line around documents: a prompt, or what it says itself.
pub(super) fn is_session_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"switched to db ")
        || line.starts_with(b"Type \"it\" for more")
        || line.starts_with(b"already on db ")
        || prompt(line).is_some()
}

/// The database and the command of a prompt: `shop> db.orders.find()`, `rs0 [direct: primary] shop> it`. The old
/// shell does not name the database: `> db.orders.find()`, `rs0:PRIMARY> it`.
pub(super) fn prompt(line: &[u8]) -> Option<(&str, &str)> {
    let line = std::str::from_utf8(line).ok()?.trim();
    let (before, command) = line.split_once('>')?;
    let old = |set: &str| set.chars().all(char::is_alphanumeric);
    if before.is_empty() || before.split_once(':').is_some_and(|(set, state)| old(set) && old(state)) {
        let command = command.trim();
        return if command.is_empty() || command.starts_with("db.") || command == "it" {
            Some(("", command))
        } else {
            None
        };
    }
    let database = before.rsplit(' ').next()?;
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    // Between the words of a prompt stand the name of the set and the state of the server.
    let words = before.split(' ').all(|word| is_name(word.trim_matches(|c| matches!(c, '[' | ']' | ':' | ','))));
    if database.is_empty() || !is_name(database) || !words || command.starts_with(['=', '>']) {
        return None;
    }
    Some((database, command.trim()))
}

/// The collection that a command of the shell reads: `db.orders.find()`, `db.getCollection("a.b").getIndexes()`.
pub(super) fn command_collection(command: &str) -> Option<&str> {
    let rest = command.strip_prefix("db.")?;
    if let Some(quoted) = rest.strip_prefix("getCollection(") {
        let quote = quoted.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        return quoted.get(1..)?.split(quote).next().filter(|name| !name.is_empty());
    }
    let path = rest.split('(').next()?;
    path.rsplit_once('.').map(|(collection, _)| collection).filter(|name| !name.is_empty())
}

/// Which dialect reads the first document, and the document where it ends within the head.
type First = (Dialect, Option<(Value, usize, bool)>);

fn first_document(text: &[u8], at: usize, whole: bool) -> Option<First> {
    let (before, text) = text.split_at_checked(at)?;
    let arena = Bump::new();
    let mut entries = Vec::new();
    // Comments and prompts stand between literals only, which may look like JSON for a while.
    if !before.iter().all(|b| b.is_ascii_whitespace() || *b == b'[')
        && let Ok((length, form)) = literal::decode(text, &arena, &mut entries, &mut literal::Now::default())
    {
        let value = Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact });
        return Some((Dialect::Literal, Some((value, length, form.typed > 0))));
    }
    let json = match ejson::decode(text, &arena, &mut entries) {
        Ok((length, form)) => {
            let value = Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact });
            return Some((Dialect::Json, Some((value, length, form.typed > 0))));
        }
        Err(error) => error,
    };
    if json.incomplete {
        return if whole && text.len() < 2 { None } else { Some((Dialect::Json, None)) };
    }
    let arena = Bump::new();
    let mut entries = Vec::new();
    match literal::decode(text, &arena, &mut entries, &mut literal::Now::default()) {
        Ok((length, form)) => {
            let value = Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact });
            Some((Dialect::Literal, Some((value, length, form.typed > 0))))
        }
        Err(error) if error.incomplete && !whole => Some((Dialect::Literal, None)),
        // Both fail: the next line tells, else the one that comes further is the one that was meant.
        Err(_) if let Some(first) = first_whole_line(text) => Some(first),
        Err(error) if error.offset > json.offset => Some((Dialect::Literal, None)),
        Err(_) if text.get(1..).unwrap_or_default().trim_ascii_start().starts_with(b"\"") => {
            Some((Dialect::Json, None))
        }
        Err(_) => None,
    }
}

/// The first line behind a broken one that is a document by itself.
fn first_whole_line(text: &[u8]) -> Option<First> {
    const LINES: usize = 100;
    let mut at = 0;
    for line in text.split_inclusive(|b| *b == b'\n').take(LINES) {
        let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let document = line.get(blanks..).unwrap_or_default();
        if 0 < at && document.starts_with(b"{") {
            for dialect in [Dialect::Json, Dialect::Literal] {
                let arena = Bump::new();
                let mut entries = Vec::new();
                let decoded = match dialect {
                    Dialect::Json => ejson::decode(document, &arena, &mut entries),
                    Dialect::Literal => literal::decode(document, &arena, &mut entries, &mut literal::Now::default()),
                };
                if let Ok((length, form)) = decoded {
                    let value = Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact });
                    return Some((dialect, Some((value, at + blanks + length, form.typed > 0))));
                }
            }
        }
        at += line.len();
    }
    None
}

fn first_bson(head: &[u8]) -> Option<Value> {
    let arena = Bump::new();
    let mut entries = Vec::new();
    bson::decode(head, &arena, &mut entries).ok()?;
    Some(Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact }))
}

/// Whether the head begins with a document of BSON. Text would state sizes beyond 150 MB.
fn looks_like_bson(head: &[u8], whole: bool) -> bool {
    let Ok(Some(size)) = bson::stated_size(head) else { return false };
    let arena = Bump::new();
    let mut entries = Vec::new();
    match bson::decode(head, &arena, &mut entries) {
        Ok(_) => true,
        // Too large for the head: its first field must look like one.
        Err(error) if error.incomplete => {
            let name = head.get(5..).unwrap_or_default();
            !whole
                && size <= super::dump::MAX_DOCUMENT
                && matches!(head.get(4), Some(0x01..=0x13 | 0x7F | 0xFF))
                && name
                    .iter()
                    .take(256)
                    .position(|b| *b == 0)
                    .is_some_and(|length| std::str::from_utf8(name.get(..length).unwrap_or_default()).is_ok())
        }
        Err(_) => false,
    }
}

/// The kind of a block of documents by its first one, where they are no documents of a collection.
pub(super) fn block_kind(first: &Value, claimed: Option<Kind>) -> Option<Kind> {
    workload(first).or_else(|| metadata::recognise(first).map(Kind::from)).or_else(|| {
        // Only the name tells an index without a version from a document.
        match claimed {
            Some(kind @ (Kind::Indexes | Kind::IndexStats)) if first.get("key").is_some() => Some(kind),
            Some(Kind::Stats) if first.get("count").is_some() || first.get("storageStats").is_some() => {
                Some(Kind::Stats)
            }
            Some(Kind::Validator) if is_query(first) => Some(Kind::Validator),
            Some(kind @ (Kind::Metadata | Kind::Internal)) => Some(kind),
            _ => None,
        }
    })
}

/// Whether an object may be a validator without a schema: conditions on fields, or operators.
fn is_query(value: &Value) -> bool {
    let operator = |(name, _): &(String, Value)| name.starts_with('$') && name != "$schema" && name != "$id";
    value.get("_id").is_none()
        && value.as_object().is_some_and(|fields| {
            fields
                .iter()
                .any(|field| operator(field) || field.1.as_object().is_some_and(|inner| inner.iter().any(operator)))
        })
}

/// The kind of a document that tells of workload, plans or topology.
pub(super) fn workload(value: &Value) -> Option<Kind> {
    let has = |name: &str| value.get(name).is_some();
    let object = |name: &str| value.get(name).is_some_and(|v| v.as_object().is_some());
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let is = |name: &str, kind: Type| value.get(name).is_some_and(|v| v.bson_type() == kind);
    if has("t") && text("s").is_some() && text("c").is_some() && text("ctx").is_some() && text("msg").is_some() {
        return Some(Kind::Log);
    }
    if is("log", Type::Array) && server_log::reply(value).is_some() {
        return Some(Kind::Log);
    }
    if text("op").is_some() && text("ns").is_some() && has("millis") && has("ts") {
        return Some(Kind::Profiler);
    }
    if is("ts", Type::Timestamp) && text("op").is_some_and(|op| op.len() <= 2) && text("ns").is_some() && has("o") {
        return Some(Kind::Oplog);
    }
    if object("queryPlanner") || object("executionStats") || has("explainVersion") || is_shell_explain(value) {
        return Some(Kind::Explain);
    }
    if has("metrics") && value.get("key").is_some_and(|key| key.get("queryShape").is_some()) {
        return Some(Kind::QueryStats);
    }
    let members = value.get("members").and_then(Value::as_array);
    let is_member = |member: &Value| member.get("host").or_else(|| member.get("stateStr")).is_some();
    if members.is_some_and(|m| m.iter().all(is_member)) && (has("version") || has("set") || has("myState"))
        || (has("logSizeMB") && has("timeDiff"))
        || object("defaultReadConcern")
        || object("defaultWriteConcern")
        || (object("config") && value.get("config").is_some_and(|config| config.get("members").is_some()))
    {
        return Some(Kind::ReplicaSet);
    }
    if has("shardingVersion")
        || object("keyCharacteristics")
        || object("readDistribution")
        || object("writeDistribution")
        || (text("_id").is_some_and(|id| id.contains('.')) && object("key") && (has("lastmodEpoch") || has("unique")))
        || (has("min") && has("max") && text("shard").is_some() && (has("uuid") || has("ns")))
        || (text("_id").is_some() && text("primary").is_some() && (has("partitioned") || object("version")))
        || (text("_id").is_some() && text("host").is_some() && is("state", Type::Int))
    {
        return Some(Kind::Sharding);
    }
    if object("control")
        && object("data")
        && value.get("control").is_some_and(|c| c.get("min").is_some() && c.get("max").is_some())
    {
        return Some(Kind::TimeSeriesBuckets);
    }
    None
}

/// An explain output that has neither `queryPlanner` nor a version at its top: pipelines and sharded clusters.
fn is_shell_explain(value: &Value) -> bool {
    let is_plan = |v: &Value| v.get("queryPlanner").or_else(|| v.get("$cursor")).or_else(|| v.get("stages")).is_some();
    let stages = value.get("stages").and_then(Value::as_array);
    let first = stages.and_then(|stages| stages.first()).and_then(Value::as_object).and_then(|stage| stage.first());
    let shards = value.get("shards").and_then(Value::as_object);
    first.is_some_and(|(name, v)| {
        name == "$cursor" || (name.starts_with("$geoNearCursor")) || v.get("queryPlanner").is_some()
    }) || shards.is_some_and(|shards| !shards.is_empty() && shards.iter().all(|(_, shard)| is_plan(shard)))
        || (value.get("stages").is_some() && value.get("serverInfo").is_some())
}

/// Whether JSON below a folder is documents of a collection and not some other file of the project.
fn is_evidence(first: &Value, typed: bool, several: bool, hints: Hints<'_>) -> bool {
    hints.named
        || hints.collection.is_some()
        || hints.catalogued
        || hints.name.in_dump
        || typed
        || first.get("_id").is_some()
        || matches!(hints.name.extension.as_str(), "ndjson" | "jsonl")
        || (several && hints.name.ns.as_ref().is_some_and(|ns| ns.database.is_some()))
}

/// Whether what begins like documents, of which none ends within the head, may be some: beside them lie source maps, and
/// programs in languages whose statements begin with a brace.
fn is_believable(text: &[u8], hints: Hints<'_>) -> bool {
    let Hints { name, .. } = hints;
    let is_data = matches!(
        name.extension.as_str(),
        "" | "txt" | "out" | "log" | "json" | "jsonl" | "ndjson" | "ejson" | "json5" | "js" | "md"
    );
    hints.named || hints.collection.is_some() || hints.catalogued || name.in_dump || is_data || has_wrapper(text)
}

fn has_hex_id(value: &Value) -> bool {
    value
        .get("_id")
        .and_then(Value::as_str)
        .is_some_and(|id| id.len() == 24 && id.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Whether a wrapper of Extended JSON stands in the text.
fn has_wrapper(text: &[u8]) -> bool {
    const WRAPPERS: [&[u8]; 9] = [
        b"oid\"",
        b"date\"",
        b"numberInt\"",
        b"numberLong\"",
        b"numberDouble\"",
        b"numberDecimal\"",
        b"binary\"",
        b"uuid\"",
        b"timestamp\"",
    ];
    text.windows(2)
        .enumerate()
        .filter(|(_, pair)| *pair == b"\"$")
        .any(|(at, _)| WRAPPERS.iter().any(|name| text.get(at + 2..).is_some_and(|rest| rest.starts_with(name))))
}

/// A structured log line, also behind the prefix of a container.
fn is_log_line(line: &[u8]) -> bool {
    let Some(at) = line.windows(5).position(|w| w == b"{\"t\":") else { return false };
    let rest = line.get(at..).unwrap_or_default();
    rest.get(5..).unwrap_or_default().trim_ascii_start().starts_with(b"{\"$date\"")
        && rest.windows(6).any(|w| w == b"\"msg\":")
}

fn is_empty_array(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]")).is_some_and(|inner| inner.trim_ascii().is_empty())
}

fn looks_like_script(text: &str) -> bool {
    const STARTS: [&str; 16] = [
        "db.",
        "use ",
        "rs.",
        "sh.",
        "show ",
        "const ",
        "let ",
        "var ",
        "function ",
        "import ",
        "export ",
        "async ",
        "await ",
        "for ",
        "module.",
        "if ",
    ];
    text.lines().map(str::trim_start).any(|line| {
        STARTS.iter().any(|start| line.starts_with(start))
            || prompt(line.as_bytes()).is_some_and(|p| p.1.starts_with("db."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, text: &str) -> Kind {
        let name = Name::parse(name);
        let hints = Hints { name: &name, collection: None, named: false, catalogued: false };
        sniff(text.as_bytes(), true, hints).kind
    }

    #[test]
    fn files_of_a_project_are_no_documents() {
        assert_eq!(kind("package.json", r#"{"name": "x", "version": "1.0.0"}"#), Kind::Other);
        assert_eq!(kind("tsconfig.base.json", r#"{"compilerOptions": {"strict": true}}"#), Kind::Other);
        assert_eq!(kind("tsconfig.json", "{ // comment\n \"compilerOptions\": {} }"), Kind::Other);
        assert_eq!(kind("words.json", r#"["a", "b"]"#), Kind::Other);
        assert_eq!(kind("README.md", "# Title\n\ndb.orders.find()\n"), Kind::Other);
        assert_eq!(kind("schema.json", r#"{"$schema": "http://json-schema.org/", "type": "object"}"#), Kind::Other);
    }

    #[test]
    fn documents() {
        assert_eq!(kind("x.json", r#"{"_id": 1}"#), Kind::ExtendedJson);
        assert_eq!(kind("x.json", r#"[{"a": {"$date": 1}}]"#), Kind::ExtendedJson);
        assert_eq!(kind("shop.orders.json", r#"[{"a": 1}]"#), Kind::ExtendedJson);
        assert_eq!(kind("events.ndjson", r#"{"a": 1}"#), Kind::ExtendedJson);
        assert_eq!(kind("x.json5", "[{_id: ObjectId('5f0000000000000000000001')}]"), Kind::Literals);
        assert_eq!(kind("x.txt", "shop> db.orders.find()\n[ { _id: 1, a: 'b' } ]\nshop> "), Kind::Literals);
        assert_eq!(
            kind("x.json5", "// shop> db.a.getIndexes()\n[ { v: 2, key: { _id: 1 }, name: '_id_' } ]"),
            Kind::Indexes
        );
        assert_eq!(kind("x.bson", ""), Kind::BsonDump);
        assert_eq!(kind("x.json", ""), Kind::Empty);
        assert_eq!(kind("x.txt", "/* 1 */\n{ \"_id\" : 1 }\n\n/* 2 */\n{ \"_id\" : 2 }"), Kind::Literals);
        assert_eq!(
            kind("x.txt", "> db.a.find()\n{ \"_id\" : ObjectId(\"5f0000000000000000000001\") }"),
            Kind::Literals
        );
    }

    #[test]
    fn schemas() {
        assert_eq!(kind("a.b.validator.json", r#"{"price": {"$gte": 0}}"#), Kind::Validator);
        assert_eq!(kind("a.schema.json", r#"{"$schema": "x", "type": "object", "properties": {}}"#), Kind::Other);
    }

    #[test]
    fn scripts_and_logs() {
        assert_eq!(kind("a.mongodb.js", "use('shop');\ndb.orders.find({})"), Kind::Script);
        assert_eq!(kind("a.ts", "export const a = { b: 1 };"), Kind::Script);
        assert_eq!(kind("a.js", "{ const a = 1; }"), Kind::Script);
        let line =
            r#"{"t":{"$date":"2026-10-26T07:04:55.368+00:00"},"s":"I","c":"NETWORK","id":1,"ctx":"x","msg":"y"}"#;
        assert_eq!(kind("a.log", line), Kind::Log);
        assert_eq!(kind("a.txt", &format!("db-1  | {line}")), Kind::Log);
    }

    #[test]
    fn prompts() {
        assert_eq!(prompt(b"shop> db.orders.find()"), Some(("shop", "db.orders.find()")));
        assert_eq!(prompt(b"rs0 [direct: primary] shop> it"), Some(("shop", "it")));
        assert_eq!(prompt(b"> db.orders.find()"), Some(("", "db.orders.find()")));
        assert_eq!(prompt(b"rs0:PRIMARY> it"), Some(("", "it")));
        assert_eq!(prompt(b"a => b"), None);
        assert_eq!(prompt(b"> quoted text"), None);
        assert_eq!(command_collection("db.orders.find().limit(2)"), Some("orders"));
        assert_eq!(command_collection("db.getCollection('a-b').find()"), Some("a-b"));
        assert_eq!(command_collection("db.fs.files.find()"), Some("fs.files"));
    }
}
