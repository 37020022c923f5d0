//! Rules on replica sets.

pub(super) mod arbiter;
pub(super) mod default_write_concern;
pub(super) mod even_voters;
pub(super) mod lagging;
pub(super) mod one_fault_domain;
pub(super) mod oplog_window;
pub(super) mod read_preference;
pub(super) mod too_few_members;

use super::Place;
use crate::catalogue::replica_set::{Configuration, DefaultWriteConcern};
use crate::model::Model;
use crate::value::location::Location;

/// A finding about what an input says as a whole.
fn place(file: &str) -> Place {
    Place::none().at(Location { file: file.to_owned(), start: None, end: None })
}

/// The write concern that counts where a write names none: what a script sets goes before what the server showed.
fn default_write_concern(model: &Model) -> Option<&DefaultWriteConcern> {
    let concerns = || model.replica_sets.write_concerns.iter();
    concerns().rfind(|concern| concern.location.start.is_some()).or_else(|| concerns().next_back())
}

/// The configuration that a default write concern is about: the only one.
fn only_configuration(model: &Model) -> Option<&Configuration> {
    match model.replica_sets.configurations.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}
