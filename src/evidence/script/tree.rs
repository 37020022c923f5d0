//! What a script declares and where: regions, names, writes, functions, classes and calls, collected in one walk.
//!
//! All spans count from the start of the script, so that a position alone tells in which region something stands.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::ast::{
    Argument, CallExpression, Decorator, Expression, FormalParameter, FormalParameters, Program, PropertyDefinition,
    TSEnumDeclaration, TSType,
};
use oxc_span::Span;

use crate::value::Type;

/// A part of the text that matters to names or to the order of execution. Regions nest; the first is the whole script.
#[derive(Debug)]
pub(super) struct Region<'a> {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The region around it; the whole script is its own.
    pub(super) parent: u32,
    pub(super) kind: RegionKind,
    pub(super) names: BTreeMap<&'a str, u32>,
}

/// Kinds of regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegionKind {
    /// A block with names of its own.
    Scope,
    /// A function, by number.
    Function(u32),
    /// A class, by number.
    Class(u32),
    /// What may be passed over: an arm of the construct that starts there.
    Arm {
        /// Where the construct starts: arms of one construct exclude each other.
        construct: u32,
    },
    /// What may run several times: a loop, by number.
    Loop(u32),
}

/// A name that is declared.
#[derive(Debug)]
pub(super) struct Symbol<'a> {
    pub(super) name: &'a str,
    pub(super) declared: Declared<'a>,
    /// The region that it is declared in.
    pub(super) region: u32,
    /// The type that TypeScript gives it.
    pub(super) annotation: Option<&'a TSType<'a>>,
    /// Its changes, in the order of the text.
    pub(super) writes: Vec<Write<'a>>,
}

impl Symbol<'_> {
    /// Whether it may come to stand for something else than it was declared with.
    pub(super) fn is_changed(&self) -> bool {
        self.writes.iter().any(|write| !matches!(write.change, Change::Passed))
    }
}

/// How a name is declared.
#[derive(Debug, Clone)]
pub(super) enum Declared<'a> {
    /// Without a value, or in a way that tells nothing.
    Nothing,
    /// With a value, or a part of one.
    Value(&'a Expression<'a>, Path<'a>),
    /// As an element of what a loop goes over.
    Element(&'a Expression<'a>, Path<'a>),
    /// As a parameter of a function, by numbers.
    Parameter(u32, usize, Path<'a>, &'a FormalParameter<'a>),
    /// As a function, by number.
    Function(u32),
    /// As a class, by number.
    Class(u32),
    /// As an enum of TypeScript.
    Enum(&'a TSEnumDeclaration<'a>),
    /// From another module.
    Import(&'a str, Imported<'a>),
}

/// What is imported of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Imported<'a> {
    Default,
    Named(&'a str),
    /// `import * as x`.
    All,
}

/// What a module exports.
#[derive(Debug, Clone, Copy)]
pub(super) enum Export<'a> {
    /// A declared name, as it is seen from a position.
    Local { name: &'a str, local: &'a str, at: u32 },
    /// A value under a name, or in place of the whole module.
    Value { name: Option<&'a str>, value: &'a Expression<'a> },
    /// Something of another module; `*` is all of it.
    Handed { name: &'a str, module: &'a str, there: &'a str },
    /// All names of another module.
    All(&'a str),
}

/// Which part of a value a pattern takes.
#[derive(Debug, Clone, Default)]
pub(super) struct Path<'a> {
    pub(super) steps: Vec<Step<'a>>,
    /// What stands in where the part is not there.
    pub(super) fallback: Option<&'a Expression<'a>>,
}

/// A step into a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'a> {
    Name(&'a str),
    Place(usize),
    /// The rest of an object or array, or a part that is not known.
    Rest,
}

/// A change of what a name stands for.
#[derive(Debug, Clone)]
pub(super) struct Write<'a> {
    /// When it has happened: the byte behind it.
    pub(super) end: u32,
    pub(super) region: u32,
    pub(super) change: Change<'a>,
}

/// Kinds of changes.
#[derive(Debug, Clone)]
pub(super) enum Change<'a> {
    /// `x = e`.
    Assign(&'a Expression<'a>),
    /// `x.a.b = e`.
    Set(Vec<&'a str>, &'a Expression<'a>),
    /// `x.a.b += e`.
    Adjust(Vec<&'a str>),
    /// `x[k] = e`.
    SetComputed(&'a Expression<'a>, &'a Expression<'a>),
    /// `delete x.a`.
    Remove(&'a str),
    /// `x.push(…)`.
    Push(&'a [Argument<'a>]),
    /// `x.unshift(…)`.
    Unshift(&'a [Argument<'a>]),
    /// `Object.assign(x, …)`.
    Merge(&'a [Argument<'a>]),
    /// Handed to a function that may add to it.
    Passed,
    /// Anything else.
    Unknown,
}

/// A function.
#[derive(Debug)]
pub(super) struct FunctionInfo<'a> {
    pub(super) span: Span,
    pub(super) name: Option<&'a str>,
    pub(super) parameters: &'a FormalParameters<'a>,
    /// What it gives back, each `return` singly.
    pub(super) returns: Vec<&'a Expression<'a>>,
    /// The call that it is an argument of, with its place.
    pub(super) callback: Option<(&'a CallExpression<'a>, usize)>,
    /// Whether it is called where it stands: `(async () => { … })()`, or the executor of a promise.
    pub(super) immediate: bool,
    /// What it is assigned to, as it is written: `userSchema.statics.findByName`.
    pub(super) assigned: Option<&'a str>,
}

/// A class.
#[derive(Debug, Default)]
pub(super) struct ClassInfo<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) decorators: &'a [Decorator<'a>],
    pub(super) members: BTreeMap<&'a str, Vec<Member<'a>>>,
}

/// What a member of a class is known to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Member<'a> {
    /// Has had this assigned.
    Value(&'a Expression<'a>),
    /// A method or getter, by number.
    Function(u32),
    /// Declared with a type.
    Typed(&'a TSType<'a>),
    /// Set by the constructor from a parameter of its own: `constructor(private readonly users: Model<User>)`.
    Parameter(&'a FormalParameter<'a>),
}

/// A loop.
#[derive(Debug, Clone, Copy)]
pub(super) enum LoopInfo<'a> {
    For(&'a oxc_ast::ast::ForStatement<'a>),
    While(&'a Expression<'a>, Span),
    Of(&'a oxc_ast::ast::ForOfStatement<'a>),
    In(&'a oxc_ast::ast::ForInStatement<'a>),
}

/// A call, in the order of the text, outer ones before those within.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallSite<'a> {
    pub(super) call: &'a CallExpression<'a>,
}

/// What happens to the result of a call.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fate<'a> {
    pub(super) used: Option<bool>,
    /// The `Promise.all`, or its like, among whose arguments it is.
    pub(super) parallel: Option<Span>,
    /// The variable that holds its promise.
    pub(super) holder: Option<(&'a str, u32)>,
}

/// What a check leaves of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checked {
    /// A value of this type.
    Typed(Type),
    /// Something that a validator let through.
    Passed,
}

/// Where a text is known to have been checked: from, to, and what is left.
type Guard = (u32, u32, Checked);

/// All that a script declares.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub(super) regions: Vec<Region<'a>>,
    pub(super) symbols: Vec<Symbol<'a>>,
    pub(super) functions: Vec<FunctionInfo<'a>>,
    pub(super) classes: Vec<ClassInfo<'a>>,
    pub(super) loops: Vec<LoopInfo<'a>>,
    pub(super) calls: Vec<CallSite<'a>>,
    /// What happens to the results of calls that may be operations, by their spans.
    pub(super) fates: BTreeMap<(u32, u32), Fate<'a>>,
    /// `this.x = …` outside a class.
    pub(super) loose: BTreeMap<&'a str, Vec<Member<'a>>>,
    /// Texts of expressions that were checked.
    pub(super) guards: BTreeMap<&'a str, Vec<Guard>>,
    /// Assignments to names that are declared nowhere, `db = …` among them.
    pub(super) globals: Vec<(&'a str, &'a Expression<'a>, u32)>,
    /// Modules that are imported or required.
    pub(super) modules: Vec<&'a str>,
    /// What it exports.
    pub(super) exports: Vec<Export<'a>>,
    /// Functions that are getters, by number.
    pub(super) getters: BTreeSet<u32>,
    /// What runs where something has failed: `catch (error) { … }`.
    pub(super) catches: Vec<Span>,
    /// Whether it is written as a module: it imports, requires or exports.
    pub(super) is_module: bool,
    /// Decorated fields of classes: number of the class, name, declaration.
    pub(super) fields: Vec<(u32, &'a PropertyDefinition<'a>)>,
}

impl<'a> Tree<'a> {
    /// Walks a program.
    pub(super) fn new(text: &'a str, program: &Program<'a>) -> Tree<'a> {
        super::collect::walk(text, program)
    }

    /// The innermost region around a position.
    pub(super) fn region_at(&self, at: u32) -> u32 {
        let behind = self.regions.partition_point(|region| region.start <= at);
        let mut region = behind.saturating_sub(1) as u32;
        while region > 0 && self.region(region).is_none_or(|r| r.end <= at) {
            region = self.parent(region);
        }
        region
    }

    pub(super) fn region(&self, region: u32) -> Option<&Region<'a>> {
        self.regions.get(region as usize)
    }

    pub(super) fn parent(&self, region: u32) -> u32 {
        self.region(region).map_or(0, |region| region.parent)
    }

    /// The regions around a position, innermost first, without the whole script.
    pub(super) fn around(&self, at: u32) -> impl Iterator<Item = (u32, &Region<'a>)> {
        self.upwards(self.region_at(at))
    }

    /// A region and those around it, innermost first, without the whole script.
    pub(super) fn upwards(&self, region: u32) -> impl Iterator<Item = (u32, &Region<'a>)> {
        let mut next = region;
        std::iter::from_fn(move || {
            let at = next;
            let region = self.region(at).filter(|_| at > 0)?;
            next = region.parent;
            Some((at, region))
        })
    }

    /// The declaration of a name that is seen from a position.
    pub(super) fn resolve(&self, name: &str, at: u32) -> Option<u32> {
        let inner = self.around(at).find_map(|(_, region)| region.names.get(name).copied());
        inner.or_else(|| self.regions.first()?.names.get(name).copied())
    }

    pub(super) fn symbol(&self, symbol: u32) -> Option<&Symbol<'a>> {
        self.symbols.get(symbol as usize)
    }

    /// The number of the innermost function around a position.
    pub(super) fn function_at(&self, at: u32) -> Option<u32> {
        self.function_of(self.region_at(at))
    }

    /// The number of the innermost function around a region, itself included.
    pub(super) fn function_of(&self, region: u32) -> Option<u32> {
        self.upwards(region).find_map(|(_, region)| match region.kind {
            RegionKind::Function(function) => Some(function),
            _ => None,
        })
    }

    /// The innermost class around a position.
    pub(super) fn class_at(&self, at: u32) -> Option<&ClassInfo<'a>> {
        let class = self.around(at).find_map(|(_, region)| match region.kind {
            RegionKind::Class(class) => Some(class),
            _ => None,
        })?;
        self.classes.get(class as usize)
    }

    /// Whether a position lies within a region.
    pub(super) fn holds(&self, region: u32, at: u32) -> bool {
        self.region(region).is_some_and(|region| region.start <= at && at < region.end)
    }

    /// What checks leave of an expression at a position; nothing where it was not checked.
    pub(super) fn checked(&self, text: &str, at: u32) -> Option<Checked> {
        let guard = |text: &str| {
            let guards = self.guards.get(text)?;
            guards.iter().find(|(from, to, _)| *from <= at && at < *to).map(|(_, _, kind)| *kind)
        };
        if let Some(kind) = guard(text) {
            return Some(kind);
        }
        // What was checked as a whole is checked in its parts.
        let mut text = text;
        while let Some((whole, _)) = text.rsplit_once('.') {
            text = whole.trim_end_matches('?');
            if guard(text) == Some(Checked::Passed) {
                return Some(Checked::Passed);
            }
        }
        None
    }
}

/// The name of a key that is written down.
pub(super) fn key_name<'a>(key: &'a oxc_ast::ast::PropertyKey<'a>) -> Option<&'a str> {
    match key {
        oxc_ast::ast::PropertyKey::StaticIdentifier(name) => Some(name.name.as_str()),
        oxc_ast::ast::PropertyKey::PrivateIdentifier(name) => Some(name.name.as_str()),
        oxc_ast::ast::PropertyKey::StringLiteral(name) => Some(name.value.as_str()),
        _ => None,
    }
}

/// The module of `require('…')`, also with a member taken of it.
pub(super) fn required<'a>(expression: &Expression<'a>) -> Option<&'a str> {
    let mut expression = expression;
    for _ in 0..8 {
        match expression {
            Expression::CallExpression(call) => {
                if is_named(&call.callee, "require")
                    && let Some(Argument::StringLiteral(source)) = call.arguments.first()
                {
                    return Some(source.value.as_str());
                }
                expression = &call.callee;
            }
            Expression::StaticMemberExpression(member) => expression = &member.object,
            Expression::AwaitExpression(inner) => expression = &inner.argument,
            Expression::ImportExpression(import) => match &import.source {
                Expression::StringLiteral(source) => return Some(source.value.as_str()),
                _ => return None,
            },
            _ => return None,
        }
    }
    None
}

/// Whether an expression is that name.
pub(super) fn is_named(expression: &Expression<'_>, wanted: &str) -> bool {
    matches!(expression, Expression::Identifier(name) if name.name == wanted)
}
