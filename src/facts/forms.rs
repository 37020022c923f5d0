//! What the name of a field tells of the part that it plays in a design pattern, in English and Spanish.
//!
//! As with all names, one never decides alone: the model looks at the values too.

use super::names::{known, words};
use crate::value::time::DAY;

/// How surely a name is that of the version of a document's shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShapeVersion {
    /// It is not.
    No,
    /// It may be: `v` and `version` also count changes.
    Maybe,
    /// It is: `schemaVersion`, `docVersion`, `version_esquema`.
    Yes,
}

const HOUR: i64 = DAY / 24;

/// Whether the name is that of the number of elements of an array: `count`, `numReadings`, `nsamples`.
pub fn is_count(name: &str, array: &str) -> bool {
    let words = words(name);
    let counted = super::names::words(array);
    let is_array = |rest: &str| counted.last().is_some_and(|word| super::names::is_same_thing(rest, word));
    words.iter().any(|word| known(word, COUNTS))
        || words.last().is_some_and(|word| {
            let front = ["n", "num", "nr", "no"].into_iter().filter_map(|front| word.strip_prefix(front));
            front.into_iter().any(is_array)
        })
}

/// Whether the name says that something is counted and not what: `count`, `n`, `size`.
pub fn is_bare_count(name: &str) -> bool {
    let words = words(name);
    !words.is_empty() && words.iter().all(|word| known(word, COUNTS))
}

/// How long the window is that a field of this name opens, in milliseconds: `hour`, `dayStart`, `semana`.
pub fn window(name: &str) -> Option<i64> {
    let words = words(name);
    let table = [(MINUTES, HOUR / 60), (HOURS, HOUR), (DAYS, DAY), (WEEKS, 7 * DAY), (MONTHS, 31 * DAY)];
    table.into_iter().find(|(names, _)| words.iter().any(|word| known(word, names))).map(|(_, length)| length)
}

/// How long a window is that is closed so: the words of a card (`hourly`), or a number of a unit (`15m`, `1d`).
pub fn closing(text: &str) -> Option<i64> {
    let table = [(HOURLY, HOUR), (DAILY, DAY), (WEEKLY, 7 * DAY), (MONTHLY, 31 * DAY)];
    let words = words(text);
    let named = table.into_iter().find(|(names, _)| words.iter().any(|word| known(word, names)));
    let digits = text.trim().find(|letter: char| !letter.is_ascii_digit())?;
    let number = text.trim().get(..digits).and_then(|number| number.parse::<i64>().ok());
    let unit = text.trim().get(digits..).map(str::trim);
    let length = match unit {
        Some("s") => Some(1_000),
        Some("m" | "min") => Some(HOUR / 60),
        Some("h") => Some(HOUR),
        Some("d") => Some(DAY),
        _ => None,
    };
    let counted = number.zip(length).and_then(|(number, length)| number.checked_mul(length));
    counted.filter(|length| 0 < *length).or(named.map(|(_, length)| length))
}

/// Whether the name is that of the time at which a window begins.
pub fn is_window_start(name: &str) -> bool {
    window(name).is_some() || words(name).iter().any(|word| known(word, STARTS))
}

/// Whether the name is that of the time at which a window ends.
pub fn is_window_end(name: &str) -> bool {
    words(name).iter().any(|word| known(word, ENDS))
}

/// Whether the name is that of the number of a part, where one thing is kept in several documents.
pub fn is_part(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, PARTS))
}

/// Whether the name says that a document has more than it holds itself.
pub fn is_overflow(name: &str) -> bool {
    let words = words(name);
    let has_more = words.windows(2).any(|pair| matches!(pair, [a, b] if known(a, HAVING) && known(b, MORE)));
    has_more || words.iter().any(|word| known(word, OVERFLOWS))
}

/// Whether the name is that of a field that says of which kind a document is.
pub fn is_kind(name: &str) -> bool {
    matches!(name, "_t" | "__t") || words(name).last().is_some_and(|word| known(word, KINDS))
}

/// Whether the name is that of the version of a document's shape. Mongoose's `__v` counts changes of arrays.
pub fn shape_version(name: &str) -> ShapeVersion {
    if name == "__v" {
        return ShapeVersion::No;
    }
    let words = words(name);
    let is_version = |word: &String| known(word, VERSIONS);
    match words.as_slice() {
        [word] if is_version(word) => ShapeVersion::Maybe,
        [word] if known(word, VERSIONED) && known(word, SCHEMAS) => ShapeVersion::Yes,
        [word] => {
            let joined = SCHEMAS
                .split(' ')
                .chain(VERSIONED.split(' '))
                .any(|thing| word.strip_prefix(thing).is_some_and(|rest| !rest.is_empty() && known(rest, VERSIONS)));
            if joined { ShapeVersion::Yes } else { ShapeVersion::No }
        }
        several if several.iter().any(is_version) && several.iter().any(|word| known(word, VERSIONED)) => {
            ShapeVersion::Yes
        }
        _ => ShapeVersion::No,
    }
}

/// Whether the name is that of a number that each new edition of a thing raises.
pub fn is_revision(name: &str) -> bool {
    let words = words(name);
    name != "__v"
        && shape_version(name) != ShapeVersion::Yes
        && words.len() <= 2
        && words.iter().any(|word| known(word, REVISIONS))
}

/// Whether the name is that of earlier editions of a thing.
pub fn is_history(name: &str) -> bool {
    words(name).iter().any(|word| known(word, HISTORIES))
}

/// Whether the name is that of the key in a pair of key and value.
pub fn is_attribute_key(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, ATTRIBUTE_KEYS))
}

/// Whether the name is that of the value in a pair of key and value.
pub fn is_attribute_value(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, ATTRIBUTE_VALUES))
}

/// Whether the name is that of what may stand beside key and value: a unit, a type, a label.
pub fn is_qualifier(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, QUALIFIERS))
}

/// Whether the name is that of what may tell two values of one key apart: a language, a group.
pub fn is_scope(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, SCOPES))
}

/// Whether the name is that of the moment of an act, such as `createdAt`: no window begins there.
pub fn is_act(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, ACTS))
}

/// Whether the name is that of somebody's opinion in numbers: a rating is no reading.
pub fn is_opinion(name: &str) -> bool {
    words(name).iter().any(|word| known(word, OPINIONS))
}

/// Whether a list of this name may rightly hold one key twice: headers, parameters of a query, filters.
pub fn may_repeat_keys(name: &str) -> bool {
    words(name).iter().any(|word| known(word, REPEATING))
}

const COUNTS: &str = "amount cantidad cardinality conteo contador count counter len length n num number numero size \
    tamano total";

const MINUTES: &str = "minute minuto";
const HOURS: &str = "hora hour";
const DAYS: &str = "date day dia fecha jornada";
const WEEKS: &str = "semana week";
const MONTHS: &str = "mes month";

const HOURLY: &str = "cadahora hora horaria horario hour hourly";
const DAILY: &str = "daily day dia diaria diario";
const WEEKLY: &str = "semana semanal week weekly";
const MONTHLY: &str = "mensual mes month monthly";

const STARTS: &str = "begin bucket comienzo desde first from inicio primera primero period periodo since slot start \
    ventana window";

const ENDS: &str = "end fin final hasta last latest newest to ultima ultimo until";

const PARTS: &str = "bloque chunk fragment fragmento page pagina part parte seq sequence shard slice tramo trozo";

const HAVING: &str = "has have hay is tiene";
const MORE: &str = "extra extras large mas more others outlier overflow overflowed rest resto";
const OVERFLOWS: &str = "desborda desbordada desbordado desborde desbordamiento excede exceeded extras outlier overflow \
    overflowed overflowing spilled truncated";

const KINDS: &str = "clase class cls discriminator discriminador format kind subtype tipo type variant variante";

const VERSIONS: &str = "v ver version";
const SCHEMAS: &str = "esquema schema";
const VERSIONED: &str = "doc document documento esquema estructura format formato schema shape structure";

const REVISIONS: &str = "edicion edition rev revision ver version";

const HISTORIES: &str = "anterior archive archived history historia historial historico previa previo previous \
    revision snapshot version";

const ATTRIBUTE_KEYS: &str = "atributo attr attribute campo caracteristica clave code codigo feature field k key name \
    nombre prop propiedad property";
const ATTRIBUTE_VALUES: &str = "content contenido data dato v val valor value";
const QUALIFIERS: &str = "category categoria etiqueta group grupo label lang language idioma locale order orden position \
    scope tipo type u uom unidad unit";
const SCOPES: &str = "category categoria group grupo lang language idioma locale scope";
const ACTS: &str = "at en on";

const OPINIONS: &str = "calificacion grade mark nota opinion puntuacion rating score star valoracion vote voto";

const REPEATING: &str = "cabecera cookie filter filtro header param parameter parametro query";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_windows() {
        for (name, array) in
            [("count", "readings"), ("numReadings", "readings"), ("nsamples", "samples"), ("n_medidas", "medidas")]
        {
            assert!(is_count(name, array), "{name} of {array}");
        }
        assert!(!is_count("day", "readings") && !is_count("nothing", "readings"));
        for (name, length) in [("hour", HOUR), ("day_start", DAY), ("semana", 7 * DAY), ("fecha", DAY)] {
            assert_eq!(window(name), Some(length), "{name}");
        }
        assert_eq!(window("bucketStart"), None);
        assert!(is_window_start("bucketStart") && is_window_start("desde") && !is_window_start("createdAt"));
        for (text, length) in [("hourly", HOUR), ("15m", HOUR / 4), ("cada día", DAY), ("1d", DAY)] {
            assert_eq!(closing(text), Some(length), "{text}");
        }
        assert_eq!(closing("when full"), None);
    }

    #[test]
    fn versions_of_the_shape() {
        for name in
            ["schemaVersion", "schema_version", "docVersion", "version_esquema", "esquema", "schemaV", "_schema"]
        {
            assert_eq!(shape_version(name), ShapeVersion::Yes, "{name}");
        }
        for name in ["v", "version", "_v", "ver"] {
            assert_eq!(shape_version(name), ShapeVersion::Maybe, "{name}");
        }
        for name in ["__v", "appVersion", "revision", "data", "document"] {
            assert_eq!(shape_version(name), ShapeVersion::No, "{name}");
        }
        assert!(is_revision("revision") && is_revision("currentVersion") && !is_revision("schemaVersion"));
    }

    #[test]
    fn flags_and_pairs() {
        for name in ["hasOverflow", "has_extras", "tieneMas", "isOutlier", "overflow"] {
            assert!(is_overflow(name), "{name}");
        }
        assert!(!is_overflow("hasChildren") && !is_overflow("moreInfo"));
        assert!(is_attribute_key("k") && is_attribute_key("clave") && is_attribute_value("valor"));
        assert!(is_kind("type") && is_kind("__t") && is_kind("tipo") && !is_kind("prototype"));
    }
}
