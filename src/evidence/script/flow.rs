//! What names stand for where they are used: declarations, changes on the way, parameters, results.
//!
//! A change that certainly has happened is applied; one that may have happened leaves a hole.

use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Expression, FormalParameter, TSEnumDeclaration, TSType, TSTypeName,
};
use oxc_span::GetSpan;

use super::literal::{self, HOLE, at_depth, bare, typed};
use super::source::Script;
use super::tree::{Change, Declared, Path, RegionKind, Step, Write};
use crate::value::{Type, Value};
use crate::workload::{Hole, Key, Member, Origin, Term, What};

/// Functions within functions that are followed.
const DEEPEST_CALLS: usize = 4;
/// How often a name may be met within its own value (`q = {...q, a: 1}`).
const DEEPEST_SELF: usize = 3;

/// What a name stands for at a position.
pub(super) fn name(cx: &Script<'_>, name: &str, at: u32, depth: u32) -> What {
    if let Some(symbol) = cx.tree.resolve(name, at) {
        return variable(cx, symbol, at, depth);
    }
    // A shell script needs no `const`. What is assigned once stands for that.
    let mut assigned = cx.tree.globals.iter().filter(|(known, ..)| *known == name);
    match (assigned.next(), assigned.next()) {
        (Some((_, value, end)), None) if *end <= at => at_depth(value, cx, depth).what,
        _ => HOLE,
    }
}

/// What a declared name stands for at a position.
fn variable(cx: &Script<'_>, number: u32, at: u32, depth: u32) -> What {
    let Some(symbol) = cx.tree.symbol(number) else { return HOLE };
    if let Some(fact) = cx.imported_symbol(number, depth) {
        return fact.term().what;
    }
    let plain = symbol.writes.is_empty() && cx.frames.borrow().is_empty();
    if plain && let Some((known, size)) = cx.memo.borrow().get(&number) {
        return if cx.spend(*size) { known.what.clone() } else { hole_like(known) };
    }
    let again = cx.active.borrow().iter().filter(|active| **active == number).count();
    if again >= DEEPEST_SELF {
        return HOLE;
    }
    cx.active.borrow_mut().push(number);
    let what = if symbol.writes.is_empty() {
        declared(cx, &symbol.declared, depth).what
    } else {
        changed(cx, number, at, depth)
    };
    cx.active.borrow_mut().pop();
    let known = Term::new(what);
    let size = size(&known);
    if !cx.spend(size) {
        return hole_like(&known);
    }
    let what = known.what;
    // What was cut for depth is not remembered.
    if plain && depth > literal::DEEPEST / 2 && !matches!(what, What::Hole(_)) {
        let known = Term::new(what.clone());
        cx.memo.borrow_mut().insert(number, (known, size));
    }
    what
}

/// Terms within a term, itself included.
fn size(term: &Term) -> u32 {
    match &term.what {
        What::Object(members) => members.iter().map(|member| size(&member.value)).sum::<u32>() + 1,
        What::Array(elements) => elements.iter().map(size).sum::<u32>() + 1,
        _ => 1,
    }
}

/// A hole of the type of a term.
fn hole_like(term: &Term) -> What {
    What::Hole(Hole { kind: term.bson_type(), origin: Origin::Unknown })
}

/// What a name was declared with.
fn declared(cx: &Script<'_>, declared: &Declared<'_>, depth: u32) -> Term {
    match declared {
        Declared::Value(init, path) => take(cx, at_depth(init, cx, depth), path, depth),
        Declared::Element(of, path) => take(cx, Term::new(element(&at_depth(of, cx, depth))), path, depth),
        Declared::Parameter(function, place, path, parameter) => {
            let whole = parameter_value(cx, *function, *place, parameter, depth);
            let whole = match (whole.what, path.steps.is_empty()) {
                // A type that is written down is no promise where a request is read.
                (What::Hole(Hole { kind: None, origin: origin @ Origin::Parameter { .. } }), true) => {
                    let annotation = parameter.type_annotation.as_ref().map(|annotation| &annotation.type_annotation);
                    Term::new(What::Hole(Hole { kind: annotation.and_then(annotated), origin }))
                }
                (what, _) => Term::new(what),
            };
            take(cx, whole, path, depth)
        }
        Declared::Nothing | Declared::Function(_) | Declared::Class(_) | Declared::Enum(_) | Declared::Import(..) => {
            Term::hole()
        }
    }
}

/// The type that an annotation promises.
fn annotated(annotation: &TSType<'_>) -> Option<Type> {
    match annotation {
        TSType::TSStringKeyword(_) => Some(Type::String),
        TSType::TSNumberKeyword(_) => Some(Type::Double),
        TSType::TSBooleanKeyword(_) => Some(Type::Bool),
        TSType::TSArrayType(_) => Some(Type::Array),
        TSType::TSTypeReference(reference) => match &reference.type_name {
            TSTypeName::IdentifierReference(name) => match name.name.as_str() {
                "Date" => Some(Type::Date),
                "ObjectId" | "ObjectID" => Some(Type::ObjectId),
                "Array" => Some(Type::Array),
                _ => None,
            },
            TSTypeName::QualifiedName(name) if name.right.name == "ObjectId" => Some(Type::ObjectId),
            _ => None,
        },
        _ => None,
    }
}

/// The part of a value that a pattern takes.
fn take(cx: &Script<'_>, whole: Term, path: &Path<'_>, depth: u32) -> Term {
    let mut term = whole;
    for step in &path.steps {
        let what = match (step, &term.what) {
            (Step::Name(name), _) => member_of(&term, name),
            (Step::Place(place), What::Array(elements)) => {
                elements.get(*place).map_or(What::Value(Value::Undefined), |element| element.what.clone())
            }
            (Step::Place(_), _) => element(&term),
            (Step::Rest, What::Hole(hole)) => What::Hole(Hole { kind: None, origin: hole.origin.clone() }),
            (Step::Rest, _) => HOLE,
        };
        term = Term { what, span: term.span };
    }
    match (path.fallback, &term.what) {
        (Some(fallback), What::Value(Value::Undefined)) => at_depth(fallback, cx, depth),
        (Some(fallback), What::Hole(hole)) if hole.kind.is_some() => {
            let fallback = at_depth(fallback, cx, depth);
            Term { what: either(&term, &fallback), span: term.span }
        }
        _ => term,
    }
}

/// A member of a value, by its name.
fn member_of(whole: &Term, name: &str) -> What {
    match &whole.what {
        What::Hole(hole) => What::Hole(member_of_hole(hole, name)),
        What::Object(_) => match whole.get(name) {
            // A later spread may bring another value.
            Some(_) if is_covered(whole, name) => HOLE,
            Some(term) => term.what.clone(),
            None if whole.is_closed() => What::Value(Value::Undefined),
            None => HOLE,
        },
        What::Array(elements) if name == "length" => {
            let open = elements.iter().any(|element| element.as_hole().is_some());
            match i32::try_from(elements.len()) {
                Ok(length) if !open => What::Value(Value::Int(length)),
                _ => typed(Type::Int),
            }
        }
        _ if name == "length" => typed(Type::Int),
        _ => HOLE,
    }
}

/// Whether something unknown is spread behind a member.
fn is_covered(whole: &Term, name: &str) -> bool {
    let members = whole.members().unwrap_or_default();
    members.iter().rev().take_while(|member| member.name() != Some(name)).any(|member| member.key == Key::Spread)
}

/// Members of a request that hold what was sent.
const SENT: &[&str] =
    &["body", "query", "params", "headers", "cookies", "queryStringParameters", "pathParameters", "rawBody", "files"];

/// Members of a request that hold texts only.
const SENT_TEXTS: &[&str] = &["params", "headers", "cookies", "pathParameters", "queryStringParameters"];

/// Names that a request goes by.
const REQUESTS: &[&str] = &[
    "req",
    "request",
    "ctx",
    "context",
    "event",
    "ctx.request",
    "context.request",
    "this.request",
    "c.req",
    "this.ctx.request",
    "ctx.req",
];

fn member_of_hole(hole: &Hole, name: &str) -> Hole {
    if name == "length" || name == "size" {
        return Hole { kind: Some(Type::Int), origin: Origin::Unknown };
    }
    match &hole.origin {
        Origin::Parameter { name: whole } if REQUESTS.contains(&whole.as_str()) && SENT.contains(&name) => {
            Hole { kind: None, origin: Origin::Request { text: format!("{whole}.{name}") } }
        }
        Origin::Parameter { name: whole } => {
            Hole { kind: None, origin: Origin::Parameter { name: format!("{whole}.{name}") } }
        }
        Origin::Request { text } => {
            let last = text.rsplit('.').next().unwrap_or_default();
            let kind = SENT_TEXTS.contains(&last).then_some(Type::String);
            Hole { kind, origin: Origin::Request { text: format!("{text}.{name}") } }
        }
        Origin::Result { operation, path, computed } => {
            let path = match (path.is_empty(), name) {
                // What find-and-modify and iterators wrap around the document.
                (true, "value") => String::new(),
                (true, name) => name.to_owned(),
                (false, name) => format!("{path}.{name}"),
            };
            Hole { kind: None, origin: Origin::Result { operation: *operation, path, computed: *computed } }
        }
        Origin::Unknown | Origin::Hidden | Origin::Many(_) => Hole::default(),
    }
}

/// An element of a value, whichever.
pub(super) fn element(whole: &Term) -> What {
    match &whole.what {
        What::Array(elements) => match elements.split_first() {
            Some((first, rest)) => {
                let mut what = first.what.clone();
                for other in rest.iter().take(100) {
                    if matches!(what, What::Hole(Hole { kind: None, .. })) {
                        break;
                    }
                    what = either(&Term::new(what), other);
                }
                what
            }
            None => HOLE,
        },
        What::Hole(hole) => What::Hole(Hole { kind: None, origin: hole.origin.clone() }),
        _ => HOLE,
    }
}

/// A value that is one of two.
pub(super) fn either(one: &Term, other: &Term) -> What {
    if same(one, other, 20) {
        return one.what.clone();
    }
    let origin =
        |term: &Term| term.as_hole().map(|hole| hole.origin.clone()).filter(|origin| *origin != Origin::Unknown);
    // What a request may hold is the worse of the two.
    let request = |origin: &Origin| matches!(origin, Origin::Request { .. });
    let (a, b) = (origin(one), origin(other));
    let origin = match (a, b) {
        (Some(a), _) if request(&a) => Some(a),
        (_, Some(b)) if request(&b) => Some(b),
        (a, b) => a.or(b),
    };
    let kind = match (one.bson_type(), other.bson_type()) {
        (Some(a), Some(b)) if a == b => Some(a),
        _ => None,
    };
    What::Hole(Hole { kind, origin: origin.unwrap_or_default() })
}

/// Whether two terms are the same, wherever they are written.
fn same(one: &Term, other: &Term, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match (&one.what, &other.what) {
        (What::Value(a), What::Value(b)) => a == b,
        (What::Hole(a), What::Hole(b)) => a == b,
        (What::Array(a), What::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, depth)),
        (What::Object(a), What::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.key == b.key && same(&a.value, &b.value, depth))
        }
        _ => false,
    }
}

/// A value that is made of another one: an array of parts of a result is still from that result.
pub(super) fn derived(of: &Term, kind: Option<Type>) -> What {
    match &of.what {
        What::Hole(hole) => What::Hole(Hole { kind, origin: hole.origin.clone() }),
        _ => What::Hole(Hole { kind, origin: Origin::Unknown }),
    }
}

/// `xs.map(x => x.id)` and its like.
pub(super) fn mapped(cx: &Script<'_>, object: &Expression<'_>, call: &CallExpression<'_>, depth: u32) -> What {
    let whole = at_depth(object, cx, depth);
    let maps = matches!(bare(&call.callee), Expression::StaticMemberExpression(member)
        if matches!(member.property.name.as_str(), "map" | "flatMap"));
    if maps
        && let (What::Hole(hole), Some(Argument::ArrowFunctionExpression(arrow))) =
            (&whole.what, call.arguments.first())
        && let Origin::Result { operation, path, .. } = &hole.origin
        && let Some(value) = arrow.body.as_expression()
        && let Some(BindingPattern::BindingIdentifier(parameter)) = arrow.params.items.first().map(|item| &item.pattern)
    {
        // The path that each element is taken by.
        let text = cx.source(bare(value).span()).unwrap_or_default();
        if let Some(part) = text.strip_prefix(parameter.name.as_str()).and_then(|text| text.strip_prefix('.'))
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$'))
        {
            let path = if path.is_empty() { part.to_owned() } else { format!("{path}.{part}") };
            let origin = Origin::Result { operation: *operation, path, computed: false };
            return What::Hole(Hole { kind: Some(Type::Array), origin });
        }
    }
    derived(&whole, Some(Type::Array))
}

/// What a method of a request or of its address gives.
pub(super) fn requested(cx: &Script<'_>, object: &Expression<'_>, method: &str, depth: u32) -> Option<Hole> {
    let text = cx.source(object.span())?;
    let plain = text.trim_end_matches('?');
    let is_request = matches!(plain, "req" | "request" | "c.req" | "ctx.req" | "ctx.request");
    let kind = match method {
        "json" if is_request => None,
        "get" | "getAll" if plain.ends_with("searchParams") || plain == "searchParams" => Some(Type::String),
        "get" | "header" | "query" if is_request => Some(Type::String),
        "param" if is_request => (plain != "req").then_some(Type::String),
        _ => return None,
    };
    // A name that stands for something else is no request.
    if let Expression::Identifier(name) = bare(object)
        && is_request
        && !matches!(
            literal_origin(cx, name.name.as_str(), name.span.start, depth),
            Origin::Parameter { .. } | Origin::Unknown
        )
    {
        return None;
    }
    Some(Hole { kind, origin: Origin::Request { text: format!("{plain}.{method}()") } })
}

fn literal_origin(cx: &Script<'_>, text: &str, at: u32, depth: u32) -> Origin {
    match name(cx, text, at, depth) {
        What::Hole(hole) => hole.origin,
        _ => Origin::Hidden,
    }
}

/// A member of an expression.
pub(super) fn member(cx: &Script<'_>, object: &Expression<'_>, name: &str, depth: u32) -> What {
    match bare(object) {
        Expression::ThisExpression(this) => {
            let Some(class) = cx.tree.class_at(this.span.start) else {
                return What::Hole(Hole { kind: None, origin: Origin::Parameter { name: format!("this.{name}") } });
            };
            return match class.members.get(name).map(Vec::as_slice) {
                Some(
                    [super::tree::Member::Value(value)]
                    | [super::tree::Member::Value(value), super::tree::Member::Typed(_)],
                ) => at_depth(value, cx, depth).what,
                _ => What::Hole(Hole { kind: None, origin: Origin::Parameter { name: format!("this.{name}") } }),
            };
        }
        Expression::Identifier(class) => {
            if let Some(Declared::Class(number)) = cx
                .tree
                .resolve(class.name.as_str(), class.span.start)
                .and_then(|s| cx.tree.symbol(s))
                .map(|s| &s.declared)
                && let Some(class) = cx.tree.classes.get(*number as usize)
                && let Some([super::tree::Member::Value(value), ..]) = class.members.get(name).map(Vec::as_slice)
            {
                return at_depth(value, cx, depth).what;
            }
        }
        _ => {}
    }
    if let Some(what) = enumerated(cx, object, name, depth) {
        return what;
    }
    let whole = at_depth(object, cx, depth);
    match member_of(&whole, name) {
        // A request is known by its name too, where no declaration is seen.
        What::Hole(Hole { origin: Origin::Unknown, kind: None }) if SENT.contains(&name) => {
            let text = cx.source(object.span()).unwrap_or_default();
            let undeclared = match bare(object) {
                Expression::Identifier(name) => cx.tree.resolve(name.name.as_str(), name.span.start).is_none(),
                _ => whole.as_hole().is_some(),
            };
            if undeclared && REQUESTS.contains(&text) {
                return What::Hole(Hole { kind: None, origin: Origin::Request { text: format!("{text}.{name}") } });
            }
            HOLE
        }
        // An absent member may be a method or what a prototype gives.
        What::Value(Value::Undefined) if whole.members().is_some_and(<[Member]>::is_empty) => HOLE,
        what => what,
    }
}

/// A member of a TypeScript enum: its text, or its number.
fn enumerated(cx: &Script<'_>, object: &Expression<'_>, name: &str, depth: u32) -> Option<What> {
    let Expression::Identifier(of) = bare(object) else { return None };
    let symbol = cx.tree.symbol(cx.tree.resolve(of.name.as_str(), of.span.start)?)?;
    let Declared::Enum(declaration) = &symbol.declared else { return None };
    enum_members(cx, declaration, depth).into_iter().find(|(known, _)| known == name).map(|(_, what)| what)
}

/// The members of a TypeScript enum with their values.
pub(super) fn enum_members(cx: &Script<'_>, declaration: &TSEnumDeclaration<'_>, depth: u32) -> Vec<(String, What)> {
    let mut members = Vec::new();
    let mut next = Some(0_i32);
    for member in &declaration.body.members {
        let value = match &member.initializer {
            Some(value) => at_depth(value, cx, depth).what,
            None => next.map_or(HOLE, |number| What::Value(Value::Int(number))),
        };
        next = match &value {
            What::Value(Value::Int(number)) => number.checked_add(1),
            _ => None,
        };
        members.push((member.id.static_name().to_string(), value));
    }
    members
}

/// The value of a parameter.
fn parameter_value(cx: &Script<'_>, function: u32, at: usize, parameter: &FormalParameter<'_>, depth: u32) -> Term {
    let frames = cx.frames.borrow();
    if let Some((_, arguments)) = frames.iter().rev().find(|(known, _)| *known == function) {
        let absent = || Term::new(What::Value(Value::Undefined));
        return arguments.get(at).cloned().unwrap_or_else(absent);
    }
    drop(frames);
    if let Some(origin) = decorated(cx, parameter) {
        return Term::new(What::Hole(origin));
    }
    let Some(info) = cx.tree.functions.get(function as usize) else { return Term::hole() };
    if let Some((call, _)) = info.callback
        && let Some(term) = callback_parameter(cx, call, at, depth)
    {
        return term;
    }
    // The first parameter of a handler that takes it apart: `({ body }, res) => …`.
    let name = match &parameter.pattern {
        BindingPattern::BindingIdentifier(name) => name.name.as_str(),
        BindingPattern::ObjectPattern(object) => {
            let handler = info.callback.is_some_and(|(call, _)| is_route(call)) || info.parameters.items.len() >= 2;
            let sent = object.properties.iter().any(|property| {
                super::tree::key_name(&property.key).is_some_and(|name| matches!(name, "body" | "query" | "params"))
            });
            if handler && sent && at == 0 { "req" } else { "?" }
        }
        _ => "?",
    };
    if info.callback.is_some_and(|(call, _)| is_route(call) && is_checked_route(cx, call)) && at == 0 {
        return Term::hole();
    }
    // What only shares its name with a request is none.
    if REQUESTS.contains(&name) && !is_handler(cx, info, parameter) {
        return Term::hole();
    }
    Term::new(What::Hole(Hole { kind: None, origin: Origin::Parameter { name: name.to_owned() } }))
}

/// Frameworks whose handlers take a request.
const FRAMEWORKS: &[&str] =
    &["express", "koa", "fastify", "hapi", "next", "lambda", "hono", "nest", "restify", "polka", "sails", "http"];

/// Whether a function looks like one that a request is handed to: a route's, or one with the response beside it.
fn is_handler(cx: &Script<'_>, info: &super::tree::FunctionInfo<'_>, parameter: &FormalParameter<'_>) -> bool {
    let framework = || {
        let is = |module: &&str| !module.starts_with('.') && FRAMEWORKS.iter().any(|name| module.contains(name));
        cx.tree.modules.iter().any(is)
    };
    let beside = || {
        info.parameters.items.iter().any(|item| {
            matches!(&item.pattern, BindingPattern::BindingIdentifier(name)
            if matches!(name.name.as_str(), "res" | "response" | "reply" | "next" | "h" | "_res"))
        })
    };
    let typed = || {
        let text = parameter.type_annotation.as_ref().and_then(|annotation| cx.source(annotation.span));
        text.is_some_and(|text| ["Request", "Context", "Event"].iter().any(|word| text.contains(word)))
    };
    let named = || {
        let names = ["handler", "GET", "POST", "PUT", "PATCH", "DELETE", "getServerSideProps", "loader", "action"];
        info.name.is_some_and(|name| names.contains(&name))
    };
    info.callback.is_some_and(|(call, _)| is_route(call)) || beside() || typed() || named() || framework()
}

/// `app.post('/path', …)` and its like.
fn is_route(call: &CallExpression<'_>) -> bool {
    matches!(&call.callee, Expression::StaticMemberExpression(member)
        if matches!(member.property.name.as_str(), "get" | "post" | "put" | "patch" | "delete" | "all" | "use" | "route" | "del"))
}

/// Whether a route checks what is sent before its handler runs.
fn is_checked_route(cx: &Script<'_>, call: &CallExpression<'_>) -> bool {
    let arguments = call.arguments.len().saturating_sub(1);
    call.arguments.iter().take(arguments).any(|argument| {
        let text = cx.source(argument.span()).unwrap_or_default();
        let head = text.get(..text.len().min(400)).unwrap_or_default().to_ascii_lowercase();
        ["valid", "celebrate", "sanitiz", "schema", "check(", "body(", "query(", "param("]
            .iter()
            .any(|word| head.contains(word))
    })
}

/// `@Body() dto`, `@Query('q') q` and their like.
fn decorated(cx: &Script<'_>, parameter: &FormalParameter<'_>) -> Option<Hole> {
    for decorator in &parameter.decorators {
        let Expression::CallExpression(call) = &decorator.expression else { continue };
        let Expression::Identifier(name) = &call.callee else { continue };
        let kind = match name.name.as_str() {
            "Body" | "Query" => None,
            "Param" | "Headers" => Some(Type::String),
            _ => continue,
        };
        // A pipe turns the text into something else, or refuses it.
        let part = cx.text_argument(&call.arguments, 0);
        let pipes = call.arguments.len() > usize::from(part.is_some());
        if pipes {
            return Some(Hole::default());
        }
        // With a class for a type, a validation pipe holds it to that class.
        let by_class = parameter.type_annotation.as_ref().is_some_and(|annotation| {
            matches!(&annotation.type_annotation, TSType::TSTypeReference(reference)
                if matches!(&reference.type_name, TSTypeName::IdentifierReference(name)
                    if !matches!(name.name.as_str(), "Record" | "Partial" | "Array" | "Promise")))
        });
        if by_class && part.is_none() {
            return Some(Hole::default());
        }
        let whole = format!("@{}", name.name.as_str());
        let text = part.map_or(whole.clone(), |part| format!("{whole}.{part}"));
        let kind = kind.filter(|_| text.contains('.'));
        return Some(Hole { kind, origin: Origin::Request { text } });
    }
    None
}

/// Methods that call a function for each element, with the place of the parameter that takes it.
pub(super) fn element_place(method: &str) -> Option<usize> {
    match method {
        "map" | "forEach" | "flatMap" | "filter" | "some" | "every" | "each" | "eachSeries" | "eachLimit" | "find"
        | "findIndex" | "mapSeries" | "mapLimit" | "forEachSeries" | "forEachOf" | "eachOf" | "sortBy" | "groupBy" => {
            Some(0)
        }
        "reduce" | "reduceRight" => Some(1),
        _ => None,
    }
}

/// What a call goes over, where it calls a function for each element: `xs.map(…)`, `async.each(xs, …)`.
pub(super) fn gone_over<'e, 'a>(call: &'e CallExpression<'a>) -> Option<&'e Expression<'a>> {
    match bare(&call.callee) {
        Expression::StaticMemberExpression(member) => {
            element_place(member.property.name.as_str())?;
            let library = matches!(&member.object, Expression::Identifier(name)
                if matches!(name.name.as_str(), "async" | "_" | "lodash" | "Promise" | "Bluebird" | "R" | "Async"));
            if library { call.arguments.first()?.as_expression() } else { Some(&member.object) }
        }
        Expression::Identifier(name) => {
            let known = matches!(
                name.name.as_str(),
                "pMap" | "pEach" | "pMapSeries" | "each" | "eachSeries" | "mapSeries" | "asyncForEach" | "forEachAsync"
            );
            if known { call.arguments.first()?.as_expression() } else { None }
        }
        _ => None,
    }
}

/// The value that a call hands to its callback.
fn callback_parameter(cx: &Script<'_>, call: &CallExpression<'_>, at: usize, depth: u32) -> Option<Term> {
    let depth = depth.checked_sub(1)?;
    let result = |operation: u32| {
        Term::new(What::Hole(Hole {
            kind: None,
            origin: Origin::Result { operation, path: String::new(), computed: false },
        }))
    };
    let method = match bare(&call.callee) {
        Expression::StaticMemberExpression(member) => member.property.name.as_str(),
        _ => "",
    };
    // The callback of an operation takes an error and the result, that of a cursor's `forEach` the document.
    if let Some(operation) = cx.operation_of(call.span) {
        return match (method, at) {
            ("forEach" | "map" | "each", 0) | (_, 1) => Some(result(operation)),
            _ => None,
        };
    }
    if let ("then", Expression::StaticMemberExpression(member)) = (method, bare(&call.callee)) {
        return match at_depth(&member.object, cx, depth).what {
            what @ What::Hole(Hole { origin: Origin::Result { .. }, .. }) if at == 0 => Some(Term::new(what)),
            _ => None,
        };
    }
    let over = gone_over(call)?;
    let wanted = element_place(method).unwrap_or(0);
    if at == wanted {
        return Some(Term::new(element(&at_depth(over, cx, depth))));
    }
    // Functions of libraries hand over a callback instead of the place.
    let library = call.arguments.first().is_some_and(|first| first.span() == over.span());
    (at == wanted + 1 && !library).then(|| Term::typed(Type::Int))
}

/// What a function of the same file gives back for these arguments.
pub(super) fn inlined(cx: &Script<'_>, call: &CallExpression<'_>, depth: u32) -> What {
    let Some(function) = called_function(cx, call) else { return HOLE };
    let mut whats: Vec<Term> = Vec::new();
    let entered =
        within(cx, function, call, depth, |cx, value| whats.push(at_depth(value, cx, depth.saturating_sub(1))));
    if !entered {
        return HOLE;
    }
    let mut whats = whats.into_iter();
    let Some(mut known) = whats.next() else { return HOLE };
    for other in whats {
        known = Term { what: either(&known, &other), span: known.span };
    }
    match known.what {
        // A parameter of that function tells nothing outside it.
        What::Hole(Hole { kind, origin: Origin::Parameter { .. } }) => {
            What::Hole(Hole { kind, origin: Origin::Unknown })
        }
        what => what,
    }
}

/// Calls `visit` with each value that a function gives back, its parameters bound to a call's arguments. False where it
/// is not followed.
pub(super) fn within<'a>(
    cx: &Script<'a>,
    function: u32,
    call: &CallExpression<'_>,
    depth: u32,
    mut visit: impl FnMut(&Script<'a>, &'a Expression<'a>),
) -> bool {
    let Some(info) = cx.tree.functions.get(function as usize) else { return false };
    let deep = {
        let frames = cx.frames.borrow();
        frames.len() >= DEEPEST_CALLS || frames.iter().any(|(known, _)| *known == function)
    };
    if deep || info.returns.is_empty() || info.returns.len() > 8 || !cx.spend(20) {
        return false;
    }
    let argument = |argument: &Argument<'_>| match argument.as_expression() {
        Some(argument) => at_depth(argument, cx, depth.saturating_sub(1)),
        None => Term::hole(),
    };
    let arguments = call.arguments.iter().map(argument).collect();
    cx.frames.borrow_mut().push((function, arguments));
    for value in &info.returns {
        visit(cx, value);
    }
    cx.frames.borrow_mut().pop();
    true
}

/// The function of the same file that a call calls.
pub(super) fn called_function(cx: &Script<'_>, call: &CallExpression<'_>) -> Option<u32> {
    match bare(&call.callee) {
        Expression::Identifier(name) => {
            let symbol = cx.tree.symbol(cx.tree.resolve(name.name.as_str(), name.span.start)?)?;
            if symbol.is_changed() {
                return None;
            }
            match &symbol.declared {
                Declared::Function(function) => Some(*function),
                Declared::Value(init, path) if path.steps.is_empty() => function_of(cx, init),
                _ => None,
            }
        }
        Expression::StaticMemberExpression(member) => {
            let name = member.property.name.as_str();
            let class = match bare(&member.object) {
                Expression::ThisExpression(this) => cx.tree.class_at(this.span.start)?,
                Expression::Identifier(class) => {
                    let symbol = cx.tree.symbol(cx.tree.resolve(class.name.as_str(), class.span.start)?)?;
                    match &symbol.declared {
                        Declared::Class(class) => cx.tree.classes.get(*class as usize)?,
                        Declared::Value(init, path) if path.steps.is_empty() && !symbol.is_changed() => {
                            return function_of(cx, object_member(init, name)?);
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            };
            match class.members.get(name)?.as_slice() {
                [super::tree::Member::Function(function)] => Some(*function),
                [super::tree::Member::Value(value)] => function_of(cx, value),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The value of a member of an object that is written down.
pub(super) fn object_member<'e, 'a>(object: &'e Expression<'a>, name: &str) -> Option<&'e Expression<'a>> {
    let Expression::ObjectExpression(object) = bare(object) else { return None };
    object.properties.iter().rev().find_map(|property| match property {
        oxc_ast::ast::ObjectPropertyKind::ObjectProperty(property) => {
            (property.key.static_name().as_deref() == Some(name)).then_some(&property.value)
        }
        oxc_ast::ast::ObjectPropertyKind::SpreadProperty(_) => None,
    })
}

/// The number of a function that stands there as a value.
pub(super) fn function_of(cx: &Script<'_>, expression: &Expression<'_>) -> Option<u32> {
    let inner = bare(expression);
    if !matches!(inner, Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_)) {
        return None;
    }
    let span = inner.span();
    let at = cx.tree.functions.partition_point(|function| function.span.start < span.start);
    let functions = cx.tree.functions.get(at..)?;
    let found =
        functions.iter().take_while(|function| function.span.start == span.start).position(|f| f.span == span)?;
    u32::try_from(at + found).ok()
}

/// How a change relates to a use.
#[derive(PartialEq, Eq)]
enum Timing {
    Never,
    Perhaps,
    Certainly,
}

/// What a name that changes stands for at a position.
fn changed(cx: &Script<'_>, number: u32, at: u32, depth: u32) -> What {
    let Some(symbol) = cx.tree.symbol(number) else { return HOLE };
    if !cx.spend(symbol.writes.len() as u32) {
        return HOLE;
    }
    // Declared without a value and set in one place: that is what it stands for, wherever that place is.
    if let (Declared::Nothing, [Write { change: Change::Assign(value), .. }]) =
        (&symbol.declared, symbol.writes.as_slice())
    {
        return at_depth(value, cx, depth).what;
    }
    let use_region = cx.tree.region_at(at);
    let timed: Vec<(Timing, &Write<'_>)> = symbol
        .writes
        .iter()
        .map(|write| (timing(cx, symbol.region, write, at, use_region), write))
        .filter(|(timing, _)| *timing != Timing::Never)
        .collect();
    // Nothing before the last certain assignment counts.
    let last = timed
        .iter()
        .rposition(|(timing, write)| *timing == Timing::Certainly && matches!(write.change, Change::Assign(_)));
    let mut term = match last {
        Some(_) => Term::hole(),
        None => declared(cx, &symbol.declared, depth),
    };
    for (timing, write) in timed.into_iter().skip(last.unwrap_or(0)) {
        apply(cx, &mut term, write, timing == Timing::Certainly, depth);
    }
    term.what
}

/// Whether a change has happened when a use comes.
fn timing(cx: &Script<'_>, home: u32, write: &Write<'_>, at: u32, use_region: u32) -> Timing {
    let tree = &cx.tree;
    let mut perhaps = false;
    let mut shared_loop = false;
    for (number, region) in tree.upwards(write.region) {
        if number == home {
            break;
        }
        let holds = tree.holds(number, at);
        match region.kind {
            RegionKind::Function(_) if !holds => perhaps = true,
            RegionKind::Loop(_) if holds => shared_loop = true,
            RegionKind::Loop(_) => perhaps = true,
            RegionKind::Arm { construct } if !holds => {
                // The other arm of the same construct is never on the way.
                let excluded = tree
                    .upwards(use_region)
                    .any(|(_, other)| matches!(other.kind, RegionKind::Arm { construct: other } if other == construct));
                if excluded && !shared_loop {
                    return Timing::Never;
                }
                perhaps = true;
            }
            _ => {}
        }
    }
    let home_function = tree.function_of(home);
    if write.end > at {
        let later_call = tree.function_of(use_region) != tree.function_of(write.region)
            && tree.function_of(use_region) != home_function;
        return if shared_loop || later_call || perhaps && tree.function_of(write.region) != tree.function_of(use_region)
        {
            Timing::Perhaps
        } else {
            Timing::Never
        };
    }
    if perhaps { Timing::Perhaps } else { Timing::Certainly }
}

fn apply(cx: &Script<'_>, term: &mut Term, write: &Write<'_>, certain: bool, depth: u32) {
    match &write.change {
        Change::Assign(value) => {
            let value = at_depth(value, cx, depth);
            *term = if certain { value } else { Term { what: either(term, &value), span: term.span } };
        }
        Change::Set(path, value) => {
            let value = at_depth(value, cx, depth);
            set(term, path, value, certain);
        }
        Change::Adjust(path) => set(term, path, Term::hole(), certain),
        Change::SetComputed(key, value) => {
            let key = at_depth(key, cx, depth);
            let value = at_depth(value, cx, depth);
            match key.as_str() {
                Some(name) => set(term, &[name], value, certain),
                None => open(term, Some((Key::Computed("?".to_owned()), value))),
            }
        }
        Change::Remove(name) => match &mut term.what {
            What::Object(members) if certain => members.retain(|member| member.name() != Some(name)),
            What::Object(members) => {
                for member in members.iter_mut().filter(|member| member.name() == Some(name)) {
                    let removed = member.clone();
                    *member = Member {
                        key: Key::Spread,
                        span: removed.span,
                        spread: true,
                        value: Term::new(What::Object(vec![removed])),
                    };
                }
            }
            _ => {}
        },
        Change::Push(arguments) | Change::Unshift(arguments) => {
            let front = matches!(write.change, Change::Unshift(_));
            let What::Array(elements) = &mut term.what else { return };
            let mut more = Vec::new();
            if certain {
                for argument in *arguments {
                    match argument {
                        Argument::SpreadElement(spread) => match at_depth(&spread.argument, cx, depth).what {
                            What::Array(inner) => more.extend(inner),
                            _ => more.push(Term::hole()),
                        },
                        other => more.push(other.as_expression().map_or_else(Term::hole, |e| at_depth(e, cx, depth))),
                    }
                }
            } else {
                more.push(Term::hole());
            }
            if front {
                more.append(elements);
                *elements = more;
            } else {
                elements.append(&mut more);
            }
        }
        Change::Merge(arguments) => {
            for argument in *arguments {
                let value = argument.as_expression().map_or_else(Term::hole, |e| at_depth(e, cx, depth));
                match (&mut term.what, value.what) {
                    (What::Object(members), What::Object(more)) if certain => {
                        for member in more {
                            members.retain(|known| known.name().is_none() || known.name() != member.name());
                            members.push(Member { spread: true, ..member });
                        }
                    }
                    (_, what) => open(term, Some((Key::Spread, Term { what, span: value.span }))),
                }
            }
        }
        Change::Passed => open(term, None),
        // A cursor that was sorted is still that cursor.
        Change::Unknown if term.as_hole().is_some() => {}
        Change::Unknown => term.what = hole_like(term),
    }
}

/// Sets a member of an object, in the way of `x.a.b = value`.
fn set(term: &mut Term, path: &[&str], value: Term, certain: bool) {
    let Some((name, rest)) = path.split_first() else { return };
    let What::Object(members) = &mut term.what else { return };
    let known = members.iter().rposition(|member| member.name() == Some(*name));
    match (known.and_then(|at| members.get_mut(at)), rest.is_empty()) {
        (Some(member), false) => set(&mut member.value, rest, value, certain),
        (Some(member), true) if certain => {
            *member = Member { value, span: member.span, key: member.key.clone(), spread: false }
        }
        (Some(member), true) => member.value.what = either(&member.value, &value),
        (None, true) => {
            let span = value.span;
            let member = Member { key: Key::Name((*name).to_owned()), value, span, spread: false };
            members.push(if certain {
                member
            } else {
                Member { key: Key::Spread, span, spread: true, value: Term::new(What::Object(vec![member])) }
            });
        }
        (None, false) => open(term, None),
    }
}

/// Leaves room for members or elements that are not known.
fn open(term: &mut Term, with: Option<(Key, Term)>) {
    let (key, value) = with.unwrap_or((Key::Spread, Term::hole()));
    match &mut term.what {
        What::Object(members) => {
            let span = value.span;
            let spread = key == Key::Spread;
            members.push(Member { key, value, span, spread });
        }
        What::Array(elements) => elements.push(Term::hole()),
        _ => {}
    }
}
