//! What files tell each other: collections, databases, models and constants that one exports and another imports.
//!
//! Files come one by one and in any order. Each leaves what it exports and what it would like to know as facts; once all
//! are there, `link` reads those again that can know more.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::ast::{Argument, CallExpression, ChainElement, Expression, ObjectPropertyKind};
use serde::{Deserialize, Serialize};

use super::flow;
use super::literal::{self, bare};
use super::source::Script;
use super::targets::Target;
use super::tree::{Change, Declared, Export, Imported, Member, Path, Step, key_name};
use crate::catalogue::Namespace;
use crate::value::Value;
use crate::workload::{Api, Key, Member as Part, Term, What};

/// What a name stands for that another file exports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Fact {
    /// A database.
    Database {
        /// Its name, where it is known.
        name: Option<String>,
        /// Whether its members are collections, as in the shell.
        shell: bool,
    },
    /// A collection or model.
    Collection {
        /// Its name, where it is known. `\0` and a digit stand for an argument of the function around it.
        ns: Option<Namespace>,
        /// Through what it is reached.
        api: Api,
    },
    /// A schema of Mongoose, with the collection that it names.
    Schema(Option<String>),
    /// A constant.
    Value(Value),
    /// A function that gives this.
    Returns(Box<Fact>),
    /// An object, a class or an instance with these members.
    Members(BTreeMap<String, Fact>),
}

/// What a file exports.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Exports {
    /// What stands for the whole file: `module.exports = …`.
    whole: Option<Fact>,
    /// Exports by name; `default` is one.
    named: BTreeMap<String, Fact>,
    /// Names that are handed on: name, module, name there (`*` for the whole module).
    handed: Vec<(String, String, String)>,
    /// Modules all of whose names are handed on.
    all: Vec<String>,
}

/// What a file says to others, and what it asks of them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Module {
    /// What it exports.
    pub(crate) exports: Exports,
    /// The models that it declares, with the collection that they name; nothing for Mongoose's plural.
    pub(crate) models: BTreeMap<String, Option<String>>,
    /// What it would like to know of other modules: module, name.
    pub(crate) wanted: BTreeSet<(String, String)>,
    /// Models that it uses and does not declare.
    pub(crate) wanted_models: BTreeSet<String>,
}

/// What is known of the things that a file imports.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Imports {
    /// By module and name.
    pub(crate) facts: BTreeMap<(String, String), Fact>,
    /// Collections of models of other files; nothing where they differ.
    pub(crate) models: BTreeMap<String, Option<String>>,
}

/// The whole of a module.
const WHOLE: &str = "*";

/// Members of objects that are told.
const MOST_MEMBERS: usize = 500;

/// Bytes of constants that are told.
const LONGEST_TEXT: usize = 500;

/// Objects within objects, and names behind names, that are followed.
const DEEPEST: u32 = 12;

/// Stands for an argument in the name of a collection. No name can hold it.
fn placeholder(argument: usize) -> String {
    format!("\0{argument}")
}

impl Fact {
    /// A member.
    fn member(&self, name: &str) -> Option<Fact> {
        match self {
            Fact::Members(members) => members.get(name).cloned(),
            Fact::Value(Value::Object(members)) => {
                members.iter().rev().find(|(known, _)| known == name).map(|(_, value)| Fact::Value(value.clone()))
            }
            _ => None,
        }
    }

    /// What a call of it gives.
    fn called(&self, cx: &Script<'_>, call: &CallExpression<'_>) -> Option<Fact> {
        let Fact::Returns(inner) = self else { return None };
        Some(inner.bound(&|place| cx.text_argument(&call.arguments, place)))
    }

    /// It with the arguments put into its names.
    fn bound(&self, argument: &dyn Fn(usize) -> Option<String>) -> Fact {
        match self {
            Fact::Collection { ns: Some(ns), api } if ns.collection.contains('\0') => {
                let mut collection = Some(ns.collection.clone());
                for place in 0..MOST_ARGUMENTS {
                    let held = placeholder(place);
                    if collection.as_ref().is_some_and(|name| name.contains(&held)) {
                        collection = argument(place).and_then(|text| Some(collection?.replace(&held, &text)));
                    }
                }
                let database = ns.database.clone();
                Fact::Collection { ns: collection.map(|collection| Namespace { database, collection }), api: *api }
            }
            Fact::Members(members) => {
                Fact::Members(members.iter().map(|(name, member)| (name.clone(), member.bound(argument))).collect())
            }
            other => other.clone(),
        }
    }

    /// What it gives access to.
    pub(super) fn target(self) -> Option<Target> {
        match self {
            Fact::Database { name, shell } => Some(Target::Database { name, shell }),
            Fact::Collection { ns, api } => Some(Target::Collection { ns, api }),
            _ => None,
        }
    }

    /// The value that it is, with holes for what is no value.
    pub(super) fn term(self) -> Term {
        match self {
            Fact::Value(value) => Term::from(value),
            Fact::Members(members) => {
                let part = |(name, member): (String, Fact)| Part {
                    key: Key::Name(name),
                    value: member.term(),
                    span: None,
                    spread: true,
                };
                // It may have members of which nothing is known.
                let mut parts = vec![Part { key: Key::Spread, value: Term::hole(), span: None, spread: true }];
                parts.extend(members.into_iter().map(part));
                Term::new(What::Object(parts))
            }
            _ => Term::hole(),
        }
    }
}

/// Arguments that may name a collection.
const MOST_ARGUMENTS: usize = 4;

impl Exports {
    /// What a name of the module stands for; `follow` finds modules that it hands on.
    pub(crate) fn get(&self, name: &str, follow: &dyn Fn(&str, &str) -> Option<Fact>) -> Option<Fact> {
        if name == WHOLE {
            if self.whole.is_some() {
                return self.whole.clone();
            }
            let mut members = self.named.clone();
            for module in &self.all {
                if let Some(Fact::Members(more)) = follow(module, WHOLE) {
                    for (name, fact) in more {
                        members.entry(name).or_insert(fact);
                    }
                }
            }
            for (name, module, there) in &self.handed {
                if let Some(fact) = follow(module, there) {
                    members.insert(name.clone(), fact);
                }
            }
            return (!members.is_empty()).then_some(Fact::Members(members));
        }
        if let Some(fact) = self.named.get(name) {
            return Some(fact.clone());
        }
        if let Some((_, module, there)) = self.handed.iter().find(|(known, ..)| known == name) {
            return follow(module, there);
        }
        if let Some(whole) = &self.whole {
            // `import users from './users'` of a file that says `module.exports = users`.
            return if name == "default" { Some(whole.clone()) } else { whole.member(name) };
        }
        let mut found = self.all.iter().filter_map(|module| follow(module, name).filter(|_| name != "default"));
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }
}

/// What a script exports, and what it asks of other files.
pub(super) fn module(cx: &Script<'_>) -> Module {
    let mut exports = Exports::default();
    for export in &cx.tree.exports {
        match export {
            Export::Local { name, local, at } => {
                let symbol = cx.tree.resolve(local, *at);
                if let Some(fact) = symbol.and_then(|symbol| cx.fact_of_symbol(symbol, *at, DEEPEST)) {
                    put(&mut exports.named, name, fact);
                }
            }
            Export::Value { name, value } => {
                let Some(fact) = cx.fact(value, DEEPEST) else { continue };
                match name {
                    Some(name) => put(&mut exports.named, name, fact),
                    // Two wholes exclude each other.
                    None if exports.whole.as_ref().is_some_and(|known| *known != fact) => exports.whole = None,
                    None => exports.whole = Some(fact),
                }
            }
            Export::Handed { name, module, there } => {
                exports.handed.push(((*name).to_owned(), (*module).to_owned(), (*there).to_owned()));
            }
            Export::All(module) => exports.all.push((*module).to_owned()),
        }
    }
    Module {
        exports,
        models: cx.models.declared().clone(),
        wanted: cx.wanted.borrow().clone(),
        wanted_models: cx.wanted_models.borrow().clone(),
    }
}

fn put(named: &mut BTreeMap<String, Fact>, name: &str, fact: Fact) {
    if named.len() < MOST_MEMBERS || named.contains_key(name) {
        named.insert(name.to_owned(), fact);
    }
}

/// Whether a constant is small enough to be told.
fn is_small(value: &Value, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match value {
        Value::String(text) => text.len() <= LONGEST_TEXT,
        Value::Object(members) => {
            members.len() <= 100 && members.iter().all(|(name, value)| name.len() <= 200 && is_small(value, depth))
        }
        Value::Array(elements) => elements.len() <= 100 && elements.iter().all(|value| is_small(value, depth)),
        Value::BinData(..) | Value::Javascript(_) | Value::Undefined => false,
        _ => true,
    }
}

impl<'a> Script<'a> {
    /// What is known of a name of another module. What is not known is asked for.
    fn known(&self, module: &str, name: &str) -> Option<Fact> {
        if !is_project(module) {
            return None;
        }
        let key = (module.to_owned(), name.to_owned());
        let known = self.imports.facts.get(&key).cloned();
        self.wanted.borrow_mut().insert(key);
        known
    }

    /// What an expression stands for that begins with something imported.
    pub(super) fn imported(&self, expression: &Expression<'_>, depth: u32) -> Option<Fact> {
        if self.tree.modules.is_empty() {
            return None;
        }
        let depth = depth.checked_sub(1).filter(|_| self.spend(1))?;
        match bare(expression) {
            Expression::Identifier(name) => {
                let symbol = self.tree.resolve(name.name.as_str(), name.span.start)?;
                self.imported_symbol(symbol, depth)
            }
            Expression::StaticMemberExpression(member) => {
                self.imported(&member.object, depth)?.member(member.property.name.as_str())
            }
            Expression::ComputedMemberExpression(member) => {
                let whole = self.imported(&member.object, depth)?;
                whole.member(literal::evaluate(&member.expression, self).as_str()?)
            }
            Expression::CallExpression(call) => self.imported_call(call, depth),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.imported_call(call, depth),
                ChainElement::StaticMemberExpression(member) => {
                    self.imported(&member.object, depth)?.member(member.property.name.as_str())
                }
                _ => None,
            },
            // The members of an instance are told with those of its class.
            Expression::NewExpression(new) => match self.imported(&new.callee, depth)? {
                fact @ Fact::Members(_) => Some(fact),
                _ => None,
            },
            Expression::ImportExpression(import) => match &import.source {
                Expression::StringLiteral(module) => self.known(module.value.as_str(), WHOLE),
                _ => None,
            },
            _ => None,
        }
    }

    fn imported_call(&self, call: &CallExpression<'_>, depth: u32) -> Option<Fact> {
        if let (Expression::Identifier(name), Some(Argument::StringLiteral(module))) =
            (bare(&call.callee), call.arguments.first())
            && name.name == "require"
        {
            return self.known(module.value.as_str(), WHOLE);
        }
        self.imported(&call.callee, depth)?.called(self, call)
    }

    /// What a declared name stands for, where it comes from another module.
    pub(super) fn imported_symbol(&self, symbol: u32, depth: u32) -> Option<Fact> {
        let symbol = self.tree.symbol(symbol)?;
        if symbol.is_changed() {
            return None;
        }
        match &symbol.declared {
            Declared::Import(module, imported) => self.known(
                module,
                match imported {
                    Imported::Default => "default",
                    Imported::Named(name) => name,
                    Imported::All => WHOLE,
                },
            ),
            Declared::Value(init, path) => self.imported_part(init, path, depth),
            _ => None,
        }
    }

    /// What a pattern takes of something imported.
    pub(super) fn imported_part(&self, init: &Expression<'_>, path: &Path<'_>, depth: u32) -> Option<Fact> {
        let mut fact = self.imported(init, depth)?;
        for step in &path.steps {
            let Step::Name(name) = step else { return None };
            fact = fact.member(name)?;
        }
        Some(fact)
    }

    /// What an expression would tell another file.
    fn fact(&self, expression: &Expression<'a>, depth: u32) -> Option<Fact> {
        let depth = depth.checked_sub(1).filter(|_| self.spend(2))?;
        if let Some(fact) = self.imported(expression, 32) {
            return Some(fact);
        }
        if let Some(target) = self.target(expression) {
            return of_target(target);
        }
        match bare(expression) {
            Expression::Identifier(name) => {
                let symbol = self.tree.resolve(name.name.as_str(), name.span.start)?;
                self.fact_of_symbol(symbol, name.span.start, depth)
            }
            Expression::ObjectExpression(object) => {
                let mut members = BTreeMap::new();
                for property in &object.properties {
                    match property {
                        ObjectPropertyKind::ObjectProperty(property) => {
                            let Some(name) = key_name(&property.key).filter(|_| !property.computed) else { continue };
                            if let Some(fact) = self.fact(&property.value, depth) {
                                put(&mut members, name, fact);
                            }
                        }
                        ObjectPropertyKind::SpreadProperty(spread) => {
                            if let Some(Fact::Members(more)) = self.fact(&spread.argument, depth) {
                                members.extend(more);
                            }
                        }
                    }
                }
                members_or_none(members)
            }
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => {
                self.fact_of_function(flow::function_of(self, expression)?, depth)
            }
            Expression::StaticMemberExpression(member) => {
                self.fact(&member.object, depth)?.member(member.property.name.as_str())
            }
            Expression::CallExpression(call) => {
                // `Object.freeze({…})`, `Object.assign({}, …)`
                if let Expression::StaticMemberExpression(member) = bare(&call.callee)
                    && matches!(&member.object, Expression::Identifier(name) if name.name == "Object")
                    && member.property.name == "freeze"
                {
                    return self.fact(call.arguments.first()?.as_expression()?, depth);
                }
                self.constant(expression)
            }
            Expression::NewExpression(new) => {
                if let Some(schema) = super::mongoose::schema_fact(self, expression) {
                    return Some(schema);
                }
                match self.fact(&new.callee, depth)? {
                    fact @ Fact::Members(_) => Some(fact),
                    _ => None,
                }
            }
            _ => self.constant(expression),
        }
    }

    fn constant(&self, expression: &Expression<'_>) -> Option<Fact> {
        literal::evaluate(expression, self).value().filter(|value| is_small(value, 8)).map(Fact::Value)
    }

    fn fact_of_symbol(&self, number: u32, at: u32, depth: u32) -> Option<Fact> {
        let depth = depth.checked_sub(1).filter(|_| self.spend(2))?;
        let symbol = self.tree.symbol(number)?;
        if let Some(fact) = self.imported_symbol(number, depth) {
            return Some(fact);
        }
        if let Some(target) = self.named_target(symbol.name, at, 32) {
            return of_target(target);
        }
        if let Some(schema) = self.models.schema_of(number) {
            return Some(schema);
        }
        match &symbol.declared {
            Declared::Function(function) if !symbol.is_changed() => self.fact_of_function(*function, depth),
            Declared::Class(class) => self.fact_of_class(*class, depth),
            Declared::Enum(declaration) => {
                let members = flow::enum_members(self, declaration, 16);
                let known = members.into_iter().filter_map(|(name, what)| match what {
                    What::Value(value) => Some((name, Fact::Value(value))),
                    _ => None,
                });
                members_or_none(known.take(MOST_MEMBERS).collect())
            }
            Declared::Value(init, path) => {
                let mut fact = self.fact(init, depth);
                for step in &path.steps {
                    let Step::Name(name) = step else { return None };
                    fact = fact?.member(name);
                }
                if !symbol.is_changed() {
                    return fact;
                }
                // `const models = {}; models.User = …`
                let mut members = match fact {
                    Some(Fact::Members(members)) => members,
                    None if matches!(bare(init), Expression::ObjectExpression(_)) => BTreeMap::new(),
                    _ => return None,
                };
                for write in &symbol.writes {
                    match &write.change {
                        Change::Set(path, value) => {
                            let [name] = path.as_slice() else { continue };
                            match self.fact(value, depth) {
                                // Set twice to different things.
                                Some(fact) if members.get(*name).is_some_and(|known| *known != fact) => {
                                    members.remove(*name);
                                }
                                Some(fact) => put(&mut members, name, fact),
                                None => {
                                    members.remove(*name);
                                }
                            }
                        }
                        Change::Passed | Change::SetComputed(..) => {}
                        _ => return None,
                    }
                }
                members_or_none(members)
            }
            _ => None,
        }
    }

    /// What a function gives back, its arguments left open.
    fn fact_of_function(&self, function: u32, depth: u32) -> Option<Fact> {
        let info = self.tree.functions.get(function as usize)?;
        if info.returns.is_empty() || info.returns.len() > 8 || self.frames.borrow().len() >= 4 {
            return None;
        }
        let open = (0..MOST_ARGUMENTS).map(|place| Term::from(Value::String(placeholder(place)))).collect();
        self.frames.borrow_mut().push((function, open));
        let facts: Vec<Fact> = info
            .returns
            .iter()
            .filter_map(|value| self.fact(value, depth))
            // A constant that a function gives may hang on more than its arguments.
            .filter(|fact| !matches!(fact, Fact::Value(_) | Fact::Schema(_)))
            .collect();
        self.frames.borrow_mut().pop();
        let (first, rest) = facts.split_first()?;
        rest.iter().all(|other| other == first).then(|| Fact::Returns(Box::new(first.clone())))
    }

    fn fact_of_class(&self, class: u32, depth: u32) -> Option<Fact> {
        let info = self.tree.classes.get(class as usize)?;
        let mut members = BTreeMap::new();
        for (name, values) in &info.members {
            let mut facts = values.iter().filter_map(|member| match member {
                Member::Value(value) => self.fact(value, depth),
                Member::Function(function) => {
                    let fact = self.fact_of_function(*function, depth)?;
                    let is_getter = self.tree.getters.contains(function);
                    match (is_getter, fact) {
                        (true, Fact::Returns(inner)) => Some(*inner),
                        (_, fact) => Some(fact),
                    }
                }
                Member::Typed(_) | Member::Parameter(_) => None,
            });
            let Some(first) = facts.next() else { continue };
            if facts.all(|other| other == first) {
                put(&mut members, name, first);
            }
        }
        members_or_none(members)
    }
}

fn of_target(target: Target) -> Option<Fact> {
    match target {
        Target::Database { name, shell } => Some(Fact::Database { name, shell }),
        Target::Collection { ns, api } => Some(Fact::Collection { ns, api }),
        Target::Bulk { .. } => None,
    }
}

fn members_or_none(members: BTreeMap<String, Fact>) -> Option<Fact> {
    (!members.is_empty()).then_some(Fact::Members(members))
}

/// Prefixes by which projects name their own folders.
pub(super) const ALIASES: &[&str] = &["@/", "~/", "#/", "src/"];

/// Whether a module is a file of the project and no package.
fn is_project(module: &str) -> bool {
    module.starts_with('.') || ALIASES.iter().any(|alias| module.starts_with(alias))
}
