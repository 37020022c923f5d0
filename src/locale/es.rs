//! Spanish.

use super::Sentences;

pub(super) static SENTENCES: Sentences = Sentences {
    months: [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    too_few: "Visto solo en {sampled|count}; faltan {needed|count} para que sea algo más que un indicio.",
    too_small: "La colección es pequeña ({documents|count} documentos), así que hoy cuesta poco.",
    none_of: "No apareció ninguno entre {noneOf|count}: con un 95\u{a0}% de confianza son menos del {upperBound|percent}.",
    and_more: " y {more|count} más",
};
