//! A script that is being read: its text, what it declares, and what has been found out on the way.

use std::cell::{Cell, RefCell};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::ast::{Argument, Expression, Program};
use oxc_span::Span;

use super::literal::{self, bare};
use super::modules::Imports;
use super::mongoose::Models;
use super::scanner::Directive;
use super::tree::{RegionKind, Tree};
use crate::order::Ordered;
use crate::workload::Term;

/// Functions that undo a migration: what they drop is not dropped when the migration is applied.
const UNDO: &[&str] = &["down", "rollback", "revert", "undo"];

/// Libraries whose calls look like MongoDB's and are not.
const STRANGERS: &[&str] = &[
    "sequelize",
    "typeorm",
    "prisma",
    "objection",
    "bookshelf",
    "waterline",
    "nedb",
    "dexie",
    "pouchdb",
    "lowdb",
    "knex",
    "firebase",
    "firestore",
    "lokijs",
    "rxdb",
    "realm",
    "sqlite",
    "mysql",
    "postgres",
    "drizzle",
];

/// A script, as far as it is known.
pub(super) struct Script<'a> {
    /// The text that was parsed.
    pub(super) text: &'a str,
    /// What it declares.
    pub(super) tree: Tree<'a>,
    /// Its Mongoose schemas and models.
    pub(super) models: Models,
    /// The database that the input's name says.
    database: Option<String>,
    /// Changes of the current database, in the order of the text.
    databases: Vec<(u32, Option<String>)>,
    /// Values of names that never change, with their sizes.
    pub(super) memo: RefCell<BTreeMap<u32, (Term, u32)>>,
    /// Functions that are being followed, with their arguments.
    pub(super) frames: RefCell<Vec<(u32, Vec<Term>)>>,
    /// Names that are being evaluated.
    pub(super) active: RefCell<Vec<u32>>,
    /// Where names of members stand that a request gives.
    pub(super) sent_keys: RefCell<BTreeSet<u32>>,
    /// What is known of the things that it imports.
    pub(super) imports: Imports,
    /// What it would like to know of other modules: module, name.
    pub(super) wanted: RefCell<BTreeSet<(String, String)>>,
    /// Models that it uses and does not declare.
    pub(super) wanted_models: RefCell<BTreeSet<String>>,
    /// Calls that are operations, or belong to one as its cursor methods, by their spans.
    operations: RefCell<BTreeMap<(u32, u32), u32>>,
    /// Steps that are left: a script is data, and may be written to take for ever.
    steps: Cell<u32>,
}

impl<'a> Script<'a> {
    /// A program with its text.
    pub(super) fn new(
        text: &'a str,
        program: &Program<'a>,
        database: Option<String>,
        directives: &[Directive],
        imports: Imports,
    ) -> Script<'a> {
        let steps = 300_000_u32.saturating_add((text.len() as u32).saturating_mul(4));
        let mut script = Script {
            text,
            tree: Tree::new(text, program),
            models: Models::default(),
            database,
            databases: directives.iter().map(|d| (d.offset as u32, Some(d.database.clone()))).collect(),
            memo: RefCell::default(),
            frames: RefCell::default(),
            active: RefCell::default(),
            sent_keys: RefCell::default(),
            imports,
            wanted: RefCell::default(),
            wanted_models: RefCell::default(),
            operations: RefCell::default(),
            steps: Cell::new(steps),
        };
        script.follow_databases();
        script.models = Models::new(&script);
        script.memo.borrow_mut().clear();
        script
    }

    /// `use('shop')` and `db = …`, beside the directives that the scanner found.
    fn follow_databases(&mut self) {
        let mut found = Vec::new();
        for site in &self.tree.calls {
            if let (Expression::Identifier(name), Some(database)) =
                (bare(&site.call.callee), site.call.arguments.first())
                && name.name == "use"
                && let Some(database) = literal::argument(database, self).as_str()
            {
                found.push((site.call.span.end, Some(database.to_owned())));
            }
        }
        self.databases.extend(found);
        self.databases.order_by_key(|(at, _)| *at);
        let assigned: Vec<(u32, Option<String>)> = self
            .tree
            .globals
            .iter()
            .filter(|(name, ..)| *name == "db")
            .filter_map(|(_, value, end)| match self.target(value)? {
                super::targets::Target::Database { name, .. } => Some((*end, name)),
                _ => None,
            })
            .collect();
        self.databases.extend(assigned);
        self.databases.order_by_key(|(at, _)| *at);
    }

    /// The current database at a position: that of the last `use`, or of the input's name.
    pub(super) fn database_at(&self, at: u32) -> Option<String> {
        let behind = self.databases.partition_point(|(from, _)| *from <= at);
        match behind.checked_sub(1).and_then(|last| self.databases.get(last)) {
            Some((_, database)) => database.clone(),
            None => self.database.clone(),
        }
    }

    /// The text of a span.
    pub(super) fn source(&self, span: Span) -> Option<&'a str> {
        self.text.get(span.start as usize..span.end as usize)
    }

    /// Takes steps from those that are left; false where too few are.
    pub(super) fn spend(&self, steps: u32) -> bool {
        match self.steps.get().checked_sub(steps) {
            Some(left) => {
                self.steps.set(left);
                true
            }
            None => false,
        }
    }

    /// The operation that a call makes or belongs to.
    pub(super) fn operation_of(&self, call: Span) -> Option<u32> {
        self.operations.borrow().get(&(call.start, call.end)).copied()
    }

    /// Remembers that a call belongs to an operation. False where it is known to belong to one.
    pub(super) fn claim(&self, call: Span, operation: u32) -> bool {
        match self.operations.borrow_mut().entry((call.start, call.end)) {
            Entry::Vacant(free) => {
                free.insert(operation);
                true
            }
            Entry::Occupied(_) => false,
        }
    }

    /// Whether a position lies in a function that undoes a migration.
    pub(super) fn is_undone(&self, at: u32) -> bool {
        self.tree.around(at).any(|(_, region)| match region.kind {
            RegionKind::Function(function) => {
                let name = self.tree.functions.get(function as usize).and_then(|function| function.name);
                name.is_some_and(|name| UNDO.contains(&name))
            }
            _ => false,
        })
    }

    /// Whether a position is reached only after something has failed: what is done there stands in for what is wanted.
    pub(super) fn is_fallback(&self, at: u32) -> bool {
        self.tree.catches.iter().any(|span| span.start <= at && at < span.end)
            || self.tree.around(at).any(|(_, region)| match region.kind {
                RegionKind::Function(function) => {
                    let callback = self.tree.functions.get(function as usize).and_then(|function| function.callback);
                    callback.is_some_and(|(call, _)| {
                        matches!(&call.callee, Expression::StaticMemberExpression(member) if member.property.name == "catch")
                    })
                }
                _ => false,
            })
    }

    /// Whether it uses another library whose calls look the same, and none of MongoDB's.
    pub(super) fn is_strange(&self) -> bool {
        let about = |words: &[&str]| {
            self.tree.modules.iter().any(|module| {
                let module = module.to_ascii_lowercase();
                words.iter().any(|word| module.contains(word))
            })
        };
        about(STRANGERS) && !about(&["mongo"])
    }

    /// A text that an argument is known to be.
    pub(super) fn text_argument(&self, arguments: &[Argument<'_>], place: usize) -> Option<String> {
        let term = literal::argument(arguments.get(place)?, self);
        term.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    }
}
