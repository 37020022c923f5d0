//! Replica sets: who votes, where they stand, how far behind they are, how long the oplog reaches back, and what a write
//! waits for by default.

use serde::{Deserialize, Serialize};

use crate::order::Ordered;
use crate::value::location::Location;

/// All that is known of replica sets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ReplicaSets {
    /// Configurations (`rs.conf()`).
    pub configurations: Vec<Configuration>,
    /// Members as they were seen (`rs.status()`).
    pub states: Vec<State>,
    /// Oplogs (`db.getReplicationInfo()`, `rs.printReplicationInfo()`).
    pub oplogs: Vec<Oplog>,
    /// Default write concerns (`getDefaultRWConcern`, `setDefaultRWConcern`).
    pub write_concerns: Vec<DefaultWriteConcern>,
}

/// One configuration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Configuration {
    /// The input that holds it.
    pub file: String,
    /// Name of the set.
    pub name: String,
    /// The members, in their order.
    pub members: Vec<Member>,
}

/// A member of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Member {
    /// Host and port.
    pub host: String,
    /// Whether it votes.
    pub votes: bool,
    /// Whether it holds no data and only votes.
    pub arbiter: bool,
    /// Whether it is behind on purpose.
    pub delayed: bool,
    /// Its tags, sorted.
    pub tags: Vec<(String, String)>,
}

/// The members of a set at one moment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct State {
    /// The input that holds it.
    pub file: String,
    /// Name of the set.
    pub name: String,
    /// Name, state and time of the last operation in milliseconds, of each member whose time is known.
    pub members: Vec<(String, String, i64)>,
}

/// How long an oplog reaches back.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Oplog {
    /// The input that holds it.
    pub file: String,
    /// Seconds from its first entry to its last.
    pub seconds: i64,
    /// Whether it has reached its size, so that the window grows no more; absent where nothing tells.
    pub full: Option<bool>,
}

/// What a write waits for that does not say so itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DefaultWriteConcern {
    /// Where it stands.
    pub location: Location,
    /// How many members; none for another word than `majority` (a mode of tags).
    pub w: Option<Acknowledged>,
    /// Whether somebody set it, as against what the server takes by itself.
    pub explicit: bool,
}

/// How many members must have a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Acknowledged {
    /// `w: "majority"`.
    Majority,
    /// A number.
    Members(u32),
}

impl ReplicaSets {
    /// Takes what another part of the evidence knows.
    pub fn merge(&mut self, other: ReplicaSets) {
        self.configurations.extend(other.configurations);
        self.configurations.order();
        self.states.extend(other.states);
        self.states.order();
        self.oplogs.extend(other.oplogs);
        self.oplogs.order();
        self.write_concerns.extend(other.write_concerns);
        self.write_concerns.order_by(|a, b| place(a).cmp(&place(b)));
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.configurations.is_empty()
            && self.states.is_empty()
            && self.oplogs.is_empty()
            && self.write_concerns.is_empty()
    }

    /// Whether a host is behind on purpose.
    pub fn is_delayed(&self, host: &str) -> bool {
        let mut members = self.configurations.iter().flat_map(|one| &one.members);
        members.any(|member| member.host == host && member.delayed)
    }
}

fn place(concern: &DefaultWriteConcern) -> (&str, Option<(u32, u32)>) {
    (&concern.location.file, concern.location.start.map(|start| (start.line, start.column)))
}

impl Configuration {
    /// The members that vote.
    pub fn voters(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.votes)
    }

    /// How many votes elect a primary.
    pub fn majority(&self) -> usize {
        self.voters().count() / 2 + 1
    }

    /// Voters that hold data.
    pub fn voters_with_data(&self) -> usize {
        self.voters().filter(|member| !member.arbiter).count()
    }

    /// Arbiters that vote.
    pub fn arbiters(&self) -> usize {
        self.voters().filter(|member| member.arbiter).count()
    }

    /// Whether the server's own default is `w: 1` since 5.0: with an arbiter, where no more voters hold data than are
    /// a majority, so that one that is down would block each write.
    pub fn is_weak_by_default(&self) -> bool {
        0 < self.arbiters() && self.voters_with_data() <= self.majority()
    }
}
