//! English.

use super::Sentences;

pub(super) static SENTENCES: Sentences = Sentences {
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    too_few: "Seen on {sampled|count} only; {needed|count} more are needed before this is more than a hint.",
    too_small: "The collection is small ({documents|count} documents), so this costs little today.",
    none_of: "None of {noneOf|count} were found, so with 95\u{a0}% confidence they are fewer than {upperBound|percent}.",
    and_more: " and {more|count} more",
};
