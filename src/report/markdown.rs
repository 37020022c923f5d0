//! Markdown for a comment or a wiki: the most important first, a section for each collection, infos folded.

use std::fmt::Write as _;

use super::{RenderOptions, Report, by_importance, concise, escape};
use crate::finding::{Finding, Severity};
use crate::locale::Sentences;

/// The text.
#[inline(never)]
pub(super) fn render(report: &Report, options: &RenderOptions) -> String {
    let words = options.lang.sentences();
    let mut out = format!("# mongovet\n\n{}\n", escape::markdown(&report.counts(options.lang)));
    let mut left = options.lines();
    for (name, findings) in groups(report) {
        let (frames, infos): (Vec<&Finding>, Vec<&Finding>) =
            findings.into_iter().partition(|finding| options.show_info || finding.severity > Severity::Info);
        let frames = frames.get(..frames.len().min(left)).unwrap_or_default();
        left -= frames.len();
        if frames.is_empty() && (infos.is_empty() || options.quiet) {
            continue;
        }
        // Writing to a string succeeds.
        let _ = write!(out, "\n## {}\n", heading(name, words));
        for finding in frames {
            frame(&mut out, finding, words);
        }
        if !infos.is_empty() && !options.quiet {
            let number = infos.len() as u64;
            let _ = write!(out, "\n<details><summary>{}</summary>\n\n", options.lang.counted(words.infos, number));
            for finding in infos {
                let place = escape::code(&concise::place(finding));
                let _ =
                    writeln!(out, "- {} {place}: {}", escape::code(&finding.rule), escape::markdown(&finding.message));
            }
            out.push_str("\n</details>\n");
        }
    }
    let problems: Vec<_> = if options.quiet { Vec::new() } else { report.problems().collect() };
    if !problems.is_empty() {
        let _ = write!(out, "\n## {}\n\n", options.lang.counted(words.problems, problems.len() as u64));
        for (input, problem) in problems {
            let place = match (problem.line, problem.document) {
                (Some(line), _) => format!("{}:{line}", input.name),
                (None, Some(document)) => format!("{} ({} {document})", input.name, words.document),
                (None, None) => input.name.clone(),
            };
            let _ = writeln!(out, "- {}: {}", escape::code(&place), escape::markdown(&problem.message));
        }
    }
    out
}

fn heading(name: &str, words: &Sentences) -> String {
    if name.is_empty() { words.whole_run.to_owned() } else { escape::code(name) }
}

fn frame(out: &mut String, finding: &Finding, words: &Sentences) {
    let level = super::level(words, finding.severity);
    let (rule, place) = (escape::code(&finding.rule), escape::code(&concise::place(finding)));
    let _ = write!(out, "\n### {level}: {rule} {place}\n\n{}\n\n", escape::markdown(&finding.message));
    let _ = writeln!(out, "- **{}**: {}", words.why, escape::markdown(&finding.why));
    let _ = writeln!(out, "- **{}**: {}", words.help, escape::markdown(&finding.help));
    if let Some(remedy) = &finding.remedy {
        let safety = super::safety(words, remedy.safety);
        let _ = write!(out, "- **{}** ({safety}):\n\n", words.remedy);
        escape::fence(out, "  ", &remedy.script);
    }
}

/// Findings by collection or file, the group with the most important one first.
pub(super) fn groups(report: &Report) -> Vec<(&str, Vec<&Finding>)> {
    let mut groups: Vec<(&str, Vec<&Finding>)> = Vec::new();
    for finding in by_importance(&report.findings) {
        let name = super::group(finding);
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, findings)) => findings.push(finding),
            None => groups.push((name, vec![finding])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::samples;
    use super::*;

    #[test]
    fn a_report_reads_as_a_comment() {
        let (report, _) = samples::report();
        assert_snapshot!(render(&report, &RenderOptions::default()), @r#"
        # mongovet

        1 error, 2 warnings, 4 infos, 1 problem in 2 inputs, 1,200 documents

        ## `q.js`

        ### error: `query/negation` `q.js:2:16`

        `this` is not as it should be

        - **why**: half of the documents hold 12 or fewer, so this one array decides how large a document gets and how much every read of it costs
        - **help**: keep the newest in the document

        ## `shop.orders`

        ### warning: `document/illegal-name` `shop.orders: a\u{1b}[31m\nb\u{202e}`

        `a\u{1b}[31m\nb\u{202e}` is not as it should be

        - **why**: half of the documents hold 12 or fewer, so this one array decides how large a document gets and how much every read of it costs
        - **help**: keep the newest in the document

        ### warning: `document/large-array` `shop.orders: items`

        `items` is not as it should be

        - **why**: half of the documents hold 12 or fewer, so this one array decides how large a document gets and how much every read of it costs
        - **help**: keep the newest in the document
        - **remedy** (to review first):

          ```js
          db.getSiblingDB("shop").orders.createIndex({"a": 1})
          ```

        <details><summary>4 infos</summary>

        - `document/rare-field` `shop.orders: a`: `a` is not as it should be
        - `document/rare-field` `shop.orders: b`: `b` is not as it should be
        - `document/rare-field` `shop.orders: c`: `c` is not as it should be
        - `document/rare-field` `shop.orders: d`: `d` is not as it should be

        </details>

        ## 1 problem

        - `shop/orders.bson (document 1201)`: the last document is cut off
        "#);
    }

    #[test]
    fn names_bring_no_markup_of_their_own() {
        let (mut report, _) = samples::report();
        let name = "`](http://x)<img src=x>`` @all *b* |# ![a](b)";
        for finding in &mut report.findings {
            finding.path = Some(name.to_owned());
            finding.message = format!("`{name}` and {name}");
            finding.collection = Some(name.to_owned());
        }
        let text = render(&report, &RenderOptions::default());
        assert_snapshot!(text.lines().find(|line| line.contains("and")).unwrap(), @r#"
        `  `\](http&#58;//x)&lt;img src=x&gt;`  ` &#64;all \*b\* \|\# \!\[a\](b)` and `\](http&#58;//x)&lt;img src=x&gt;`  ` &#64;all \*b\* \|\# \!\[a\](b)
        "#);
        // Outside code spans nothing is left that means something.
        let bare: String = text.lines().filter(|line| line.contains("img")).map(without_code).collect();
        assert!(!bare.contains("<img") && !bare.contains("](") && !bare.contains("@all"), "{bare}");
        assert!(bare.contains("&lt;img"), "{bare}");
    }

    /// A line without its code spans and escaped characters, as CommonMark finds them: runs of back quotes of one length.
    fn without_code(line: &str) -> String {
        let run = |text: &str| text.len() - text.trim_start_matches('`').len();
        let (mut out, mut rest) = (String::new(), line);
        while let Some(at) = rest.find(['`', '\\']) {
            out.push_str(&rest[..at]);
            if rest[at..].starts_with('\\') {
                rest = &rest[at + 2..];
                continue;
            }
            let length = run(&rest[at..]);
            let inside = &rest[at + length..];
            let mut from = 0;
            let end = loop {
                let Some(next) = inside[from..].find('`') else { break None };
                let found = run(&inside[from + next..]);
                if found == length {
                    break Some(from + next + found);
                }
                from += next + found;
            };
            if let Some(end) = end {
                rest = &inside[end..];
            } else {
                out.push_str(&rest[at..at + length]);
                rest = inside;
            }
        }
        out + rest
    }
}
