//! What the name of an input says: collection, kind, and whether it lies in a dump. The only place that reads names.

use super::Kind;
use crate::catalogue::Namespace;

/// What a name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The collection.
    pub ns: Option<Namespace>,
    /// The kind that it claims; content decides.
    pub kind: Option<Kind>,
    /// Extension in lower case, without `.gz`.
    pub extension: String,
    /// Whether it is `db/coll.bson` or `db/coll.metadata.json`.
    pub in_dump: bool,
    /// Path without extensions, equal for the data and the metadata of one dumped collection. Long names are cut
    /// and hashed by mongodump; only `collectionName` in the metadata tells the true one.
    pub stem: String,
}

impl Name {
    /// Reads a name with `/` between folders.
    pub fn parse(name: &str) -> Name {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let file = strip_suffix_ignore_case(file, ".gz").unwrap_or(file);
        let (bare, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        let extension = extension.to_ascii_lowercase();
        let mut parsed = Name { ns: None, kind: None, extension, in_dump: false, stem: join(folder, bare) };
        match file {
            "mongovet.json" => {
                parsed.kind = Some(Kind::Config);
                return parsed;
            }
            "oplog.bson" | "oplog.rs.bson" => {
                parsed.kind = Some(Kind::Oplog);
                return parsed;
            }
            "prelude.json" => {
                parsed.kind = Some(Kind::Prelude);
                return parsed;
            }
            _ => {}
        }
        let metadata = strip_suffix_ignore_case(file, ".metadata.json");
        if let Some(stem) = metadata.or_else(|| strip_suffix_ignore_case(file, ".bson")) {
            parsed.stem = join(folder, stem);
            parsed.kind = metadata.map(|_| Kind::Metadata);
            let parent = folder.rsplit('/').next().unwrap_or_default();
            let database = percent_decode(parent);
            // Without a folder that could be a database the name is all there is.
            if is_database_name(&database) {
                parsed.in_dump = true;
                parsed.ns = Some(Namespace { database: Some(database), collection: percent_decode(stem) });
            } else {
                parsed.ns = named(&percent_decode(stem));
            }
            parsed.settle_system();
            return parsed;
        }
        if parsed.extension == "mvprofile" {
            parsed.kind = Some(Kind::SavedProfile);
            return parsed;
        }
        let mut bare = bare;
        if is_script_extension(&parsed.extension) {
            parsed.kind = Some(Kind::Script);
            bare = bare.strip_suffix(".mongodb").unwrap_or(bare);
        } else if parsed.extension == "log" {
            parsed.kind = Some(Kind::Log);
        }
        // A known kind before the extension is no part of the collection's name.
        if let Some((rest, word)) = bare.rsplit_once('.')
            && (word.eq_ignore_ascii_case("data") || known_kind(word).is_some())
        {
            bare = rest;
            parsed.kind = known_kind(word).or(parsed.kind);
        }
        parsed.ns = named(&percent_decode(bare));
        parsed.settle_system();
        parsed
    }

    /// The server's own collections have kinds of their own.
    fn settle_system(&mut self) {
        let Some(ns) = &mut self.ns else { return };
        if let Some(series) = ns.collection.strip_prefix("system.buckets.") {
            ns.collection = series.to_owned();
            self.kind = self.kind.or(Some(Kind::TimeSeriesBuckets));
        } else if ns.collection == "system.profile" {
            self.kind =
                self.kind.filter(|kind| *kind == Kind::Metadata).map(|_| Kind::Internal).or(Some(Kind::Profiler));
        } else if ns.collection == "oplog.rs" {
            self.kind = Some(Kind::Oplog);
        } else if self.in_dump && is_internal(ns) {
            self.kind = Some(Kind::Internal);
        }
    }
}

/// Whether a collection belongs to the server itself: its databases, and `system.` collections but the buckets of
/// time series and the profiler, which have kinds of their own.
pub fn is_internal(ns: &Namespace) -> bool {
    ns.is_internal()
}

/// Whether a name is that of an application's source, of which the parts tell no database: `user.model.ts`. A file for
/// the shell tells one: `shop.orders.mongodb.js`.
pub(crate) fn is_application_source(name: &str) -> bool {
    let file = strip_suffix_ignore_case(name, ".gz").unwrap_or(name);
    let Some((stem, extension)) = file.rsplit_once('.') else { return false };
    is_script_extension(&extension.to_ascii_lowercase()) && strip_suffix_ignore_case(stem, ".mongodb").is_none()
}

fn is_script_extension(extension: &str) -> bool {
    matches!(extension, "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx")
}

/// The collection that a bare file name tells; none for hidden files and names without letters.
fn named(name: &str) -> Option<Namespace> {
    if name.starts_with('.') || !name.chars().any(char::is_alphanumeric) { None } else { Some(Namespace::parse(name)) }
}

/// The kind of a word before the extension.
fn known_kind(word: &str) -> Option<Kind> {
    Some(match word.to_ascii_lowercase().as_str() {
        "indexes" => Kind::Indexes,
        "indexstats" => Kind::IndexStats,
        "stats" | "collstats" => Kind::Stats,
        "schema" | "validator" => Kind::Validator,
        "profile" => Kind::Profiler,
        "explain" => Kind::Explain,
        "analyzeshardkey" => Kind::Sharding,
        "querystats" => Kind::QueryStats,
        "collectioninfos" => Kind::CollectionInfos,
        _ => return None,
    })
}

/// Whether the server takes it as the name of a database, so that a folder may be one.
fn is_database_name(name: &str) -> bool {
    !name.is_empty() && name.len() < 64 && !name.contains(['/', '\\', '.', ' ', '"', '$', '*', '<', '>', ':', '|', '?'])
}

/// mongodump writes bytes that file systems do not like as `%XX`.
pub fn percent_decode(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte == b'%'
            && let Some(([high, low], after)) = behind.split_first_chunk::<2>()
            && let (Some(high), Some(low)) = (char::from(*high).to_digit(16), char::from(*low).to_digit(16))
        {
            out.push((high * 16 + low) as u8);
            rest = after;
        } else {
            out.push(*byte);
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

fn strip_suffix_ignore_case<'a>(text: &'a str, suffix: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(suffix.len())?;
    let (rest, end) = text.split_at_checked(at)?;
    if end.eq_ignore_ascii_case(suffix) { Some(rest) } else { None }
}

fn join(folder: &str, file: &str) -> String {
    if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ns(name: &str) -> String {
        Name::parse(name).ns.map_or("-".to_owned(), |ns| ns.to_string())
    }

    #[test]
    fn collections() {
        for (name, expected) in [
            ("dump/shop/orders.bson", "shop.orders"),
            ("shop/orders.metadata.json.gz", "shop.orders"),
            ("shop/fs.files.bson", "shop.fs.files"),
            ("shop.orders.bson", "shop.orders"),
            ("orders.bson", "orders"),
            ("shop.orders.json", "shop.orders"),
            ("data/orders.ndjson", "orders"),
            ("shop.orders.mongodb.js", "shop.orders"),
            ("orders.indexes.json", "orders"),
            ("shop.orders.indexstats.json", "shop.orders"),
            ("Album.data.json", "Album"),
            ("shop.customers.analyzeShardKey.json", "shop.customers"),
            ("db1/caf%C3%A9s.bson", "db1.cafés"),
            ("db/system.buckets.weather.bson", "db.weather"),
            ("../orders.bson", "orders"),
            ("mongovet.json", "-"),
        ] {
            assert_eq!(ns(name), expected, "{name}");
        }
    }

    #[test]
    fn kinds() {
        for (name, kind) in [
            ("shop/orders.bson", None),
            ("shop/orders.metadata.json", Some(Kind::Metadata)),
            ("oplog.bson", Some(Kind::Oplog)),
            ("local/oplog.rs.bson", Some(Kind::Oplog)),
            ("admin/system.version.bson", Some(Kind::Internal)),
            ("admin/system.version.metadata.json", Some(Kind::Internal)),
            ("shop/system.views.bson", Some(Kind::Internal)),
            ("shop/system.profile.bson", Some(Kind::Profiler)),
            ("shop/system.buckets.x.bson", Some(Kind::TimeSeriesBuckets)),
            ("a.mongodb.js", Some(Kind::Script)),
            ("orders.indexes.json", Some(Kind::Indexes)),
        ] {
            assert_eq!(Name::parse(name).kind, kind, "{name}");
        }
    }

    #[test]
    fn data_and_metadata_share_their_stem() {
        assert_eq!(Name::parse("d/a%24b.bson.gz").stem, Name::parse("d/a%24b.metadata.json").stem);
    }
}
