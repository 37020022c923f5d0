//! Which fields of what an operation finds the script looks at.
//!
//! A second walk follows the result from the call on, and from every name that it is known under. What cannot be
//! followed counts as a use of everything.

use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, ArrayExpression, AssignmentTarget, BindingPattern, CallExpression, Expression, IdentifierReference,
    Program, TSInterfaceDeclaration, TSType, TSTypeAliasDeclaration, TSTypeAnnotation, TSTypeParameterInstantiation,
    VariableDeclarator,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use super::collect::is_gathering;
use super::flow;
use super::literal::{self, bare};
use super::operations;
use super::source::Script;
use super::tree::{Change, Declared, Write};
use crate::workload::{Key, Operation, Origin, Uses, Verb, What};

/// Tells of each read without a projection which fields are looked at. `calls` are the calls of operations by number.
pub(super) fn read<'a>(cx: &Script<'a>, program: &Program<'a>, calls: &[Span], operations: &mut [Operation]) {
    let mut walk = Walk { cx, stack: Vec::with_capacity(64), calls: BTreeMap::new(), found: BTreeMap::new() };
    for operation in operations.iter() {
        let number = operation.context.number;
        let Some(call) = calls.get(number as usize).filter(|_| is_whole(operation)) else { continue };
        walk.calls.insert((call.start, call.end), number);
        walk.found.insert(number, (operation.verb == Verb::Find, Uses::Fields(std::collections::BTreeSet::new())));
    }
    if walk.found.is_empty() {
        return;
    }
    walk.visit_program(program);
    // Names that could not be looked up for want of steps may stand for anything.
    if !cx.spend(1) {
        return;
    }
    for operation in operations.iter_mut().filter(|operation| is_whole(operation)) {
        if let Some((_, uses)) = walk.found.get(&operation.context.number) {
            operation.uses = uses.clone();
        }
    }
}

/// Whether an operation reads whole documents, for certain.
fn is_whole(operation: &Operation) -> bool {
    let closed = operation.options.as_ref().is_none_or(|options| {
        options.members().is_some_and(|members| members.iter().all(|member| member.key != Key::Spread))
    });
    matches!(operation.verb, Verb::Find | Verb::FindOne)
        && operation.method != "exists"
        && operation.projection.is_none()
        && closed
}

struct Walk<'w, 'a> {
    cx: &'w Script<'a>,
    stack: Vec<AstKind<'a>>,
    /// Calls that read, with the number of their operation.
    calls: BTreeMap<(u32, u32), u32>,
    /// Whether an operation may find several documents, and what of them is used.
    found: BTreeMap<u32, (bool, Uses)>,
}

/// What happens to a value.
enum Fate {
    /// It is tested, thrown away, or goes on under a name that is followed itself.
    Nothing,
    /// A part of it is taken.
    Path(Vec<String>),
    /// It goes where it cannot be followed.
    All,
}

/// What a method does with documents.
enum Method {
    /// Gives documents.
    Documents,
    /// Gives something else, or hands them to a function that is followed.
    Other,
    All,
}

impl<'a> Walk<'_, 'a> {
    fn take(&mut self, number: u32, before: &str, fate: Fate) {
        let Some((_, uses)) = self.found.get_mut(&number) else { return };
        match (fate, before.is_empty()) {
            (Fate::All, true) => *uses = Uses::All,
            (Fate::Nothing, true) => {}
            (Fate::Path(path), _) => {
                let mut whole: Vec<&str> = if before.is_empty() { Vec::new() } else { vec![before] };
                whole.extend(path.iter().map(String::as_str));
                uses.add(whole.join("."));
            }
            (Fate::All | Fate::Nothing, false) => uses.add(before.to_owned()),
        }
    }

    fn reference(&mut self, name: &IdentifierReference<'a>) {
        let What::Hole(hole) = flow::name(self.cx, name.name.as_str(), name.span.start, literal::DEEPEST) else {
            return;
        };
        let Origin::Result { operation, path, .. } = hole.origin else { return };
        let Some((many, _)) = self.found.get(&operation) else { return };
        if !self.is_made(name) {
            let fate = self.fate(name.span, *many && path.is_empty());
            self.take(operation, &path, fate);
        }
    }

    /// Whether a name stands for something that was made out of the documents: `const rows = docs.map(…)`.
    fn is_made(&self, name: &IdentifierReference<'a>) -> bool {
        let tree = &self.cx.tree;
        let symbol = tree.resolve(name.name.as_str(), name.span.start).and_then(|symbol| tree.symbol(symbol));
        matches!(symbol.map(|symbol| &symbol.declared), Some(Declared::Value(init, _))
            if matches!(bare(init), Expression::CallExpression(call)
                if matches!(bare(&call.callee), Expression::StaticMemberExpression(member)
                    if matches!(member.property.name.as_str(), "map" | "flatMap" | "reduce" | "then"))))
    }

    fn operation(&mut self, call: &CallExpression<'a>) {
        let Some(number) = self.calls.get(&(call.span.start, call.span.end)).copied() else { return };
        let many = self.found.get(&number).is_some_and(|(many, _)| *many);
        let handed = call.arguments.iter().skip(1).any(|argument| self.is_unknown_function(argument));
        let fate = if handed { Fate::All } else { self.fate(call.span, many) };
        self.take(number, "", fate);
    }

    /// Whether an argument may be a function that stands elsewhere.
    fn is_unknown_function(&self, argument: &Argument<'a>) -> bool {
        match argument {
            Argument::Identifier(_) | Argument::StaticMemberExpression(_) | Argument::CallExpression(_) => {
                let term = literal::argument(argument, self.cx);
                term.members().is_none() && term.as_scalar().is_none()
            }
            Argument::SpreadElement(_) => true,
            _ => false,
        }
    }

    /// What happens to the value at a span, whose parents are on the stack.
    fn fate(&self, mut span: Span, many: bool) -> Fate {
        let mut path: Vec<String> = Vec::new();
        let mut element = !many;
        let mut above = self.stack.iter().rev().peekable();
        let is = |inner: Span, span: Span| inner.start <= span.start && span.end <= inner.end;
        while let Some(kind) = above.next() {
            match kind {
                AstKind::AwaitExpression(_)
                | AstKind::ParenthesizedExpression(_)
                | AstKind::TSAsExpression(_)
                | AstKind::TSNonNullExpression(_)
                | AstKind::TSSatisfiesExpression(_)
                | AstKind::ChainExpression(_) => span = kind.span(),
                AstKind::StaticMemberExpression(member) => {
                    let name = member.property.name.as_str();
                    let call = match above.peek() {
                        Some(AstKind::CallExpression(call)) if call.callee.span() == member.span => Some(*call),
                        _ => None,
                    };
                    match call {
                        Some(_) if !path.is_empty() => return Fate::Path(path),
                        Some(call) => match self.method(name, call) {
                            Method::Documents => {
                                span = call.span;
                                above.next();
                            }
                            Method::Other => return Fate::Nothing,
                            Method::All => return Fate::All,
                        },
                        None if matches!(name, "length" | "size") => {
                            return if path.is_empty() { Fate::Nothing } else { Fate::Path(path) };
                        }
                        None => {
                            path.push(name.to_owned());
                            span = member.span;
                        }
                    }
                }
                AstKind::ComputedMemberExpression(member) if is(member.object.span(), span) => {
                    match (bare(&member.expression), path.is_empty()) {
                        (Expression::StringLiteral(name), _) => {
                            element = true;
                            path.push(name.value.as_str().to_owned());
                        }
                        (_, false) => return Fate::Path(path),
                        (_, true) if element => return Fate::All,
                        (_, true) => element = true,
                    }
                    span = member.span;
                }
                _ if !path.is_empty() => return Fate::Path(path),
                AstKind::ArrayExpression(array) => {
                    let mut outer = above.clone();
                    return if gathered(array, &mut outer) { Fate::Nothing } else { Fate::All };
                }
                AstKind::VariableDeclarator(_) => {
                    let exported = matches!(above.nth(1), Some(AstKind::ExportDeclaration(_)));
                    return if exported { Fate::All } else { Fate::Nothing };
                }
                AstKind::ForOfStatement(each) if is(each.right.span(), span) => return Fate::Nothing,
                AstKind::ExpressionStatement(_)
                | AstKind::IfStatement(_)
                | AstKind::WhileStatement(_)
                | AstKind::DoWhileStatement(_) => return Fate::Nothing,
                AstKind::UnaryExpression(unary) => {
                    let tested = matches!(
                        unary.operator,
                        UnaryOperator::LogicalNot | UnaryOperator::Typeof | UnaryOperator::Void
                    );
                    return if tested { Fate::Nothing } else { Fate::All };
                }
                AstKind::BinaryExpression(binary) => {
                    let compared =
                        binary.operator.is_equality() || matches!(binary.operator, BinaryOperator::Instanceof);
                    return if compared { Fate::Nothing } else { Fate::All };
                }
                AstKind::ConditionalExpression(either) => {
                    if is(either.test.span(), span) {
                        return Fate::Nothing;
                    }
                    span = either.span;
                }
                AstKind::LogicalExpression(logical) => {
                    if logical.operator == LogicalOperator::And && is(logical.left.span(), span) {
                        return Fate::Nothing;
                    }
                    span = logical.span;
                }
                AstKind::AssignmentExpression(assignment) => {
                    return if self.is_only_value(&assignment.left) { Fate::Nothing } else { Fate::All };
                }
                _ => return Fate::All,
            }
        }
        Fate::Nothing
    }

    /// Whether a name gets its only value where it is assigned.
    fn is_only_value(&self, target: &AssignmentTarget<'a>) -> bool {
        let AssignmentTarget::AssignmentTargetIdentifier(name) = target else { return false };
        let tree = &self.cx.tree;
        let symbol = tree.resolve(name.name.as_str(), name.span.start).and_then(|symbol| tree.symbol(symbol));
        symbol.is_some_and(|symbol| {
            matches!(symbol.declared, Declared::Nothing)
                && matches!(symbol.writes.as_slice(), [Write { change: Change::Assign(_), .. }])
        })
    }

    fn method(&self, name: &str, call: &CallExpression<'a>) -> Method {
        let each = flow::element_place(name);
        let followed = each.is_some() || self.cx.operation_of(call.span).is_some() || name == "then";
        for argument in &call.arguments {
            let parameters = match argument {
                Argument::ArrowFunctionExpression(arrow) => &arrow.params,
                Argument::FunctionExpression(function) => &function.params,
                other if self.is_unknown_function(other) => return Method::All,
                _ => continue,
            };
            // Only the first ones are known for what they are.
            if !followed || parameters.items.len() > 2 || parameters.rest.is_some() {
                return Method::All;
            }
        }
        match name {
            "filter" | "find" | "findLast" | "slice" | "reverse" | "toReversed" | "at" | "pop" | "shift" | "catch"
            | "finally" | "toObject" | "toJSON" => Method::Documents,
            "then" | "hasNext" | "close" | "count" | "explain" => Method::Other,
            "forEach" if call.arguments.is_empty() => Method::All,
            _ if each.is_some() || name == "eachAsync" => Method::Other,
            "populate" | "stream" | "transform" | "distinct" | "countDocuments" => Method::All,
            "sort" if call.arguments.is_empty() => Method::Documents,
            _ if operations::stays_result(name) => Method::Documents,
            _ => Method::All,
        }
    }
}

/// Whether an array is given to `Promise.all` and taken apart at once.
fn gathered<'s, 'a: 's>(_: &ArrayExpression<'a>, above: &mut dyn Iterator<Item = &'s AstKind<'a>>) -> bool {
    let Some(AstKind::CallExpression(call)) = above.next() else { return false };
    let mut next = above.next();
    while let Some(AstKind::AwaitExpression(_) | AstKind::ParenthesizedExpression(_)) = next {
        next = above.next();
    }
    is_gathering(&call.callee)
        && matches!(next, Some(AstKind::VariableDeclarator(VariableDeclarator {
            id: BindingPattern::ArrayPattern(pattern), ..
        })) if pattern.rest.is_none())
}

impl<'a> Visit<'a> for Walk<'_, 'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::IdentifierReference(name) => self.reference(name),
            AstKind::CallExpression(call) => self.operation(call),
            _ => {}
        }
        self.stack.push(kind);
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.stack.pop();
    }

    // Types name no values.
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}

    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}

    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}

    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}
}

#[cfg(test)]
mod tests {
    use crate::evidence::script::read;
    use crate::workload::{Uses, Verb};

    fn uses(body: &str) -> Vec<String> {
        let text = format!(
            "import {{ Thing }} from './models/thing'; const a = client.db('s').collection('a');
            app.get('/x', async (req, res) => {{ {body} }});"
        );
        let reading = read("s.ts", &text, None);
        assert_eq!(reading.problems, []);
        let reads = reading.operations.iter().filter(|o| matches!(o.verb, Verb::Find | Verb::FindOne));
        reads
            .map(|operation| match &operation.uses {
                Uses::Unknown => "?".to_owned(),
                Uses::All => "all".to_owned(),
                Uses::Fields(paths) => paths.iter().cloned().collect::<Vec<_>>().join(" "),
            })
            .collect()
    }

    #[test]
    fn fields_are_followed() {
        for (body, expected) in [
            (
                "const d = await a.findOne({}); if (!d) return; res.json({ n: d.name, c: d.address.city });",
                "address.city name",
            ),
            ("const { name, tags: [first] } = await a.findOne({}); res.json([name, first]);", "name tags"),
            (
                "const docs = await a.find({}).toArray(); res.json(docs.map(d => ({ id: d._id, n: d['title'] })));",
                "_id title",
            ),
            (
                "const docs = await a.find({}).sort({ x: 1 }).toArray(); for (const { x, y } of docs) { log(x + y); }",
                "x y",
            ),
            ("for await (const d of a.find({})) console.log(d.items.length, d.at.getTime());", "at items"),
            ("await a.find({}).forEach(d => { print(d.k); });", "k"),
            ("a.find({}).toArray((err, docs) => { docs.forEach(d => send(d.mail)); });", "mail"),
            ("a.findOne({}).then(d => { log(d.total); });", "total"),
            ("Thing.findById(req.params.id).lean().exec().then(({ owner }) => res.send(owner));", "owner"),
            ("let d; try { d = await a.findOne({}); } catch (e) {} res.json(d?.v);", "v"),
            ("const [d, n] = await Promise.all([a.findOne({}), 1]); res.json(d.z + n);", "z"),
            (
                "const docs = await a.find({}).toArray(); const rows = docs.filter(d => d.on).map(d => d.p); res.json(rows);",
                "on p",
            ),
            ("const docs = await a.find({}).toArray(); if (docs.length) res.json(docs[0].q);", "q"),
            ("const c = a.find({}); while (await c.hasNext()) { const d = await c.next(); log(d.w); }", "w"),
            ("const d = await a.findOne({}); d.seen = true; const f = () => d.inner; f();", "inner seen"),
        ] {
            assert_eq!(uses(body), [expected], "{body}");
        }
    }

    #[test]
    fn what_goes_elsewhere_uses_all() {
        for body in [
            "res.json(await a.findOne({}));",
            "return a.find({}).toArray();",
            "const d = await a.findOne({}); log(d.x); res.json({ ...d, y: 1 });",
            "const d = await a.findOne({}); log(d.x); render(d);",
            "const d = await a.findOne({}); log(d.x); log(d[key]);",
            "const { x, ...rest } = await a.findOne({}); log(x); res.json(rest);",
            "const docs = await a.find({}).toArray(); log(docs[0].x); res.json(docs.map(clean));",
            "const docs = await a.find({}).toArray(); res.json(docs.map(d => ({ ...d, x: d.x })));",
            "const docs = await a.find({}).toArray(); docs.sort((p, q) => p.big - q.big); log(docs[0].x);",
            "const d = await Thing.findOne({}); log(d.x); d.comparePassword('x');",
            "let d = cached; log(d.x); d = await a.findOne({}); log(d.y);",
            "const d = await a.findOne({}); log(d.x); res.json({ d });",
            "a.find({}).stream().pipe(out);",
            "const d = await Thing.findOne({}).populate('owner'); log(d.x);",
        ] {
            assert_eq!(uses(body), ["all"], "{body}");
        }
        assert_eq!(
            uses(
                "a.findOne({}, callback); log((await a.findOne({}, options)).x); log((await a.findOne({}, { projection: { x: 1 } })).x);"
            ),
            ["?", "?", "?"]
        );
    }
}
