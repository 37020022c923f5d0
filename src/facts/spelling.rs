//! How names are spelled: their style, and in what two spellings of one name differ.

/// The ways to join the words of a name that are in use side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// `unitPrice`.
    Camel,
    /// `unit_price`.
    Snake,
}

/// In what two names differ that may be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Capitals, separators or blanks: `carrierID`, `carrier_id`, `carrierId `.
    Case,
    /// Singular and plural: `tag` and `tags`.
    Plural,
    /// One letter too many, too few, wrong, or two swapped: `adress`, `address`.
    Letter,
}

/// Names shorter than this differ by a letter as often by chance as by mistake.
const SHORTEST: usize = 5;

/// Bytes by which two spellings differ at most: a letter, or the ending of a plural.
const LONGEST_CHANGE: usize = 4;

/// Endings that say in which language a value is, and no style: `title_es`.
const LANGUAGES: &str = "ar bg ca cs da de el en es et eu fa fi fr gl he hr hu it ja ko lt lv nb nl no pl pt ro ru sk \
    sl sr sv th tr uk ur vi zh";

/// Names that differ by a letter and are words of their own.
const TWO_WORDS: &[(&str, &str)] = &[
    ("angel", "angle"),
    ("bride", "bridge"),
    ("casado", "cansado"),
    ("casual", "causal"),
    ("contact", "contract"),
    ("dairy", "diary"),
    ("login", "logon"),
    ("marital", "martial"),
    ("pedido", "perdido"),
    ("phase", "phrase"),
    ("price", "prize"),
    ("quiet", "quite"),
    ("stage", "state"),
    ("statue", "statute"),
    ("trail", "trial"),
];

/// The style of a name that has one: single words, constants and names of the driver (`_id`, `__v`) have none.
pub fn style(name: &str) -> Option<Style> {
    let name = name.trim_matches('_');
    let mut letters = name.chars();
    if !letters.next()?.is_ascii_lowercase() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let capital = name.bytes().any(|b| b.is_ascii_uppercase());
    match name.rsplit_once('_') {
        None => capital.then_some(Style::Camel),
        Some((rest, last)) if LANGUAGES.split(' ').any(|l| l == last) => style(rest),
        // A number set off, as in `line_2`, says nothing either.
        Some((rest, last)) if last.bytes().all(|b| b.is_ascii_digit()) => style(rest),
        Some(_) => (!capital).then_some(Style::Snake),
    }
}

/// In what two different names differ, if they may be spellings of one. Both are given as [`folded`] makes them.
pub fn difference(left: &str, right: &str) -> Option<Difference> {
    if left.len().abs_diff(right.len()) > LONGEST_CHANGE {
        return None;
    }
    if left == right {
        return (!left.is_empty()).then_some(Difference::Case);
    }
    if is_plural(left, right) || is_plural(right, left) {
        return Some(Difference::Plural);
    }
    let words =
        TWO_WORDS.iter().any(|(a, b)| [(a, b), (b, a)].iter().any(|(a, b)| left.contains(**a) && right.contains(**b)));
    (!words && differs_by_a_letter(left, right)).then_some(Difference::Letter)
}

/// A name without capitals, separators and blanks; an underscore in front has a meaning and stays.
pub fn folded(name: &str) -> String {
    let inner = name.trim_start_matches('_');
    let front = name.get(..name.len() - inner.len()).unwrap_or_default();
    let letters = inner.chars().filter(|c| !matches!(c, '_' | '-' | '.') && !c.is_whitespace() && *c != '\u{feff}');
    front.chars().chain(letters.flat_map(char::to_lowercase)).collect()
}

/// Endings of singular and plural, in English and Spanish.
const PLURALS: &[(&str, &str)] = &[("y", "ies"), ("z", "ces"), ("", "s"), ("", "es")];

/// What a word may be the plural of, and the word itself: two words that share one of these may name one thing.
pub(super) fn stems(word: &str) -> Vec<String> {
    let of = |(singular, plural): &(&str, &str)| {
        let stem = word.strip_suffix(plural).filter(|stem| 2 <= stem.chars().count())?;
        Some(format!("{stem}{singular}"))
    };
    std::iter::once(word.to_owned()).chain(PLURALS.iter().filter_map(of)).collect()
}

/// Whether `many` is the plural of `one`, in English or Spanish.
pub fn is_plural(one: &str, many: &str) -> bool {
    if one.chars().count() < 3 {
        return false;
    }
    PLURALS.iter().any(|(singular, plural)| {
        let stems = one.strip_suffix(singular).zip(many.strip_suffix(plural));
        // `addres` is no singular of `address`, nor `statu` of `status`.
        let no_singular = *plural == "s" && one.ends_with(['s', 'u']);
        stems.is_some_and(|(a, b)| a == b && !no_singular)
    })
}

/// Whether one letter inside is wrong, missing or doubled, or two neighbours are swapped. The first letter is rarely
/// mistyped and the last one mostly carries meaning (`hired` and `fired`, `update` and `updated`, `lineA` and `lineB`).
fn differs_by_a_letter(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().min(b.len()) < SHORTEST {
        return false;
    }
    let front = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    if front == 0 || back == 0 {
        return false;
    }
    let middle = |name: &[char]| {
        let end = name.len().saturating_sub(back).max(front);
        name.get(front..end).unwrap_or_default().to_vec()
    };
    let (mine, theirs) = (middle(&a), middle(&b));
    if mine.iter().chain(&theirs).any(char::is_ascii_digit) {
        return false;
    }
    let missing = a.len().abs_diff(b.len()) == 1 && a.len().min(b.len()) <= front + back;
    let wrong = a.len() == b.len() && mine.len() == 1;
    let swapped = mine.len() == 2 && mine.iter().eq(theirs.iter().rev());
    missing || wrong || swapped
}

/// The nearest of some names, where one is near.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // What is longer than any name is no slip of the keyboard, and its distance costs time.
    if name.len() > 100 {
        return None;
    }
    let lower = name.to_lowercase();
    let far = |known: &&str| strsim::damerau_levenshtein(&lower, &known.to_lowercase());
    let near = known.into_iter().min_by_key(far)?;
    let most = 1.max(name.chars().count().min(24) / 3);
    (far(&near) <= most).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles() {
        for name in ["unitPrice", "aB", "line2Text", "unitPrice_es"] {
            assert_eq!(style(name), Some(Style::Camel), "{name}");
        }
        for name in ["unit_price", "a_b", "user_id", "_created_at"] {
            assert_eq!(style(name), Some(Style::Snake), "{name}");
        }
        for name in ["price", "_id", "__v", "ID", "MAX_SIZE", "Name", "title_es", "line_2", "created_At", "a-b", ""] {
            assert_eq!(style(name), None, "{name}");
        }
    }

    #[test]
    fn spellings_of_one_name() {
        let difference = |a: &str, b: &str| difference(&folded(a), &folded(b));
        for (a, b, expected) in [
            ("carrierID", "carrierId", Difference::Case),
            ("customer_id", "customerId", Difference::Case),
            ("name", "name ", Difference::Case),
            ("tag", "tags", Difference::Plural),
            ("address", "addresses", Difference::Plural),
            ("category", "categories", Difference::Plural),
            ("ciudad", "ciudades", Difference::Plural),
            ("adress", "address", Difference::Letter),
            ("quantity", "quantitiy", Difference::Letter),
            ("reciever", "receiver", Difference::Letter),
            ("shipmentNo", "shipmentnNo", Difference::Letter),
            ("addres", "address", Difference::Letter),
        ] {
            assert_eq!(difference(a, b), Some(expected), "{a} {b}");
            assert_eq!(difference(b, a), Some(expected), "{b} {a}");
        }
    }

    #[test]
    fn names_of_their_own() {
        let difference = |a: &str, b: &str| difference(&folded(a), &folded(b));
        for (a, b) in [
            ("line1", "line2"),
            ("height", "weight"),
            ("hired", "fired"),
            ("update", "updated"),
            ("pointX", "pointY"),
            ("_id", "id"),
            ("city", "cite"),
            ("telefono", "telephono"),
            ("status", "statu"),
            ("contractDate", "contactDate"),
            ("min", "max"),
            ("", ""),
        ] {
            assert_eq!(difference(a, b), None, "{a} {b}");
        }
    }
}
