//! mongovet vets MongoDB document models: it reads what a team already has, says what is wrong or risky, why, and
//! what to do.
//!
//! # Five-minute tour
//!
//! Data goes one way, and a module imports only from those before it:
//!
//! ```text
//! bytes ─► value (events) ─► profile ─┐
//! text  ─► workload, catalogue ────────┼─► model ─┬─► advice ─► recommendations ─┬─► report
//! intent ─► config ───────────────────┘          └──────────────► rules ────────┘
//! ```
//!
//! - [`value`]: BSON, Extended JSON and mongosh literals become one flat list of events a document, whole or not at
//!   all, so that a broken document leaves no half-counted traces.
//! - [`profile`]: everything that is counted on documents. Every counter is exact, mergeable and independent of order:
//!   this is what lets threads, files and saved profiles share the work.
//! - [`evidence`]: what an input is, by its content, and what is in it. [`catalogue`]: indexes, validators, options,
//!   statistics. [`workload`]: queries, updates and pipelines, from source code and logs.
//! - [`model`]: what rules and advice may see, built once. Between the two passes it asks *questions*; the second pass
//!   re-reads only the collections that are asked about and answers exactly.
//! - [`advice`] decides before [`rules`] speak, so that report and advice cannot contradict each other.
//! - [`report`]: one form, several renderings.
//!
//! [`Vet`] is the way through: open an input, write its bytes, close it; ask for [`Vet::questions`] and read those
//! inputs again; [`Vet::finish`].
//!
//! # Invariants
//!
//! 1. The core does no I/O, reads no clock, draws no random number, prints nothing, and never panics on any input.
//!    Equal input gives equal bytes.
//! 2. Only `wasm.rs` names wasm_bindgen; hosts are thin.
//! 3. Rules see the model, the recommendations and their own options; never files, each other, or raw bytes.
//! 4. A rule is one `.rs` and one `.md` a language; the page is documentation, help text and test at once.
//! 5. No threshold, sentence or fact about the server is written twice.
//! 6. Broken input becomes a problem in the report, with its place; a user's mistake becomes an [`Error`].
//! 7. Across the WASM boundary go bytes, strings and options, and text or plain objects come back.

pub mod advice;
pub mod catalogue;
pub mod config;
pub mod evidence;
pub mod facts;
pub mod finding;
pub mod locale;
pub mod model;
mod order;
pub mod profile;
pub mod remedy;
pub mod report;
pub mod rules;
mod schema;
pub mod selection;
pub mod value;
mod vet;
#[cfg(target_arch = "wasm32")]
mod wasm;
pub mod workload;

pub use config::Error;
pub use report::RenderOptions;
pub use vet::{InputOptions, Options, Span, Vet};
