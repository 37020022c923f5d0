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
