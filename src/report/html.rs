//! One page of HTML without scripts or anything from elsewhere, to be opened from disk or mailed.

use std::fmt::Write as _;

use super::markdown::groups;
use super::{RenderOptions, Report, concise, escape};
use crate::finding::{Finding, Severity};
use crate::locale::Sentences;

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8884;--error:#c62828;--warning:#b26a00;--info:#1565c0}\
@media(prefers-color-scheme:dark){:root{--error:#ff8a80;--warning:#ffb74d;--info:#82b1ff}}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
h2{border-bottom:1px solid var(--line);overflow-wrap:anywhere}\
article{border-left:4px solid var(--line);padding:.25rem 1rem;margin:1rem 0}\
article.error{border-color:var(--error)}article.warning{border-color:var(--warning)}article.info{border-color:var(--info)}\
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}.error h3 b{color:var(--error)}.warning h3 b{color:var(--warning)}\
.info h3 b{color:var(--info)}dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:.5rem 0}\
dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}code,pre{font-family:ui-monospace,monospace;font-size:.9em}\
pre{overflow:auto;border:1px solid var(--line);padding:.5rem}";

/// The page.
#[inline(never)]
pub(super) fn render(report: &Report, options: &RenderOptions) -> String {
    let words = options.lang.sentences();
    let mut out = String::new();
    // Writing to a string succeeds.
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>mongovet</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<main>\n<h1>mongovet</h1>\n<p>{}</p>\n",
        options.lang.tag(),
        escape::html(&report.counts(options.lang))
    );
    let mut left = options.lines();
    for (name, findings) in groups(report) {
        let shown: Vec<&Finding> =
            findings.into_iter().filter(|f| !options.quiet || f.severity > Severity::Info).take(left).collect();
        if shown.is_empty() {
            continue;
        }
        left -= shown.len();
        let heading = if name.is_empty() { words.whole_run.into() } else { escape::html(name) };
        let _ = write!(out, "<section>\n<h2>{heading}</h2>\n");
        for finding in shown {
            article(&mut out, finding, words);
        }
        out.push_str("</section>\n");
    }
    if !options.quiet {
        problems(&mut out, report, options);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn article(out: &mut String, finding: &Finding, words: &Sentences) {
    let class = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let _ = write!(
        out,
        "<article class=\"{class}\">\n<h3><b>{}</b> <code>{}</code> {}</h3>\n<p>{}</p>\n<dl>\n\
         <dt>{}</dt><dd>{}</dd>\n<dt>{}</dt><dd>{}</dd>\n</dl>\n",
        super::level(words, finding.severity),
        escape::html(&finding.rule),
        escape::html(&concise::place(finding)),
        escape::html_words(&finding.message),
        words.why,
        escape::html_words(&finding.why),
        words.help,
        escape::html_words(&finding.help),
    );
    if let Some(remedy) = &finding.remedy {
        let script: Vec<_> = remedy.script.trim_end().lines().map(escape::html).collect();
        let _ = writeln!(
            out,
            "<details><summary>{} ({})</summary><pre>{}</pre></details>",
            words.remedy,
            super::safety(words, remedy.safety),
            script.join("\n")
        );
    }
    out.push_str("</article>\n");
}

fn problems(out: &mut String, report: &Report, options: &RenderOptions) {
    let words = options.lang.sentences();
    let number = report.summary.problems;
    if number == 0 {
        return;
    }
    let _ = write!(out, "<section>\n<h2>{}</h2>\n<ul>\n", escape::html(&options.lang.counted(words.problems, number)));
    for (input, problem) in report.problems() {
        let document = problem.document.map(|n| format!(" ({} {n})", words.document)).unwrap_or_default();
        let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = format!("{}{line}{document}", input.name);
        let _ =
            writeln!(out, "<li><code>{}</code>: {}</li>", escape::html(&place), escape::html_words(&problem.message));
    }
    out.push_str("</ul>\n</section>\n");
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_page_holds_every_finding_and_nothing_that_runs() {
        let (mut report, _) = samples::report();
        let name = "<script>alert(1)</script>\"'&\u{202e}";
        for finding in &mut report.findings {
            finding.message = format!("`{name}` is {name}");
        }
        report.findings[0].collection = Some(name.to_owned());
        let page = render(&report, &RenderOptions::default());
        assert_eq!(page.matches("<article").count(), report.findings.len());
        assert!(!page.contains("<script") && !page.contains('\u{202e}'), "{page}");
        let shown = "<code>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\\u{202e}</code> is &lt;script";
        assert!(page.contains(shown), "{page}");
        for tag in ["section", "article", "ul", "dl", "main", "body", "html"] {
            let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }

    #[test]
    fn a_page_speaks_its_language_and_keeps_quiet() {
        let (report, _) = samples::report();
        let options = RenderOptions { lang: crate::locale::Lang::Es, quiet: true, ..RenderOptions::default() };
        let page = render(&report, &options);
        assert!(page.contains("<html lang=\"es\">") && page.contains("por qué"), "{page}");
        assert_eq!(page.matches("<article").count(), 3);
    }
}
