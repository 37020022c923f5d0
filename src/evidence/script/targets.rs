//! What expressions give access to: databases, collections, Mongoose models.
//!
//! Only what is proven: a variable that happens to be called `users` is no collection.

use oxc_ast::ast::{
    Argument, CallExpression, ChainElement, Expression, FormalParameter, ObjectPropertyKind, TSType, TSTypeName,
    TSTypeReference,
};
use oxc_span::GetSpan;

use super::flow::{called_function, object_member, within};
use super::literal::{self, bare};
use super::modules::Fact;
use super::mongoose;
use super::source::Script;
use super::tree::{Change, Declared, Member, Path, Step, required};
use crate::catalogue::Namespace;
use crate::workload::Api;

/// What an expression gives access to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    /// A database; its name, where it is known.
    Database {
        name: Option<String>,
        /// Whether its members are collections, as in the shell.
        shell: bool,
    },
    /// A collection or model.
    Collection {
        /// Its name, where it is known.
        ns: Option<Namespace>,
        api: Api,
    },
    /// A bulk operation that is being filled.
    Bulk { ns: Option<Namespace>, api: Api },
}

/// Members, calls and names that are followed to find a target.
const LONGEST_PATH: u32 = 32;

/// Functions whose result is a shell's database.
const SHELL_CONNECTIONS: &[&str] = &["mongojs", "mongoist", "pmongo"];

impl<'a> Script<'a> {
    /// The database or collection that an expression stands for.
    pub(super) fn target(&self, expression: &Expression<'_>) -> Option<Target> {
        self.target_at(expression, LONGEST_PATH)
    }

    /// A collection of that name in a database.
    pub(super) fn collection(&self, database: Option<String>, name: Option<String>, at: u32, api: Api) -> Target {
        let ns = name.map(|collection| Namespace { database: database.or_else(|| self.database_at(at)), collection });
        Target::Collection { ns, api }
    }

    fn target_at(&self, expression: &Expression<'_>, depth: u32) -> Option<Target> {
        let depth = depth.checked_sub(1).filter(|_| self.spend(1))?;
        if let Some(target) = self.imported(expression, depth).and_then(Fact::target) {
            return Some(target);
        }
        match bare(expression) {
            Expression::Identifier(name) => self.named_target(name.name.as_str(), name.span.start, depth),
            Expression::StaticMemberExpression(member) => {
                self.member_target(&member.object, Some(member.property.name.as_str()), depth)
            }
            Expression::PrivateFieldExpression(member) => {
                self.member_target(&member.object, Some(member.field.name.as_str()), depth)
            }
            Expression::ComputedMemberExpression(member) => {
                let name = literal::evaluate(&member.expression, self);
                self.member_target(&member.object, name.as_str(), depth)
            }
            Expression::CallExpression(call) => self.called_target(call, depth),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.called_target(call, depth),
                ChainElement::StaticMemberExpression(member) => {
                    self.member_target(&member.object, Some(member.property.name.as_str()), depth)
                }
                _ => None,
            },
            Expression::LogicalExpression(logical) => {
                either(self.target_at(&logical.left, depth), self.target_at(&logical.right, depth))
            }
            Expression::ConditionalExpression(one) => {
                either(self.target_at(&one.consequent, depth), self.target_at(&one.alternate, depth))
            }
            Expression::AssignmentExpression(assignment) => self.target_at(&assignment.right, depth),
            Expression::ThisExpression(this) => mongoose::of_static(self, this.span.start),
            _ => None,
        }
    }

    pub(super) fn named_target(&self, name: &str, at: u32, depth: u32) -> Option<Target> {
        let Some(number) = self.tree.resolve(name, at) else {
            if let Some(value) = self.tree.globals.iter().rev().find(|(known, ..)| *known == name && name != "db") {
                return self.target_at(value.1, depth);
            }
            // The shell's own.
            return matches!(name, "db" | "database" if !self.is_strange())
                .then(|| Target::Database { name: self.database_at(at), shell: true });
        };
        let symbol = self.tree.symbol(number)?;
        {
            let mut active = self.active.borrow_mut();
            if active.contains(&number) {
                return None;
            }
            active.push(number);
        }
        let mut found = self.declared_target(&symbol.declared, symbol.name, at, depth);
        for write in &symbol.writes {
            if let Change::Assign(value) = &write.change {
                found = either(found, self.target_at(value, depth));
            }
        }
        self.active.borrow_mut().pop();
        found.or_else(|| symbol.annotation.and_then(|annotation| self.typed_target(annotation, at)))
    }

    fn declared_target(&self, declared: &Declared<'a>, name: &str, at: u32, depth: u32) -> Option<Target> {
        match declared {
            Declared::Value(init, path) if path.steps.is_empty() => {
                // What a module hands out under this name is not known from here.
                if required(init).is_some()
                    && !matches!(bare(init), Expression::CallExpression(call) if is_method(call))
                {
                    return self.imported_target(required(init)?, name, at);
                }
                self.target_at(init, depth)
            }
            Declared::Value(init, path) => match self.part_target(init, path, depth) {
                Some(target) => Some(target),
                None => required(init).and_then(|module| self.imported_target(module, name, at)),
            },
            Declared::Parameter(function, place, path, parameter) => {
                self.parameter_target(*function, *place, path, parameter, name, at, depth)
            }
            Declared::Import(module, _) => self.imported_target(module, name, at),
            _ => None,
        }
    }

    /// What a pattern takes of an expression: `const { orders } = collections`, `const { db } = this`.
    fn part_target(&self, init: &Expression<'a>, path: &Path<'a>, depth: u32) -> Option<Target> {
        match path.steps.as_slice() {
            [Step::Name(name)] => self.member_target(init, Some(name), depth),
            [Step::Place(place)] => match bare(init) {
                Expression::ArrayExpression(array) => {
                    self.target_at(array.elements.get(*place)?.as_expression()?, depth)
                }
                // `const [a, b] = await Promise.all([…])`
                Expression::CallExpression(call) => match call.arguments.first()?.as_expression().map(bare)? {
                    Expression::ArrayExpression(array) => {
                        self.target_at(array.elements.get(*place)?.as_expression()?, depth)
                    }
                    _ => None,
                },
                _ => None,
            },
            [.., Step::Name("db")] => Some(Target::Database { name: None, shell: false }),
            _ => None,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "they are the parts of one declaration")]
    fn parameter_target(
        &self,
        function: u32,
        place: usize,
        path: &Path<'a>,
        parameter: &'a FormalParameter<'a>,
        name: &str,
        at: u32,
        depth: u32,
    ) -> Option<Target> {
        let known = self.injected_target(parameter, at);
        if known.is_some() {
            return known;
        }
        // `async (session) => …` of a helper that is called with a collection: only where the callback says so.
        let info = self.tree.functions.get(function as usize)?;
        if let Some((call, _)) = info.callback
            && let Expression::StaticMemberExpression(member) = bare(&call.callee)
            && matches!(member.property.name.as_str(), "then")
            && place == 0
            && path.steps.is_empty()
        {
            return self.target_at(&member.object, depth);
        }
        // `db.collection('users', (error, users) => …)` of old drivers.
        if let Some((call, _)) = info.callback
            && place == 1
            && path.steps.is_empty()
            && let Expression::StaticMemberExpression(member) = bare(&call.callee)
            && member.property.name == "collection"
        {
            return self.called_target(call, depth);
        }
        (matches!(name, "db" | "database") && !self.is_strange())
            .then(|| Target::Database { name: self.database_at(at), shell: !self.tree.is_module })
    }

    /// `@InjectModel(User.name) users: Model<User>` and its like.
    fn injected_target(&self, parameter: &FormalParameter<'a>, at: u32) -> Option<Target> {
        let annotation = parameter.type_annotation.as_ref().map(|annotation| &annotation.type_annotation);
        for decorator in &parameter.decorators {
            let Expression::CallExpression(call) = &decorator.expression else { continue };
            let Expression::Identifier(name) = &call.callee else { continue };
            match name.name.as_str() {
                "InjectModel" => {
                    let model = call.arguments.first().and_then(|argument| match argument {
                        Argument::StaticMemberExpression(member) => match &member.object {
                            Expression::Identifier(class) => Some(class.name.as_str().to_owned()),
                            _ => None,
                        },
                        Argument::Identifier(class) => Some(class.name.as_str().to_owned()),
                        other => literal::argument(other, self).as_str().map(str::to_owned),
                    });
                    return Some(match model {
                        Some(model) => mongoose::model_target(self, &model, at),
                        None => Target::Collection { ns: None, api: Api::Mongoose },
                    });
                }
                "InjectConnection" => return Some(Target::Database { name: None, shell: false }),
                _ => {}
            }
        }
        annotation.and_then(|annotation| self.typed_target(annotation, at))
    }

    /// What a type of the driver or of Mongoose says.
    fn typed_target(&self, annotation: &TSType<'_>, at: u32) -> Option<Target> {
        let reference = match annotation {
            TSType::TSTypeReference(reference) => reference,
            // `Collection<Order> | null`
            TSType::TSUnionType(union) => {
                let mut known = union.types.iter().filter_map(|one| self.typed_target(one, at));
                return known.next().filter(|_| known.next().is_none());
            }
            _ => return None,
        };
        let name = match &reference.type_name {
            TSTypeName::IdentifierReference(name) => name.name.as_str(),
            TSTypeName::QualifiedName(name) => name.right.name.as_str(),
            TSTypeName::ThisExpression(_) => return None,
        };
        let from = |part: &str| self.tree.modules.iter().any(|module| module.contains(part));
        match name {
            "Collection" if from("mongodb") || !self.tree.is_module => {
                Some(Target::Collection { ns: None, api: Api::Driver })
            }
            "Db" => Some(Target::Database { name: None, shell: false }),
            "Model" | "PaginateModel" | "ReturnModelType" | "AggregatePaginateModel"
                if from("mongoose") || from("typegoose") =>
            {
                let model = first_type(reference).map(|name| name.trim_end_matches("Document").trim_start_matches('I'));
                let known = model.filter(|model| mongoose::knows(self, model));
                Some(match known {
                    Some(model) => mongoose::model_target(self, model, at),
                    None => Target::Collection { ns: None, api: Api::Mongoose },
                })
            }
            _ => None,
        }
    }

    /// What an import may be: a model that another file declares.
    fn imported_target(&self, module: &str, name: &str, _at: u32) -> Option<Target> {
        let lower = module.to_ascii_lowercase();
        let capital = name.chars().next().is_some_and(char::is_uppercase);
        let is_model = capital && !lower.contains("mongoose") && (lower.contains("model") || lower.contains("schema"));
        (is_model && !self.is_strange()).then_some(Target::Collection { ns: None, api: Api::Mongoose })
    }

    /// A member of what an expression stands for.
    fn member_target(&self, object: &Expression<'_>, name: Option<&str>, depth: u32) -> Option<Target> {
        let at = object.span().start;
        if let Expression::ThisExpression(_) = bare(object)
            && let Some(name) = name
        {
            return self.own_member_target(name, at, depth);
        }
        match self.target_at(object, depth) {
            Some(Target::Database { name: database, shell: true }) => {
                return Some(self.collection(database, name.map(str::to_owned), at, Api::Shell));
            }
            Some(Target::Database { name: database, shell: false }) => {
                // `mongoose.connection.db`, `connection.db`
                return (name == Some("db")).then_some(Target::Database { name: database, shell: false });
            }
            Some(Target::Collection { ns: Some(ns), api: Api::Shell }) => {
                let ns = name
                    .map(|name| Namespace { collection: format!("{}.{name}", ns.collection), database: ns.database });
                return Some(Target::Collection { ns, api: Api::Shell });
            }
            // The driver's collection beneath a model.
            Some(Target::Collection { ns, api: Api::Mongoose }) => {
                return match name {
                    Some("collection") => Some(Target::Collection { ns, api: Api::Driver }),
                    _ => None,
                };
            }
            Some(Target::Collection { .. } | Target::Bulk { .. }) => return None,
            None => {}
        }
        let name = name?;
        match bare(object) {
            Expression::Identifier(holder) => {
                let found = self.held_target(holder.name.as_str(), holder.span.start, name, depth);
                if found.is_some() {
                    return found;
                }
            }
            Expression::ObjectExpression(_) => {
                return object_member(object, name).and_then(|value| self.target_at(value, depth));
            }
            Expression::CallExpression(call) => {
                // `const { orders } = collections(db)`
                if let Some(function) = called_function(self, call) {
                    let mut found = None;
                    within(self, function, call, depth, |cx, value| {
                        found = either(found.take(), cx.member_target(value, Some(name), depth));
                    });
                    if found.is_some() {
                        return found;
                    }
                }
            }
            _ => {}
        }
        // `ctx.db`, `mongoose.connection.db`, `app.locals.db`
        (name == "db" && !self.is_strange()).then(|| Target::Database { name: self.database_at(at), shell: false })
    }

    /// A member of an object that is held by a name: `collections.orders`.
    fn held_target(&self, holder: &str, at: u32, name: &str, depth: u32) -> Option<Target> {
        let number = self.tree.resolve(holder, at)?;
        let symbol = self.tree.symbol(number)?;
        let mut found = match &symbol.declared {
            Declared::Value(init, path) if path.steps.is_empty() => match bare(init) {
                Expression::ThisExpression(_) => self.own_member_target(name, init.span().start, depth),
                Expression::ObjectExpression(_) => {
                    object_member(init, name).and_then(|value| self.target_at(value, depth))
                }
                Expression::CallExpression(_) => self.member_target(init, Some(name), depth),
                _ => None,
            },
            Declared::Class(class) => {
                let class = self.tree.classes.get(*class as usize)?;
                self.members_target(class.members.get(name)?, at, depth)
            }
            _ => None,
        };
        for write in &symbol.writes {
            if let Change::Set(path, value) = &write.change
                && path.as_slice() == [name]
            {
                found = either(found, self.target_at(value, depth));
            }
        }
        found
    }

    /// `this.orders`.
    fn own_member_target(&self, name: &str, at: u32, depth: u32) -> Option<Target> {
        let class = self.tree.class_at(at);
        let members = class.and_then(|class| class.members.get(name)).or_else(|| self.tree.loose.get(name));
        let found = members.and_then(|members| self.members_target(members, at, depth));
        found.or_else(|| {
            (name == "db" && !self.is_strange()).then(|| Target::Database { name: self.database_at(at), shell: false })
        })
    }

    fn members_target(&self, members: &[Member<'a>], at: u32, depth: u32) -> Option<Target> {
        let mut found = None;
        let mut declared = None;
        for member in members.iter().take(20) {
            match member {
                Member::Value(value) => found = either(found, self.target_at(value, depth)),
                Member::Function(function) => {
                    let values = &self.tree.functions.get(*function as usize)?.returns;
                    for value in values.iter().take(8) {
                        found = either(found, self.target_at(value, depth));
                    }
                }
                Member::Typed(annotation) => declared = declared.or_else(|| self.typed_target(annotation, at)),
                Member::Parameter(parameter) => {
                    found = either(found, self.injected_target(parameter, at));
                }
            }
        }
        match (found, declared) {
            // A type alone does not tell the name.
            (Some(found), _) => Some(found),
            (None, declared) => declared,
        }
    }

    fn called_target(&self, call: &CallExpression<'_>, depth: u32) -> Option<Target> {
        let at = call.span.start;
        let name = self.text_argument(&call.arguments, 0);
        if let Some(function) = called_function(self, call) {
            let mut found = None;
            within(self, function, call, depth, |cx, value| {
                found = either(found.take(), cx.target_at(value, depth));
            });
            if found.is_some() {
                return found;
            }
        }
        if let Some(target) = mongoose::declared_model(self, call) {
            return Some(target);
        }
        let method = match bare(&call.callee) {
            Expression::Identifier(function) => {
                let function = function.name.as_str();
                if SHELL_CONNECTIONS.contains(&function) {
                    return Some(Target::Database { name: self.database_at(at), shell: true });
                }
                // `connect("mongodb://host/shop")` gives the database of its address.
                let address = name.filter(|_| function == "connect")?;
                let database = database_of_address(&address)?;
                return Some(Target::Database { name: Some(database.to_owned()), shell: true });
            }
            Expression::StaticMemberExpression(member) => (&member.object, member.property.name.as_str()),
            _ => return None,
        };
        let (object, method) = method;
        match method {
            "getSiblingDB" | "getDB" | "getSisterDB" => Some(Target::Database { name, shell: true }),
            "db" => {
                let name = if call.arguments.is_empty() { self.database_at(at) } else { name };
                // Some wrappers of the driver take an address where it takes a name.
                let name = match name.as_ref().filter(|name| name.contains("://")) {
                    Some(address) => database_of_address(address).map(str::to_owned),
                    None => name,
                };
                Some(Target::Database { name, shell: false })
            }
            "useDb" => Some(Target::Database { name, shell: false }),
            "getCollection" | "collection" | "createCollection" => {
                let owner = self.target_at(object, depth);
                let api = if method == "getCollection" { Api::Shell } else { Api::Driver };
                match owner {
                    Some(Target::Database { name: database, .. }) => Some(self.collection(database, name, at, api)),
                    None if name.is_some() && !self.is_strange() => Some(self.collection(None, name, at, api)),
                    _ => None,
                }
            }
            "initializeUnorderedBulkOp" | "initializeOrderedBulkOp" => match self.target_at(object, depth)? {
                Target::Collection { ns, api } => Some(Target::Bulk { ns, api }),
                _ => None,
            },
            "discriminator" => match self.target_at(object, depth)? {
                model @ Target::Collection { api: Api::Mongoose, .. } => Some(model),
                _ => None,
            },
            // They give back the collection that they are called on.
            "explain" | "withWriteConcern" | "withReadPreference" | "withOptions" => self.target_at(object, depth),
            _ => None,
        }
    }
}

/// Methods that only MongoDB's collections and models have.
const UNMISTAKABLE: &[&str] = &[
    "insertOne",
    "updateOne",
    "replaceOne",
    "deleteOne",
    "findOneAndUpdate",
    "findOneAndReplace",
    "findOneAndDelete",
    "countDocuments",
    "estimatedDocumentCount",
    "bulkWrite",
    "findByIdAndUpdate",
    "findByIdAndDelete",
    "findAndModify",
    "findById",
];

impl Script<'_> {
    /// What a receiver is that comes from elsewhere, where its name and the method leave no doubt about its kind: a
    /// parameter `collection`, a member `this.userModel` that another file sets.
    pub(super) fn likely(&self, object: &Expression<'_>, method: &str) -> Option<Target> {
        let text = self.source(bare(object).span())?;
        let last = text.rsplit(['.', '?', '!']).next()?.trim_matches(|c: char| !c.is_alphanumeric());
        let name = last.to_ascii_lowercase();
        let (collection, model) = (name.ends_with("coll") || name.ends_with("collection"), name.ends_with("model"));
        let from = |part: &str| self.tree.modules.iter().any(|module| module.to_ascii_lowercase().contains(part));
        let own = UNMISTAKABLE.contains(&method) || from("mongo");
        let plain = text.len() < 80
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$' | b'#' | b'?' | b'!'));
        if !(plain && own && (collection || model)) || self.is_strange() {
            return None;
        }
        // A name that is declared as something else is no collection.
        if let Expression::Identifier(name) = bare(object)
            && let Some(symbol) =
                self.tree.resolve(name.name.as_str(), name.span.start).and_then(|s| self.tree.symbol(s))
            && !matches!(symbol.declared, Declared::Parameter(..) | Declared::Import(..) | Declared::Nothing)
            && !matches!(&symbol.declared, Declared::Value(init, _)
                if matches!(bare(init), Expression::CallExpression(_) | Expression::StaticMemberExpression(_) | Expression::ThisExpression(_)))
        {
            return None;
        }
        let api = if model { Api::Mongoose } else { Api::Driver };
        Some(Target::Collection { ns: None, api })
    }
}

/// Operators of updates that no other library's methods of the same names take.
const UPDATE_OPERATORS: &[&str] =
    &["$set", "$unset", "$inc", "$push", "$pull", "$addToSet", "$setOnInsert", "$pullAll", "$currentDate", "$mul"];

impl Script<'_> {
    /// What a receiver is that comes from elsewhere, where the method and its operators or stages leave no doubt:
    /// `context.collections.Orders.updateOne(…, {$set: …})`.
    pub(super) fn asked(&self, method: &str, call: &CallExpression<'_>) -> Option<Target> {
        let update = || {
            let Some(Argument::ObjectExpression(update)) = call.arguments.get(1) else { return false };
            update.properties.iter().any(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) => {
                    property.key.static_name().is_some_and(|name| UPDATE_OPERATORS.contains(&name.as_ref()))
                }
                ObjectPropertyKind::SpreadProperty(_) => false,
            })
        };
        let pipeline = || {
            let Some(Argument::ArrayExpression(stages)) = call.arguments.first() else { return false };
            let Some(Expression::ObjectExpression(stage)) = stages.elements.first().and_then(|e| e.as_expression())
            else {
                return false;
            };
            matches!(stage.properties.as_slice(), [ObjectPropertyKind::ObjectProperty(property)]
                if property.key.static_name().is_some_and(|name| name.starts_with('$')))
        };
        let certain = match method {
            "updateOne" | "updateMany" | "findOneAndUpdate" | "findByIdAndUpdate" => update(),
            "aggregate" => pipeline(),
            _ => false,
        };
        let mongoose = self.tree.modules.iter().any(|module| module.contains("mongoose"));
        let api = if mongoose || method == "findByIdAndUpdate" { Api::Mongoose } else { Api::Driver };
        (certain && !self.is_strange()).then_some(Target::Collection { ns: None, api })
    }
}

/// Whether a call is one of a member.
fn is_method(call: &CallExpression<'_>) -> bool {
    matches!(bare(&call.callee), Expression::StaticMemberExpression(_))
}

/// The name of the first type argument.
fn first_type<'t>(reference: &'t TSTypeReference<'_>) -> Option<&'t str> {
    match reference.type_arguments.as_ref()?.params.first()? {
        TSType::TSTypeReference(inner) => match &inner.type_name {
            TSTypeName::IdentifierReference(name) => Some(name.name.as_str()),
            _ => None,
        },
        _ => None,
    }
}

/// One of two: where they differ, only the kind is known.
fn either(one: Option<Target>, other: Option<Target>) -> Option<Target> {
    match (one, other) {
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(Target::Collection { api, .. }), Some(Target::Collection { .. })) => {
            Some(Target::Collection { ns: None, api })
        }
        (Some(Target::Database { shell, .. }), Some(Target::Database { .. })) => {
            Some(Target::Database { name: None, shell })
        }
        (Some(known), None) | (None, Some(known)) => Some(known),
        _ => None,
    }
}
/// The database of a connection string: `mongodb://host/shop?w=1` names `shop`.
fn database_of_address(address: &str) -> Option<&str> {
    let path = address.split("://").last()?.split_once('/')?.1;
    path.split('?').next().filter(|database| !database.is_empty())
}
