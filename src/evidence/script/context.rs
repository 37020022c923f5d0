//! What surrounds an operation: functions, loops and what they go over, transactions, what runs beside it.

use std::collections::BTreeMap;

use oxc_ast::ast::{Argument, ArrayExpressionElement, BinaryOperator, CallExpression, Expression};
use oxc_span::{GetSpan, Span};

use super::flow::{called_function, function_of, gone_over};
use super::literal::{self, bare, place};
use super::source::Script;
use super::tree::{CallSite, Declared, Fate, LoopInfo, RegionKind};
use crate::order::Ordered;
use crate::workload::{Context, Loop, LoopKind, Origin, Over, What};

/// Functions that run their callback within a transaction.
const TRANSACTIONS: &[&str] = &["withTransaction", "transaction"];

/// Functions that run their callback once.
const ONCE: &[&str] = &[
    "then",
    "catch",
    "finally",
    "withTransaction",
    "withSession",
    "transaction",
    "setTimeout",
    "setImmediate",
    "nextTick",
    "run",
];

/// The transactions of a script, and the variables whose promises are gathered.
pub(super) struct Surroundings {
    /// Callbacks and ranges between start and commit: the function around, from, to.
    transactions: Vec<(Option<u32>, Span)>,
    gathered: BTreeMap<u32, Span>,
    /// Calls of functions of the script, by number of the function.
    calls: BTreeMap<u32, Vec<Called>>,
}

/// A call of a function of the same script.
struct Called {
    /// Where.
    at: u32,
    /// What it is called for, where it is handed over to be called for each element: `ids.map(load)`.
    each: Option<Loop>,
}

/// Functions that call each other, which loops are looked for in.
const DEEPEST_CALLERS: u32 = 3;

/// Calls of one function that are looked at.
const MOST_CALLERS: usize = 50;

impl Surroundings {
    pub(super) fn new(cx: &Script<'_>) -> Surroundings {
        let mut transactions = Vec::new();
        let mut gathered = BTreeMap::new();
        let mut started: Vec<(Option<u32>, u32)> = Vec::new();
        let mut ended: Vec<(Option<u32>, u32)> = Vec::new();
        let mut calls: BTreeMap<u32, Vec<Called>> = BTreeMap::new();
        for CallSite { call, .. } in &cx.tree.calls {
            if let Some(function) = called_function(cx, call) {
                calls.entry(function).or_default().push(Called { at: call.span.start, each: None });
            }
            if let Some(over) = callback_loop(cx, call) {
                let each = Loop { kind: LoopKind::Callback, over, span: place(call.span) };
                for argument in &call.arguments {
                    let Argument::Identifier(name) = argument else { continue };
                    let Some(function) = function_named(cx, name.name.as_str(), name.span.start) else { continue };
                    let called = Called { at: call.span.start, each: Some(each.clone()) };
                    calls.entry(function).or_default().push(called);
                }
            }
            let Expression::StaticMemberExpression(member) = bare(&call.callee) else { continue };
            let function = || cx.tree.function_at(call.span.start);
            match member.property.name.as_str() {
                method if TRANSACTIONS.contains(&method) && !call.arguments.is_empty() => {
                    transactions.push((None, call.span));
                }
                "startTransaction" => started.push((function(), call.span.end)),
                "commitTransaction" => ended.push((function(), call.span.start)),
                "all" | "allSettled" | "race" | "any" => {
                    for argument in &call.arguments {
                        if let Argument::Identifier(name) = argument {
                            let symbol = cx.tree.resolve(name.name.as_str(), name.span.start);
                            gathered.extend(symbol.map(|symbol| (symbol, call.span)));
                        }
                    }
                }
                _ => {}
            }
        }
        for (function, from) in started {
            let commit = ended.iter().filter(|(other, to)| *other == function && *to > from).map(|(_, to)| *to).min();
            // A commit elsewhere leaves open which operations belong to it.
            if let Some(to) = commit {
                transactions.push((function, Span::new(from, to)));
            }
        }
        transactions.order_by_key(|(_, span)| span.start);
        Surroundings { transactions, gathered, calls }
    }

    /// What surrounds an operation at a position.
    pub(super) fn of(&self, cx: &Script<'_>, at: u32, fate: Fate<'_>) -> Context {
        let mut context = Context { used: fate.used, ..Context::default() };
        // Inner transactions come later.
        let within = |(function, span): &(Option<u32>, Span)| {
            span.start <= at
                && at < span.end
                && function.is_none_or(|wanted| {
                    cx.tree.around(at).any(|(_, region)| region.kind == RegionKind::Function(wanted))
                })
        };
        let transaction = self.transactions.iter().rposition(within);
        context.transaction = transaction.map(|number| number as u32);
        let held = fate.holder.and_then(|(name, at)| self.gathered.get(&cx.tree.resolve(name, at)?).copied());
        // Transactions that run beside each other are no calls that do.
        let around = transaction.and_then(|number| self.transactions.get(number)).map(|(_, span)| *span);
        let parallel = fate.parallel.or(held).filter(|call| around.is_none_or(|around| around.start <= call.start));
        context.parallel = parallel.map(place);
        let mut own = true;
        let mut left = None;
        for (number, region) in cx.tree.around(at) {
            match region.kind {
                RegionKind::Function(function) => {
                    let Some(info) = cx.tree.functions.get(function as usize) else { continue };
                    context.functions.push(function);
                    context.names.push(info.name.map(str::to_owned));
                    if !own {
                        continue;
                    }
                    own = match info.callback {
                        Some((call, _)) => match callback_loop(cx, call) {
                            Some(over) => {
                                let kind = LoopKind::Callback;
                                context.loops.push(Loop { kind, over, span: place(call.span) });
                                true
                            }
                            None => is_transparent(cx, call),
                        },
                        None => info.immediate,
                    };
                    if !own && info.callback.is_none() {
                        left = Some(function);
                    }
                }
                RegionKind::Loop(number) if own => {
                    if let Some(info) = cx.tree.loops.get(number as usize) {
                        context.loops.push(written_loop(cx, info));
                    }
                }
                RegionKind::Arm { .. } => context.branches.push(number),
                _ => {}
            }
        }
        // A helper does in a loop what it does, where it is called in one.
        if context.loops.is_empty()
            && let Some(function) = left
        {
            self.callers(cx, function, DEEPEST_CALLERS, &mut context.loops);
        }
        context.functions.reverse();
        context.names.reverse();
        context.loops.reverse();
        context.branches.reverse();
        context
    }
}

impl Surroundings {
    /// The loops, innermost first, around the first call of a function that stands in any.
    fn callers(&self, cx: &Script<'_>, function: u32, depth: u32, loops: &mut Vec<Loop>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for called in self.calls.get(&function).into_iter().flatten().take(MOST_CALLERS) {
            let within_itself =
                cx.tree.around(called.at).any(|(_, region)| region.kind == RegionKind::Function(function));
            if within_itself || !cx.spend(10) {
                continue;
            }
            loops.extend(called.each.clone());
            let mut left = None;
            for (_, region) in cx.tree.around(called.at) {
                match region.kind {
                    RegionKind::Function(outer) => {
                        let Some(info) = cx.tree.functions.get(outer as usize) else { break };
                        let goes_on = match info.callback {
                            Some((call, _)) => match callback_loop(cx, call) {
                                Some(over) => {
                                    loops.push(Loop { kind: LoopKind::Callback, over, span: place(call.span) });
                                    true
                                }
                                None => is_transparent(cx, call),
                            },
                            None => info.immediate,
                        };
                        if !goes_on {
                            left = info.callback.is_none().then_some(outer);
                            break;
                        }
                    }
                    RegionKind::Loop(number) => {
                        loops.extend(cx.tree.loops.get(number as usize).map(|info| written_loop(cx, info)));
                    }
                    _ => {}
                }
            }
            if loops.is_empty()
                && let Some(outer) = left
            {
                self.callers(cx, outer, depth, loops);
            }
            if !loops.is_empty() {
                return;
            }
        }
    }
}

/// The function of the script that a name stands for.
fn function_named(cx: &Script<'_>, name: &str, at: u32) -> Option<u32> {
    let symbol = cx.tree.symbol(cx.tree.resolve(name, at)?).filter(|symbol| !symbol.is_changed())?;
    match &symbol.declared {
        Declared::Function(function) => Some(*function),
        Declared::Value(init, path) if path.steps.is_empty() => function_of(cx, init),
        _ => None,
    }
}

/// Whether a callback runs once where it stands.
fn is_transparent(cx: &Script<'_>, call: &CallExpression<'_>) -> bool {
    let name = match bare(&call.callee) {
        Expression::StaticMemberExpression(member) => member.property.name.as_str(),
        Expression::Identifier(name) => name.name.as_str(),
        _ => return false,
    };
    ONCE.contains(&name) || cx.operation_of(call.span).is_some()
}

/// What a callback that runs for each element goes over.
fn callback_loop(cx: &Script<'_>, call: &CallExpression<'_>) -> Option<Over> {
    if let Some(operation) = cx.operation_of(call.span) {
        let each = matches!(bare(&call.callee), Expression::StaticMemberExpression(member)
            if matches!(member.property.name.as_str(), "forEach" | "map" | "each" | "eachAsync"));
        return each.then_some(Over::Result(operation));
    }
    gone_over(call).map(|over| gone_through(cx, over, 20))
}

/// What a loop over an expression goes over.
fn gone_through(cx: &Script<'_>, expression: &Expression<'_>, depth: u32) -> Over {
    let Some(depth) = depth.checked_sub(1) else { return Over::Unknown };
    let inner = bare(expression);
    let first = |arguments: &[Argument<'_>]| {
        arguments.first().and_then(Argument::as_expression).map(|first| gone_through(cx, first, depth))
    };
    match inner {
        Expression::CallExpression(call) if cx.operation_of(call.span).is_none() => {
            if let Expression::StaticMemberExpression(member) = bare(&call.callee) {
                let library = matches!(&member.object, Expression::Identifier(name)
                    if matches!(name.name.as_str(), "Object" | "Array" | "_" | "lodash"));
                match member.property.name.as_str() {
                    "chunk" | "range" if library => return Over::Unknown,
                    "keys" | "values" | "entries" | "from" | "uniq" | "compact" | "shuffle" if library => {
                        return first(&call.arguments).unwrap_or(Over::Unknown);
                    }
                    "map" | "filter" | "slice" | "sort" | "reverse" | "entries" | "values" | "keys" | "flat"
                    | "flatMap" | "concat" | "fill" => return gone_through(cx, &member.object, depth),
                    _ => {}
                }
            }
            if let Expression::Identifier(name) = bare(&call.callee)
                && name.name == "Array"
            {
                let constant = call.arguments.first().is_some_and(|a| literal::argument(a, cx).value().is_some());
                return if constant { Over::Constant } else { Over::Unknown };
            }
        }
        Expression::NewExpression(new) => {
            let set = matches!(&new.callee, Expression::Identifier(name) if matches!(name.name.as_str(), "Set" | "Map" | "Array"));
            if set {
                return first(&new.arguments).unwrap_or(Over::Unknown);
            }
        }
        Expression::ArrayExpression(array) => {
            if let [ArrayExpressionElement::SpreadElement(spread)] = array.elements.as_slice() {
                return gone_through(cx, &spread.argument, depth);
            }
            let written =
                array.elements.iter().all(|element| !matches!(element, ArrayExpressionElement::SpreadElement(_)));
            return if written { Over::Constant } else { Over::Unknown };
        }
        _ => {}
    }
    let term = literal::evaluate(inner, cx);
    match &term.what {
        What::Hole(hole) => match &hole.origin {
            Origin::Result { operation, .. } => Over::Result(*operation),
            _ => declared_over(cx, inner, depth),
        },
        What::Array(elements) => {
            let from = elements.iter().find_map(|element| match &element.as_hole()?.origin {
                Origin::Result { operation, .. } => Some(*operation),
                _ => None,
            });
            match from {
                Some(operation) => Over::Result(operation),
                None if elements.iter().any(|element| element.as_hole().is_some()) => Over::Unknown,
                None => Over::Constant,
            }
        }
        What::Object(_) | What::Value(_) => Over::Constant,
    }
}

/// What a variable was made of, where its value says nothing: `const ids = Object.keys(BY_ID)`.
fn declared_over(cx: &Script<'_>, expression: &Expression<'_>, depth: u32) -> Over {
    let Expression::Identifier(name) = expression else { return Over::Unknown };
    let symbol = cx.tree.resolve(name.name.as_str(), name.span.start).and_then(|symbol| cx.tree.symbol(symbol));
    match symbol.map(|symbol| (&symbol.declared, symbol.writes.is_empty())) {
        Some((Declared::Value(init, path), true)) if path.steps.is_empty() => gone_through(cx, init, depth),
        _ => Over::Unknown,
    }
}

/// Words in the conditions of loops that try again or turn pages.
const AGAIN: &[&str] = &[
    "attempt",
    "retr",
    "tries",
    "more",
    "page",
    "skip",
    "offset",
    "token",
    "cursor",
    "done",
    "finish",
    "next",
    "true",
    "running",
    "remaining",
    "batch",
    "processed",
    "lastid",
    "last_id",
    "!stop",
];

fn written_loop(cx: &Script<'_>, info: &LoopInfo<'_>) -> Loop {
    match info {
        LoopInfo::Of(each) => {
            let kind = if each.r#await { LoopKind::Await } else { LoopKind::Each };
            Loop { kind, over: gone_through(cx, &each.right, 20), span: place(each.span) }
        }
        LoopInfo::In(each) => {
            Loop { kind: LoopKind::Each, over: gone_through(cx, &each.right, 20), span: place(each.span) }
        }
        LoopInfo::For(each) => {
            let over = each.test.as_ref().map_or(Over::Again, |test| bounded(cx, test));
            Loop { kind: LoopKind::For, over, span: place(each.span) }
        }
        LoopInfo::While(test, span) => Loop { kind: LoopKind::While, over: repeated(cx, test), span: place(*span) },
    }
}

/// What a counting loop goes over: `i < 10`, `i < orders.length`.
fn bounded(cx: &Script<'_>, test: &Expression<'_>) -> Over {
    let Expression::BinaryExpression(binary) = bare(test) else { return repeated(cx, test) };
    let bound = match binary.operator {
        BinaryOperator::LessThan
        | BinaryOperator::LessEqualThan
        | BinaryOperator::StrictInequality
        | BinaryOperator::Inequality => &binary.right,
        BinaryOperator::GreaterThan | BinaryOperator::GreaterEqualThan => {
            // `i > 0` counts down from somewhere.
            if literal::evaluate(&binary.right, cx).value().is_some() {
                return says_again(cx, test);
            }
            &binary.left
        }
        _ => return says_again(cx, test),
    };
    if literal::evaluate(bound, cx).value().is_some() {
        return Over::Constant;
    }
    match bare(bound) {
        Expression::StaticMemberExpression(member) if member.property.name == "length" => {
            gone_through(cx, &member.object, 20)
        }
        _ => says_again(cx, test),
    }
}

/// What a `while` goes over.
fn repeated(cx: &Script<'_>, test: &Expression<'_>) -> Over {
    let mut inner = bare(test);
    if let Expression::BinaryExpression(binary) = inner
        && matches!(binary.operator, BinaryOperator::StrictInequality | BinaryOperator::Inequality)
    {
        inner = bare(&binary.left);
    }
    if let Expression::AssignmentExpression(assignment) = inner {
        inner = bare(&assignment.right);
    }
    // `while (await cursor.hasNext())`, `while ((doc = await cursor.next()))`
    if let Expression::CallExpression(call) = inner
        && let Expression::StaticMemberExpression(member) = bare(&call.callee)
        && matches!(member.property.name.as_str(), "hasNext" | "next" | "tryNext")
        && let What::Hole(hole) = literal::evaluate(&member.object, cx).what
        && let Origin::Result { operation, .. } = hole.origin
    {
        return Over::Result(operation);
    }
    if literal::evaluate(test, cx).value().is_some() {
        return Over::Again;
    }
    // `while (batch.length)`: page by page.
    if let Expression::StaticMemberExpression(member) = inner
        && member.property.name == "length"
    {
        return Over::Again;
    }
    says_again(cx, test)
}

fn says_again(cx: &Script<'_>, test: &Expression<'_>) -> Over {
    let text = cx.source(test.span()).unwrap_or_default().to_ascii_lowercase();
    if AGAIN.iter().any(|word| text.contains(word)) { Over::Again } else { Over::Unknown }
}
