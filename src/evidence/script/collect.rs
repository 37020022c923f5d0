//! The walk that collects what a script declares. Flat lists first; regions and names find each other at the end.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, BinaryOperator, BindingPattern,
    CallExpression, Class, Declaration as Declaring, ExportDefaultDeclarationKind, Expression, ForStatementLeft,
    FormalParameters, Function, IfStatement, ImportDeclaration, ImportDeclarationSpecifier, MethodDefinition,
    MethodDefinitionKind, ModuleExportName, Program, PropertyDefinition, Statement, TSInterfaceDeclaration, TSType,
    TSTypeAliasDeclaration, TSTypeAnnotation, TSTypeParameterInstantiation, UnaryOperator, VariableDeclarationKind,
    VariableDeclarator,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{AssignmentOperator, LogicalOperator};

use super::operations;
use super::tree::{
    CallSite, Change, Checked, ClassInfo, Declared, Export, Fate, FunctionInfo, Imported, LoopInfo, Member, Path,
    Region, RegionKind, Step, Symbol, Tree, Write, is_named, key_name, required,
};
use crate::order::Ordered;
use crate::value::Type;

/// Walks a program.
pub(super) fn walk<'a>(text: &'a str, program: &Program<'a>) -> Tree<'a> {
    let mut collect = Collect {
        text,
        tree: Tree::default(),
        stack: Vec::with_capacity(64),
        declarations: Vec::new(),
        writes: Vec::new(),
        returns: Vec::new(),
        members: Vec::new(),
        guards: Vec::new(),
    };
    collect.region(Span::new(0, u32::MAX), RegionKind::Scope);
    collect.visit_program(program);
    collect.finish()
}

/// A declaration whose region is not known yet.
struct Declaration<'a> {
    name: &'a str,
    declared: Declared<'a>,
    annotation: Option<&'a TSType<'a>>,
    at: u32,
    reach: Reach,
}

/// Where a declared name can be seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Block,
    /// `var`.
    Function,
    /// The name of a function or class, which stands within it and is seen around it.
    Around,
}

struct Collect<'a> {
    text: &'a str,
    tree: Tree<'a>,
    stack: Vec<AstKind<'a>>,
    declarations: Vec<Declaration<'a>>,
    writes: Vec<(&'a str, Span, Change<'a>)>,
    returns: Vec<(u32, &'a Expression<'a>)>,
    /// Members of `this` that are assigned.
    members: Vec<(u32, &'a str, Member<'a>)>,
    /// Checks: the text, the check, what it covers, the type.
    guards: Vec<(&'a str, Covers, Checked)>,
}

/// What a check covers.
#[derive(Clone, Copy)]
enum Covers {
    /// All behind it in its function, with the place of the check.
    Behind(u32, u32),
    /// A part of the text.
    Within(Span),
}

/// Functions that look at what they are given and do not change it.
const READERS: &[&str] = &[
    "log",
    "info",
    "debug",
    "warn",
    "error",
    "dir",
    "print",
    "printjson",
    "stringify",
    "keys",
    "values",
    "entries",
    "freeze",
    "isArray",
    "String",
    "Number",
    "Boolean",
    "expect",
    "assert",
    "equal",
    "deepEqual",
    "strictEqual",
    "push",
    "unshift",
    "concat",
    "includes",
    "indexOf",
    "has",
    "get",
    "json",
    "send",
    "resolve",
    "reject",
    "then",
    "structuredClone",
    "cloneDeep",
    "callback",
    "cb",
    "next",
    "done",
    "match",
    "collection",
    "getCollection",
    "getSiblingDB",
    "db",
];

/// Methods that change the array that they are called on.
const CHANGERS: &[&str] =
    &["splice", "pop", "shift", "sort", "reverse", "fill", "copyWithin", "set", "add", "append", "delete", "clear"];

impl<'a> Collect<'a> {
    fn region(&mut self, span: Span, kind: RegionKind) {
        self.tree.regions.push(Region { start: span.start, end: span.end, parent: 0, kind, names: BTreeMap::new() });
    }

    fn source(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn declare(&mut self, declaration: Declaration<'a>) {
        self.declarations.push(declaration);
    }

    /// Declares the names of a pattern.
    fn bind(
        &mut self,
        pattern: &'a BindingPattern<'a>,
        path: Path<'a>,
        reach: Reach,
        annotation: Option<&'a TSType<'a>>,
        declared: &dyn Fn(Path<'a>) -> Declared<'a>,
    ) {
        let deeper = |step: Step<'a>| {
            let mut path = Path { steps: path.steps.clone(), fallback: None };
            path.steps.push(step);
            path
        };
        match pattern {
            BindingPattern::BindingIdentifier(name) => self.declare(Declaration {
                name: name.name.as_str(),
                declared: declared(path),
                annotation,
                at: name.span.start,
                reach,
            }),
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let step = match &property.key {
                        oxc_ast::ast::PropertyKey::StaticIdentifier(name) => Step::Name(name.name.as_str()),
                        oxc_ast::ast::PropertyKey::StringLiteral(name) => Step::Name(name.value.as_str()),
                        _ => Step::Rest,
                    };
                    self.bind(&property.value, deeper(step), reach, None, declared);
                }
                if let Some(rest) = &object.rest {
                    self.bind(&rest.argument, deeper(Step::Rest), reach, None, declared);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (place, element) in array.elements.iter().enumerate() {
                    if let Some(element) = element {
                        self.bind(element, deeper(Step::Place(place)), reach, None, declared);
                    }
                }
                if let Some(rest) = &array.rest {
                    self.bind(&rest.argument, deeper(Step::Rest), reach, None, declared);
                }
            }
            BindingPattern::AssignmentPattern(with) => {
                let path = Path { steps: path.steps, fallback: Some(&with.right) };
                self.bind(&with.left, path, reach, annotation, declared);
            }
        }
    }

    fn declarator(&mut self, declarator: &'a VariableDeclarator<'a>) {
        let mut above = self.stack.iter().rev();
        let declaration = above.next();
        let reach = match declaration {
            Some(AstKind::VariableDeclaration(d)) if d.kind == VariableDeclarationKind::Var => Reach::Function,
            _ => Reach::Block,
        };
        let annotation = declarator.type_annotation.as_ref().map(|annotation| &annotation.type_annotation);
        if let Some(init) = &declarator.init {
            self.bind(&declarator.id, Path::default(), reach, annotation, &|path| Declared::Value(init, path));
            if let Some(module) = required(init) {
                self.tree.modules.push(module);
            }
            return;
        }
        let within = |left: &ForStatementLeft<'a>| {
            left.span().start <= declarator.span.start && declarator.span.end <= left.span().end
        };
        match above.next() {
            Some(AstKind::ForOfStatement(each)) if within(&each.left) => {
                let of = &each.right;
                self.bind(&declarator.id, Path::default(), reach, annotation, &|path| Declared::Element(of, path));
            }
            _ => self.bind(&declarator.id, Path::default(), reach, annotation, &|_| Declared::Nothing),
        }
    }

    fn function(&mut self, span: Span, name: Option<&'a str>, parameters: &'a FormalParameters<'a>) -> u32 {
        let number = self.tree.functions.len() as u32;
        self.region(span, RegionKind::Function(number));
        for (place, parameter) in parameters.items.iter().enumerate() {
            let annotation = parameter.type_annotation.as_ref().map(|annotation| &annotation.type_annotation);
            let path = Path { steps: Vec::new(), fallback: parameter.initializer.as_deref() };
            self.bind(&parameter.pattern, path, Reach::Block, annotation, &|path| {
                Declared::Parameter(number, place, path, parameter)
            });
        }
        if let Some(rest) = &parameters.rest {
            self.bind(&rest.rest.argument, Path::default(), Reach::Block, None, &|_| Declared::Nothing);
        }
        let parent = self
            .stack
            .iter()
            .rev()
            .find(|kind| !matches!(kind, AstKind::ParenthesizedExpression(_) | AstKind::TSAsExpression(_)));
        let mut callback = None;
        let mut immediate = false;
        let mut given = name;
        let mut assigned = None;
        match parent {
            Some(AstKind::CallExpression(call)) => {
                let is_callee = call.callee.span().start <= span.start && span.end <= call.callee.span().end;
                immediate = is_callee;
                let place = call
                    .arguments
                    .iter()
                    .position(|argument| argument.span().start <= span.start && span.end <= argument.span().end);
                callback = place.filter(|_| !is_callee).map(|place| (*call, place));
            }
            Some(AstKind::NewExpression(new)) => immediate = is_named(&new.callee, "Promise"),
            Some(AstKind::VariableDeclarator(declarator)) => {
                if let BindingPattern::BindingIdentifier(id) = &declarator.id {
                    given = given.or(Some(id.name.as_str()));
                }
            }
            Some(AstKind::ObjectProperty(property)) => given = given.or(key_name(&property.key)),
            Some(AstKind::MethodDefinition(method)) => {
                given = given.or(key_name(&method.key));
                if let (Some(name), MethodDefinitionKind::Method | MethodDefinitionKind::Get) = (given, method.kind) {
                    self.members.push((method.span.start, name, Member::Function(number)));
                    if method.kind == MethodDefinitionKind::Get {
                        self.tree.getters.insert(number);
                    }
                }
            }
            Some(AstKind::PropertyDefinition(property)) => given = given.or(key_name(&property.key)),
            Some(AstKind::AssignmentExpression(assignment)) => {
                assigned = Some(self.source(assignment.left.span()));
                match &assignment.left {
                    AssignmentTarget::StaticMemberExpression(member) => {
                        given = given.or(Some(member.property.name.as_str()));
                    }
                    AssignmentTarget::AssignmentTargetIdentifier(id) => given = given.or(Some(id.name.as_str())),
                    _ => {}
                }
            }
            _ => {}
        }
        self.tree.functions.push(FunctionInfo {
            span,
            name: given,
            parameters,
            returns: Vec::new(),
            callback,
            immediate,
            assigned,
        });
        number
    }

    fn arrow(&mut self, arrow: &'a ArrowFunctionExpression<'a>) {
        let number = self.function(arrow.span, None, &arrow.params);
        if let (Some(value), Some(function)) =
            (arrow.body.as_expression(), self.tree.functions.get_mut(number as usize))
        {
            function.returns.push(value);
        }
    }

    fn declared_function(&mut self, function: &'a Function<'a>) {
        let name = function.id.as_ref().map(|id| id.name.as_str());
        let number = self.function(function.span, name, &function.params);
        if let Some(name) = name.filter(|_| function.is_declaration()) {
            self.declare(Declaration {
                name,
                declared: Declared::Function(number),
                annotation: None,
                at: function.span.start,
                reach: Reach::Around,
            });
        }
    }

    fn class(&mut self, class: &'a Class<'a>) {
        let number = self.tree.classes.len() as u32;
        self.region(class.span, RegionKind::Class(number));
        let name = class.id.as_ref().map(|id| id.name.as_str());
        self.tree.classes.push(ClassInfo { name, decorators: class.decorators.as_slice(), members: BTreeMap::new() });
        if let Some(name) = name {
            self.declare(Declaration {
                name,
                declared: Declared::Class(number),
                annotation: None,
                at: class.span.start,
                reach: Reach::Around,
            });
        }
    }

    fn method(&mut self, method: &'a MethodDefinition<'a>) {
        if method.kind == MethodDefinitionKind::Constructor {
            for parameter in &method.value.params.items {
                let property = parameter.accessibility.is_some() || parameter.readonly;
                if let (true, BindingPattern::BindingIdentifier(name)) = (property, &parameter.pattern) {
                    self.members.push((method.span.start, name.name.as_str(), Member::Parameter(parameter)));
                }
            }
        }
    }

    fn property(&mut self, property: &'a PropertyDefinition<'a>) {
        let Some(name) = key_name(&property.key) else { return };
        let at = property.span.start;
        if let Some(value) = &property.value {
            self.members.push((at, name, Member::Value(value)));
        }
        if let Some(annotation) = &property.type_annotation {
            self.members.push((at, name, Member::Typed(&annotation.type_annotation)));
        }
        if let Some(class) = (self.tree.classes.len() as u32).checked_sub(1) {
            self.tree.fields.push((class, property));
        }
    }

    fn assignment(&mut self, assignment: &'a AssignmentExpression<'a>) {
        let span = Span::new(assignment.span.start, assignment.span.end);
        let plain = matches!(
            assignment.operator,
            AssignmentOperator::Assign | AssignmentOperator::LogicalNullish | AssignmentOperator::LogicalOr
        );
        match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                let change = if plain { Change::Assign(&assignment.right) } else { Change::Unknown };
                self.writes.push((name.name.as_str(), span, change));
                if let Some(module) = required(&assignment.right) {
                    self.tree.modules.push(module);
                }
            }
            AssignmentTarget::StaticMemberExpression(member) => {
                let mut path = vec![member.property.name.as_str()];
                let mut object = &member.object;
                loop {
                    match object {
                        Expression::StaticMemberExpression(inner) => {
                            path.push(inner.property.name.as_str());
                            object = &inner.object;
                        }
                        Expression::TSAsExpression(inner) => object = &inner.expression,
                        Expression::ParenthesizedExpression(inner) => object = &inner.expression,
                        _ => break,
                    }
                }
                path.reverse();
                match object {
                    Expression::Identifier(name) if matches!(name.name.as_str(), "module" | "exports") => {
                        self.tree.is_module = true;
                        if plain {
                            self.common_export(name.name.as_str(), &path, &assignment.right);
                        }
                    }
                    Expression::Identifier(name) => {
                        let change = if plain { Change::Set(path, &assignment.right) } else { Change::Adjust(path) };
                        self.writes.push((name.name.as_str(), span, change));
                    }
                    Expression::ThisExpression(_) => {
                        if let (true, [name]) = (plain, path.as_slice()) {
                            self.members.push((span.start, name, Member::Value(&assignment.right)));
                        }
                    }
                    _ => {}
                }
            }
            AssignmentTarget::ComputedMemberExpression(member) => {
                if let Expression::Identifier(name) = &member.object {
                    let change = if plain {
                        Change::SetComputed(&member.expression, &assignment.right)
                    } else {
                        Change::Unknown
                    };
                    self.writes.push((name.name.as_str(), span, change));
                } else if let Some(name) = root(&member.object) {
                    self.writes.push((name, span, Change::Unknown));
                }
            }
            other => {
                // `({a, b} = …)`, `[a, b] = …`: the names may stand for anything from here on.
                let text = self.source(other.span());
                for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')) {
                    self.writes.push((word, span, Change::Unknown));
                }
            }
        }
    }

    fn call(&mut self, call: &'a CallExpression<'a>) {
        let (object, method) = match &call.callee {
            Expression::Identifier(name) => {
                if name.name == "require" {
                    self.tree.is_module = true;
                }
                (None, name.name.as_str())
            }
            Expression::StaticMemberExpression(member) => (Some(&member.object), member.property.name.as_str()),
            _ => (None, ""),
        };
        let is_operation = operations::is_operation(method);
        let mut object_assign = false;
        if let Some(object) = object {
            let change = match method {
                "push" => Some(Change::Push(call.arguments.as_slice())),
                "unshift" => Some(Change::Unshift(call.arguments.as_slice())),
                _ if CHANGERS.contains(&method) => Some(Change::Unknown),
                _ => None,
            };
            match (object, change) {
                (Expression::Identifier(name), Some(change)) => {
                    self.writes.push((name.name.as_str(), call.span, change));
                }
                (Expression::Identifier(name), None) if name.name == "Object" && method == "assign" => {
                    object_assign = true;
                    if let Some(Argument::Identifier(name)) = call.arguments.first() {
                        let rest = call.arguments.get(1..).unwrap_or_default();
                        self.writes.push((name.name.as_str(), call.span, Change::Merge(rest)));
                    }
                }
                (inner, Some(_)) => {
                    if let Some(name) = root(inner) {
                        self.writes.push((name, call.span, Change::Unknown));
                    }
                }
                _ => {}
            }
        }
        let reads = is_operation || object_assign || READERS.contains(&method) || operations::is_cursor_method(method);
        if !reads {
            for argument in &call.arguments {
                if let Argument::Identifier(name) = argument {
                    self.writes.push((name.name.as_str(), call.span, Change::Passed));
                }
            }
        }
        if is_check(method) {
            for argument in &call.arguments {
                let text = self.source(argument.span());
                if text.len() < 100 {
                    let text_only = method.starts_with("is") && method != "isValid";
                    let left = if text_only { Checked::Typed(Type::String) } else { Checked::Passed };
                    self.guards.push((text, Covers::Behind(call.span.end, call.span.start), left));
                }
            }
        }
        if is_operation {
            let fate = self.fate(call);
            self.tree.fates.insert((call.span.start, call.span.end), fate);
        }
        self.tree.calls.push(CallSite { call });
    }

    /// What happens to the result of a call: what stands around it tells.
    fn fate(&self, call: &'a CallExpression<'a>) -> Fate<'a> {
        // A callback takes the result.
        let has_callback = call.arguments.last().and_then(Argument::as_expression).is_some_and(|last| {
            matches!(last, Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_))
        });
        let mut fate = Fate { used: has_callback.then_some(true), ..Fate::default() };
        let mut span = call.span;
        let mut awaited = false;
        let mut decided = has_callback;
        let mut above = self.stack.iter().rev().peekable();
        while let Some(kind) = above.next() {
            match kind {
                AstKind::AwaitExpression(_) => awaited = true,
                AstKind::CallExpression(outer) => {
                    let callee = outer.callee.span();
                    let is_callee = callee.start <= span.start && span.end <= callee.end;
                    if !is_callee {
                        if !decided {
                            fate.used = Some(true);
                            decided = true;
                        }
                        if is_gathering(&outer.callee) {
                            fate.parallel = Some(outer.span);
                            break;
                        }
                        if let Expression::StaticMemberExpression(member) = &outer.callee
                            && let ("push", Expression::Identifier(name), false) =
                                (member.property.name.as_str(), &member.object, awaited)
                        {
                            fate.holder = Some((name.name.as_str(), outer.span.start));
                            break;
                        }
                        if !matches!(outer.callee, Expression::StaticMemberExpression(_)) {
                            break;
                        }
                    } else if let Expression::StaticMemberExpression(member) = &outer.callee
                        && !decided
                        && ((member.property.name == "exec" && !outer.arguments.is_empty())
                            || matches!(
                                member.property.name.as_str(),
                                "then"
                                    | "next"
                                    | "toArray"
                                    | "forEach"
                                    | "map"
                                    | "hasNext"
                                    | "tryNext"
                                    | "stream"
                                    | "pipe"
                                    | "on"
                            ))
                    {
                        fate.used = Some(true);
                        decided = true;
                    }
                    span = outer.span;
                }
                AstKind::ExpressionStatement(_) => {
                    if !decided {
                        fate.used = Some(false);
                    }
                    break;
                }
                AstKind::UnaryExpression(unary) if !decided && unary.operator == UnaryOperator::Void => {
                    fate.used = Some(false);
                    break;
                }
                AstKind::VariableDeclarator(declarator) => {
                    if !decided {
                        fate.used = Some(true);
                    }
                    if let (BindingPattern::BindingIdentifier(name), false) = (&declarator.id, awaited) {
                        fate.holder = Some((name.name.as_str(), name.span.start));
                    }
                    break;
                }
                AstKind::ArrowFunctionExpression(_) | AstKind::Function(_) => {
                    // What a callback gives back is up to whoever calls it.
                    decided = true;
                    awaited = false;
                    if !matches!(above.peek(), Some(AstKind::CallExpression(_))) {
                        break;
                    }
                    span = kind.span();
                }
                AstKind::StaticMemberExpression(_)
                | AstKind::ComputedMemberExpression(_)
                | AstKind::ParenthesizedExpression(_)
                | AstKind::ChainExpression(_)
                | AstKind::TSAsExpression(_)
                | AstKind::TSNonNullExpression(_)
                | AstKind::TSSatisfiesExpression(_) => {
                    if let AstKind::StaticMemberExpression(_) | AstKind::ComputedMemberExpression(_) = kind
                        && !decided
                        && !matches!(above.peek(), Some(AstKind::CallExpression(_)))
                    {
                        fate.used = Some(true);
                        decided = true;
                    }
                }
                AstKind::ReturnStatement(_) => {
                    // Within a callback it is the callback's result.
                    if !decided {
                        fate.used = Some(true);
                        decided = true;
                    }
                }
                AstKind::FunctionBody(_)
                | AstKind::BlockStatement(_)
                | AstKind::TryStatement(_)
                | AstKind::IfStatement(_) => {
                    decided = true;
                }
                _ => {
                    if !decided {
                        fate.used = Some(true);
                        decided = true;
                    }
                }
            }
        }
        fate
    }

    fn branch(&mut self, branch: &'a IfStatement<'a>) {
        let arm = RegionKind::Arm { construct: branch.span.start };
        self.region(branch.consequent.span(), arm);
        if let Some(alternate) = &branch.alternate {
            self.region(alternate.span(), arm);
        }
        self.type_checks(&branch.test, branch, 0);
    }

    /// `typeof x !== 'string'` before a way out, and `typeof x === 'string'` around the use.
    fn type_checks(&mut self, test: &'a Expression<'a>, branch: &'a IfStatement<'a>, depth: u32) {
        if depth > 30 {
            return;
        }
        match test {
            Expression::ParenthesizedExpression(inner) => self.type_checks(&inner.expression, branch, depth + 1),
            Expression::LogicalExpression(logical) => {
                let leaves = leaves(&branch.consequent);
                // `a || b` before a way out tells of both; `a && b` around the use too.
                if (logical.operator == LogicalOperator::Or) == leaves {
                    self.type_checks(&logical.left, branch, depth + 1);
                    self.type_checks(&logical.right, branch, depth + 1);
                }
            }
            Expression::BinaryExpression(binary) => {
                let (Expression::UnaryExpression(unary), Expression::StringLiteral(name)) =
                    (&binary.left, &binary.right)
                else {
                    return;
                };
                if unary.operator != UnaryOperator::Typeof {
                    return;
                }
                let kind = match name.value.as_str() {
                    "string" => Checked::Typed(Type::String),
                    "number" => Checked::Typed(Type::Double),
                    "boolean" => Checked::Typed(Type::Bool),
                    _ => return,
                };
                let text = self.source(unary.argument.span());
                match binary.operator {
                    BinaryOperator::StrictInequality | BinaryOperator::Inequality if leaves(&branch.consequent) => {
                        self.guards.push((text, Covers::Behind(branch.span.end, branch.span.start), kind));
                    }
                    BinaryOperator::StrictEquality | BinaryOperator::Equality => {
                        self.guards.push((text, Covers::Within(branch.consequent.span()), kind));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn import(&mut self, import: &'a ImportDeclaration<'a>) {
        self.tree.is_module = true;
        let source = import.source.value.as_str();
        self.tree.modules.push(source);
        for specifier in import.specifiers.iter().flatten() {
            let (local, imported) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => match module_name(&one.imported) {
                    "default" => (&one.local, Imported::Default),
                    name => (&one.local, Imported::Named(name)),
                },
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => (&one.local, Imported::Default),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => (&one.local, Imported::All),
            };
            self.declare(Declaration {
                name: local.name.as_str(),
                declared: Declared::Import(source, imported),
                annotation: None,
                at: local.span.start,
                reach: Reach::Block,
            });
        }
    }

    fn export(&mut self, kind: AstKind<'a>) {
        let exports = &mut self.tree.exports;
        match kind {
            AstKind::ExportNamedDeclaration(named) => {
                exports.extend(named.specifiers.iter().map(|one| Export::Local {
                    name: module_name(&one.exported),
                    local: module_name(&one.local),
                    at: named.span.start,
                }));
            }
            AstKind::ExportFromDeclaration(from) => {
                exports.extend(from.specifiers.iter().map(|one| Export::Handed {
                    name: module_name(&one.exported),
                    module: from.source.value.as_str(),
                    there: module_name(&one.local),
                }));
            }
            AstKind::ExportAllDeclaration(all) => {
                let module = all.source.value.as_str();
                exports.push(match &all.exported {
                    Some(name) => Export::Handed { name: module_name(name), module, there: "*" },
                    None => Export::All(module),
                });
            }
            AstKind::TSExportAssignment(whole) => exports.push(Export::Value { name: None, value: &whole.expression }),
            AstKind::ExportDefaultDeclaration(default) => {
                let id = match &default.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.id.as_ref(),
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => class.id.as_ref(),
                    _ => None,
                };
                let at = default.span.start;
                if let Some(id) = id {
                    exports.push(Export::Local { name: "default", local: id.name.as_str(), at });
                } else if let Some(value) = default.declaration.as_expression() {
                    exports.push(Export::Value { name: Some("default"), value });
                }
            }
            AstKind::ExportDeclaration(export) => {
                let at = export.span.start;
                let mut local = |name: &'a str| exports.push(Export::Local { name, local: name, at });
                match &export.declaration {
                    Declaring::VariableDeclaration(variables) => {
                        for declarator in &variables.declarations {
                            match &declarator.id {
                                BindingPattern::BindingIdentifier(id) => local(id.name.as_str()),
                                BindingPattern::ObjectPattern(object) => {
                                    for property in &object.properties {
                                        if let BindingPattern::BindingIdentifier(id) = &property.value {
                                            local(id.name.as_str());
                                        }
                                    }
                                }
                                _ => {}
                            }
                        }
                    }
                    Declaring::FunctionDeclaration(function) => {
                        function.id.iter().for_each(|id| local(id.name.as_str()));
                    }
                    Declaring::ClassDeclaration(class) => class.id.iter().for_each(|id| local(id.name.as_str())),
                    Declaring::TSEnumDeclaration(one) => local(one.id.name.as_str()),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// `module.exports = …`, `exports.x = …`.
    fn common_export(&mut self, root: &str, path: &[&'a str], value: &'a Expression<'a>) {
        let name = match (root, path) {
            ("module", ["exports"]) => None,
            ("module", ["exports", name]) | ("exports", [name]) => Some(*name),
            _ => return,
        };
        // `exports = module.exports = …` comes by itself.
        self.tree.exports.push(Export::Value { name, value });
    }

    fn finish(self) -> Tree<'a> {
        let Collect { mut tree, declarations, writes, returns, members, guards, .. } = self;
        tree.regions.order_by_key(|region| (region.start, Reverse(region.end)));
        let mut open: Vec<u32> = Vec::new();
        for at in 0..tree.regions.len() as u32 {
            let start = tree.region(at).map_or(0, |region| region.start);
            while open.last().is_some_and(|last| tree.region(*last).is_none_or(|region| region.end <= start)) {
                open.pop();
            }
            if let Some(region) = tree.regions.get_mut(at as usize) {
                region.parent = open.last().copied().unwrap_or(0);
            }
            open.push(at);
        }
        for declaration in declarations {
            let mut region = tree.region_at(declaration.at);
            if declaration.reach == Reach::Around {
                region = tree.parent(region);
            }
            let seen = |kind: RegionKind| match declaration.reach {
                Reach::Function => matches!(kind, RegionKind::Function(_)),
                _ => !matches!(kind, RegionKind::Arm { .. } | RegionKind::Loop(_)),
            };
            let region = tree.upwards(region).find(|(_, region)| seen(region.kind)).map_or(0, |(at, _)| at);
            let symbol = tree.symbols.len() as u32;
            let Some(names) = tree.regions.get_mut(region as usize).map(|region| &mut region.names) else { continue };
            if let Some(known) = names.get(declaration.name).map(|known| *known as usize) {
                // Declared again: `var x` twice, or one name in two commands of a session. The later one counts from there.
                let (end, change) = match declaration.declared {
                    Declared::Value(init, path) if path.steps.is_empty() => (init.span().end, Change::Assign(init)),
                    Declared::Nothing => continue,
                    _ => (declaration.at + 1, Change::Unknown),
                };
                let write = Write { end, region: tree.region_at(declaration.at), change };
                if let Some(symbol) = tree.symbols.get_mut(known) {
                    symbol.writes.push(write);
                }
                continue;
            }
            names.insert(declaration.name, symbol);
            tree.symbols.push(Symbol {
                name: declaration.name,
                declared: declaration.declared,
                region,
                annotation: declaration.annotation,
                writes: Vec::new(),
            });
        }
        for (name, span, change) in writes {
            match tree.resolve(name, span.start) {
                Some(symbol) => {
                    let write = Write { end: span.end, region: tree.region_at(span.start), change };
                    if let Some(symbol) = tree.symbols.get_mut(symbol as usize) {
                        symbol.writes.push(write);
                    }
                }
                None => {
                    if let Change::Assign(value) = change {
                        tree.globals.push((name, value, span.end));
                    }
                }
            }
        }
        for symbol in &mut tree.symbols {
            symbol.writes.order_by_key(|write| write.end);
        }
        tree.globals.order_by_key(|(_, _, end)| *end);
        for (at, value) in returns {
            if let Some(function) = tree.function_at(at)
                && let Some(function) = tree.functions.get_mut(function as usize)
            {
                function.returns.push(value);
            }
        }
        for (at, name, member) in members {
            let class = tree.around(at).find_map(|(_, region)| match region.kind {
                RegionKind::Class(class) => Some(class),
                _ => None,
            });
            let members = match class.and_then(|class| tree.classes.get_mut(class as usize)) {
                Some(class) => &mut class.members,
                None => &mut tree.loose,
            };
            members.entry(name).or_default().push(member);
        }
        for (text, covers, kind) in guards {
            let (from, to) = match covers {
                Covers::Behind(at, check) => {
                    let function = tree
                        .around(check)
                        .find(|(_, r)| matches!(r.kind, RegionKind::Function(_) | RegionKind::Arm { .. }));
                    (at, function.map_or(u32::MAX, |(_, region)| region.end))
                }
                Covers::Within(span) => (span.start, span.end),
            };
            tree.guards.entry(text).or_default().push((from, to, kind));
        }
        tree
    }

    #[inline(never)]
    fn enter(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::Function(function) => self.declared_function(function),
            AstKind::ArrowFunctionExpression(arrow) => self.arrow(arrow),
            AstKind::Class(class) => self.class(class),
            AstKind::MethodDefinition(method) => self.method(method),
            AstKind::PropertyDefinition(property) => self.property(property),
            AstKind::BlockStatement(_) | AstKind::StaticBlock(_) | AstKind::TSModuleBlock(_) => {
                self.region(kind.span(), RegionKind::Scope);
            }
            AstKind::VariableDeclarator(declarator) => self.declarator(declarator),
            AstKind::AssignmentExpression(assignment) => self.assignment(assignment),
            AstKind::UpdateExpression(update)
                if matches!(&update.argument, oxc_ast::ast::SimpleAssignmentTarget::StaticMemberExpression(member)
                    if matches!(member.object, Expression::Identifier(_))) =>
            {
                if let oxc_ast::ast::SimpleAssignmentTarget::StaticMemberExpression(member) = &update.argument
                    && let Expression::Identifier(name) = &member.object
                {
                    let change = Change::Adjust(vec![member.property.name.as_str()]);
                    self.writes.push((name.name.as_str(), update.span, change));
                }
            }
            AstKind::UpdateExpression(update) => {
                let text = self.source(update.argument.span());
                self.writes.push((text, update.span, Change::Unknown));
            }
            AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Delete => {
                if let Expression::StaticMemberExpression(member) = &unary.argument
                    && let Expression::Identifier(name) = &member.object
                {
                    let change = Change::Remove(member.property.name.as_str());
                    self.writes.push((name.name.as_str(), unary.span, change));
                } else if let Some(name) = root(&unary.argument) {
                    self.writes.push((name, unary.span, Change::Unknown));
                }
            }
            AstKind::CallExpression(call) => self.call(call),
            AstKind::IfStatement(branch) => self.branch(branch),
            AstKind::ConditionalExpression(either) => {
                let arm = RegionKind::Arm { construct: either.span.start };
                self.region(either.consequent.span(), arm);
                self.region(either.alternate.span(), arm);
            }
            AstKind::LogicalExpression(logical) => {
                self.region(logical.right.span(), RegionKind::Arm { construct: logical.right.span().start });
            }
            AstKind::SwitchStatement(switch) => {
                self.region(switch.span, RegionKind::Scope);
                for case in &switch.cases {
                    self.region(case.span, RegionKind::Arm { construct: switch.span.start });
                }
            }
            AstKind::CatchClause(clause) => {
                self.region(clause.span, RegionKind::Arm { construct: clause.span.start });
                self.tree.catches.push(clause.span);
                if let Some(parameter) = &clause.param {
                    // Its name belongs to the block.
                    self.region(clause.span, RegionKind::Scope);
                    self.bind(&parameter.pattern, Path::default(), Reach::Block, None, &|_| Declared::Nothing);
                }
            }
            AstKind::ForStatement(each) => {
                self.region(each.span, RegionKind::Scope);
                let start = each.test.as_ref().map(GetSpan::span).or(each.update.as_ref().map(GetSpan::span));
                let start = start.map_or(each.body.span().start, |span| span.start);
                self.looped(Span::new(start, each.span.end), LoopInfo::For(each));
            }
            AstKind::ForOfStatement(each) => {
                self.region(each.span, RegionKind::Scope);
                self.looped(each.body.span(), LoopInfo::Of(each));
            }
            AstKind::ForInStatement(each) => {
                self.region(each.span, RegionKind::Scope);
                self.looped(each.body.span(), LoopInfo::In(each));
            }
            AstKind::WhileStatement(each) => self.looped(each.span, LoopInfo::While(&each.test, each.span)),
            AstKind::DoWhileStatement(each) => self.looped(each.span, LoopInfo::While(&each.test, each.span)),
            AstKind::ReturnStatement(back) => {
                if let Some(value) = &back.argument {
                    self.returns.push((back.span.start, value));
                }
            }
            AstKind::TSEnumDeclaration(declaration) => self.declare(Declaration {
                name: declaration.id.name.as_str(),
                declared: Declared::Enum(declaration),
                annotation: None,
                at: declaration.span.start,
                reach: Reach::Block,
            }),
            AstKind::ImportDeclaration(import) => self.import(import),
            AstKind::ExportNamedDeclaration(_)
            | AstKind::ExportFromDeclaration(_)
            | AstKind::ExportDefaultDeclaration(_)
            | AstKind::ExportDeclaration(_)
            | AstKind::ExportAllDeclaration(_)
            | AstKind::TSExportAssignment(_) => {
                self.tree.is_module = true;
                self.export(kind);
            }
            _ => {}
        }
    }

    fn looped(&mut self, span: Span, info: LoopInfo<'a>) {
        let number = self.tree.loops.len() as u32;
        self.tree.loops.push(info);
        self.region(span, RegionKind::Loop(number));
    }
}

impl<'a> Visit<'a> for Collect<'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        self.enter(kind);
        self.stack.push(kind);
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.stack.pop();
    }

    // Types are looked at where they are given; walking through them tells nothing.
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}

    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}

    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}

    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}
}

/// `Promise.all` and its like.
pub(super) fn is_gathering(callee: &Expression<'_>) -> bool {
    matches!(callee, Expression::StaticMemberExpression(member)
        if matches!(member.property.name.as_str(), "all" | "allSettled" | "race" | "any")
            && matches!(&member.object, Expression::Identifier(name) if matches!(name.name.as_str(), "Promise" | "Bluebird" | "Q")))
}

fn module_name<'a>(name: &ModuleExportName<'a>) -> &'a str {
    match name {
        ModuleExportName::IdentifierName(name) => name.name.as_str(),
        ModuleExportName::IdentifierReference(name) => name.name.as_str(),
        ModuleExportName::StringLiteral(name) => name.value.as_str(),
    }
}

/// Names of functions that refuse what they should not be given.
fn is_check(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["valid", "sanitiz", "sanitis", "check", "assert"].iter().any(|part| lower.contains(part))
        || matches!(name, "isEmail" | "isMongoId" | "isUUID" | "isAlphanumeric" | "isString" | "invariant")
}

/// Whether a statement leaves its function for certain.
fn leaves(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ReturnStatement(_) | Statement::ThrowStatement(_) | Statement::ContinueStatement(_) => true,
        Statement::BlockStatement(block) => block.body.last().is_some_and(leaves_flat),
        _ => false,
    }
}

fn leaves_flat(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::ReturnStatement(_) | Statement::ThrowStatement(_) | Statement::ContinueStatement(_))
}

/// The name that a chain of members starts with.
fn root<'a>(expression: &Expression<'a>) -> Option<&'a str> {
    let mut expression = expression;
    loop {
        expression = match expression {
            Expression::StaticMemberExpression(member) => &member.object,
            Expression::ComputedMemberExpression(member) => &member.object,
            Expression::TSAsExpression(inner) => &inner.expression,
            Expression::TSNonNullExpression(inner) => &inner.expression,
            Expression::ParenthesizedExpression(inner) => &inner.expression,
            Expression::Identifier(name) => return Some(name.name.as_str()),
            _ => return None,
        };
    }
}
