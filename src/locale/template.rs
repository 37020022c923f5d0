//! Templates of sentences: `{name}`, `{name|format}` and `{name|format|one|many}` over named figures.

use serde_json::{Map, Value};

use crate::locale::Lang;

/// Longest piece of hostile text that a sentence quotes, in characters; the JSON fields hold it whole.
const QUOTED: usize = 120;

/// How many entries of a list a sentence shows.
const LISTED: usize = 5;

/// The formats that a template may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// As it is.
    Plain,
    /// A number with its thousands grouped, and the form of its noun where the template gives both.
    Count,
    /// A size in bytes.
    Bytes,
    /// A day.
    Date,
    /// A share from 0 to 1.
    Percent,
    /// Text between back quotes.
    Code,
    /// A list of names, each between back quotes, the first five shown.
    List,
    /// Only the form that goes with a number (or with the length of a list), such as `holds` or `hold`.
    Word,
}

impl Format {
    fn parse(name: &str) -> Option<Format> {
        Some(match name {
            "count" => Format::Count,
            "bytes" => Format::Bytes,
            "date" => Format::Date,
            "percent" => Format::Percent,
            "code" => Format::Code,
            "list" => Format::List,
            "word" => Format::Word,
            _ => return None,
        })
    }
}

/// A piece of a template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Words.
    Text(&'t str),
    /// A named figure, its format, and the forms for one and for any other number.
    Figure(&'t str, Format, Option<[&'t str; 2]>),
    /// Braces that hold neither a name nor a known format; shown as they stand.
    Fault(&'t str),
}

/// The pieces of a template. `{{` and `}}` stand for the braces themselves.
pub(crate) fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        let (words, tail) = rest.split_at(at);
        if !words.is_empty() {
            out.push(Piece::Text(words));
        }
        if tail.starts_with("{{") || tail.starts_with("}}") {
            let (brace, after) = tail.split_at(1);
            out.push(Piece::Text(brace));
            rest = after.get(1..).unwrap_or_default();
            continue;
        }
        let end = tail.find('}').map_or(tail.len(), |end| end + 1);
        let (whole, after) = tail.split_at(end);
        out.push(figure(whole).unwrap_or(Piece::Fault(whole)));
        rest = after;
    }
    if !rest.is_empty() {
        out.push(Piece::Text(rest));
    }
    out
}

fn figure(whole: &str) -> Option<Piece<'_>> {
    let inner = whole.strip_prefix('{')?.strip_suffix('}')?;
    let mut parts = inner.split('|');
    let name = parts.next()?;
    let format = parts.next().map_or(Some(Format::Plain), Format::parse)?;
    let forms = match (parts.next(), parts.next(), parts.next()) {
        (None, ..) => None,
        (Some(one), Some(many), None) => Some([one, many]),
        _ => return None,
    };
    let is_right = match format {
        Format::Count => true,
        Format::Word => forms.is_some(),
        _ => forms.is_none(),
    };
    let named = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
    (named && is_right).then_some(Piece::Figure(name, format, forms))
}

/// Fills a template. A name without a figure stays in its braces, which a test over all rules' examples rejects.
pub(crate) fn fill(template: &str, figures: &Map<String, Value>, lang: Lang) -> String {
    let mut out = String::with_capacity(template.len() + 32);
    for piece in pieces(template) {
        match piece {
            Piece::Text(text) | Piece::Fault(text) => out.push_str(text),
            Piece::Figure(name, format, forms) => {
                if let Some(value) = figures.get(name) {
                    if format != Format::Word {
                        show(&mut out, value, format, lang);
                    }
                    if let Some([one, many]) = forms {
                        if format == Format::Count {
                            out.push(' ');
                        }
                        out.push_str(if is_one(value, lang) { one } else { many });
                    }
                } else {
                    out.push('{');
                    out.push_str(name);
                    out.push('}');
                }
            }
        }
    }
    out
}

/// Whether a number reads as 1, so that 1.04 goes with the noun that its figures call for. Both languages put every
/// other number, 0 and 1.5 too, into the plural.
fn is_one(value: &Value, lang: Lang) -> bool {
    match value {
        Value::Array(entries) => entries.len() == 1,
        Value::Number(number) => lang.count(number.as_f64().unwrap_or_default()) == "1",
        _ => false,
    }
}

fn show(out: &mut String, value: &Value, format: Format, lang: Lang) {
    match (value, format) {
        (Value::Number(number), _) => {
            let number = number.as_f64().unwrap_or_default();
            out.push_str(&match format {
                Format::Count => lang.count(number),
                Format::Bytes => lang.bytes(number),
                Format::Percent => lang.percent(number),
                _ => lang.number(number),
            });
        }
        (Value::String(text), Format::Date) => out.push_str(&lang.date(text)),
        (Value::String(text), Format::Code | Format::List) => quote(out, text),
        (Value::String(text), _) => out.push_str(&shortened(text)),
        (Value::Array(entries), _) => {
            for (at, entry) in entries.iter().take(LISTED).enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                match entry {
                    Value::String(text) if format != Format::Plain => quote(out, text),
                    // A list in a list is not shown, so that this never recurses deeper.
                    Value::Array(_) | Value::Object(_) => out.push('…'),
                    _ => show(out, entry, format, lang),
                }
            }
            if let Some(more) = entries.len().checked_sub(LISTED).filter(|more| *more > 0) {
                let figures = Map::from_iter([("more".to_owned(), Value::from(more))]);
                out.push_str(&fill(lang.sentences().and_more, &figures, lang));
            }
        }
        (Value::Bool(value), _) => out.push_str(if *value { "true" } else { "false" }),
        (Value::Null | Value::Object(_), _) => out.push('…'),
    }
}

/// Text between back quotes, shortened in the middle.
pub(crate) fn quote(out: &mut String, text: &str) {
    out.push('`');
    out.push_str(&shortened(text));
    out.push('`');
}

fn shortened(text: &str) -> std::borrow::Cow<'_, str> {
    if text.len() <= QUOTED || text.chars().count() <= QUOTED {
        return text.into();
    }
    let head: String = text.chars().take(QUOTED / 2).collect();
    let mut tail: Vec<char> = text.chars().rev().take(QUOTED / 2 - 1).collect();
    tail.reverse();
    format!("{head}…{}", tail.into_iter().collect::<String>()).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(template: &str, figures: &Value, lang: Lang) -> String {
        fill(template, figures.as_object().unwrap(), lang)
    }

    #[test]
    fn figures_take_their_format() {
        let figures = json!({"max": 5214, "size": 2048, "share": 0.5, "day": "2027-03-01", "field": "a.b"});
        assert_eq!(
            filled("{field|code}: {max|count} in {size|bytes}, {share|percent} by {day|date}", &figures, Lang::En),
            "`a.b`: 5,214 in 2\u{a0}KiB, 50\u{a0}% by 1 March 2027"
        );
        assert_eq!(filled("{max|count} {{literal}} {max}", &figures, Lang::Es), "5214 {literal} 5214");
    }

    #[test]
    fn words_take_the_form_of_their_number() {
        let template = "{n|count|document|documents} {n|word|holds|hold} it";
        let read = |n: f64, lang| filled(template, &json!({ "n": n }), lang);
        assert_eq!(read(1.0, Lang::En), "1 document holds it");
        assert_eq!(read(1.04, Lang::En), "1 document holds it");
        assert_eq!(read(0.0, Lang::En), "0 documents hold it");
        assert_eq!(read(1.5, Lang::Es), "1,5 documents hold it");
        assert_eq!(read(5214.0, Lang::En), "5,214 documents hold it");
        let listed = |names: &Value| filled("{names|list} {names|word|is|are}", &json!({ "names": names }), Lang::En);
        assert_eq!((listed(&json!(["a"])), listed(&json!(["a", "b"]))), ("`a` is".into(), "`a`, `b` are".into()));
    }

    #[test]
    fn forms_stand_in_pairs_and_only_where_they_mean_something() {
        for wrong in ["{n|count|document}", "{n|count|a|b|c}", "{n|word}", "{n|bytes|byte|bytes}"] {
            assert_eq!(pieces(wrong), [Piece::Fault(wrong)]);
        }
    }

    #[test]
    fn lists_are_cut_after_five() {
        let figures = json!({"names": ["a", "b", "c", "d", "e", "f", "g"]});
        assert_eq!(filled("{names|list}", &figures, Lang::En), "`a`, `b`, `c`, `d`, `e` and 2 more");
        assert_eq!(filled("{names}", &json!({"names": [1, [2]]}), Lang::En), "1, …");
    }

    #[test]
    fn faults_stay_visible() {
        assert_eq!(filled("{none} {max|weird} {", &json!({"max": 1}), Lang::En), "{none} {max|weird} {");
        assert_eq!(pieces("{a|weird}"), [Piece::Fault("{a|weird}")]);
    }

    #[test]
    fn long_names_are_shortened_in_the_middle() {
        let long = "é".repeat(500);
        let shown = filled("{n|code}", &json!({ "n": long }), Lang::En);
        assert_eq!(shown.chars().count(), QUOTED + 2);
        assert!(shown.contains("é…é"));
    }
}
