//! What only a second reading can tell, asked for exactly the collections that need it.
//!
//! A question is put by the model after the first pass and answered document by document: every answer is a sum,
//! so parts merge in any order. Where no second pass is possible the sample answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Known;
use crate::catalogue::{Namespace, Validator};
use crate::value::event::Document;

/// One question about the documents of one collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Question {
    /// How many documents fail the validator, and which of its clauses.
    Violations(Validator),
}

/// What was counted for one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// Documents that fail, and how often each clause does.
    Violations {
        /// Documents that fail.
        failed: u64,
        /// Documents that fail each clause, as path and keyword.
        clauses: BTreeMap<(String, String), u64>,
    },
}

/// The answers of one collection.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Answers {
    /// Question and answer, in the order in which the model asks.
    pub given: Vec<(Question, Answer)>,
    /// Documents that were asked.
    pub documents: u64,
    /// Whether every document that the first pass read was asked; else the sample was.
    pub exact: bool,
}

/// All questions of a run, with what was counted so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Questions {
    asked: BTreeMap<Namespace, Answers>,
}

impl Questions {
    /// The questions that the evidence raises.
    pub fn ask(known: &BTreeMap<Namespace, Known>) -> Questions {
        let mut asked = BTreeMap::new();
        for (ns, known) in known {
            let given = questions(known).into_iter().map(Question::with_answer).collect::<Vec<_>>();
            if !given.is_empty() {
                asked.insert(ns.clone(), Answers { given, documents: 0, exact: false });
            }
        }
        Questions { asked }
    }

    /// The collections that are asked about.
    pub fn namespaces(&self) -> impl Iterator<Item = &Namespace> {
        self.asked.keys()
    }

    /// Counts one document of the second pass.
    pub fn read(&mut self, ns: &Namespace, document: &Document<'_>) {
        if let Some(answers) = self.asked.get_mut(ns) {
            answers.read(document);
        }
    }

    /// Adds what another part of the second pass counted for the same questions.
    pub fn merge(&mut self, other: Questions) {
        for (ns, theirs) in other.asked {
            if let Some(mine) = self.asked.get_mut(&ns) {
                mine.documents += theirs.documents;
                for ((_, mine), (_, theirs)) in mine.given.iter_mut().zip(theirs.given) {
                    mine.merge(theirs);
                }
            }
        }
    }

    /// The answers: exact where the second pass read as many documents as the first, else from the sample.
    pub fn answers(mut self, known: &BTreeMap<Namespace, Known>) -> BTreeMap<Namespace, Answers> {
        for (ns, answers) in &mut self.asked {
            let Some(profile) = known.get(ns).and_then(|k| k.profile.as_ref()) else { continue };
            if answers.documents == profile.documents {
                answers.exact = true;
                continue;
            }
            answers.documents = 0;
            for (question, answer) in &mut answers.given {
                *answer = question.unanswered();
            }
            for (_, kept) in profile.sample.iter() {
                kept.with(|document| answers.read(document));
            }
        }
        self.asked
    }
}

impl Answers {
    fn read(&mut self, document: &Document<'_>) {
        self.documents += 1;
        for (question, answer) in &mut self.given {
            question.read(document, answer);
        }
    }
}

/// The questions about one collection.
fn questions(_known: &Known) -> Vec<Question> {
    Vec::new()
}

impl Question {
    fn with_answer(self) -> (Question, Answer) {
        let answer = self.unanswered();
        (self, answer)
    }

    fn unanswered(&self) -> Answer {
        match self {
            Question::Violations(_) => Answer::Violations { failed: 0, clauses: BTreeMap::new() },
        }
    }

    #[expect(clippy::unused_self, reason = "the evaluator of validators comes next")]
    fn read(&self, _document: &Document<'_>, _answer: &mut Answer) {}
}

impl Answer {
    fn merge(&mut self, other: Answer) {
        match (self, other) {
            (Answer::Violations { failed, clauses }, Answer::Violations { failed: more, clauses: theirs }) => {
                *failed += more;
                for (clause, count) in theirs {
                    *clauses.entry(clause).or_default() += count;
                }
            }
        }
    }
}
