//! Which findings are told: switched-off rules, `--select` and `--ignore`, the ignores of the configuration and of
//! comments, and what mongovet says about these directives themselves.

mod directive;

pub use directive::{Directive, Reach, directives};

use crate::config::{self, Config, Fault};
use crate::finding::{Finding, Location, Severity};
use crate::locale::Lang;
use crate::locale::mistake::{self, Saying};
use crate::rules::{self, Evidence, Place, Rule};

/// The rules that one run was asked for; ignore wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
}

/// What the selection of one run goes by.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// Rules asked for.
    pub selection: &'a Selection,
    /// Settings and ignores.
    pub config: &'a Config,
    /// Ignores in comments.
    pub directives: &'a [Directive],
    /// Today as `YYYY-MM-DD`; decides only whether an ignore has expired.
    pub today: Option<&'a str>,
    /// Kinds of evidence that there are.
    pub available: &'a [Evidence],
    /// Collections that there is evidence of.
    pub collections: &'a [String],
    /// Names of the inputs.
    pub files: &'a [String],
    /// Language of the words.
    pub lang: Lang,
}

impl Selection {
    /// A selection of ids, groups and patterns; an empty `select` means all. An unknown name is a mistake.
    pub fn new(select: Vec<String>, ignore: Vec<String>) -> Result<Selection, config::Error> {
        for (option, names) in [("--select", &select), ("--ignore", &ignore)] {
            for name in names {
                rules::check_name(name).map_err(|fault: Fault| {
                    let message = Saying::from(mistake::OF_OPTION).with("option", option);
                    config::Error::new("option", message.around("mistake", &fault.message), fault.hint)
                })?;
            }
        }
        Ok(Selection { select, ignore })
    }

    /// Whether a rule was asked for.
    pub fn has(&self, rule: &str) -> bool {
        let named = |patterns: &[String]| patterns.iter().any(|pattern| config::names(pattern, rule));
        (self.select.is_empty() || named(&self.select)) && !named(&self.ignore)
    }
}

/// The findings that are told, with those about the directives.
pub fn apply(mut findings: Vec<Finding>, terms: &Terms<'_>) -> Vec<Finding> {
    let mut used = vec![false; terms.config.ignore.len()];
    let mut used_directives = vec![false; terms.directives.len()];
    findings.retain(|finding| {
        if !is_told(finding, terms) {
            return false;
        }
        let mut is_ignored = false;
        for (ignore, used) in terms.config.ignore.iter().zip(&mut used) {
            if ignore.covers(finding) {
                *used = true;
                is_ignored |= !is_expired(ignore, terms);
            }
        }
        for (directive, used) in terms.directives.iter().zip(&mut used_directives) {
            if directive.covers(finding) {
                *used = true;
                is_ignored = true;
            }
        }
        !is_ignored
    });
    let mut own = about_ignores(&used, terms);
    own.extend(about_directives(&used_directives, terms));
    own.retain(|finding| is_told(finding, terms));
    findings.extend(own);
    rules::sort(&mut findings);
    findings
}

/// Whether nothing but an ignore may keep a finding back.
fn is_told(finding: &Finding, terms: &Terms<'_>) -> bool {
    let file = finding.location.as_ref().map(|location| location.file.as_str());
    let settings = &terms.config.settings;
    if !terms.selection.has(&finding.rule) || settings.is_off(&finding.rule, finding.collection.as_deref(), file) {
        return false;
    }
    let is_quiet = file.is_some_and(|file| is_rehearsal(file) && !settings.is_set_for_file(&finding.rule, file));
    !is_quiet || finding.severity == Severity::Error || finding.rule.starts_with("mongovet/")
}

/// Whether code of a file never meets real data: tests, fixtures, seeds and migrations.
fn is_rehearsal(file: &str) -> bool {
    const FOLDERS: [&str; 16] = [
        "test",
        "tests",
        "__tests__",
        "spec",
        "specs",
        "e2e",
        "__mocks__",
        "fixture",
        "fixtures",
        "__fixtures__",
        "seed",
        "seeds",
        "seeders",
        "migration",
        "migrations",
        "upgrades",
    ];
    const KINDS: [&str; 6] = ["test", "spec", "fixture", "seed", "seeds", "migration"];
    const CODE: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];
    let (folders, name) = file.rsplit_once('/').unwrap_or(("", file));
    let mut parts = name.split('.');
    let Some(extension) = parts.next_back() else { return false };
    // `db/updates/2.4.1.js`: a step from one version to the next.
    let mut numbers = name.split(['.', '-', '_']).take(3);
    let is_version = numbers.clone().count() == 3
        && numbers.all(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    CODE.contains(&extension)
        && (is_version
            || folders.split('/').any(|folder| FOLDERS.contains(&folder))
            || parts.any(|part| KINDS.contains(&part)))
}

fn is_expired(ignore: &config::Ignore, terms: &Terms<'_>) -> bool {
    ignore.until.as_ref().zip(terms.today).is_some_and(|(until, today)| until.0.as_str() < today)
}

/// Findings about the ignores of the configuration.
fn about_ignores(used: &[bool], terms: &Terms<'_>) -> Vec<Finding> {
    let file = terms.config.name().unwrap_or_default();
    let mut out = Vec::new();
    for (number, (ignore, used)) in terms.config.ignore.iter().zip(used).enumerate() {
        let place = || {
            Place::none().at(Location { file: file.to_owned(), start: terms.config.ignore_place(number), end: None })
        };
        if let Some(until) = ignore.until.as_ref().filter(|_| is_expired(ignore, terms)) {
            out.extend(rules::tell("mongovet/expired-ignore", &terms.config.settings, terms.lang, |findings| {
                findings.certain(place()).text("rule", &ignore.rule).text("until", &until.0);
            }));
        } else if !used && could_apply(ignore, terms) {
            out.extend(rules::tell("mongovet/unused-ignore", &terms.config.settings, terms.lang, |findings| {
                findings.certain(place()).text("rule", &ignore.rule);
            }));
        }
    }
    out
}

/// Whether an ignore had something to apply to: its rules ran with their evidence, its collection and file were read.
fn could_apply(ignore: &config::Ignore, terms: &Terms<'_>) -> bool {
    let reads = |pattern: &Option<String>, names: &[String], is_file| {
        pattern.as_ref().is_none_or(|pattern| names.iter().any(|name| config::glob(pattern, name, is_file)))
    };
    let mut named = rules::RULES.iter().filter(|rule| config::names(&ignore.rule, rule.id));
    named.any(|rule| ran(rule, terms))
        && reads(&ignore.collection, terms.collections, false)
        && reads(&ignore.file, terms.files, true)
}

fn ran(rule: &Rule, terms: &Terms<'_>) -> bool {
    terms.selection.has(rule.id)
        && !terms.config.settings.is_off(rule.id, None, None)
        && rule.needs.iter().all(|evidence| terms.available.contains(evidence))
}

/// Findings about comments.
fn about_directives(used: &[bool], terms: &Terms<'_>) -> Vec<Finding> {
    let mut out = Vec::new();
    for (directive, used) in terms.directives.iter().zip(used) {
        let place = || Place::none().at(directive.location.clone());
        let mut tell = |id, variant: Option<&'static str>, rule: &str, nearest: Option<&str>| {
            out.extend(rules::tell(id, &terms.config.settings, terms.lang, |findings| {
                let finding = findings.certain(place()).text("rule", rule);
                if let Some(nearest) = nearest {
                    finding.text("nearest", nearest);
                }
                if let Some(variant) = variant {
                    finding.variant(variant);
                }
            }));
        };
        if directive.reason.is_none() {
            tell("mongovet/unknown-rule", Some("no-reason"), &directive.rules.join(", "), None);
            continue;
        }
        for rule in &directive.rules {
            if rules::check_name(rule).is_err() {
                let nearest = rules::nearest(rule);
                let variant = if nearest.is_some() { "nearest" } else { "unknown" };
                tell("mongovet/unknown-rule", Some(variant), rule, nearest);
            } else if !used && rules::RULES.iter().any(|known| config::names(rule, known.id) && ran(known, terms)) {
                tell("mongovet/unused-ignore", None, rule, None);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Certainty, Position};

    fn finding(rule: &str, severity: Severity, file: Option<&str>) -> Finding {
        Finding {
            rule: rule.to_owned(),
            severity,
            certainty: Certainty::Certain,
            collection: Some("shop.orders".to_owned()),
            path: Some("items".to_owned()),
            index: None,
            stage: None,
            location: file.map(|file| Location {
                file: file.to_owned(),
                start: Some(Position { line: 3, column: 1 }),
                end: None,
            }),
            message: String::new(),
            why: String::new(),
            help: String::new(),
            evidence: serde_json::Map::new(),
            remedy: None,
            docs: rule.to_owned(),
            fingerprint: String::new(),
        }
    }

    /// The rules that are told of one `document/large-array` warning in a run with a configuration.
    fn told(config: &str, today: Option<&str>, selection: &Selection) -> Vec<String> {
        let config = Config::parse("mongovet.json", config).unwrap();
        let terms = Terms {
            selection,
            config: &config,
            directives: &[],
            today,
            available: &Evidence::ALL,
            collections: &["shop.orders".to_owned()],
            files: &[],
            lang: Lang::En,
        };
        let findings = vec![finding("document/large-array", Severity::Warning, None)];
        apply(findings, &terms).into_iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn ids_groups_and_patterns_select_and_ignore_wins() {
        let has = |select: &[&str], ignore: &[&str], rule| {
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            Selection::new(owned(select), owned(ignore)).unwrap().has(rule)
        };
        assert!(has(&[], &[], "document/large-array"));
        assert!(has(&["document"], &[], "document/large-array") && !has(&["index/*"], &[], "document/large-array"));
        assert!(!has(&["document/large-array"], &["document/*"], "document/large-array"));
        let unknown = Selection::new(vec![], vec!["document/large-aray".to_owned()]).unwrap_err();
        let expected = "--ignore: unknown rule `document/large-aray`; did you mean `document/large-array`?";
        assert_eq!(unknown.to_string(), expected);
        assert!(Selection::new(vec!["documents".to_owned()], vec![]).unwrap_err().to_string().contains("`document`?"));
    }

    #[test]
    fn ignores_hide_until_their_day() {
        let all = Selection::default();
        let ignore = |until: &str| format!("{{ignore: [{{rule: 'document/large-array', reason: 'known'{until}}}]}}");
        assert_eq!(told("{}", None, &all), ["document/large-array"]);
        assert!(told(&ignore(""), None, &all).is_empty());
        let until = ignore(", until: '2027-01-31'");
        assert!(told(&until, Some("2027-01-31"), &all).is_empty());
        assert!(told(&until, None, &all).is_empty(), "without a clock nothing expires");
        assert_eq!(told(&until, Some("2027-02-01"), &all), ["mongovet/expired-ignore", "document/large-array"]);
    }

    #[test]
    fn an_ignore_without_use_is_told_only_where_it_could_have_one() {
        let all = Selection::default();
        let ignore = |rest: &str| format!("{{ignore: [{{reason: 'known', {rest}}}]}}");
        let unused = ["mongovet/unused-ignore", "document/large-array"];
        assert_eq!(told(&ignore("rule: 'document/large-array', path: 'other'"), None, &all), unused);
        let silent = ["document/large-array"];
        let other = "rule: 'document/large-array', collection: 'shop.elsewhere'";
        assert_eq!(told(&ignore(other), None, &all), silent);
        let document = Selection::new(vec!["document".to_owned(), "mongovet".to_owned()], vec![]).unwrap();
        assert_eq!(told(&ignore("rule: 'index/duplicate'"), None, &document), silent);
        assert!(told("{rules: {'document/*': 'off'}}", None, &all).is_empty());
    }

    #[test]
    fn tests_and_seeds_are_told_only_what_is_wrong() {
        let files = [
            "db/seeds/a.js",
            "src/a.test.ts",
            "migrations/001.js",
            "tests/x/y.mjs",
            "db/updates/2.4.1.js",
            "updates/0.0.1-admin.js",
        ];
        assert!(files.iter().all(|file| is_rehearsal(file)));
        let others =
            ["src/a.ts", "seeds/orders.json", "latest/a.js", "test.js.md", "src/contest.js", "v1.2.3.js", "src/404.js"];
        assert!(others.iter().all(|file| !is_rehearsal(file)));
        let kept = |config: &str, severity| {
            let config = Config::parse("mongovet.json", config).unwrap();
            let terms = Terms {
                selection: &Selection::default(),
                config: &config,
                directives: &[],
                today: None,
                available: &[],
                collections: &[],
                files: &[],
                lang: Lang::En,
            };
            apply(vec![finding("update/all-documents", severity, Some("tests/a.js"))], &terms).len()
        };
        assert_eq!((kept("{}", Severity::Warning), kept("{}", Severity::Error)), (0, 1));
        let config = "{overrides: [{files: ['tests/**'], rules: {'update/*': 'warning'}}]}";
        assert_eq!(kept(config, Severity::Warning), 1);
    }

    #[test]
    fn comments_hide_the_next_line_or_the_file() {
        let told = |text: &str| {
            let directives = directives("q.js", text);
            let terms = Terms {
                selection: &Selection::default(),
                config: &Config::default(),
                directives: &directives,
                today: None,
                available: &Evidence::ALL,
                collections: &[],
                files: &[],
                lang: Lang::En,
            };
            let findings = vec![finding("document/large-array", Severity::Warning, Some("q.js"))];
            apply(findings, &terms).into_iter().map(|finding| finding.rule).collect::<Vec<_>>()
        };
        assert!(told("\n// mongovet-ignore-next-line document/large-array -- known\ndb.a\n").is_empty());
        assert!(told("// mongovet-ignore-file document -- known\n").is_empty());
        let unused = ["mongovet/unused-ignore", "document/large-array"];
        assert_eq!(told("// mongovet-ignore-next-line document/large-array -- known\ndb.a\n"), unused);
        let unknown = ["mongovet/unknown-rule", "document/large-array"];
        assert_eq!(told("\n// mongovet-ignore-next-line document/large-array\ndb.a\n"), unknown);
    }
}
