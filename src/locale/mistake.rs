//! What is said of a user's mistakes, each sentence once in each language. A mistake is often found before the
//! language is known, so its sentence waits for it.

use serde_json::Map;

use super::{Lang, template};

/// The same in each language, in the order of [`Lang::ALL`].
pub(crate) type Words = &'static [&'static str; 2];

/// A sentence with its figures, in no language yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Saying {
    words: Words,
    figures: Vec<(&'static str, [String; 2])>,
}

impl Saying {
    /// A text that is the same in each language, such as what another library says.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Saying::from(&["{text}"; 2]).with("text", text)
    }

    /// The sentence with a figure.
    #[must_use]
    pub(crate) fn with(self, name: &'static str, value: impl Into<String>) -> Self {
        let value = value.into();
        self.with_words(name, [value.clone(), value])
    }

    /// The sentence with a part that has its own words in each language.
    #[must_use]
    pub(crate) fn with_words(mut self, name: &'static str, words: [String; 2]) -> Self {
        self.figures.push((name, words));
        self
    }

    /// The sentence with another one inside.
    #[must_use]
    pub(crate) fn around(self, name: &'static str, inner: &Saying) -> Self {
        self.with_words(name, Lang::ALL.map(|lang| inner.told(lang)))
    }

    /// The sentence in a language.
    pub(crate) fn told(&self, lang: Lang) -> String {
        let pick = |words: &[String; 2]| words.get(lang as usize).cloned().unwrap_or_default();
        let figures: Map<_, _> =
            self.figures.iter().map(|(name, words)| ((*name).to_owned(), pick(words).into())).collect();
        template::fill(self.words.get(lang as usize).copied().unwrap_or_default(), &figures, lang)
    }
}

impl From<Words> for Saying {
    fn from(words: Words) -> Self {
        Saying { words, figures: Vec::new() }
    }
}

/// What a text or a value of the configuration is called.
pub(crate) fn kind(name: &str) -> [String; 2] {
    let known = KINDS.iter().find(|(known, _)| *known == name).map(|(_, words)| words.map(str::to_owned));
    let is_struct = name.starts_with("struct ") || name.starts_with("internally tagged enum");
    known.unwrap_or_else(|| if is_struct { kind("a map") } else { [name.to_owned(), name.to_owned()] })
}

pub(crate) const NULL: &str = "null";
pub(crate) const BOOLEAN: &str = "a boolean";
pub(crate) const WHOLE: &str = "u64";
pub(crate) const NUMBER: &str = "f64";
pub(crate) const STRING: &str = "a string";
pub(crate) const LIST: &str = "a sequence";
pub(crate) const OBJECT: &str = "a map";
pub(crate) const MONGODB_VALUE: &str = "a MongoDB value";
pub(crate) const WORD: &str = "a word";
pub(crate) const VERSION: &str = "a server version";
pub(crate) const MOMENT: &str = "a moment";
pub(crate) const DAY: &str = "a day";
pub(crate) const DURATION: &str = "a duration";
pub(crate) const REBUILD: &str = "a duration or `manual`";
pub(crate) const RULE_SETTING: &str = "a rule setting";
pub(crate) const RULE_OPTIONS: &str = "rule options";

/// What is found or expected, by the name that serde or the code gives it.
const KINDS: &[(&str, Words)] = &[
    (NULL, &["null", "null"]),
    (BOOLEAN, &["a boolean", "un booleano"]),
    (WHOLE, &["a whole number from 0 on", "un número entero desde 0"]),
    ("u32", &["a whole number from 0 on", "un número entero desde 0"]),
    ("usize", &["a whole number from 0 on", "un número entero desde 0"]),
    ("i64", &["a whole number", "un número entero"]),
    (NUMBER, &["a number", "un número"]),
    (STRING, &["a string", "una cadena"]),
    (LIST, &["a list", "una lista"]),
    (OBJECT, &["an object", "un objeto"]),
    ("a value", &["a value", "un valor"]),
    (MONGODB_VALUE, &["a MongoDB value", "un valor de MongoDB"]),
    (WORD, &["a word", "una palabra"]),
    (VERSION, &["a server version such as `8.0`", "una versión del servidor como `8.0`"]),
    (MOMENT, &["a day such as `2026-11-30` or an ISO time", "un día como `2026-11-30` o una hora ISO"]),
    (DAY, &["a day such as `2027-01-31`", "un día como `2027-01-31`"]),
    (DURATION, &["a duration such as `30s`, `15m`, `1d` or `1mo`", "una duración como `30s`, `15m`, `1d` o `1mo`"]),
    (REBUILD, &["a duration such as `2h` or `manual`", "una duración como `2h` o `manual`"]),
    (
        RULE_SETTING,
        &[
            "a level (`off`, `info`, `warning`, `error`) or a list of a level and options",
            "un nivel (`off`, `info`, `warning`, `error`) o una lista de un nivel y opciones",
        ],
    ),
    (RULE_OPTIONS, &["an object of options", "un objeto de opciones"]),
];

pub(crate) const DID_YOU_MEAN: Words = &["did you mean {name|code}?", "¿querías decir {name|code}?"];
pub(crate) const USE: Words = &["use {names}", "usa {names}"];
pub(crate) const WRITE_IT_AS: Words = &["write it as {example|code}", "escríbelo como {example|code}"];
pub(crate) const OF_OPTION: Words = &["{option}: {mistake}", "{option}: {mistake}"];

pub(crate) const NO_FORMAT: Words = &["there is no format {name|code}", "no existe el formato {name|code}"];
pub(crate) const NO_LANGUAGE: Words = &["there is no language {name|code}", "no existe el idioma {name|code}"];
pub(crate) const NO_MOMENT: Words =
    &["{text|code} is no day and no ISO time", "{text|code} no es un día ni una hora ISO"];
pub(crate) const NO_OPTION: Words = &["there is no option {name|code}", "no existe la opción {name|code}"];
pub(crate) const NO_VERSION: Words =
    &["{text|code} is no server version", "{text|code} no es una versión del servidor"];
pub(crate) const NOT_CONCLUDED: Words = &["nothing is concluded yet", "aún no se ha concluido nada"];

pub(crate) const UNKNOWN_RULE: Words = &["unknown rule {name|code}", "regla desconocida {name|code}"];
pub(crate) const UNKNOWN_KEY: Words = &["unknown key {name|code}", "clave desconocida {name|code}"];
pub(crate) const UNKNOWN_WORD: Words =
    &["unknown word {name|code}: it is one of {names}", "palabra desconocida {name|code}: es una de {names}"];
pub(crate) const MISSING_KEY: Words = &["the key {name|code} is missing", "falta la clave {name|code}"];
pub(crate) const REPEATED_KEY: Words = &["the key {name|code} is given twice", "la clave {name|code} está dos veces"];
pub(crate) const MISPLACED: Words =
    &["{found} stands where {expected} is expected", "{found} está donde se espera {expected}"];
pub(crate) const NULL_SAYS_NOTHING: Words =
    &["null says nothing here: leave the key out", "null no dice nada aquí: quita la clave"];
pub(crate) const OPTIONS_OF_GROUP: Words =
    &["options belong to one rule, not to a group", "las opciones son de una regla, no de un grupo"];

pub(crate) const OPERATION_UNREAD: Words =
    &["this operation does not parse as mongosh does", "esta operación no se puede leer como la lee mongosh"];
pub(crate) const NO_OPERATION: Words =
    &["no operation on a collection stands in this text", "en este texto no hay ninguna operación sobre una colección"];

pub(crate) const ENDS_EARLY: Words = &["the text ends too early", "el texto termina demasiado pronto"];
pub(crate) const NOTHING_MORE: Words = &["nothing more is expected here", "aquí no se espera nada más"];
pub(crate) const OPEN_COMMENT: Words = &["this comment is not closed", "este comentario no se cierra"];
pub(crate) const TOO_DEEP: Words = &["nested too deeply", "anidado demasiado hondo"];
pub(crate) const EXPECTS_VALUE: Words = &["a value is expected here", "aquí se espera un valor"];
pub(crate) const EXPECTS_KEY: Words = &["a key or `}}` is expected here", "aquí se espera una clave o `}}`"];
pub(crate) const EXPECTS_COLON: Words = &["`:` is expected here", "aquí se espera `:`"];
pub(crate) const EXPECTS_COMMA_OR_BRACE: Words = &["`,` or `}}` is expected here", "aquí se espera `,` o `}}`"];
pub(crate) const EXPECTS_COMMA_OR_BRACKET: Words = &["`,` or `]` is expected here", "aquí se espera `,` o `]`"];
pub(crate) const OPEN_STRING: Words = &["this string is not closed", "esta cadena no se cierra"];
pub(crate) const NO_CHARACTER: Words = &["this escape is no character", "este escape no es un carácter"];
pub(crate) const UNKNOWN_ESCAPE: Words = &["unknown escape", "escape desconocido"];
pub(crate) const FOUR_DIGITS: Words =
    &["`\\u` needs four hexadecimal digits", "`\\u` necesita cuatro dígitos hexadecimales"];
pub(crate) const NO_NUMBER: Words = &["this is no number", "esto no es un número"];
pub(crate) const NO_VALUE: Words = &["this is no value that is known here", "esto no es un valor que se conozca aquí"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_waits_for_its_language() {
        let inner = Saying::from(UNKNOWN_RULE).with("name", "a/b");
        let outer = Saying::from(OF_OPTION).with("option", "--ignore").around("mistake", &inner);
        assert_eq!(outer.told(Lang::En), "--ignore: unknown rule `a/b`");
        assert_eq!(outer.told(Lang::Es), "--ignore: regla desconocida `a/b`");
        let misplaced =
            Saying::from(MISPLACED).with_words("found", kind("u64")).with_words("expected", kind("struct X"));
        assert_eq!(misplaced.told(Lang::Es), "un número entero desde 0 está donde se espera un objeto");
        assert_eq!(Saying::text("as it is {x}").told(Lang::Es), "as it is {x}");
        assert_eq!(Saying::from(EXPECTS_KEY).told(Lang::En), "a key or `}` is expected here");
    }
}
