//! The words of the rules: the templates of their pages, by rule and language.

use crate::locale::Lang;
pub(crate) use crate::locale::template::{fill, quote};

/// The templates of a rule in one language: name and text.
type Templates = &'static [(&'static str, &'static str)];

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// The words of a rule: `kind` is `message`, `why` or `help`. A variant without its own template has the plain one;
/// a language without the page has English.
pub(crate) fn template(id: &str, kind: &str, variant: Option<&str>, lang: Lang) -> Option<&'static str> {
    let at = WORDS.binary_search_by(|(name, _)| (*name).cmp(id)).ok()?;
    let (_, languages) = WORDS.get(at)?;
    let own = languages.get(lang as usize).filter(|templates| !templates.is_empty());
    let templates = own.or_else(|| languages.first())?;
    let find = |name: &str| templates.iter().find(|(key, _)| *key == name).map(|(_, template)| *template);
    variant.and_then(|variant| find(&format!("{kind}.{variant}"))).or_else(|| find(kind))
}

#[cfg(test)]
mod tests {
    use super::WORDS;
    use crate::locale::template::{Format, Piece, pieces};

    /// Words in -s that are no plural.
    const SINGULAR: [&str; 6] = ["is", "was", "has", "holds", "es", "más"];

    /// The nouns in the plural that stand behind a number without their form for one.
    fn unpaired(template: &str) -> Vec<String> {
        let parts = pieces(template);
        let noun = |pair: &[Piece<'_>]| match pair {
            [Piece::Figure(_, Format::Count, None), Piece::Text(text)] => {
                let word: String = text.strip_prefix(' ')?.chars().take_while(|c| c.is_alphabetic()).collect();
                (word.ends_with('s') && !SINGULAR.contains(&word.as_str())).then_some(word)
            }
            _ => None,
        };
        parts.windows(2).filter_map(noun).collect()
    }

    #[test]
    fn a_noun_behind_a_number_has_its_form_for_one() {
        assert_eq!(unpaired("{n|count} fields in {m|count|day|days}"), ["fields"]);
        let mut faults = Vec::new();
        for (id, languages) in WORDS {
            for (name, template) in languages.iter().copied().flatten() {
                faults.extend(unpaired(template).into_iter().map(|noun| format!("{id} {name}: {noun}")));
            }
        }
        for sentences in [include_str!("../locale/en.rs"), include_str!("../locale/es.rs")] {
            for line in sentences.lines().filter_map(|line| line.split_once('"')) {
                faults.extend(unpaired(line.1).into_iter().map(|noun| format!("{}: {noun}", line.0)));
            }
        }
        assert_eq!(faults, [""; 0]);
    }

    #[test]
    fn every_template_is_readable() {
        for (id, languages) in WORDS {
            for (name, template) in languages.iter().copied().flatten() {
                let faults: Vec<_> = pieces(template).into_iter().filter(|p| matches!(p, Piece::Fault(_))).collect();
                assert_eq!(faults, [], "{id} {name}");
            }
        }
    }
}
