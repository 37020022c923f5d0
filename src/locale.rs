//! Languages: how numbers, sizes and dates read, and the few sentences outside the rules' own words.

mod en;
mod es;
pub(crate) mod mistake;
pub(crate) mod template;

use serde::{Deserialize, Serialize};

/// A language of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Spanish.
    Es,
}

impl Lang {
    /// Every language, in the order of the tables of words.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Es];

    /// The language of a tag such as `en` or `es-MX`.
    pub fn from_tag(tag: &str) -> Option<Lang> {
        match tag.split(['-', '_']).next().unwrap_or_default() {
            "en" => Some(Lang::En),
            "es" => Some(Lang::Es),
            _ => None,
        }
    }

    /// The language's tag.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Es => "es",
        }
    }

    /// The sentences of this language.
    pub(crate) fn sentences(self) -> &'static Sentences {
        match self {
            Lang::En => &en::SENTENCES,
            Lang::Es => &es::SENTENCES,
        }
    }

    /// A number with its thousands grouped: `5,214` or `5214`, `52,146` or `52.146`; one decimal where it is no
    /// whole number.
    pub(crate) fn count(self, value: f64) -> String {
        let text = self.number(if value.abs() >= 100.0 { value.round() } else { (value * 10.0).round() / 10.0 });
        let digits = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'-').count();
        let (whole, rest) = text.split_at(digits);
        // Spanish writes four digits together.
        let (separator, least) = match self {
            Lang::En => (',', 4),
            Lang::Es => ('.', 5),
        };
        let figures = whole.trim_start_matches('-').len();
        if figures < least {
            return text;
        }
        let mut out = String::with_capacity(text.len() + figures / 3);
        let mut left = figures;
        for figure in whole.chars() {
            out.push(figure);
            if figure != '-' {
                left -= 1;
                if left > 0 && left.is_multiple_of(3) {
                    out.push(separator);
                }
            }
        }
        out + rest
    }

    /// A sentence over one number, `{n}`.
    pub(crate) fn counted(self, template: &str, number: u64) -> String {
        template::fill(template, &serde_json::Map::from_iter([("n".to_owned(), number.into())]), self)
    }

    /// A number as it is, with at most three decimals.
    pub(crate) fn number(self, value: f64) -> String {
        if !value.is_finite() {
            return "∞".to_owned();
        }
        let mut text = format!("{:.3}", if value == 0.0 { 0.0 } else { value });
        if text.contains('.') {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
        if text == "-0" {
            text.remove(0);
        }
        match self {
            Lang::En => text,
            Lang::Es => text.replace('.', ","),
        }
    }

    /// A size in bytes, in binary units: `812 KiB`, `1.4 MiB`.
    pub(crate) fn bytes(self, value: f64) -> String {
        const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
        let mut value = value;
        let mut unit = 0;
        while value.abs() >= 1024.0 && unit + 1 < UNITS.len() {
            value /= 1024.0;
            unit += 1;
        }
        let rounded = if value.abs() >= 100.0 || unit == 0 { value.round() } else { (value * 10.0).round() / 10.0 };
        format!("{}\u{a0}{}", self.number(rounded), UNITS.get(unit).copied().unwrap_or("B"))
    }

    /// A share from 0 to 1 as a percentage. What is not nothing never shows as 0, nor what is not all as 100.
    pub(crate) fn percent(self, share: f64) -> String {
        let percent = share * 100.0;
        let text = if percent > 0.0 && percent < 0.1 {
            format!("<\u{a0}{}", self.number(0.1))
        } else if percent > 99.9 && percent < 100.0 {
            format!(">\u{a0}{}", self.number(99.9))
        } else if (10.0..=99.0).contains(&percent) {
            self.number(percent.round())
        } else {
            self.number((percent * 10.0).round() / 10.0)
        };
        text + "\u{a0}%"
    }

    /// A day: `1 March 2027`. The input is an ISO date; what is none comes back unchanged.
    pub(crate) fn date(self, iso: &str) -> String {
        let day = iso.get(..10).unwrap_or(iso);
        let Ok(date) = day.parse::<jiff::civil::Date>() else { return iso.to_owned() };
        let sentences = self.sentences();
        let month = usize::try_from(date.month() - 1).ok().and_then(|m| sentences.months.get(m)).copied();
        let month = month.unwrap_or_default();
        match self {
            Lang::En => format!("{} {month} {}", date.day(), date.year()),
            Lang::Es => format!("{} de {month} de {}", date.day(), date.year()),
        }
    }
}

/// The sentences outside the rules' words, as templates over named figures (see [`template`]).
pub(crate) struct Sentences {
    /// Names of the months.
    pub(crate) months: [&'static str; 12],
    /// Added to a measured finding that rests on too few documents.
    pub(crate) too_few: &'static str,
    /// Stands for the name of a collection that code does not tell.
    pub(crate) some_collection: &'static str,
    /// Added to a finding about speed on a small collection.
    pub(crate) too_small: &'static str,
    /// Added to "none of N" on a sample.
    pub(crate) none_of: &'static str,
    /// Joins the last entry of a list that was cut.
    pub(crate) and_more: &'static str,
    /// Name of the level.
    pub(crate) info: &'static str,
    /// Name of the level.
    pub(crate) warning: &'static str,
    /// Name of the level.
    pub(crate) error: &'static str,
    /// Label of the reason.
    pub(crate) why: &'static str,
    /// Label of what to do.
    pub(crate) help: &'static str,
    /// Label of the script.
    pub(crate) remedy: &'static str,
    /// Safety of a script.
    pub(crate) safe: &'static str,
    /// Safety of a script.
    pub(crate) review: &'static str,
    /// Safety of a script.
    pub(crate) manual: &'static str,
    /// Kind of a script.
    pub(crate) mongosh: &'static str,
    /// Kind of a script.
    pub(crate) validator: &'static str,
    /// Kind of a script.
    pub(crate) pipeline: &'static str,
    /// Kind of a script.
    pub(crate) prose: &'static str,
    /// Heading of findings without a collection.
    pub(crate) whole_run: &'static str,
    /// Said where frames were left out.
    pub(crate) hidden: &'static str,
    /// Noun before a number.
    pub(crate) document: &'static str,
    /// Noun before an offset.
    pub(crate) byte: &'static str,
    /// Label of a problem.
    pub(crate) problem: &'static str,
    /// Said where problems were left out.
    pub(crate) more_problems: &'static str,
    /// Said of an input that is all there is.
    pub(crate) complete: &'static str,
    /// Summary without findings.
    pub(crate) nothing: &'static str,
    /// Joins the findings and what was read.
    pub(crate) read: &'static str,
    /// The server version and its origin.
    pub(crate) server: &'static str,
    /// Before the missing kinds of evidence.
    pub(crate) not_given: &'static str,
    /// Said where advice has nothing to decide.
    pub(crate) no_advice: &'static str,
    /// Label of the present form.
    pub(crate) today: &'static str,
    /// Label of the decision.
    pub(crate) proposal: &'static str,
    /// Heading.
    pub(crate) criteria: &'static str,
    /// Heading of the questions.
    pub(crate) asks: &'static str,
    /// A number of findings.
    pub(crate) findings: &'static str,
    /// A number of errors.
    pub(crate) errors: &'static str,
    /// A number of warnings.
    pub(crate) warnings: &'static str,
    /// A number of infos.
    pub(crate) infos: &'static str,
    /// A number of problems.
    pub(crate) problems: &'static str,
    /// A number of inputs.
    pub(crate) inputs: &'static str,
    /// A number of documents.
    pub(crate) documents: &'static str,
    /// A number of lines.
    pub(crate) lines: &'static str,
    /// Where a script stands that is too long to show.
    pub(crate) in_json: &'static str,
    /// Where a script that is too long for a terminal stands.
    pub(crate) in_markdown: &'static str,
    /// Heading of the recommendations.
    pub(crate) recommendations: &'static str,
    /// Collections of a database that have no validator.
    pub(crate) no_validators: &'static str,
    /// Before what a schema was inferred from.
    pub(crate) inferred: &'static str,
    /// What a schema rests on: all documents.
    pub(crate) from_all: &'static str,
    /// What a schema rests on: a sample.
    pub(crate) from_sample: &'static str,
    /// Said of a schema from fewer documents than `{n}`.
    pub(crate) unsure: &'static str,
    /// Said of a schema from a sample.
    pub(crate) may_differ: &'static str,
    /// A figure that holds.
    pub(crate) yes: &'static str,
    /// A figure that does not.
    pub(crate) no: &'static str,
    /// Criteria, answers, forms and their figures: key and words; what is not in it is its key, spaced.
    pub(crate) labels: &'static [(&'static str, &'static str)],
    /// Figures of criteria: key and words before the figure, or a template over it as `{n}`.
    pub(crate) figures: &'static [(&'static str, &'static str)],
    /// Where the server version came from: key and words.
    pub(crate) origins: &'static [(&'static str, &'static str)],
    /// The kinds of evidence: key and words.
    pub(crate) evidence: &'static [(&'static str, &'static str)],
    /// Headings of the profile.
    pub(crate) profile: ProfileSentences,
    /// The sentences of recommendations.
    pub(crate) advice: AdviceSentences,
    /// The sentences of recommendations about shard keys.
    pub(crate) shard_keys: ShardKeySentences,
    /// Comments of a configuration to start from.
    pub(crate) initial: InitialSentences,
    /// Comments of the script with all remedies.
    pub(crate) fixes: FixSentences,
    /// Decisions about documents that refer to each other.
    pub(crate) references: ReferenceSentences,
    /// Of patterns.
    pub(crate) patterns: PatternSentences,
    /// Headers of the scripts of references.
    pub(crate) scripts: ScriptSentences,
    /// Said of an input whose name came before: a saved profile and the files that it was made of.
    pub(crate) repeated: &'static str,
    /// Of a log of more query shapes than are kept.
    pub(crate) left_out: &'static str,
    /// An input on which the core broke down.
    pub(crate) trap: &'static str,
    /// An input that could not be read again after that.
    pub(crate) unrepeatable: &'static str,
    /// A question that a server did not answer; `{detail}` is what it said.
    pub(crate) refused: &'static str,
    /// Fields whose values were not looked for, since no index serves: `{detail}` names them.
    pub(crate) unserved: &'static str,
}

/// The sentences of recommendations about patterns, as templates over their figures.
pub(crate) struct PatternSentences {
    /// Shows: a list of keys and values.
    pub(crate) attribute: &'static str,
    /// Shows: buckets.
    pub(crate) bucket: &'static str,
    /// Shows: a time series collection.
    pub(crate) time_series: &'static str,
    /// Shows: values that follow from their own document.
    pub(crate) computed: &'static str,
    /// Shows: values that follow from another collection.
    pub(crate) computed_apart: &'static str,
    /// Shows: copies beside a reference.
    pub(crate) extended_reference: &'static str,
    /// Shows: the first of all children.
    pub(crate) subset: &'static str,
    /// Shows: a mark of documents that go on elsewhere.
    pub(crate) outlier: &'static str,
    /// Shows: a field that tells variants apart.
    pub(crate) polymorphic: &'static str,
    /// Shows: a version of the shape.
    pub(crate) schema_version: &'static str,
    /// Shows: reserved places.
    pub(crate) preallocation: &'static str,
    /// Shows: revisions apart.
    pub(crate) document_version: &'static str,
    /// Shows: a tree.
    pub(crate) tree: &'static str,
    /// Nothing shows: its card says it.
    pub(crate) declared: &'static str,
    /// All that was compared agrees.
    pub(crate) healthy: &'static str,
    /// Something contradicts it.
    pub(crate) broken: &'static str,
    /// Why it pays: increments of one document.
    pub(crate) approximation_pays: &'static str,
    /// Why it pays: figures that are computed again and again.
    pub(crate) computed_pays: &'static str,
    /// Why it pays: single readings.
    pub(crate) readings_pay: &'static str,
    /// What reads it.
    pub(crate) ask_access: &'static str,
    /// How many there may be.
    pub(crate) ask_limit: &'static str,
    /// Where the truth lies.
    pub(crate) ask_source: &'static str,
    /// What repairs it.
    pub(crate) ask_repair: &'static str,
    /// How late it may be.
    pub(crate) ask_staleness: &'static str,
    /// What happens to what comes late.
    pub(crate) ask_late: &'static str,
    /// How the pattern ends.
    pub(crate) ask_exit: &'static str,
    /// What is watched.
    pub(crate) ask_observability: &'static str,
    /// Header of the drill.
    pub(crate) script_drill: &'static str,
}

/// Headers of the scripts of references: what each step does.
#[derive(Debug)]
pub(crate) struct ScriptSentences {
    /// Header of a script.
    pub(crate) together_migrate: &'static str,
    /// Header of a script.
    pub(crate) together_back: &'static str,
    /// Header of a script.
    pub(crate) together_finish: &'static str,
    /// Header of a script.
    pub(crate) listed_migrate: &'static str,
    /// Header of a script.
    pub(crate) listed_back: &'static str,
    /// Header of a script.
    pub(crate) listed_finish: &'static str,
    /// Header of a script.
    pub(crate) extended_migrate: &'static str,
    /// Header of a script.
    pub(crate) extended_check: &'static str,
    /// Header of a script.
    pub(crate) extended_back: &'static str,
    /// Header of a script.
    pub(crate) extended_propagate: &'static str,
    /// Header of a script.
    pub(crate) extended_reconcile: &'static str,
    /// Header of a script.
    pub(crate) reversed_migrate: &'static str,
    /// Header of a script.
    pub(crate) reversed_back: &'static str,
    /// Header of a script.
    pub(crate) associated_migrate: &'static str,
    /// Header of a script.
    pub(crate) associated_back: &'static str,
    /// Header of a script.
    pub(crate) extracted_migrate: &'static str,
    /// Header of a script.
    pub(crate) extracted_back: &'static str,
    /// Header of a script.
    pub(crate) kept_migrate: &'static str,
    /// Header of a script.
    pub(crate) kept_back: &'static str,
}

/// Comments of a configuration to start from.
#[derive(Debug)]
pub(crate) struct InitialSentences {
    /// Head of the file.
    pub(crate) header: &'static str,
    /// What a relationship rests on.
    pub(crate) measured: &'static str,
    /// A schema of the application tells of it.
    pub(crate) from_schema: &'static str,
    /// A join tells of it.
    pub(crate) from_join: &'static str,
    /// The numbers may be too low.
    pub(crate) sampled: &'static str,
    /// Questions about a relationship.
    pub(crate) ask_relationship: &'static str,
    /// A copy was found.
    pub(crate) copy: &'static str,
    /// Questions of a card.
    pub(crate) ask_card: &'static str,
    /// No log tells how often what runs.
    pub(crate) ask_access: &'static str,
}

/// Comments of the script with all remedies.
#[derive(Debug)]
pub(crate) struct FixSentences {
    /// Head of the script.
    pub(crate) header: &'static str,
    /// Head of a script without steps.
    pub(crate) nothing: &'static str,
    /// What may be chosen to run.
    pub(crate) choice: &'static str,
    /// Before a step that runs.
    pub(crate) runs: &'static str,
    /// Before a step that was not chosen.
    pub(crate) would_run: &'static str,
    /// Why a remedy is no step: a person must do it.
    pub(crate) by_hand: &'static str,
    /// Why a remedy is left out: another one says otherwise.
    pub(crate) contradicts: &'static str,
    /// Why an index stays: the one that would serve in its place goes.
    pub(crate) nothing_left: &'static str,
    /// Why an index is not created.
    pub(crate) superfluous: &'static str,
}

/// Sentences of the decisions about documents that refer to each other.
#[derive(Debug)]
pub(crate) struct ReferenceSentences {
    /// Nothing speaks for another form.
    pub(crate) silent: &'static str,
    /// The child is read or changed without its parent.
    pub(crate) alone: &'static str,
    /// Others refer to the child.
    pub(crate) shared: &'static str,
    /// Lifecycle, permissions or retention differ.
    pub(crate) different: &'static str,
    /// Too many children for their parent.
    pub(crate) many: &'static str,
    /// Copies stand beside the reference.
    pub(crate) copied: &'static str,
    /// A bounded list of keys.
    pub(crate) listed: &'static str,
    /// A document for each pair.
    pub(crate) linked: &'static str,
    /// Always read together, few, never alone.
    pub(crate) together: &'static str,
    /// A join brings few small fields.
    pub(crate) few_fields: &'static str,
    /// Joins bring the newest children.
    pub(crate) newest_shown: &'static str,
    /// Joins only count.
    pub(crate) counted: &'static str,
    /// A list of keys without a bound.
    pub(crate) list_grows: &'static str,
    /// A link without fields of its own.
    pub(crate) bare_link: &'static str,
    /// Another form would save less than a fifth.
    pub(crate) not_worth: &'static str,
    /// What follows.
    pub(crate) then_embed: &'static str,
    /// What follows.
    pub(crate) then_parent_reference: &'static str,
    /// What follows.
    pub(crate) then_child_references: &'static str,
    /// What follows.
    pub(crate) then_association: &'static str,
    /// What follows.
    pub(crate) then_extended: &'static str,
    /// What follows.
    pub(crate) then_subset: &'static str,
    /// What follows.
    pub(crate) then_computed: &'static str,
    /// Why a form is out.
    pub(crate) out_many: &'static str,
    /// Why a form is out.
    pub(crate) out_alone: &'static str,
    /// Why a form is out.
    pub(crate) out_shared: &'static str,
    /// Why a form is out.
    pub(crate) out_different: &'static str,
    /// A question.
    pub(crate) ask_together: &'static str,
    /// A question.
    pub(crate) ask_alone: &'static str,
    /// A question.
    pub(crate) ask_bound: &'static str,
    /// A question.
    pub(crate) ask_lifecycle: &'static str,
    /// A question.
    pub(crate) ask_staleness: &'static str,
    /// A question.
    pub(crate) ask_changes: &'static str,
    /// Many documents hold the same object.
    pub(crate) object_shared: &'static str,
    /// Events hold the same object.
    pub(crate) object_event: &'static str,
    /// What follows.
    pub(crate) then_object: &'static str,
    /// What follows.
    pub(crate) then_object_extended: &'static str,
    /// A question.
    pub(crate) ask_semantics: &'static str,
    /// Parts of a document name what has documents of its own.
    pub(crate) within: &'static str,
}

/// The sentences of recommendations, as templates over the figures of a decision.
pub(crate) struct AdviceSentences {
    /// Why it stays: a validator bounds it.
    pub(crate) bounded: &'static str,
    /// Why it stays: a small list.
    pub(crate) few: &'static str,
    /// Why it stays: no growth with age.
    pub(crate) stable: &'static str,
    /// Why it stays: slow growth.
    pub(crate) slow: &'static str,
    /// Why it stays: nothing tells of growth.
    pub(crate) silent: &'static str,
    /// Why it stays: it is a subset already.
    pub(crate) subset_in_use: &'static str,
    /// Why it stays: the outliers have their own form already.
    pub(crate) outlier_in_use: &'static str,
    /// Why it stays: the team says that it is bounded.
    pub(crate) declared_bounded: &'static str,
    /// Why it goes: the team says that nothing bounds it.
    pub(crate) declared_unbounded: &'static str,
    /// Why it goes: the team says that the children lead a life of their own.
    pub(crate) declared_apart: &'static str,
    /// Reads take single children.
    pub(crate) read_alone: &'static str,
    /// A design was built to its declared numbers.
    pub(crate) designed: &'static str,
    /// A design does not fit into a document.
    pub(crate) large_design: &'static str,
    /// The array is large and hardly read.
    pub(crate) cold: &'static str,
    /// What follows: the newest stay.
    pub(crate) then_subset: &'static str,
    /// Why today's form is out.
    pub(crate) out_apart: &'static str,
    /// Why it goes: too long today.
    pub(crate) long_today: &'static str,
    /// Why it goes: too long within three years.
    pub(crate) long_soon: &'static str,
    /// Why it goes: too large within three years.
    pub(crate) large_soon: &'static str,
    /// Why it goes: growth without a bound.
    pub(crate) unbounded: &'static str,
    /// Why it goes: earlier versions of the parent.
    pub(crate) versions: &'static str,
    /// Why the form splits: outliers.
    pub(crate) far_out: &'static str,
    /// Why it goes: shared children.
    pub(crate) shared: &'static str,
    /// Why it goes: timed readings.
    pub(crate) readings: &'static str,
    /// What follows: all children apart.
    pub(crate) then_parent_reference: &'static str,
    /// What follows: keys in the parents.
    pub(crate) then_child_references: &'static str,
    /// What follows: an association.
    pub(crate) then_association: &'static str,
    /// What follows: main form and overflow.
    pub(crate) then_outlier: &'static str,
    /// What follows: a time series.
    pub(crate) then_time_series: &'static str,
    /// Why today's form is out.
    pub(crate) out_long: &'static str,
    /// Why today's form is out.
    pub(crate) out_long_soon: &'static str,
    /// Why today's form is out.
    pub(crate) out_large_soon: &'static str,
    /// Why today's form is out.
    pub(crate) out_shared: &'static str,
    /// Why the indexes stay.
    pub(crate) indexes_serve: &'static str,
    /// Why the indexes change.
    pub(crate) indexes_miss: &'static str,
    /// Question: how often the shapes run.
    pub(crate) ask_frequency: &'static str,
    /// Question: how long the lists of `$in` are.
    pub(crate) ask_in: &'static str,
    /// Question.
    pub(crate) ask_newest: &'static str,
    /// Question.
    pub(crate) ask_growth: &'static str,
    /// Question.
    pub(crate) ask_alone: &'static str,
    /// Question.
    pub(crate) ask_ownership: &'static str,
    /// Question.
    pub(crate) ask_outliers: &'static str,
    /// Question.
    pub(crate) ask_together: &'static str,
    /// Question.
    pub(crate) ask_lifecycle: &'static str,
    /// Question.
    pub(crate) ask_staleness: &'static str,
    /// Question.
    pub(crate) ask_order: &'static str,
    /// Question.
    pub(crate) ask_rename: &'static str,
    /// Header of a script.
    pub(crate) script_migrate: &'static str,
    /// Header of a script.
    pub(crate) script_check: &'static str,
    /// Header of a script.
    pub(crate) script_back: &'static str,
    /// Header of a script.
    pub(crate) script_finish: &'static str,
    /// Header of a script.
    pub(crate) script_validator: &'static str,
    /// Header of a script.
    pub(crate) script_indexes: &'static str,
    /// Header of a script.
    pub(crate) script_propagate: &'static str,
    /// Header of a script.
    pub(crate) script_reconcile: &'static str,
    /// Header of a script.
    pub(crate) script_time_series: &'static str,
}

/// The sentences of recommendations about shard keys.
#[derive(Debug)]
pub(crate) struct ShardKeySentences {
    /// Fault: the server keeps no such unique index.
    pub(crate) unique: &'static str,
    /// Fault: an array.
    pub(crate) array: &'static str,
    /// Fault: few values.
    pub(crate) few: &'static str,
    /// Fault: one value holds much.
    pub(crate) frequent: &'static str,
    /// Fault: values follow insertion.
    pub(crate) follows: &'static str,
    /// Fault: documents lack it.
    pub(crate) missing: &'static str,
    /// Why: what is wrong with the key that is asked about.
    pub(crate) faulty: &'static str,
    /// Why: what the key that is asked about targets.
    pub(crate) misses: &'static str,
    /// Why nothing needs shards.
    pub(crate) small: &'static str,
    /// Why: every candidate has a fault.
    pub(crate) none: &'static str,
    /// Why: values were not seen.
    pub(crate) unmeasured: &'static str,
    /// Why the key stays.
    pub(crate) stays: &'static str,
    /// Why the key is proposed.
    pub(crate) spreads: &'static str,
    /// Why the key is proposed, without a workload.
    pub(crate) spreads_alone: &'static str,
    /// What follows: nothing yet.
    pub(crate) then_small: &'static str,
    /// What follows: a suffix.
    pub(crate) then_refine: &'static str,
    /// What follows: another key.
    pub(crate) then_reshard: &'static str,
    /// Why a candidate is out.
    pub(crate) out: &'static str,
    /// Question.
    pub(crate) ask_size: &'static str,
    /// Question.
    pub(crate) ask_values: &'static str,
    /// Question.
    pub(crate) ask_workload: &'static str,
    /// Comment of a script.
    pub(crate) script_shard: &'static str,
    /// Comment of a script.
    pub(crate) script_refine: &'static str,
    /// Comment of a script.
    pub(crate) script_reshard: &'static str,
    /// Comment of a script.
    pub(crate) script_copy: &'static str,
    /// Comment of a script.
    pub(crate) script_measure: &'static str,
    /// Comment of a script.
    pub(crate) script_wait: &'static str,
}

/// Headings and units of the profile.
pub(crate) struct ProfileSentences {
    /// Where no documents were read.
    pub(crate) nothing: &'static str,
    /// Heading of the paths.
    pub(crate) field: &'static str,
    /// Heading of the share of objects that have the field.
    pub(crate) present: &'static str,
    /// Heading of the types.
    pub(crate) types: &'static str,
    /// Heading of distinct values.
    pub(crate) distinct: &'static str,
    /// A number of distinct values.
    pub(crate) distinct_values: &'static str,
    /// Heading of the rest.
    pub(crate) notes: &'static str,
    /// All documents were read.
    pub(crate) complete: &'static str,
    /// Not all documents were read.
    pub(crate) sample: &'static str,
    /// Before the sizes of documents.
    pub(crate) size: &'static str,
    /// Before the days of creation.
    pub(crate) created: &'static str,
    /// How the collection grows.
    pub(crate) growth: &'static str,
    /// Before the lengths of arrays.
    pub(crate) length: &'static str,
    /// Unit of growth.
    pub(crate) per_month: &'static str,
    /// A number of distinct names that are data.
    pub(crate) names: &'static str,
}

impl Sentences {
    /// Words for where the server version came from.
    pub(crate) fn origin<'a>(&self, key: &'a str) -> &'a str {
        lookup(self.origins, key)
    }

    /// Words for a figure, a criterion or an answer of advice, where there are some.
    pub(crate) fn label(&self, key: &str) -> Option<&'static str> {
        self.labels.iter().find(|(known, _)| *known == key).map(|(_, words)| *words)
    }

    /// Words for a figure of a criterion.
    pub(crate) fn figure(&self, key: &str) -> Option<&'static str> {
        self.figures.iter().find(|(known, _)| *known == key).map(|(_, words)| *words)
    }

    /// Words for a kind of evidence.
    pub(crate) fn evidence<'a>(&self, key: &'a str) -> &'a str {
        lookup(self.evidence, key)
    }
}

fn lookup<'a>(table: &[(&'static str, &'static str)], key: &'a str) -> &'a str {
    table.iter().find(|(known, _)| *known == key).map_or(key, |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::Lang::{En, Es};

    #[test]
    fn numbers_read_as_their_language_writes_them() {
        assert_eq!((En.count(5214.0), Es.count(5214.0)), ("5,214".into(), "5214".into()));
        assert_eq!((En.count(1_052_146.0), Es.count(1_052_146.0)), ("1,052,146".into(), "1.052.146".into()));
        assert_eq!((En.count(12.34), Es.count(12.34)), ("12.3".into(), "12,3".into()));
        assert_eq!((En.count(-1234.0), En.count(0.0), En.count(999.0)), ("-1,234".into(), "0".into(), "999".into()));
        assert_eq!(En.count(f64::NAN), "∞");
    }

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!((En.bytes(831_488.0), Es.bytes(1_468_006.0)), ("812\u{a0}KiB".into(), "1,4\u{a0}MiB".into()));
        assert_eq!((En.bytes(17.0), En.bytes(16_777_216.0)), ("17\u{a0}B".into(), "16\u{a0}MiB".into()));
    }

    #[test]
    fn percentages_never_round_to_nothing_or_all() {
        assert_eq!((En.percent(0.0), En.percent(1.0)), ("0\u{a0}%".into(), "100\u{a0}%".into()));
        assert_eq!(
            (En.percent(0.000_01), Es.percent(0.999_99)),
            ("<\u{a0}0.1\u{a0}%".into(), ">\u{a0}99,9\u{a0}%".into())
        );
        assert_eq!((En.percent(0.123), En.percent(0.0123)), ("12\u{a0}%".into(), "1.2\u{a0}%".into()));
    }

    #[test]
    fn dates_have_month_names() {
        assert_eq!(En.date("2027-03-01"), "1 March 2027");
        assert_eq!(Es.date("2027-03-01T10:00:00Z"), "1 de marzo de 2027");
        assert_eq!(En.date("soon"), "soon");
    }
}
