//! Expressions that are known from the text alone, as the values that a driver would send.

use bumpalo::Bump;
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, BinaryOperator, Expression, ObjectPropertyKind, PropertyKey, PropertyKind,
    UnaryOperator,
};
use oxc_span::GetSpan;

use crate::value::{Document, Type, Value};

/// An expression, as far as the text tells what it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// Wholly known.
    Known(Value),
    /// An object of which at least one part is not known. A name that is not known (computed, spread) is `None`.
    Object(Vec<(Option<String>, Literal)>),
    /// An array of which at least one part is not known; a spread is one hole.
    Array(Vec<Literal>),
    /// Not known; its type where at least that is (`new Date()`, `` `a${b}` ``).
    Hole(Option<Type>),
}

/// What names stand for in a script.
pub trait Names {
    /// The value that a constant was declared with.
    fn constant(&self, name: &str) -> Option<Literal>;
    /// The source text of the expressions.
    fn text(&self) -> &str;
}

/// Levels of constants and expressions that are followed.
const DEEPEST: u32 = 64;

impl Literal {
    /// The value, if all of it is known.
    pub fn value(self) -> Option<Value> {
        if let Literal::Known(value) = self { Some(value) } else { None }
    }

    /// A part of an object that is known in name; the last one, as JavaScript has it.
    pub fn get(&self, name: &str) -> Option<Literal> {
        match self {
            Literal::Known(value) => {
                Some(Literal::Known(value.as_object()?.iter().rev().find(|(k, _)| k == name)?.1.clone()))
            }
            Literal::Object(fields) => {
                fields.iter().rev().find(|(k, _)| k.as_deref() == Some(name)).map(|(_, v)| v.clone())
            }
            _ => None,
        }
    }

    /// The parts of an object that are wholly known, as an object; none where it may be anything.
    pub fn known_parts(self) -> Option<Value> {
        match self {
            Literal::Known(value @ Value::Object(_)) => Some(value),
            Literal::Object(fields) => {
                let known = |(name, part): (Option<String>, Literal)| Some((name?, part.value()?));
                Some(Value::Object(fields.into_iter().filter_map(known).collect()))
            }
            _ => None,
        }
    }
}

/// Evaluates an expression without running anything.
pub fn evaluate(expression: &Expression<'_>, names: &impl Names) -> Literal {
    at_depth(expression, names, DEEPEST)
}

/// Evaluates an argument; a spread is a hole.
pub fn argument(argument: &Argument<'_>, names: &impl Names) -> Literal {
    argument.as_expression().map_or(Literal::Hole(None), |expression| evaluate(expression, names))
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

fn at_depth(expression: &Expression<'_>, names: &impl Names, depth: u32) -> Literal {
    let Some(depth) = depth.checked_sub(1) else { return Literal::Hole(None) };
    match bare(expression) {
        Expression::BooleanLiteral(literal) => Literal::Known(Value::Bool(literal.value)),
        Expression::NullLiteral(_) => Literal::Known(Value::Null),
        Expression::NumericLiteral(literal) => Literal::Known(number(literal.value)),
        Expression::BigIntLiteral(literal) => {
            literal.value.as_str().parse().map_or(Literal::Hole(Some(Type::Long)), |v| Literal::Known(Value::Long(v)))
        }
        Expression::StringLiteral(literal) => Literal::Known(Value::String(literal.value.as_str().to_owned())),
        Expression::TemplateLiteral(template) => {
            let mut text = String::new();
            for (place, quasi) in template.quasis.iter().enumerate() {
                let Some(cooked) = &quasi.value.cooked else { return Literal::Hole(Some(Type::String)) };
                text.push_str(cooked.as_str());
                let Some(inner) = template.expressions.get(place) else { continue };
                match at_depth(inner, names, depth) {
                    Literal::Known(Value::String(part)) => text.push_str(&part),
                    Literal::Known(Value::Int(part)) => text.push_str(&part.to_string()),
                    _ => return Literal::Hole(Some(Type::String)),
                }
            }
            Literal::Known(Value::String(text))
        }
        Expression::RegExpLiteral(literal) => {
            let mut flags: Vec<char> = literal.regex.flags.to_string().chars().collect();
            flags.sort_unstable();
            // `g` and `y` are about searching again, which a stored pattern does not know.
            let flags = flags.into_iter().filter(|flag| "imsux".contains(*flag)).collect();
            Literal::Known(Value::Regex(literal.regex.pattern.text.as_str().to_owned(), flags))
        }
        Expression::Identifier(name) => match name.name.as_str() {
            "undefined" => Literal::Known(Value::Undefined),
            "NaN" => Literal::Known(Value::Double(f64::NAN)),
            "Infinity" => Literal::Known(Value::Double(f64::INFINITY)),
            "MinKey" => Literal::Known(Value::MinKey),
            "MaxKey" => Literal::Known(Value::MaxKey),
            other => names.constant(other).unwrap_or(Literal::Hole(None)),
        },
        Expression::ObjectExpression(object) => {
            let mut fields = Vec::with_capacity(object.properties.len());
            for property in &object.properties {
                match property {
                    ObjectPropertyKind::ObjectProperty(property) => {
                        let name = key(&property.key, property.computed, names, depth);
                        let value = match property.kind {
                            PropertyKind::Init => at_depth(&property.value, names, depth),
                            _ => Literal::Hole(None),
                        };
                        put(&mut fields, name, value);
                    }
                    ObjectPropertyKind::SpreadProperty(spread) => match at_depth(&spread.argument, names, depth) {
                        Literal::Known(Value::Object(inner)) => {
                            for (name, value) in inner {
                                put(&mut fields, Some(name), Literal::Known(value));
                            }
                        }
                        Literal::Object(inner) => {
                            for (name, value) in inner {
                                put(&mut fields, name, value);
                            }
                        }
                        _ => fields.push((None, Literal::Hole(None))),
                    },
                }
            }
            object_of(fields)
        }
        Expression::ArrayExpression(array) => {
            let mut elements = Vec::with_capacity(array.elements.len());
            for element in &array.elements {
                match element {
                    ArrayExpressionElement::SpreadElement(spread) => match at_depth(&spread.argument, names, depth) {
                        Literal::Known(Value::Array(inner)) => elements.extend(inner.into_iter().map(Literal::Known)),
                        Literal::Array(inner) => elements.extend(inner),
                        _ => elements.push(Literal::Hole(None)),
                    },
                    ArrayExpressionElement::Elision(_) => elements.push(Literal::Known(Value::Undefined)),
                    other => {
                        elements.push(other.as_expression().map_or(Literal::Hole(None), |e| at_depth(e, names, depth)));
                    }
                }
            }
            array_of(elements)
        }
        Expression::UnaryExpression(unary) => match (unary.operator, at_depth(&unary.argument, names, depth)) {
            (UnaryOperator::UnaryNegation, Literal::Known(value)) => match value.as_f64() {
                Some(value) => Literal::Known(number(-value)),
                None => Literal::Hole(None),
            },
            (UnaryOperator::UnaryPlus, Literal::Known(value)) => {
                value.as_f64().map_or(Literal::Hole(None), |value| Literal::Known(number(value)))
            }
            (UnaryOperator::LogicalNot, Literal::Known(Value::Bool(value))) => Literal::Known(Value::Bool(!value)),
            (UnaryOperator::LogicalNot, _) => Literal::Hole(Some(Type::Bool)),
            (UnaryOperator::Typeof, _) => Literal::Hole(Some(Type::String)),
            _ => Literal::Hole(None),
        },
        Expression::BinaryExpression(binary) => {
            let left = at_depth(&binary.left, names, depth);
            let right = at_depth(&binary.right, names, depth);
            arithmetic(binary.operator, left, right)
        }
        Expression::StaticMemberExpression(member) => {
            if let Some(value) = constructor(bare(expression), names) {
                return Literal::Known(value);
            }
            let whole = at_depth(&member.object, names, depth);
            whole.get(member.property.name.as_str()).unwrap_or(Literal::Hole(None))
        }
        Expression::ComputedMemberExpression(member) => {
            let whole = at_depth(&member.object, names, depth);
            match (whole, at_depth(&member.expression, names, depth)) {
                (whole, Literal::Known(Value::String(name))) => whole.get(&name).unwrap_or(Literal::Hole(None)),
                (Literal::Known(Value::Array(elements)), Literal::Known(Value::Int(place))) => usize::try_from(place)
                    .ok()
                    .and_then(|place| elements.get(place).cloned())
                    .map_or(Literal::Hole(None), Literal::Known),
                _ => Literal::Hole(None),
            }
        }
        Expression::CallExpression(call) => {
            // `Object.freeze` and its like give back what they are given.
            if let (Expression::StaticMemberExpression(member), [only]) = (&call.callee, call.arguments.as_slice()) {
                let of_object = matches!(&member.object, Expression::Identifier(name) if name.name == "Object");
                if of_object && matches!(member.property.name.as_str(), "freeze" | "seal") {
                    return only.as_expression().map_or(Literal::Hole(None), |e| at_depth(e, names, depth));
                }
            }
            constructed(bare(expression), &call.callee, call.arguments.is_empty(), names)
        }
        Expression::NewExpression(new) => constructed(bare(expression), &new.callee, new.arguments.is_empty(), names),
        _ => Literal::Hole(None),
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

fn arithmetic(operator: BinaryOperator, left: Literal, right: Literal) -> Literal {
    let (Literal::Known(left), Literal::Known(right)) = (left, right) else { return Literal::Hole(None) };
    if operator == BinaryOperator::Addition {
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Int(number) => Some(number.to_string()),
            _ => None,
        };
        if matches!(left, Value::String(_)) || matches!(right, Value::String(_)) {
            return match (text(&left), text(&right)) {
                (Some(left), Some(right)) => Literal::Known(Value::String(left + &right)),
                _ => Literal::Hole(Some(Type::String)),
            };
        }
    }
    let (Some(left), Some(right)) = (left.as_f64(), right.as_f64()) else { return Literal::Hole(None) };
    Literal::Known(number(match operator {
        BinaryOperator::Addition => left + right,
        BinaryOperator::Subtraction => left - right,
        BinaryOperator::Multiplication => left * right,
        BinaryOperator::Division => left / right,
        BinaryOperator::Remainder => left % right,
        _ => return Literal::Hole(Some(Type::Bool)),
    }))
}

fn key(key: &PropertyKey<'_>, computed: bool, names: &impl Names, depth: u32) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.as_str().to_owned()),
        PropertyKey::PrivateIdentifier(_) => None,
        PropertyKey::StringLiteral(literal) if !computed => Some(literal.value.as_str().to_owned()),
        other => match at_depth(other.as_expression()?, names, depth) {
            Literal::Known(Value::String(text)) => Some(text),
            Literal::Known(Value::Int(number)) => Some(number.to_string()),
            _ => None,
        },
    }
}

/// A name that comes again keeps its place and takes the new value, as in JavaScript.
fn put(fields: &mut Vec<(Option<String>, Literal)>, name: Option<String>, value: Literal) {
    if let Some(known) = fields.iter_mut().find(|(known, _)| name.is_some() && *known == name) {
        known.1 = value;
        return;
    }
    fields.push((name, value));
}

fn object_of(fields: Vec<(Option<String>, Literal)>) -> Literal {
    if fields.iter().all(|(name, value)| name.is_some() && matches!(value, Literal::Known(_))) {
        let known = |(name, value): (Option<String>, Literal)| Some((name?, value.value()?));
        return Literal::Known(Value::Object(fields.into_iter().filter_map(known).collect()));
    }
    Literal::Object(fields)
}

fn array_of(elements: Vec<Literal>) -> Literal {
    if elements.iter().all(|element| matches!(element, Literal::Known(_))) {
        return Literal::Known(Value::Array(elements.into_iter().filter_map(Literal::value).collect()));
    }
    Literal::Array(elements)
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

fn constructed(whole: &Expression<'_>, callee: &Expression<'_>, empty: bool, names: &impl Names) -> Literal {
    let name = match bare(callee) {
        Expression::Identifier(name) => name.name.as_str(),
        Expression::StaticMemberExpression(member) => match bare(&member.object) {
            Expression::Identifier(object) => object.name.as_str(),
            // `mongoose.Types.ObjectId(…)`, `mongo.ObjectId(…)`
            _ => member.property.name.as_str(),
        },
        _ => return Literal::Hole(None),
    };
    let Some((_, kind)) = CONSTRUCTORS.iter().find(|(known, _)| *known == name) else {
        return Literal::Hole(match name {
            "String" => Some(Type::String),
            "Boolean" => Some(Type::Bool),
            _ => None,
        });
    };
    // Without arguments they make something new each time.
    if empty && !matches!(kind, Type::MinKey | Type::MaxKey) {
        return Literal::Hole(Some(*kind));
    }
    constructor(whole, names).map_or(Literal::Hole(Some(*kind)), Literal::Known)
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
