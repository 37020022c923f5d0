//! The rules: one ordered table, and the way from a rule's draft to a finding.
//!
//! A rule is `src/rules/<group>/<rule>.rs` with its words in `<rule>.md` and `<rule>.es.md`, a `mod` line in
//! `src/rules/<group>.rs`, and a line in [`RULES`]:
//! ```ignore
//! #[derive(Debug, Default, Deserialize, JsonSchema)]
//! #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
//! pub(crate) struct Options { /* one documented field a threshold, its default in `impl Default` */ }
//!
//! pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
//!     findings
//!         .measured(Place::path("shop.orders", "items"), 1_000) // or .certain(place), .inferred(place, "names")
//!         .number("max", 5_214)                                 // evidence, and `{max|count}` in the words
//!         .variant("growing")                                   // `message.growing:`, else `message:`
//!         .severity(Severity::Info);                            // where it differs from the table's default
//! }
//! ```
//! A family of ids shares one `.rs`: its table lines name the function (`document::as_string::number`).
//! Every rule also takes the option `minSample` without declaring it. Pages and examples: src/rules/README.md.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::config::{self, Config, Fault, Node, Settings};
use crate::finding::{Finding, Recommendation, Severity};
use crate::locale::Lang;
use crate::locale::mistake::{self, Saying};
use crate::model::Model;
use crate::order::Ordered;

mod aggregation;
mod derived;
mod document;
mod explain;
mod findings;
mod index;
mod mongovet;
mod pattern;
mod privacy;
mod query;
mod relationship;
mod replication;
mod sharding;
mod timeseries;
mod update;
mod validation;
mod words;

pub(crate) use findings::{Draft, Findings, Place};
pub(crate) use words::fill;

/// A kind of evidence that a rule needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// Documents.
    Documents,
    /// Indexes of the catalogue, or wanted ones.
    Indexes,
    /// A validator.
    Validator,
    /// Sizes and counts of `$collStats`.
    Statistics,
    /// Uses of indexes, from `$indexStats`.
    IndexStatistics,
    /// Queries, updates and pipelines, from scripts, source, profiler, logs or query statistics.
    Workload,
    /// Outputs of explain.
    Plans,
    /// Replica set or sharding configuration and status.
    Topology,
    /// The declared model.
    Intent,
}

impl Evidence {
    /// Every kind.
    pub const ALL: [Evidence; 9] = [
        Evidence::Documents,
        Evidence::Indexes,
        Evidence::Validator,
        Evidence::Statistics,
        Evidence::IndexStatistics,
        Evidence::Workload,
        Evidence::Plans,
        Evidence::Topology,
        Evidence::Intent,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Documents => "documents",
            Evidence::Indexes => "indexes",
            Evidence::Validator => "validator",
            Evidence::Statistics => "statistics",
            Evidence::IndexStatistics => "indexStatistics",
            Evidence::Workload => "workload",
            Evidence::Plans => "plans",
            Evidence::Topology => "topology",
            Evidence::Intent => "intent",
        }
    }
}

/// How settled a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Its findings have been judged right.
    Stable,
    /// Not yet: it says at most info.
    Preview,
}

/// A line of the table.
#[derive(Debug)]
pub struct Rule {
    /// `group/name`; stable.
    pub id: &'static str,
    /// Default severity.
    pub severity: Severity,
    /// Evidence without which the rule cannot answer.
    pub needs: &'static [Evidence],
    /// Default of the option `minSample`.
    pub min_sample: u64,
    /// Rules that say the same cause more specifically; `group/*` names a whole group.
    pub yields_to: &'static [&'static str],
    /// Version in which it came.
    pub since: &'static str,
    /// How settled it is.
    pub status: Status,
    speed: bool,
    run: fn(&Model, &Node, &mut Findings) -> Result<(), Fault>,
    validate: fn(&Node) -> Result<(), Fault>,
    #[cfg(not(target_arch = "wasm32"))]
    schema: fn() -> schemars::Schema,
}

impl Rule {
    /// The group of its id.
    pub fn group(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(group, _)| group)
    }

    const fn min_sample(mut self, least: u64) -> Self {
        self.min_sample = least;
        self
    }

    const fn yields_to(mut self, rules: &'static [&'static str]) -> Self {
        self.yields_to = rules;
        self
    }

    const fn preview(mut self) -> Self {
        self.status = Status::Preview;
        self
    }

    /// The rule is about time spent: info on small collections.
    const fn speed(mut self) -> Self {
        self.speed = true;
        self
    }

    fn is_preview(&self) -> bool {
        self.status == Status::Preview
    }

    fn is_about_speed(&self) -> bool {
        self.speed
    }

    /// Checks options as they stand in the configuration, `minSample` included.
    fn validate(&self, options: &Node) -> Result<(), Fault> {
        options.get("minSample").map(u64::deserialize).transpose()?;
        (self.validate)(&options.without("minSample"))
    }
}

/// A line of the table: id, default severity, evidence, and the module, or the function of a family's module.
macro_rules! rule {
    ($id:literal, $severity:ident, [$($evidence:ident),+], $group:ident::$module:ident) => {
        rule!($id, $severity, [$($evidence),+], $group::$module::check)
    };
    ($id:literal, $severity:ident, [$($evidence:ident),+], $group:ident::$module:ident::$check:ident) => {
        Rule {
            id: $id,
            severity: Severity::$severity,
            needs: &[$(Evidence::$evidence),+],
            min_sample: 20,
            yields_to: &[],
            since: "0.1.0",
            status: Status::Stable,
            speed: false,
            run: |model, options, findings| {
                $group::$module::$check(model, &$group::$module::Options::deserialize(options)?, findings);
                Ok(())
            },
            validate: |options| $group::$module::Options::deserialize(options).map(drop),
            #[cfg(not(target_arch = "wasm32"))]
            schema: || schemars::schema_for!($group::$module::Options),
        }
    };
}

/// A rule about mongovet's own directives, which `selection` tells.
const fn directive(id: &'static str, severity: Severity) -> Rule {
    Rule {
        id,
        severity,
        needs: &[],
        min_sample: 0,
        yields_to: &[],
        since: "0.1.0",
        status: Status::Stable,
        speed: false,
        run: |_, _, _| Ok(()),
        validate: |options| mongovet::Options::deserialize(options).map(drop),
        #[cfg(not(target_arch = "wasm32"))]
        schema: || schemars::schema_for!(mongovet::Options),
    }
}

/// Every rule, in the order of their ids. A line adds what differs from the defaults:
/// `.min_sample(100)`, `.yields_to(&["document/unbounded-array"])`, `.speed()`, `.preview()`.
pub static RULES: &[Rule] = &[
    rule!("aggregation/blocking-memory", Info, [Workload], aggregation::blocking_memory).preview(),
    rule!("aggregation/bucket-boundaries", Error, [Workload], aggregation::bucket_boundaries),
    rule!("aggregation/computed-match", Warning, [Workload], aggregation::computed_match).speed(),
    rule!("aggregation/covered-group", Info, [Workload, Indexes], aggregation::covered_group).speed().preview(),
    rule!("aggregation/early-project", Info, [Workload], aggregation::early_project).preview(),
    rule!("aggregation/facet-scan", Info, [Workload], aggregation::facet_scan).speed().preview(),
    rule!("aggregation/first-unsorted", Warning, [Workload], aggregation::first_unsorted),
    rule!("aggregation/group-root", Warning, [Workload], aggregation::group_root),
    rule!("aggregation/hidden-field", Error, [Workload], aggregation::hidden_field),
    rule!("aggregation/late-match", Warning, [Workload], aggregation::late_match).speed(),
    rule!("aggregation/late-sort", Warning, [Workload, Indexes], aggregation::late_sort)
        .yields_to(&["aggregation/lookup-before-limit"])
        .speed(),
    rule!("aggregation/limit-late", Info, [Workload], aggregation::limit_late)
        .yields_to(&["aggregation/lookup-before-limit"])
        .speed()
        .preview(),
    rule!("aggregation/lookup-before-group", Warning, [Workload], aggregation::lookup_before_group).speed(),
    rule!("aggregation/lookup-before-limit", Warning, [Workload], aggregation::lookup_before_limit).speed(),
    rule!("aggregation/lookup-chain", Warning, [Workload], aggregation::lookup_chain),
    rule!("aggregation/lookup-expr", Info, [Workload], aggregation::lookup_expr).preview(),
    rule!("aggregation/lookup-then-filter", Warning, [Workload], aggregation::lookup_then_filter).speed(),
    rule!("aggregation/lookup-unindexed", Warning, [Workload, Indexes], aggregation::lookup_unindexed).speed(),
    rule!("aggregation/lookup-unwind-first", Info, [Workload], aggregation::lookup_unwind_first).speed().preview(),
    rule!("aggregation/merge-on-unindexed", Error, [Workload, Indexes], aggregation::merge_on_unindexed),
    rule!("aggregation/missing-dollar", Warning, [Workload], aggregation::missing_dollar),
    rule!("aggregation/repeated", Info, [Workload], aggregation::repeated).preview(),
    rule!("aggregation/skip-before-sort", Warning, [Workload], aggregation::skip_before_sort),
    rule!("aggregation/sort-no-limit", Info, [Workload], aggregation::sort_no_limit).preview(),
    rule!("aggregation/stage-order", Error, [Workload], aggregation::stage_order),
    rule!("aggregation/stage-shape", Error, [Workload], aggregation::stage_shape),
    rule!("aggregation/unknown-operator", Error, [Workload], aggregation::unknown_operator),
    rule!("aggregation/unknown-stage", Error, [Workload], aggregation::unknown_stage),
    rule!("aggregation/unwind-group", Warning, [Workload], aggregation::unwind_group).speed(),
    rule!("derived/average-without-sum", Info, [Documents], derived::average_without_sum),
    rule!("derived/budget-unmet", Warning, [Intent], derived::registry::budget_unmet),
    rule!("derived/change-stream-no-resume", Warning, [Workload], derived::change_stream_no_resume),
    rule!("derived/delete-policy-broken", Warning, [Documents, Intent], derived::delete_policy_broken),
    rule!("derived/dual-write", Warning, [Workload], derived::dual_write),
    rule!("derived/edited-copy", Warning, [Workload, Intent], derived::edited_copy),
    rule!("derived/fan-out", Warning, [Workload, Intent], derived::fan_out),
    rule!("derived/missed-path", Warning, [Workload], derived::missed_path),
    rule!("derived/missing-event-index", Warning, [Documents, Indexes, Intent], derived::missing_event_index),
    rule!("derived/negative-counter", Warning, [Documents], derived::negative_counter),
    rule!("derived/no-delete-policy", Warning, [Intent], derived::registry::no_delete_policy),
    rule!("derived/no-rebuild", Warning, [Intent], derived::registry::no_rebuild),
    rule!("derived/no-reconciliation", Warning, [Intent], derived::registry::no_reconciliation),
    rule!("derived/no-source", Warning, [Intent], derived::registry::no_source),
    rule!("derived/no-staleness-budget", Warning, [Intent], derived::registry::no_staleness_budget),
    rule!("derived/non-idempotent", Warning, [Workload], derived::non_idempotent),
    rule!("derived/outbox-outside-transaction", Warning, [Workload], derived::outbox_outside_transaction),
    rule!("derived/personal-data-copied", Warning, [Documents], derived::personal_data_copied),
    rule!("derived/read-modify-write", Warning, [Workload], derived::read_modify_write),
    rule!("derived/stale-copy", Warning, [Documents, Intent], derived::stale_copy),
    rule!("derived/synced-snapshot", Warning, [Workload], derived::synced_snapshot),
    rule!("derived/undeclared-copy", Info, [Documents], derived::undeclared_copy),
    rule!("derived/unguarded-projection", Warning, [Workload], derived::unguarded_projection),
    rule!("derived/unmeasurable-lag", Info, [Intent], derived::registry::unmeasurable_lag),
    rule!("derived/unversioned-formula", Warning, [Intent], derived::registry::unversioned_formula),
    rule!("derived/vague-staleness", Warning, [Intent], derived::registry::vague_staleness),
    rule!("document/array-or-scalar", Warning, [Documents], document::array_or_scalar),
    rule!("document/bloated", Info, [Documents], document::bloated),
    rule!("document/boolean-as-string", Info, [Documents], document::as_string::boolean),
    rule!("document/collection-per-value", Warning, [Documents], document::collection_per_value).preview(),
    rule!("document/data-in-keys", Warning, [Documents], document::data_in_keys),
    rule!("document/date-as-string", Info, [Documents], document::as_string::date),
    rule!("document/deep-nesting", Info, [Documents], document::deep_nesting),
    rule!("document/deprecated-type", Warning, [Documents], document::deprecated_type),
    rule!("document/duplicate-key", Error, [Documents], document::duplicate_key),
    rule!("document/empty-placeholders", Info, [Documents], document::empty_placeholders)
        .yields_to(&["pattern/preallocated"]),
    rule!("document/illegal-name", Warning, [Documents], document::illegal_name),
    rule!("document/inconsistent-naming", Info, [Documents], document::inconsistent_naming),
    rule!("document/inline-file", Warning, [Documents], document::inline_file),
    rule!("document/internal-timestamp", Info, [Documents], document::internal_timestamp),
    rule!("document/invalid-geometry", Warning, [Documents], document::invalid_geometry),
    rule!("document/large-array", Warning, [Documents], document::large_array)
        .yields_to(&["document/unbounded-array", "relationship/unbounded-references"]),
    rule!("document/long-names", Info, [Documents], document::long_names),
    rule!("document/mixed-array-elements", Info, [Documents], document::mixed_array_elements).preview(),
    rule!("document/mixed-id", Info, [Documents], document::mixed_id),
    rule!("document/mixed-number-types", Info, [Documents], document::mixed_number_types),
    rule!("document/mixed-types", Warning, [Documents], document::mixed_types)
        .yields_to(&["pattern/attribute-mixed-values"]),
    rule!("document/money-as-double", Warning, [Documents], document::money_as_double),
    rule!("document/near-size-limit", Warning, [Documents], document::near_size_limit).min_sample(1),
    rule!("document/not-a-number", Warning, [Documents], document::not_a_number),
    rule!("document/null-and-missing", Info, [Documents], document::null_and_missing),
    rule!("document/number-as-string", Info, [Documents], document::as_string::number),
    rule!("document/objectid-as-string", Warning, [Documents], document::as_string::object_id)
        .yields_to(&["relationship/type-mismatch"]),
    rule!("document/rare-field", Info, [Documents], document::rare_field)
        .yields_to(&["document/similar-names"])
        .preview(),
    rule!("document/second-key", Info, [Documents, Indexes], document::second_key),
    rule!("document/sentinel-date", Info, [Documents], document::sentinel_date),
    rule!("document/similar-names", Warning, [Documents], document::similar_names),
    rule!("document/split-date", Info, [Documents], document::split_date).preview(),
    rule!("document/too-many-collections", Warning, [Documents], document::too_many_collections).preview(),
    rule!("document/too-many-fields", Info, [Documents], document::too_many_fields),
    rule!("document/unbounded-array", Warning, [Documents], document::unbounded_array)
        .yields_to(&["relationship/unbounded-references"]),
    rule!("document/unsafe-integer", Warning, [Documents], document::unsafe_integer),
    rule!("document/uuid-as-string", Info, [Documents], document::as_string::uuid),
    rule!("document/vector-length", Warning, [Documents], document::vector_length),
    rule!("explain/collection-scan", Warning, [Plans], explain::collection_scan)
        .yields_to(&["index/missing", "index/order"])
        .speed(),
    rule!("explain/empty-namespace", Error, [Plans], explain::empty_namespace),
    rule!("explain/in-memory-sort", Warning, [Plans], explain::in_memory_sort)
        .yields_to(&["index/missing", "index/order"])
        .speed(),
    rule!("explain/key-overscan", Info, [Plans], explain::key_overscan).speed(),
    rule!("explain/lookup-cost", Info, [Plans], explain::lookup_cost).speed().preview(),
    rule!("explain/lookup-scan", Warning, [Plans], explain::lookup_scan).speed(),
    rule!("explain/low-yield", Warning, [Plans], explain::low_yield)
        .yields_to(&["index/missing", "index/order"])
        .speed(),
    rule!("explain/residual-filter", Info, [Plans], explain::residual_filter).speed().preview(),
    rule!("explain/scatter-gather", Warning, [Plans], explain::scatter_gather),
    rule!("explain/shard-skew", Info, [Plans], explain::shard_skew).speed().preview(),
    rule!("explain/spill", Warning, [Plans], explain::spill),
    rule!("explain/unstable-plan", Info, [Plans], explain::unstable_plan).preview(),
    rule!("index/collation-mismatch", Warning, [Workload, Indexes], index::collation_mismatch).speed(),
    rule!("index/duplicate", Warning, [Indexes], index::redundant::duplicate).speed(),
    rule!("index/field-unknown", Warning, [Indexes, Documents], index::field_unknown),
    rule!("index/hashed-range", Warning, [Workload, Indexes], index::hashed_range).speed(),
    rule!("index/low-selectivity", Info, [Indexes, Documents], index::low_selectivity).min_sample(100).speed(),
    rule!("index/missing", Warning, [Workload, Indexes], index::missing).yields_to(&["pattern/tree-unindexed"]).speed(),
    rule!("index/multikey-growth", Info, [Indexes, Documents], index::multikey_growth).preview(),
    rule!("index/option-conflict", Error, [Indexes], index::option_conflict).yields_to(&["index/second-text"]),
    rule!("index/order", Warning, [Workload, Indexes], index::order).speed(),
    rule!("index/parallel-arrays", Error, [Indexes, Documents], index::parallel_arrays),
    rule!("index/partial-unsupported", Error, [Indexes], index::partial_unsupported),
    rule!("index/partial-unused-by-query", Warning, [Workload, Indexes], index::partial_unused_by_query).speed(),
    rule!("index/redundant-prefix", Warning, [Indexes], index::redundant::prefix).speed(),
    rule!("index/second-text", Error, [Indexes], index::second_text),
    rule!("index/sort-direction", Warning, [Workload, Indexes], index::sort_direction).speed(),
    rule!("index/sparse", Info, [Indexes], index::sparse),
    rule!("index/subdocument", Warning, [Workload, Indexes], index::subdocument),
    rule!("index/too-many", Info, [Indexes], index::too_many),
    rule!("index/too-many-keys", Info, [Indexes], index::too_many_keys).preview(),
    rule!("index/ttl-bad-option", Error, [Indexes], index::ttl_bad_option),
    rule!("index/ttl-candidate", Info, [Indexes, Documents], index::ttl_candidate),
    rule!("index/ttl-compound", Error, [Indexes], index::ttl_compound),
    rule!("index/ttl-not-date", Error, [Indexes, Documents], index::ttl_not_date),
    rule!("index/unique-duplicates", Error, [Indexes, Documents], index::unique_duplicates)
        .min_sample(0)
        .yields_to(&["index/unique-null"]),
    rule!("index/unique-null", Warning, [Indexes, Documents], index::unique_null).min_sample(0),
    rule!("index/unused", Info, [IndexStatistics], index::unused).min_sample(0),
    rule!("index/volatile-copy", Info, [Workload, Indexes], index::volatile_copy).preview(),
    rule!("index/wildcard-overuse", Info, [Workload, Indexes], index::wildcard_overuse),
    directive("mongovet/expired-ignore", Severity::Warning),
    directive("mongovet/unknown-rule", Severity::Error),
    directive("mongovet/unused-ignore", Severity::Info),
    rule!("pattern/approximation-candidate", Info, [Workload], pattern::approximation_candidate).min_sample(100),
    rule!("pattern/attribute-candidate", Info, [Documents], pattern::attribute_candidate),
    rule!("pattern/attribute-duplicate-key", Warning, [Documents], pattern::attribute_duplicate_key),
    rule!("pattern/attribute-mixed-values", Warning, [Documents], pattern::attribute_mixed_values),
    rule!("pattern/attribute-overuse", Warning, [Documents], pattern::attribute_overuse),
    rule!("pattern/bucket-candidate", Info, [Documents], pattern::bucket_candidate)
        .yields_to(&["timeseries/candidate"])
        .preview(),
    rule!("pattern/bucket-count-drift", Warning, [Documents], pattern::bucket_count_drift),
    rule!("pattern/bucket-duplicate", Warning, [Documents], pattern::bucket_duplicate),
    rule!("pattern/bucket-late-event", Warning, [Documents], pattern::bucket_late_event),
    rule!("pattern/bucket-overflow", Warning, [Documents], pattern::bucket_overflow),
    rule!("pattern/bucket-unguarded", Warning, [Workload], pattern::bucket_unguarded),
    rule!("pattern/computed-candidate", Info, [Workload], pattern::computed_candidate).preview(),
    rule!("pattern/computed-drift", Warning, [Documents], pattern::computed_drift)
        .yields_to(&["pattern/bucket-count-drift"]),
    rule!("pattern/embedded-revisions", Warning, [Documents], pattern::embedded_revisions),
    rule!("pattern/extended-reference-candidate", Info, [Workload], pattern::extended_reference_candidate),
    rule!("pattern/outlier-candidate", Info, [Documents], pattern::outlier_candidate).min_sample(100),
    rule!("pattern/outlier-flag-drift", Warning, [Documents], pattern::outlier_flag_drift),
    rule!("pattern/overlapping", Info, [Documents], pattern::overlapping).preview(),
    rule!("pattern/polymorphic-index-waste", Info, [Documents, Indexes], pattern::polymorphic_index_waste)
        .min_sample(100)
        .preview(),
    rule!("pattern/polymorphic-no-discriminator", Warning, [Documents], pattern::polymorphic_no_discriminator),
    rule!("pattern/polymorphic-unknown-type", Warning, [Documents], pattern::polymorphic_unknown_type),
    rule!("pattern/preallocated", Info, [Documents], pattern::preallocated),
    rule!("pattern/revision-drift", Warning, [Documents], pattern::revision_drift),
    rule!("pattern/schema-version-missing", Info, [Documents], pattern::schema_version_missing),
    rule!("pattern/schema-version-mixed", Warning, [Documents], pattern::schema_version_mixed),
    rule!("pattern/subset-candidate", Info, [Documents, Workload], pattern::subset_candidate).preview(),
    rule!("pattern/subset-stale", Warning, [Documents], pattern::subset_stale),
    rule!("pattern/tree-unindexed", Warning, [Documents, Indexes, Workload], pattern::tree_unindexed).speed(),
    rule!("pattern/undeclared-card", Info, [Intent], pattern::undeclared_card).preview(),
    rule!("privacy/personal-data", Info, [Documents], privacy::personal_data),
    rule!("privacy/secret", Warning, [Documents], privacy::secret),
    rule!("privacy/unbounded-retention", Info, [Documents, Indexes], privacy::unbounded_retention),
    rule!("query/case-insensitive-regex", Warning, [Workload], query::regex::case_insensitive).speed(),
    rule!("query/coordinates", Warning, [Workload], query::coordinates),
    rule!("query/count-scan", Info, [Workload], query::count_scan),
    rule!("query/duplicate-key", Error, [Workload], query::duplicate_key),
    rule!("query/elem-match", Warning, [Workload], query::elem_match),
    rule!("query/estimated-count-filter", Error, [Workload], query::estimated_count_filter),
    rule!("query/exists", Info, [Workload], query::exists),
    rule!("query/in-memory-sort", Warning, [Workload, Indexes], query::in_memory_sort)
        .yields_to(&["index/missing", "index/order", "index/sort-direction"])
        .speed(),
    rule!("query/injection", Warning, [Workload], query::injection),
    rule!("query/large-in", Info, [Workload], query::large_in),
    rule!("query/misplaced-operator", Error, [Workload], query::operators::misplaced),
    rule!("query/missing-projection", Info, [Workload, Documents], query::missing_projection).preview(),
    rule!("query/n-plus-one", Warning, [Workload], query::n_plus_one),
    rule!("query/negation", Info, [Workload], query::negation),
    rule!("query/null-matches-missing", Info, [Workload, Documents], query::null_matches_missing),
    rule!("query/null-not-covered", Info, [Workload, Indexes], query::null_not_covered),
    rule!("query/operator-shape", Error, [Workload], query::operator_shape),
    rule!("query/or-branch", Warning, [Workload, Indexes], query::or_branch).speed(),
    rule!("query/projection-mix", Error, [Workload], query::projection_mix),
    rule!("query/read-concern", Warning, [Workload], query::read_concern),
    rule!("query/skip-paging", Info, [Workload], query::skip_paging),
    rule!("query/special-index-missing", Error, [Workload], query::special_index_missing)
        .yields_to(&["query/unanchored-regex"]),
    rule!("query/type-mismatch", Warning, [Workload, Documents], query::type_mismatch),
    rule!("query/unanchored-regex", Warning, [Workload], query::regex::unanchored).speed(),
    rule!("query/unbounded-result", Info, [Workload], query::unbounded_result),
    rule!("query/unknown-field", Warning, [Workload, Documents], query::unknown_field),
    rule!("query/unknown-operator", Error, [Workload], query::operators::unknown),
    rule!("query/where", Warning, [Workload], query::where_code),
    rule!("query/whole-object-match", Warning, [Workload], query::whole_object_match),
    rule!("relationship/cold-embedded", Info, [Documents, Workload], relationship::cold_embedded),
    rule!("relationship/cross-tenant", Warning, [Documents], relationship::cross_tenant),
    rule!("relationship/dbref", Info, [Documents], relationship::dbref),
    rule!("relationship/junction", Info, [Documents], relationship::junction),
    rule!("relationship/missing-index", Warning, [Documents, Indexes], relationship::missing_index)
        .yields_to(&["pattern/tree-unindexed"])
        .speed(),
    rule!("relationship/orphan", Warning, [Documents], relationship::orphan).yields_to(&["relationship/type-mismatch"]),
    rule!("relationship/relational-transplant", Warning, [Documents], relationship::relational_transplant),
    rule!("relationship/separated", Info, [Documents], relationship::separated),
    rule!("relationship/shared-embedded", Warning, [Documents], relationship::shared_embedded),
    rule!("relationship/two-way-drift", Warning, [Documents], relationship::two_way_drift),
    rule!("relationship/type-mismatch", Warning, [Documents], relationship::type_mismatch),
    rule!("relationship/unbounded-references", Warning, [Documents], relationship::unbounded_references),
    rule!("replication/arbiter", Warning, [Topology], replication::arbiter),
    rule!("replication/default-write-concern", Warning, [Topology], replication::default_write_concern),
    rule!("replication/even-voters", Warning, [Topology], replication::even_voters),
    rule!("replication/lagging", Warning, [Topology], replication::lagging),
    rule!("replication/one-fault-domain", Warning, [Topology], replication::one_fault_domain),
    rule!("replication/oplog-window", Warning, [Topology], replication::oplog_window),
    rule!("replication/read-preference", Info, [Workload], replication::read_preference),
    rule!("replication/too-few-members", Warning, [Topology], replication::too_few_members),
    rule!("sharding/frequent-value", Warning, [Topology], sharding::frequent_value).min_sample(100),
    rule!("sharding/hashed-range", Warning, [Topology, Workload], sharding::hashed_range),
    rule!("sharding/join-across", Info, [Topology, Workload], sharding::join_across),
    rule!("sharding/large-unsharded", Info, [Statistics], sharding::large_unsharded).preview(),
    rule!("sharding/low-cardinality", Warning, [Topology], sharding::low_cardinality).min_sample(100),
    rule!("sharding/missing-key-values", Warning, [Topology, Documents], sharding::missing_key_values).preview(),
    rule!("sharding/monotonic", Warning, [Topology], sharding::monotonic),
    rule!("sharding/mutable-key", Info, [Topology], sharding::mutable_key).preview(),
    rule!("sharding/premature", Info, [Topology], sharding::premature).preview(),
    rule!("sharding/scatter-gather", Warning, [Topology], sharding::scatter_gather),
    rule!("sharding/unique-conflict", Error, [Topology], sharding::unique_conflict),
    rule!("timeseries/candidate", Info, [Documents], pattern::bucket_candidate::time_series),
    rule!("timeseries/granularity", Warning, [Documents], timeseries::granularity).min_sample(100),
    rule!("timeseries/meta-cardinality", Warning, [Documents], timeseries::meta_cardinality).min_sample(100),
    rule!("timeseries/per-document-updates", Error, [Workload], timeseries::per_document_updates),
    rule!("timeseries/time-as-shard-key", Warning, [Topology], timeseries::time_as_shard_key),
    rule!("update/add-to-set-object", Info, [Workload], update::add_to_set_object),
    rule!("update/all-documents", Warning, [Workload], update::all_documents),
    rule!("update/array-filters", Error, [Workload], update::array_filters),
    rule!("update/conflict", Error, [Workload], update::conflict),
    rule!("update/hot-document", Warning, [Workload], update::hot_document).min_sample(100),
    rule!("update/immutable", Error, [Workload], update::immutable),
    rule!("update/operator-shape", Error, [Workload], update::operator_shape),
    rule!("update/positional", Warning, [Workload], update::positional),
    rule!("update/push-array", Warning, [Workload], update::push_array),
    rule!("update/read-modify-write", Warning, [Workload], update::read_modify_write)
        .yields_to(&["derived/read-modify-write"]),
    rule!("update/replacement", Error, [Workload], update::replacement),
    rule!("update/returning-unused", Info, [Workload], update::returning_unused),
    rule!("update/transaction-avoidable", Info, [Workload], update::transaction_avoidable).preview(),
    rule!("update/transaction-fan-out", Warning, [Workload], update::transaction_fan_out),
    rule!("update/transaction-session", Error, [Workload], update::transaction_session),
    rule!("update/unbounded-push", Warning, [Workload], update::unbounded_push)
        .yields_to(&["pattern/bucket-unguarded"]),
    rule!("update/upsert-mutable-filter", Warning, [Workload], update::upsert_mutable_filter),
    rule!("update/upsert-unguarded", Warning, [Workload, Indexes], update::upsert_unguarded)
        .yields_to(&["pattern/bucket-unguarded"]),
    rule!("update/weak-write-concern", Warning, [Workload], update::weak_write_concern),
    rule!("validation/bad-keyword", Error, [Validator], validation::bad_keyword),
    rule!("validation/contradiction", Error, [Validator], validation::contradiction),
    rule!("validation/drift", Info, [Validator, Documents], validation::drift),
    rule!("validation/lenient", Info, [Validator], validation::lenient),
    rule!("validation/missing", Info, [Validator], validation::missing),
    rule!("validation/never-used", Info, [Validator, Documents], validation::never_used).preview(),
    rule!("validation/no-variants", Info, [Validator, Documents], validation::no_variants),
    rule!("validation/number-trap", Warning, [Validator], validation::number_trap),
    rule!("validation/unbounded-array", Info, [Validator], validation::unbounded_array).yields_to(&["document/*"]),
    rule!("validation/untyped-required", Info, [Validator], validation::untyped_required),
    rule!("validation/violations", Warning, [Validator, Documents], validation::violations),
];

/// The table as JSON: id, default severity, evidence that each needs, least sample, status, version.
pub fn table_json() -> String {
    let line = |rule: &Rule| {
        serde_json::json!({
            "id": rule.id,
            "group": rule.group(),
            "severity": rule.severity,
            "needs": rule.needs.iter().map(|evidence| evidence.name()).collect::<Vec<_>>(),
            "minSample": rule.min_sample,
            "status": if rule.is_preview() { "preview" } else { "stable" },
            "since": rule.since,
        })
    };
    Value::Array(RULES.iter().map(line).collect()).to_string()
}

/// The rule of an id.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.binary_search_by(|rule| rule.id.cmp(id)).ok().and_then(|at| RULES.get(at))
}

/// The JSON Schema of `mongovet.json`, with the options of every rule.
#[cfg(not(target_arch = "wasm32"))]
pub fn configuration_schema() -> Value {
    let mut root = Value::from(config::file_schema());
    let mut rules = serde_json::Map::new();
    for rule in RULES {
        let mut options = Value::from((rule.schema)());
        if let Some(options) = options.as_object_mut() {
            options.retain(|key, _| !matches!(key.as_str(), "$schema" | "title" | "description"));
            let properties = options.entry("properties").or_insert_with(|| Value::Object(serde_json::Map::new()));
            if let Some(properties) = properties.as_object_mut().filter(|_| rule.min_sample > 0) {
                let description = "From how many documents, values or pairs on a measured finding is more than a hint.";
                let own = serde_json::json!({
                    "type": "integer", "minimum": 0, "default": rule.min_sample, "description": description
                });
                properties.insert("minSample".to_owned(), own);
            }
        }
        let level = serde_json::json!({ "$ref": "#/$defs/RuleLevel" });
        let both = serde_json::json!({
            "type": "array", "prefixItems": [level, options], "minItems": 1, "maxItems": 2
        });
        rules.insert(rule.id.to_owned(), serde_json::json!({ "anyOf": [level, both] }));
    }
    let rules = serde_json::json!({
        "type": "object",
        "properties": rules,
        "patternProperties": { "^[a-z]+(/[a-z-]*\\*)?$": { "$ref": "#/$defs/RuleLevel" } },
        "additionalProperties": false,
    });
    for holder in ["/properties/rules", "/$defs/Override/properties/rules"] {
        if let Some(Value::Object(holder)) = root.pointer_mut(holder) {
            holder.remove("type");
            holder.remove("additionalProperties");
            holder.insert("$ref".to_owned(), "#/$defs/Rules".into());
        }
    }
    // A setting that does not apply is left out, never null.
    let mut open = vec![&mut root];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                fields.retain(|key, value| key != "default" || !value.is_null());
                if let Some(Value::Array(types)) = fields.get_mut("type") {
                    types.retain(|kind| kind != "null");
                    if let [only] = types.as_slice() {
                        let only = only.clone();
                        fields.insert("type".to_owned(), only);
                    }
                }
                if let Some(Value::Array(forms)) = fields.get_mut("anyOf") {
                    forms.retain(|form| form.get("type").is_none_or(|kind| kind != "null"));
                }
                open.extend(fields.values_mut());
            }
            Value::Array(elements) => open.extend(elements),
            _ => {}
        }
    }
    if let Some(definitions) = root.pointer_mut("/$defs").and_then(Value::as_object_mut) {
        definitions.insert("Rules".to_owned(), rules);
        definitions.remove("RuleSetting");
    }
    root
}

/// Checks what a configuration says about rules: the names, with the nearest of an unknown one, and the options.
pub fn check_settings(config: &Config) -> Result<(), config::Error> {
    let check = || {
        for (key, options) in config.rule_nodes() {
            check_name(&key.name).map_err(|fault| fault.or_at(key.start))?;
            match (find(&key.name), options) {
                (Some(rule), Some(options)) => rule.validate(options)?,
                (None, Some(options)) => {
                    return Err(Fault::at(options.start, mistake::OPTIONS_OF_GROUP));
                }
                (_, None) => {}
            }
        }
        for (offset, rule) in config.ignored_rules() {
            check_name(rule).map_err(|fault| fault.or_at(offset))?;
        }
        Ok(())
    };
    check().map_err(|fault| config.error(fault))
}

/// Whether a name is a rule, a group, or a pattern that fits some rule.
pub(crate) fn check_name(name: &str) -> Result<(), Fault> {
    if RULES.iter().any(|rule| config::names(name, rule.id)) {
        return Ok(());
    }
    let hint = nearest(name).map(config::did_you_mean);
    Err(Fault::unplaced(Saying::from(mistake::UNKNOWN_RULE).with("name", name)).hinted(hint))
}

/// The rule or group that was probably meant.
pub(crate) fn nearest(name: &str) -> Option<&'static str> {
    crate::facts::spelling::nearest(name, RULES.iter().map(|rule| rule.id).chain(RULES.iter().map(Rule::group)))
}

/// Runs all rules and keeps one finding a cause. Selection and ignores come later, so that switching a specific rule
/// off does not wake a general one. Rules that the available evidence cannot answer are not asked: they would find
/// nothing, and an engine compiles what runs.
pub(crate) fn run(
    model: &Model,
    available: &[Evidence],
    recommendations: &[Recommendation],
    settings: &Settings,
    lang: Lang,
) -> Vec<Finding> {
    let answerable = |rule: &&Rule| rule.needs.iter().all(|evidence| available.contains(evidence));
    run_table(RULES.iter().filter(answerable), model, recommendations, settings, lang)
}

fn run_table<'r>(
    rules: impl IntoIterator<Item = &'r Rule>,
    model: &Model,
    recommendations: &[Recommendation],
    settings: &Settings,
    lang: Lang,
) -> Vec<Finding> {
    let mut drafts: Vec<(&'r Rule, findings::Terms, Draft)> = Vec::new();
    for rule in rules {
        // Options may differ by collection or file: the rule runs once for each set of options, and of each run only
        // what these options are meant for is kept.
        for (variant, options) in settings.options(rule.id).into_iter().enumerate() {
            let least = options.get("minSample").and_then(Value::as_u64);
            // As a node, so that the types of all options are read by one reader, here and when they are checked.
            let options = Node::of(options).without("minSample");
            let mut findings = Findings::new(recommendations);
            if (rule.run)(model, &options, &mut findings).is_err() {
                continue;
            }
            for draft in findings.into_drafts() {
                if settings.options_for(rule.id, draft.namespace(), draft.file()) == variant {
                    let severity = settings.severity(rule.id, draft.namespace(), draft.file());
                    let min_sample = least.unwrap_or(rule.min_sample);
                    drafts.push((rule, findings::Terms { severity, min_sample, lang }, draft));
                }
            }
        }
    }
    let kept = one_a_cause(&drafts);
    let drafts = drafts.into_iter().zip(kept).filter(|(_, kept)| *kept);
    let mut out: Vec<Finding> = drafts.map(|((rule, terms, draft), _)| draft.finish(rule, &terms)).collect();
    sort(&mut out);
    out
}

/// Findings that are not about the model but about mongovet's own directives, worded like any other.
pub(crate) fn tell(id: &str, settings: &Settings, lang: Lang, say: impl FnOnce(&mut Findings)) -> Vec<Finding> {
    let Some(rule) = find(id) else { return Vec::new() };
    let mut findings = Findings::new(&[]);
    say(&mut findings);
    let finish = |draft: Draft| {
        let severity = settings.severity(id, draft.namespace(), draft.file());
        draft.finish(rule, &findings::Terms { severity, min_sample: rule.min_sample, lang })
    };
    findings.into_drafts().into_iter().map(finish).collect()
}

/// The stable order of a report.
pub(crate) fn sort(findings: &mut [Finding]) {
    fn key(f: &Finding) -> impl Ord + '_ {
        (&f.collection, &f.path, &f.location, &f.rule, &f.index, f.stage, &f.message)
    }
    findings.order_by(|a, b| key(a).cmp(&key(b)));
}

/// Which drafts stay: a rule is silent where one that it yields to speaks about the same subject of the same collection.
fn one_a_cause(drafts: &[(&Rule, findings::Terms, Draft)]) -> Vec<bool> {
    let mut told: BTreeMap<(Option<&str>, String), Vec<&'static str>> = BTreeMap::new();
    for (rule, _, draft) in drafts {
        for subject in draft.subjects() {
            told.entry((draft.namespace(), subject)).or_default().push(rule.id);
        }
    }
    let spoken = |rule: &Rule, draft: &Draft| {
        draft.subjects().into_iter().any(|subject| {
            let others = told.get(&(draft.namespace(), subject));
            others.is_some_and(|ids| ids.iter().any(|id| rule.yields_to.iter().any(|to| config::names(to, id))))
        })
    };
    drafts.iter().map(|(rule, _, draft)| rule.yields_to.is_empty() || !spoken(rule, draft)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Certainty;

    mod group {
        pub(super) mod rule {
            use schemars::JsonSchema;
            use serde::Deserialize;

            use crate::finding::Severity;
            use crate::model::Model;
            use crate::rules::{Findings, Place};

            #[derive(Debug, Default, Deserialize, JsonSchema)]
            #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
            pub(crate) struct Options {
                /// Says nothing.
                quiet: bool,
            }

            pub(crate) fn large(_: &Model, options: &Options, findings: &mut Findings) {
                if !options.quiet {
                    findings.measured(Place::path("shop.orders", "items"), 5).number("max", 300);
                    findings.measured(Place::path("shop.orders", "notes"), 500).number("max", 300);
                }
            }

            pub(crate) fn growing(_: &Model, _: &Options, findings: &mut Findings) {
                findings.measured(Place::path("shop.orders", "items"), 500).severity(Severity::Error);
                findings.certain(Place::path("shop.orders", "other")).cause("elsewhere").none_of(300, false);
                findings.inferred(Place::path("blog.posts", "items"), "names").severity(Severity::Error);
                findings.certain(Place::index("shop.orders", "a_1")).documents(10);
            }
        }
    }

    fn told(rules: &[Rule]) -> Vec<Finding> {
        run_table(rules, &Model::default(), &[], &Settings::default(), Lang::En)
    }

    #[test]
    fn the_specific_rule_speaks_for_one_cause() {
        let large = rule!("group/large", Warning, [Documents], group::rule::large);
        let growing = rule!("group/growing", Warning, [Documents], group::rule::growing);
        let places = |findings: Vec<Finding>| -> Vec<String> {
            let of = |f: &Finding| format!("{} {}", f.rule, f.path.as_deref().unwrap_or("-"));
            findings.iter().filter(|f| f.collection.as_deref() == Some("shop.orders")).map(of).collect()
        };
        let all =
            ["group/growing -", "group/growing items", "group/large items", "group/large notes", "group/growing other"];
        assert_eq!(places(told(&[large, growing])), all);
        let large = rule!("group/large", Warning, [Documents], group::rule::large).yields_to(&["group/gr*"]);
        let growing = rule!("group/growing", Warning, [Documents], group::rule::growing);
        let one = ["group/growing -", "group/growing items", "group/large notes", "group/growing other"];
        assert_eq!(places(told(&[large, growing])), one);
    }

    #[test]
    fn what_rests_on_little_is_a_hint_and_says_what_it_needs() {
        let findings = told(&[rule!("group/large", Warning, [Documents], group::rule::large)]);
        let levels: Vec<_> = findings.iter().map(|f| (f.severity, f.evidence.get("needed").is_some())).collect();
        assert_eq!(levels, [(Severity::Info, true), (Severity::Warning, false)]);
        assert!(findings[0].why.ends_with(". Seen on 5 only; 15 more are needed before this is more than a hint"));
        let few = told(&[rule!("group/large", Warning, [Documents], group::rule::large).min_sample(5)]);
        assert_eq!(few[0].severity, Severity::Warning);
    }

    #[test]
    fn guesses_previews_and_small_collections_are_capped() {
        let by_path = |findings: &[Finding], path: Option<&str>| {
            findings.iter().find(|f| f.path.as_deref() == path).map(|f| (f.severity, f.certainty))
        };
        let stable = told(&[rule!("group/growing", Error, [Documents], group::rule::growing)]);
        let guess = stable.iter().find(|f| f.certainty == Certainty::Inferred).unwrap();
        assert_eq!((guess.severity, &guess.evidence["heuristic"]), (Severity::Warning, &"names".into()));
        assert_eq!(by_path(&stable, None), Some((Severity::Error, Certainty::Certain)));
        let speed = told(&[rule!("group/growing", Error, [Documents], group::rule::growing).speed()]);
        assert_eq!(by_path(&speed, None), Some((Severity::Info, Certainty::Certain)));
        let preview = told(&[rule!("group/growing", Error, [Documents], group::rule::growing).preview()]);
        assert!(preview.iter().all(|f| f.severity == Severity::Info));
    }

    #[test]
    fn none_of_a_sample_carries_its_bound() {
        let findings = told(&[rule!("group/growing", Warning, [Documents], group::rule::growing)]);
        let other = findings.iter().find(|f| f.path.as_deref() == Some("other")).unwrap();
        assert_eq!(other.evidence["upperBound"], 0.01);
        assert!(other.why.contains("None of 300 were found"), "{}", other.why);
    }

    #[test]
    fn fingerprints_tell_places_apart_and_ignore_lines() {
        use crate::finding::{Location, Position};
        let at = |line| Location { file: "q.js".into(), start: Some(Position { line, column: 1 }), end: None };
        let print = |place: &Place| findings::fingerprint("group/rule", place, &[]);
        let about = |cause: &str| findings::fingerprint("group/rule", &Place::none(), &[cause.to_owned()]);
        assert_ne!(about("events_*"), about("logs_*"));
        assert_eq!(print(&Place::none().at(at(1))), print(&Place::none().at(at(9))));
        let places = [
            Place::none(),
            Place::collection("a.b"),
            Place::collection(""),
            Place::path("a.b", "c"),
            Place::index("a.b", "c"),
            Place::path("a", "b"),
            Place::collection("ab"),
            Place::collection("a.b").with_stage(1),
        ];
        for (i, a) in places.iter().enumerate() {
            assert!(places.iter().skip(i + 1).all(|b| print(a) != print(b)), "{a:?}");
        }
    }

    #[test]
    fn options_are_checked_with_their_names() {
        let large = rule!("group/large", Warning, [Documents], group::rule::large);
        let validate = |text: &str| large.validate(&crate::config::node(text));
        assert_eq!(validate("{quiet: true, minSample: 3}"), Ok(()));
        let unknown = validate("{minSample: 3, quite: true}").unwrap_err();
        assert_eq!((unknown.offset, unknown.to_string()), (Some(15), "unknown key `quite`".to_owned()));
        assert_eq!(unknown.hint.map(|hint| hint.told(Lang::En)).as_deref(), Some("did you mean `quiet`?"));
        assert_eq!(validate("{minSample: -1}").unwrap_err().offset, Some(12));
    }
}
