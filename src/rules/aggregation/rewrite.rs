//! The text of rewritten pipelines: what the user wrote stays as it is written.

use std::fmt::Write;

use super::Seen;
use crate::catalogue::index::script_name;
use crate::finding::{Remedy, RemedyKind, Safety};
use crate::remedy::literal;
use crate::workload::pipeline::Stage;
use crate::workload::{Key, Member, Span, Term, What};

/// Levels that are written of a term without a text of its own.
const DEEPEST: u32 = 64;

impl Seen<'_> {
    /// A stage as it is written.
    pub(super) fn stage_text(&self, stage: &Stage) -> String {
        match self.model.sources.text(self.operation, stage.span) {
            Some(text) => unindented(text),
            None => match &stage.name {
                Some(name) => format!("{{ {}: {} }}", script_name(name), self.term_text(&stage.argument)),
                None => self.term_text(&stage.argument),
            },
        }
    }

    /// A term as it is written.
    pub(super) fn term_text(&self, term: &Term) -> String {
        match self.written(term.span) {
            Some(text) => text,
            None => rendered(term, DEEPEST),
        }
    }

    /// A member of an object as it is written.
    pub(super) fn member_text(&self, member: &Member) -> String {
        match self.written(member.span) {
            Some(text) => text,
            None => rendered_member(member, DEEPEST),
        }
    }

    /// A member under another name.
    pub(super) fn renamed_text(&self, name: &str, member: &Member) -> String {
        format!("{}: {}", script_name(name), self.term_text(&member.value))
    }

    fn written(&self, span: Option<Span>) -> Option<String> {
        self.model.sources.text(self.operation, Some(span?)).map(unindented)
    }
}

/// A whole pipeline from the texts of its stages. It is to be read before it is used: what is no literal in the source
/// shows as the source has it.
pub(super) fn pipeline(stages: &[String]) -> Remedy {
    let mut script = String::from("[\n");
    for (at, stage) in stages.iter().enumerate() {
        let comma = if at + 1 < stages.len() { "," } else { "" };
        let _ = writeln!(script, "  {}{comma}", stage.replace('\n', "\n  "));
    }
    script.push(']');
    Remedy { safety: Safety::Review, kind: RemedyKind::Pipeline, script }
}

/// A stage with members.
pub(super) fn stage(name: &str, members: &[String]) -> String {
    format!("{{ {name}: {{ {} }} }}", members.join(", "))
}

/// Takes from the lines behind the first what they are indented by in common.
fn unindented(text: &str) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(blanks).min().unwrap_or(0);
    let mut out = String::with_capacity(text.len());
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(if at == 0 { line } else { line.get(common..).unwrap_or_default() });
    }
    out
}

fn rendered(term: &Term, depth: u32) -> String {
    let Some(depth) = depth.checked_sub(1) else { return "?".to_owned() };
    match &term.what {
        What::Value(value) => literal::literal(value),
        What::Hole(_) => "?".to_owned(),
        What::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| rendered(element, depth)).collect();
            format!("[{}]", elements.join(", "))
        }
        What::Object(members) if members.is_empty() => "{}".to_owned(),
        What::Object(members) => {
            let members: Vec<String> = members.iter().map(|member| rendered_member(member, depth)).collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}

fn rendered_member(member: &Member, depth: u32) -> String {
    let value = rendered(&member.value, depth);
    match &member.key {
        Key::Name(name) => format!("{}: {value}", script_name(name)),
        Key::Computed(name) => format!("[{name}]: {value}"),
        Key::Spread => format!("...{value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_keep_their_lines() {
        assert_eq!(
            unindented("{ $match: {\n      a: 1,\n        b: 2\n    } }"),
            "{ $match: {\n  a: 1,\n    b: 2\n} }"
        );
        let whole = pipeline(&["{ $limit: 1 }".to_owned(), "{\n  $skip: 2\n}".to_owned()]);
        assert_eq!(whole.script, "[\n  { $limit: 1 },\n  {\n    $skip: 2\n  }\n]");
    }
}
