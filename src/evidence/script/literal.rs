//! Expressions that are known from the text alone, as the values that a driver would send.

use bumpalo::Bump;
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, BinaryOperator, CallExpression, ChainElement, Expression, LogicalOperator,
    ObjectPropertyKind, PropertyKey, PropertyKind, UnaryOperator,
};
use oxc_span::GetSpan;

use super::flow;
use super::operations;
use super::source::Script;
use super::tree::Checked;
use crate::order::Ordered;
use crate::value::{Document, Type, Value};
use crate::workload::{Hole, Key, Member, Origin, Span, Term, What};

/// Levels of constants and expressions that are followed.
pub(super) const DEEPEST: u32 = 64;

/// Evaluates an expression without running anything.
pub(super) fn evaluate(expression: &Expression<'_>, cx: &Script<'_>) -> Term {
    at_depth(expression, cx, DEEPEST)
}

/// Evaluates an argument; a spread is a hole.
pub(super) fn argument(argument: &Argument<'_>, cx: &Script<'_>) -> Term {
    argument.as_expression().map_or_else(Term::hole, |expression| evaluate(expression, cx))
}

/// Takes away what only TypeScript, parentheses and `await` put around an expression.
pub(super) fn bare<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    let mut expression = expression;
    loop {
        expression = match expression {
            Expression::ParenthesizedExpression(inner) => &inner.expression,
            Expression::TSAsExpression(inner) => &inner.expression,
            Expression::TSSatisfiesExpression(inner) => &inner.expression,
            Expression::TSNonNullExpression(inner) => &inner.expression,
            Expression::TSTypeAssertion(inner) => &inner.expression,
            Expression::AwaitExpression(inner) => &inner.argument,
            other => return other,
        };
    }
}

/// Evaluates an expression with so many levels left.
pub(super) fn at_depth(expression: &Expression<'_>, cx: &Script<'_>, depth: u32) -> Term {
    let inner = bare(expression);
    let span = Some(place(inner.span()));
    let Some(depth) = depth.checked_sub(1).filter(|_| cx.spend(1)) else { return Term { what: HOLE, span } };
    let mut what = what(inner, cx, depth);
    if let What::Hole(hole) = &mut what
        && hole.kind.is_none()
        && matches!(hole.origin, Origin::Request { .. } | Origin::Parameter { .. })
        && let Some(text) = cx.source(inner.span())
    {
        // What was checked before is no longer what the request may hold.
        match cx.tree.checked(text, inner.span().start) {
            Some(Checked::Passed) => hole.origin = Origin::Unknown,
            Some(Checked::Typed(kind)) => hole.kind = Some(kind),
            None => {}
        }
    }
    Term { what, span }
}

/// A span of the parser as a span of the workload.
pub(super) fn place(span: oxc_span::Span) -> Span {
    Span { start: span.start, end: span.end }
}

pub(super) const HOLE: What = What::Hole(Hole { kind: None, origin: Origin::Unknown });

pub(super) fn typed(kind: Type) -> What {
    What::Hole(Hole { kind: Some(kind), origin: Origin::Unknown })
}

fn what(expression: &Expression<'_>, cx: &Script<'_>, depth: u32) -> What {
    match expression {
        Expression::BooleanLiteral(literal) => What::Value(Value::Bool(literal.value)),
        Expression::NullLiteral(_) => What::Value(Value::Null),
        Expression::NumericLiteral(literal) => What::Value(number(literal.value)),
        Expression::BigIntLiteral(literal) => {
            literal.value.as_str().parse().map_or(typed(Type::Long), |v| What::Value(Value::Long(v)))
        }
        Expression::StringLiteral(literal) => What::Value(Value::String(literal.value.as_str().to_owned())),
        Expression::TemplateLiteral(template) => {
            let mut text = Some(String::new());
            let mut parts = Vec::new();
            for (place, quasi) in template.quasis.iter().enumerate() {
                match (&mut text, &quasi.value.cooked) {
                    (Some(text), Some(cooked)) => text.push_str(cooked.as_str()),
                    _ => text = None,
                }
                let Some(inner) = template.expressions.get(place) else { continue };
                let part = at_depth(inner, cx, depth);
                match (&mut text, &part.what) {
                    (Some(text), What::Value(Value::String(part))) => text.push_str(part),
                    (Some(text), What::Value(Value::Int(part))) => text.push_str(&part.to_string()),
                    _ => text = None,
                }
                parts.push(part);
            }
            text.map_or_else(|| text_of(&parts), |text| What::Value(Value::String(text)))
        }
        Expression::RegExpLiteral(literal) => {
            let mut flags: Vec<char> = literal.regex.flags.to_string().chars().collect();
            flags.order();
            // `g` and `y` are about searching again, which a stored pattern does not know.
            let flags = flags.into_iter().filter(|flag| "imsux".contains(*flag)).collect();
            What::Value(Value::Regex(literal.regex.pattern.text.as_str().to_owned(), flags))
        }
        Expression::Identifier(name) => match name.name.as_str() {
            "undefined" => What::Value(Value::Undefined),
            "NaN" => What::Value(Value::Double(f64::NAN)),
            "Infinity" => What::Value(Value::Double(f64::INFINITY)),
            "MinKey" => What::Value(Value::MinKey),
            "MaxKey" => What::Value(Value::MaxKey),
            other => flow::name(cx, other, name.span.start, depth),
        },
        Expression::ObjectExpression(object) => {
            let mut members = Vec::with_capacity(object.properties.len());
            for property in &object.properties {
                match property {
                    ObjectPropertyKind::ObjectProperty(property) => {
                        let value = match property.kind {
                            PropertyKind::Init => at_depth(&property.value, cx, depth),
                            _ => Term::hole(),
                        };
                        members.push(Member {
                            key: key(&property.key, property.computed, cx, depth),
                            value,
                            span: Some(place(property.span)),
                            spread: false,
                        });
                    }
                    ObjectPropertyKind::SpreadProperty(spread) => {
                        let span = Some(place(spread.span));
                        // What is spread under a condition may stand there or not.
                        if let Some(value) = perhaps(&spread.argument, cx, depth) {
                            members.push(Member { key: Key::Spread, value, span, spread: true });
                            continue;
                        }
                        let term = at_depth(&spread.argument, cx, depth);
                        if let What::Object(inner) = term.what {
                            members.extend(inner.into_iter().map(|member| Member { spread: true, ..member }));
                        } else if term.as_scalar().is_none() {
                            members.push(Member { key: Key::Spread, value: term, span, spread: true });
                        }
                    }
                }
            }
            What::Object(members)
        }
        Expression::ArrayExpression(array) => {
            let mut elements = Vec::with_capacity(array.elements.len());
            for element in &array.elements {
                match element {
                    ArrayExpressionElement::SpreadElement(spread) => {
                        let term = at_depth(&spread.argument, cx, depth);
                        match term.what {
                            What::Array(inner) => elements.extend(inner),
                            what => elements.push(Term { what, span: term.span }),
                        }
                    }
                    ArrayExpressionElement::Elision(_) => elements.push(Term::from(Value::Undefined)),
                    other => {
                        elements.push(other.as_expression().map_or_else(Term::hole, |e| at_depth(e, cx, depth)));
                    }
                }
            }
            What::Array(elements)
        }
        Expression::UnaryExpression(unary) => match (unary.operator, at_depth(&unary.argument, cx, depth).what) {
            (UnaryOperator::UnaryNegation, What::Value(value)) => match value.as_f64() {
                Some(value) => What::Value(number(-value)),
                None => HOLE,
            },
            (UnaryOperator::UnaryPlus, What::Value(value)) => {
                value.as_f64().map_or(typed(Type::Double), |value| What::Value(number(value)))
            }
            (UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation, What::Hole(hole)) => {
                let inner = Term::new(What::Hole(hole));
                computed(BinaryOperator::Subtraction, &inner, &Term::hole())
            }
            (UnaryOperator::LogicalNot, What::Value(Value::Bool(value))) => What::Value(Value::Bool(!value)),
            (UnaryOperator::LogicalNot, _) => typed(Type::Bool),
            (UnaryOperator::Typeof, _) => typed(Type::String),
            _ => HOLE,
        },
        Expression::BinaryExpression(binary) => {
            let left = at_depth(&binary.left, cx, depth);
            let right = at_depth(&binary.right, cx, depth);
            arithmetic(binary.operator, &left, &right)
        }
        Expression::StaticMemberExpression(member) => {
            if let Some(value) = constructor(expression, cx) {
                return Term::from(value).what;
            }
            flow::member(cx, &member.object, member.property.name.as_str(), depth)
        }
        Expression::PrivateFieldExpression(member) => {
            flow::member(cx, &member.object, member.field.name.as_str(), depth)
        }
        Expression::ComputedMemberExpression(member) => match at_depth(&member.expression, cx, depth).what {
            What::Value(Value::String(name)) => flow::member(cx, &member.object, &name, depth),
            What::Value(Value::Int(place)) => {
                let whole = at_depth(&member.object, cx, depth);
                let part = usize::try_from(place).ok().and_then(|place| whole.elements()?.get(place));
                match part {
                    Some(part) => part.what.clone(),
                    None => flow::element(&whole),
                }
            }
            _ => flow::element(&at_depth(&member.object, cx, depth)),
        },
        Expression::ChainExpression(chain) => match &chain.expression {
            ChainElement::CallExpression(call) => called(expression, call, cx, depth),
            ChainElement::StaticMemberExpression(member) => {
                flow::member(cx, &member.object, member.property.name.as_str(), depth)
            }
            _ => HOLE,
        },
        Expression::CallExpression(call) => called(expression, call, cx, depth),
        Expression::NewExpression(new) => {
            // A pattern made of a request's text keeps that origin.
            if let (Expression::Identifier(name), Some(Argument::Identifier(_) | Argument::StaticMemberExpression(_))) =
                (&new.callee, new.arguments.first())
                && name.name == "RegExp"
                && let Some(first) = new.arguments.first().and_then(Argument::as_expression)
                && let What::Hole(hole) = at_depth(first, cx, depth).what
            {
                return What::Hole(Hole { kind: Some(Type::Regex), ..hole });
            }
            constructed(expression, &new.callee, new.arguments.is_empty(), cx)
        }
        Expression::ConditionalExpression(either) => {
            let (one, other) = (at_depth(&either.consequent, cx, depth), at_depth(&either.alternate, cx, depth));
            flow::either(&one, &other)
        }
        Expression::LogicalExpression(logical) => {
            let right = at_depth(&logical.right, cx, depth);
            match logical.operator {
                LogicalOperator::And => HOLE,
                LogicalOperator::Or | LogicalOperator::Coalesce => {
                    flow::either(&at_depth(&logical.left, cx, depth), &right)
                }
            }
        }
        Expression::AssignmentExpression(assignment) => at_depth(&assignment.right, cx, depth).what,
        Expression::SequenceExpression(sequence) => {
            sequence.expressions.last().map_or(HOLE, |last| at_depth(last, cx, depth).what)
        }
        Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => typed(Type::Javascript),
        _ => HOLE,
    }
}

/// The object that `...(condition && {…})` or `...(condition ? {…} : {})` may add.
fn perhaps(expression: &Expression<'_>, cx: &Script<'_>, depth: u32) -> Option<Term> {
    match bare(expression) {
        Expression::LogicalExpression(logical) if logical.operator == LogicalOperator::And => {
            Some(at_depth(&logical.right, cx, depth))
        }
        Expression::ConditionalExpression(either) => {
            let (one, other) = (at_depth(&either.consequent, cx, depth), at_depth(&either.alternate, cx, depth));
            match (one.what, other.what) {
                (What::Object(mut members), What::Object(more)) => {
                    members.extend(more);
                    Some(Term { what: What::Object(members), span: one.span })
                }
                (What::Object(members), What::Value(_)) | (What::Value(_), What::Object(members)) => {
                    Some(Term { what: What::Object(members), span: one.span })
                }
                _ => Some(Term::hole()),
            }
        }
        _ => None,
    }
}

/// Methods that give text, whatever they are called on: not `toJSON` of a document, nor `digest`, which may give bytes.
const TEXT_METHODS: &[&str] = &[
    "toString",
    "trim",
    "trimStart",
    "trimEnd",
    "toLowerCase",
    "toUpperCase",
    "toISOString",
    "toHexString",
    "replace",
    "replaceAll",
    "substring",
    "substr",
    "padStart",
    "padEnd",
    "toFixed",
    "join",
    "toLocaleLowerCase",
    "toLocaleUpperCase",
    "charAt",
    "repeat",
];

/// A number made of something. That a request gave it is kept: such a number is no code, and still somebody's choice.
fn number_of(kind: Type, term: Option<Term>) -> What {
    match term.map(|term| term.what) {
        Some(What::Hole(Hole { origin: origin @ Origin::Request { .. }, .. })) => {
            What::Hole(Hole { kind: Some(kind), origin })
        }
        _ => typed(kind),
    }
}

/// What a call gives back.
fn called(whole: &Expression<'_>, call: &CallExpression<'_>, cx: &Script<'_>, depth: u32) -> What {
    if let Some(operation) = cx.operation_of(call.span) {
        return What::Hole(Hole {
            kind: None,
            origin: Origin::Result { operation, path: String::new(), computed: false },
        });
    }
    let first = || call.arguments.first().and_then(Argument::as_expression).map(|first| at_depth(first, cx, depth));
    match bare(&call.callee) {
        Expression::Identifier(name) => match name.name.as_str() {
            "parseInt" => return number_of(Type::Int, first()),
            "Number" | "parseFloat" => return number_of(Type::Double, first()),
            "String" | "encodeURIComponent" | "decodeURIComponent" => {
                return text_of(&[first().unwrap_or_else(Term::hole)]);
            }
            _ => {}
        },
        Expression::StaticMemberExpression(member) => {
            let method = member.property.name.as_str();
            let object = match &member.object {
                Expression::Identifier(name) => name.name.as_str(),
                _ => "",
            };
            match (object, method) {
                // `Object.freeze` and its like give back what they are given.
                ("Object", "freeze" | "seal") => return first().map_or(HOLE, |term| term.what),
                ("Object", "assign") => return assigned(call, cx, depth),
                ("JSON", "parse") => {
                    let term = first().unwrap_or_else(Term::hole);
                    return match term.what {
                        // What is within the text may be anything.
                        What::Hole(Hole { origin: origin @ Origin::Request { .. }, .. }) => {
                            What::Hole(Hole { kind: None, origin })
                        }
                        _ => HOLE,
                    };
                }
                // The results stand where their promises stood.
                ("Promise", "all") => return first().map_or(HOLE, |term| term.what),
                ("JSON", "stringify") | ("crypto", "randomUUID") => return typed(Type::String),
                ("Date", "now") | ("Math", _) => return typed(Type::Double),
                ("Object", "keys" | "values" | "entries") | ("Array", "from") => {
                    return flow::derived(&first().unwrap_or_else(Term::hole), Some(Type::Array));
                }
                _ => {}
            }
            match method {
                _ if TEXT_METHODS.contains(&method) => return text_of(&[at_depth(&member.object, cx, depth)]),
                "toDate" => return typed(Type::Date),
                "getTime" | "valueOf" | "getFullYear" => return typed(Type::Double),
                "split" => return typed(Type::Array),
                "concat" => {
                    let mut whole = at_depth(&member.object, cx, depth);
                    let (What::Array(elements), Some(more)) = (&mut whole.what, first()) else {
                        return typed(Type::Array);
                    };
                    match more.what {
                        What::Array(more) => elements.extend(more),
                        what => elements.push(Term { what, span: more.span }),
                    }
                    return whole.what;
                }
                "map" | "filter" | "slice" | "flat" | "flatMap" | "reverse" | "toReversed" | "sort" => {
                    return flow::mapped(cx, &member.object, call, depth);
                }
                // A cursor or query under a name hands out what its operation finds.
                _ if operations::stays_result(method) => {
                    if let What::Hole(hole @ Hole { origin: Origin::Result { .. }, .. }) =
                        at_depth(&member.object, cx, depth).what
                    {
                        return What::Hole(hole);
                    }
                }
                "json" | "get" | "getAll" | "param" | "query" | "header" => {
                    if let Some(hole) = flow::requested(cx, &member.object, method, depth) {
                        return What::Hole(hole);
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
    match constructed(whole, &call.callee, call.arguments.is_empty(), cx) {
        What::Hole(Hole { kind: None, .. }) => flow::inlined(cx, call, depth),
        known => known,
    }
}

/// `Object.assign({}, …)`, as a literal with spreads.
fn assigned(call: &CallExpression<'_>, cx: &Script<'_>, depth: u32) -> What {
    let mut members = Vec::new();
    for argument in &call.arguments {
        let term = argument.as_expression().map_or_else(Term::hole, |argument| at_depth(argument, cx, depth));
        let span = term.span;
        match term.what {
            What::Object(inner) => members.extend(inner.into_iter().map(|member| Member { spread: true, ..member })),
            what => members.push(Member { key: Key::Spread, value: Term { what, span }, span, spread: true }),
        }
    }
    What::Object(members)
}

/// A text made of parts. What a request gave is still in it.
fn text_of(parts: &[Term]) -> What {
    let sent = parts.iter().find_map(|part| match &part.as_hole()?.origin {
        origin @ Origin::Request { .. } => Some(origin.clone()),
        _ => None,
    });
    What::Hole(Hole { kind: Some(Type::String), origin: sent.unwrap_or_default() })
}

/// A whole number is stored as a 32-bit integer where it fits, else as a double: so do mongosh and the Node driver.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() <= f64::from(i32::MAX) && !(value == 0.0 && value.is_sign_negative()) {
        Value::Int(value as i32)
    } else {
        Value::Double(value)
    }
}

fn arithmetic(operator: BinaryOperator, left: &Term, right: &Term) -> What {
    let is_text = |term: &Term| term.bson_type() == Some(Type::String);
    let text = |term: &Term| match term.as_scalar()? {
        Value::String(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        _ => None,
    };
    if operator == BinaryOperator::Addition && (is_text(left) || is_text(right)) {
        return match (text(left), text(right)) {
            (Some(left), Some(right)) => What::Value(Value::String(left + &right)),
            _ => text_of(&[left.clone(), right.clone()]),
        };
    }
    let (Some(left), Some(right)) =
        (left.as_scalar().and_then(Value::as_f64), right.as_scalar().and_then(Value::as_f64))
    else {
        return computed(operator, left, right);
    };
    What::Value(number(match operator {
        BinaryOperator::Addition => left + right,
        BinaryOperator::Subtraction => left - right,
        BinaryOperator::Multiplication => left * right,
        BinaryOperator::Division => left / right,
        BinaryOperator::Remainder => left % right,
        _ => return typed(Type::Bool),
    }))
}

/// Arithmetic with what is not known. What an earlier result gave is then a value computed from it.
fn computed(operator: BinaryOperator, left: &Term, right: &Term) -> What {
    let kind = match operator {
        // May join texts too.
        BinaryOperator::Addition => match (left.bson_type(), right.bson_type()) {
            (Some(Type::Double | Type::Int), Some(_)) | (Some(_), Some(Type::Double | Type::Int)) => Some(Type::Double),
            _ => None,
        },
        BinaryOperator::Subtraction
        | BinaryOperator::Multiplication
        | BinaryOperator::Division
        | BinaryOperator::Remainder
        | BinaryOperator::Exponential => Some(Type::Double),
        BinaryOperator::BitwiseAnd
        | BinaryOperator::BitwiseOR
        | BinaryOperator::BitwiseXOR
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight => Some(Type::Int),
        _ => return typed(Type::Bool),
    };
    let from = [left, right].into_iter().find_map(|term| match &term.as_hole()?.origin {
        Origin::Result { operation, path, .. } => {
            Some(Origin::Result { operation: *operation, path: path.clone(), computed: true })
        }
        _ => None,
    });
    What::Hole(Hole { kind, origin: from.unwrap_or_default() })
}

fn key(key: &PropertyKey<'_>, computed: bool, cx: &Script<'_>, depth: u32) -> Key {
    match key {
        PropertyKey::StaticIdentifier(name) => Key::Name(name.name.as_str().to_owned()),
        PropertyKey::PrivateIdentifier(_) => Key::Computed("?".to_owned()),
        PropertyKey::StringLiteral(literal) if !computed => Key::Name(literal.value.as_str().to_owned()),
        other => {
            let Some(expression) = other.as_expression() else { return Key::Computed("?".to_owned()) };
            match at_depth(expression, cx, depth).what {
                What::Value(Value::String(text)) => Key::Name(text),
                What::Value(Value::Int(number)) => Key::Name(number.to_string()),
                What::Hole(Hole { origin: Origin::Request { .. }, .. }) => {
                    cx.sent_keys.borrow_mut().insert(expression.span().start);
                    Key::Computed(likeness(expression, cx, depth))
                }
                _ => Key::Computed(likeness(expression, cx, depth)),
            }
        }
    }
}

/// A text as far as it is known, with `?` for the parts that are not: `items.?.qty`.
fn likeness(expression: &Expression<'_>, cx: &Script<'_>, depth: u32) -> String {
    let Some(depth) = depth.checked_sub(1) else { return "?".to_owned() };
    match bare(expression) {
        Expression::TemplateLiteral(template) => {
            let mut text = String::new();
            for (place, quasi) in template.quasis.iter().enumerate() {
                text.push_str(quasi.value.cooked.as_ref().map_or("?", |cooked| cooked.as_str()));
                if let Some(inner) = template.expressions.get(place) {
                    text.push_str(&likeness(inner, cx, depth));
                }
            }
            text
        }
        Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => {
            likeness(&binary.left, cx, depth) + &likeness(&binary.right, cx, depth)
        }
        other => match at_depth(other, cx, depth).what {
            What::Value(Value::String(text)) => text,
            What::Value(Value::Int(number)) => number.to_string(),
            _ => "?".to_owned(),
        },
    }
}

/// The types that constructors make.
const CONSTRUCTORS: &[(&str, Type)] = &[
    ("ObjectId", Type::ObjectId),
    ("ObjectID", Type::ObjectId),
    ("ISODate", Type::Date),
    ("Date", Type::Date),
    ("NumberInt", Type::Int),
    ("Int32", Type::Int),
    ("NumberLong", Type::Long),
    ("Long", Type::Long),
    ("NumberDecimal", Type::Decimal),
    ("Decimal128", Type::Decimal),
    ("Double", Type::Double),
    ("Timestamp", Type::Timestamp),
    ("UUID", Type::BinData),
    ("BinData", Type::BinData),
    ("Binary", Type::BinData),
    ("RegExp", Type::Regex),
    ("BSONRegExp", Type::Regex),
    ("MinKey", Type::MinKey),
    ("MaxKey", Type::MaxKey),
    ("Code", Type::Javascript),
    ("Symbol", Type::Symbol),
];

fn constructed(whole: &Expression<'_>, callee: &Expression<'_>, empty: bool, cx: &Script<'_>) -> What {
    let name = match bare(callee) {
        Expression::Identifier(name) => name.name.as_str(),
        Expression::StaticMemberExpression(member) => match bare(&member.object) {
            Expression::Identifier(object) => object.name.as_str(),
            // `mongoose.Types.ObjectId(…)`, `mongo.ObjectId(…)`
            _ => member.property.name.as_str(),
        },
        _ => return HOLE,
    };
    let Some((_, kind)) = CONSTRUCTORS.iter().find(|(known, _)| *known == name) else {
        return match name {
            "String" => typed(Type::String),
            "Boolean" => typed(Type::Bool),
            _ => HOLE,
        };
    };
    // Without arguments they make something new each time.
    if empty && !matches!(kind, Type::MinKey | Type::MaxKey) {
        return typed(*kind);
    }
    constructor(whole, cx).map_or(typed(*kind), |value| Term::from(value).what)
}

/// A constructor whose arguments are literals, read by the decoder of shell literals from its own text.
fn constructor(expression: &Expression<'_>, cx: &Script<'_>) -> Option<Value> {
    let span = expression.span();
    let source = cx.source(span)?;
    let wrapped = format!("{{v:{source}}}");
    let arena = Bump::new();
    let mut entries = Vec::new();
    let mut now = crate::value::literal::Now::default();
    let (read, _) = crate::value::literal::decode(wrapped.as_bytes(), &arena, &mut entries, &mut now).ok()?;
    if read != wrapped.len() || now.made > 0 {
        return None;
    }
    let document = Document { entries: &entries, fidelity: crate::value::event::Fidelity::Exact };
    Value::from_document(&document).get("v").cloned()
}
