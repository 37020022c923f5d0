//! Expressions that are known from the text alone, as the values that a driver would send.

use bumpalo::Bump;
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, BinaryOperator, Expression, ObjectPropertyKind, PropertyKey, PropertyKind,
    UnaryOperator,
};
use oxc_span::GetSpan;

use crate::value::{Document, Type, Value};
use crate::workload::{Hole, Key, Member, Origin, Span, Term, What};

/// What names stand for in a script.
pub trait Names {
    /// The value that a constant was declared with.
    fn constant(&self, name: &str) -> Option<Term>;
    /// The source text of the expressions.
    fn text(&self) -> &str;
    /// Byte offset of that text in the script.
    fn base(&self) -> usize;
    /// Where the value of an expression comes from that is not known from the text.
    fn origin(&self, _expression: &Expression<'_>) -> Origin {
        Origin::Unknown
    }
}

/// Levels of constants and expressions that are followed.
const DEEPEST: u32 = 64;

/// Evaluates an expression without running anything.
pub fn evaluate(expression: &Expression<'_>, names: &impl Names) -> Term {
    at_depth(expression, names, DEEPEST)
}

/// Evaluates an argument; a spread is a hole.
pub fn argument(argument: &Argument<'_>, names: &impl Names) -> Term {
    argument.as_expression().map_or_else(Term::hole, |expression| evaluate(expression, names))
}

/// Takes away what only TypeScript, parentheses and `await` put around an expression.
pub fn bare<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
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

fn at_depth(expression: &Expression<'_>, names: &impl Names, depth: u32) -> Term {
    let Some(depth) = depth.checked_sub(1) else { return Term::hole() };
    let inner = bare(expression);
    let what = match what(inner, names, depth) {
        What::Hole(hole) if hole.origin == Origin::Unknown => {
            What::Hole(Hole { kind: hole.kind, origin: names.origin(inner) })
        }
        what => what,
    };
    Term { what, span: Some(place(inner.span(), names)) }
}

/// A span of the parsed text as a span of the script.
fn place(span: oxc_span::Span, names: &impl Names) -> Span {
    let base = names.base() as u32;
    Span { start: base + span.start, end: base + span.end }
}

const HOLE: What = What::Hole(Hole { kind: None, origin: Origin::Unknown });

fn typed(kind: Type) -> What {
    What::Hole(Hole { kind: Some(kind), origin: Origin::Unknown })
}

fn what(expression: &Expression<'_>, names: &impl Names, depth: u32) -> What {
    match expression {
        Expression::BooleanLiteral(literal) => What::Value(Value::Bool(literal.value)),
        Expression::NullLiteral(_) => What::Value(Value::Null),
        Expression::NumericLiteral(literal) => What::Value(number(literal.value)),
        Expression::BigIntLiteral(literal) => {
            literal.value.as_str().parse().map_or(typed(Type::Long), |v| What::Value(Value::Long(v)))
        }
        Expression::StringLiteral(literal) => What::Value(Value::String(literal.value.as_str().to_owned())),
        Expression::TemplateLiteral(template) => {
            let mut text = String::new();
            for (place, quasi) in template.quasis.iter().enumerate() {
                let Some(cooked) = &quasi.value.cooked else { return typed(Type::String) };
                text.push_str(cooked.as_str());
                let Some(inner) = template.expressions.get(place) else { continue };
                match at_depth(inner, names, depth).what {
                    What::Value(Value::String(part)) => text.push_str(&part),
                    What::Value(Value::Int(part)) => text.push_str(&part.to_string()),
                    _ => return typed(Type::String),
                }
            }
            What::Value(Value::String(text))
        }
        Expression::RegExpLiteral(literal) => {
            let mut flags: Vec<char> = literal.regex.flags.to_string().chars().collect();
            flags.sort_unstable();
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
            other => names.constant(other).map_or(HOLE, |term| term.what),
        },
        Expression::ObjectExpression(object) => {
            let mut members = Vec::with_capacity(object.properties.len());
            for property in &object.properties {
                match property {
                    ObjectPropertyKind::ObjectProperty(property) => {
                        let value = match property.kind {
                            PropertyKind::Init => at_depth(&property.value, names, depth),
                            _ => Term::hole(),
                        };
                        members.push(Member {
                            key: key(&property.key, property.computed, names, depth),
                            value,
                            span: Some(place(property.span, names)),
                            spread: false,
                        });
                    }
                    ObjectPropertyKind::SpreadProperty(spread) => {
                        let term = at_depth(&spread.argument, names, depth);
                        if let What::Object(inner) = term.what {
                            members.extend(inner.into_iter().map(|member| Member { spread: true, ..member }));
                        } else {
                            let span = Some(place(spread.span, names));
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
                        let term = at_depth(&spread.argument, names, depth);
                        match term.what {
                            What::Array(inner) => elements.extend(inner),
                            what => elements.push(Term { what, span: term.span }),
                        }
                    }
                    ArrayExpressionElement::Elision(_) => elements.push(Term::from(Value::Undefined)),
                    other => {
                        elements.push(other.as_expression().map_or_else(Term::hole, |e| at_depth(e, names, depth)));
                    }
                }
            }
            What::Array(elements)
        }
        Expression::UnaryExpression(unary) => match (unary.operator, at_depth(&unary.argument, names, depth).what) {
            (UnaryOperator::UnaryNegation, What::Value(value)) => match value.as_f64() {
                Some(value) => What::Value(number(-value)),
                None => HOLE,
            },
            (UnaryOperator::UnaryPlus, What::Value(value)) => {
                value.as_f64().map_or(HOLE, |value| What::Value(number(value)))
            }
            (UnaryOperator::LogicalNot, What::Value(Value::Bool(value))) => What::Value(Value::Bool(!value)),
            (UnaryOperator::LogicalNot, _) => typed(Type::Bool),
            (UnaryOperator::Typeof, _) => typed(Type::String),
            _ => HOLE,
        },
        Expression::BinaryExpression(binary) => {
            let left = at_depth(&binary.left, names, depth);
            let right = at_depth(&binary.right, names, depth);
            arithmetic(binary.operator, &left, &right)
        }
        Expression::StaticMemberExpression(member) => {
            if let Some(value) = constructor(expression, names) {
                return Term::from(value).what;
            }
            let whole = at_depth(&member.object, names, depth);
            whole.get(member.property.name.as_str()).map_or(HOLE, |term| term.what.clone())
        }
        Expression::ComputedMemberExpression(member) => {
            let whole = at_depth(&member.object, names, depth);
            let part = match at_depth(&member.expression, names, depth).what {
                What::Value(Value::String(name)) => whole.get(&name),
                What::Value(Value::Int(place)) => {
                    usize::try_from(place).ok().and_then(|place| whole.elements()?.get(place))
                }
                _ => None,
            };
            part.map_or(HOLE, |term| term.what.clone())
        }
        Expression::CallExpression(call) => {
            // `Object.freeze` and its like give back what they are given.
            if let (Expression::StaticMemberExpression(member), [only]) = (&call.callee, call.arguments.as_slice()) {
                let of_object = matches!(&member.object, Expression::Identifier(name) if name.name == "Object");
                if of_object && matches!(member.property.name.as_str(), "freeze" | "seal") {
                    return only.as_expression().map_or(HOLE, |e| at_depth(e, names, depth).what);
                }
            }
            constructed(expression, &call.callee, call.arguments.is_empty(), names)
        }
        Expression::NewExpression(new) => constructed(expression, &new.callee, new.arguments.is_empty(), names),
        _ => HOLE,
    }
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
            _ => typed(Type::String),
        };
    }
    let (Some(left), Some(right)) =
        (left.as_scalar().and_then(Value::as_f64), right.as_scalar().and_then(Value::as_f64))
    else {
        return HOLE;
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

fn key(key: &PropertyKey<'_>, computed: bool, names: &impl Names, depth: u32) -> Key {
    match key {
        PropertyKey::StaticIdentifier(name) => Key::Name(name.name.as_str().to_owned()),
        PropertyKey::PrivateIdentifier(_) => Key::Computed("?".to_owned()),
        PropertyKey::StringLiteral(literal) if !computed => Key::Name(literal.value.as_str().to_owned()),
        other => {
            let Some(expression) = other.as_expression() else { return Key::Computed("?".to_owned()) };
            match at_depth(expression, names, depth).what {
                What::Value(Value::String(text)) => Key::Name(text),
                What::Value(Value::Int(number)) => Key::Name(number.to_string()),
                _ => Key::Computed(likeness(expression, names, depth)),
            }
        }
    }
}

/// A text as far as it is known, with `?` for the parts that are not: `items.?.qty`.
fn likeness(expression: &Expression<'_>, names: &impl Names, depth: u32) -> String {
    let Some(depth) = depth.checked_sub(1) else { return "?".to_owned() };
    match bare(expression) {
        Expression::TemplateLiteral(template) => {
            let mut text = String::new();
            for (place, quasi) in template.quasis.iter().enumerate() {
                text.push_str(quasi.value.cooked.as_ref().map_or("?", |cooked| cooked.as_str()));
                if let Some(inner) = template.expressions.get(place) {
                    text.push_str(&likeness(inner, names, depth));
                }
            }
            text
        }
        Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => {
            likeness(&binary.left, names, depth) + &likeness(&binary.right, names, depth)
        }
        other => match at_depth(other, names, depth).what {
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

fn constructed(whole: &Expression<'_>, callee: &Expression<'_>, empty: bool, names: &impl Names) -> What {
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
    constructor(whole, names).map_or(typed(*kind), |value| Term::from(value).what)
}

/// A constructor whose arguments are literals, read by the decoder of shell literals from its own text.
fn constructor(expression: &Expression<'_>, names: &impl Names) -> Option<Value> {
    let span = expression.span();
    let source = names.text().get(span.start as usize..span.end as usize)?;
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
