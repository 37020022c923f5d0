//! Dates as text and as milliseconds, without a clock and without time zones but the offset that the text names.

/// A day in milliseconds.
pub const DAY: i64 = 86_400_000;

/// Milliseconds since the Unix epoch of an ISO 8601 date or date-time: `2024-05-01`, `2024-05-01T10:00Z`,
/// `2024-05-01 10:00:00.123+0200`, years beyond four digits with a sign. A time without an offset counts as UTC.
pub fn parse_iso(text: &str) -> Option<i64> {
    let mut cursor = Cursor { bytes: text.trim_ascii().as_bytes() };
    let sign = match cursor.bytes.first()? {
        b'-' => -1,
        _ => 1,
    };
    let signed = cursor.eat(b'+') || cursor.eat(b'-');
    let run = cursor.bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    // `20240501` is a whole date; other long years are years, as mongoexport writes them.
    let compact = !signed && run == 8 && cursor.bytes.get(run) != Some(&b'-');
    let year = if compact { cursor.digits(4, 4)? } else { cursor.digits(4, 9)? * sign };
    // A year alone or a year and a month are dates in JavaScript too.
    let (mut month, mut day) = (1, 1);
    let dashed = cursor.eat(b'-');
    if dashed || cursor.bytes.first().is_some_and(u8::is_ascii_digit) {
        month = cursor.digits(2, 2)?;
        if (dashed && cursor.eat(b'-')) || (!dashed && !cursor.bytes.is_empty()) {
            day = cursor.digits(2, 2)?;
        }
    }
    let mut time = 0;
    if !cursor.bytes.is_empty() {
        if !(cursor.eat(b'T') || cursor.eat(b't') || cursor.eat(b' ')) {
            return None;
        }
        time = cursor.clock()? - cursor.offset()?;
    }
    if !cursor.bytes.is_empty() {
        return None;
    }
    Some(days_from_civil(year, month, day)? * DAY + time)
}

/// Milliseconds since the Unix epoch of the other forms that `new Date("…")` is commonly given:
/// `May 1, 2024 10:00:00`, `1 May 2024`, `Wed May 01 2024 10:00:00 GMT+0200`, `2024/05/01`, `5/1/2024`.
/// Without an offset they count as UTC.
pub fn parse_loose(text: &str) -> Option<i64> {
    if let Some(date) = parse_iso(text) {
        return Some(date);
    }
    let text = text.split('(').next()?;
    let (mut month, mut time, mut numbers, mut count) = (None, 0, [0_i64; 3], 0);
    let mut year_first = false;
    for word in text.split([' ', ',']).filter(|w| !w.is_empty()) {
        if let Some(found) = month_of(word) {
            month = Some(found);
        } else if word.contains(':') {
            let mut cursor = Cursor { bytes: word.as_bytes() };
            time += cursor.clock()? - cursor.offset()?;
            if !cursor.bytes.is_empty() {
                return None;
            }
        } else if let Some(offset) = word.strip_prefix("GMT").or_else(|| word.strip_prefix("UTC")) {
            time -= Cursor { bytes: offset.as_bytes() }.offset()?;
        } else if word.starts_with(['+', '-']) && count == 3 {
            time -= Cursor { bytes: word.as_bytes() }.offset()?;
        } else if word.bytes().all(|b| b.is_ascii_digit() || b == b'/') {
            for part in word.split('/') {
                year_first |= count == 0 && part.len() == 4;
                *numbers.get_mut(count)? = part.parse().ok().filter(|n| *n < 1_000_000)?;
                count += 1;
            }
        } else if !(word == "Z" || is_weekday(word)) {
            return None;
        }
    }
    let [a, b, c] = numbers;
    let (year, month, day) = match (month, count) {
        (Some(month), 2) if year_first => (a, month, b),
        (Some(month), 2) => (b, month, a),
        (None, 3) if year_first => (a, b, c),
        (None, 3) => (c, a, b),
        _ => return None,
    };
    Some(days_from_civil(year, month, day)? * DAY + time)
}

/// The text `2024-05-01T10:00:00.123Z`; nothing where the year has not four digits.
pub fn format_iso(milliseconds: i64) -> Option<String> {
    let (days, rest) = (milliseconds.div_euclid(DAY), milliseconds.rem_euclid(DAY));
    let (year, month, day) = civil_from_days(days);
    if !(0..=9999).contains(&year) {
        return None;
    }
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1000))
}

/// The text `2024-05-01T10:00:00Z` of a time that a report tells: without the milliseconds where they are 0.
pub fn format_time(milliseconds: i64) -> Option<String> {
    let text = format_iso(milliseconds)?;
    Some(text.strip_suffix(".000Z").map_or_else(|| text.clone(), |whole| format!("{whole}Z")))
}

/// The day `2024-05-01` of a time; nothing where the year has not four digits.
pub fn format_day(milliseconds: i64) -> Option<String> {
    format_iso(milliseconds)?.get(..10).map(str::to_owned)
}

/// The time in an ObjectId, in seconds since the Unix epoch.
pub fn object_id_seconds([a, b, c, d, ..]: [u8; 12]) -> u32 {
    u32::from_be_bytes([a, b, c, d])
}

/// The time in an ObjectId, in milliseconds since the Unix epoch.
pub fn object_id_time(id: [u8; 12]) -> i64 {
    i64::from(object_id_seconds(id)) * 1000
}

/// Days since the Unix epoch of a date of the Gregorian calendar, if it exists.
/// After Howard Hinnant's `days_from_civil`.
pub fn days_from_civil(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    // Beyond this the milliseconds would not fit into 64 bits.
    if !(1..=last).contains(&day) || !(-290_000_000..=290_000_000).contains(&year) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468)
}

/// Year, month and day of a number of days since the Unix epoch.
pub fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// The unread rest of a text.
struct Cursor<'a> {
    bytes: &'a [u8],
}

impl Cursor<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        match self.bytes.split_first() {
            Some((first, rest)) if *first == byte => {
                self.bytes = rest;
                true
            }
            _ => false,
        }
    }

    /// A number of `least` to `most` digits.
    fn digits(&mut self, least: usize, most: usize) -> Option<i64> {
        let count = self.bytes.iter().take(most).take_while(|b| b.is_ascii_digit()).count();
        if count < least {
            return None;
        }
        let (digits, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(digits.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0')))
    }

    /// Milliseconds of `10:00`, `10:00:00` or `10:00:00.123456`; 24:00 is the end of the day.
    fn clock(&mut self) -> Option<i64> {
        let hour = self.digits(1, 2)?;
        let minute = if self.eat(b':') { self.digits(2, 2)? } else { return None };
        let mut time = (hour * 60 + minute) * 60_000;
        if self.eat(b':') {
            let second = self.digits(2, 2)?;
            // A leap second is the first of the next minute, as most software has it.
            if second > 60 {
                return None;
            }
            time += second * 1000;
            if self.eat(b'.') || self.eat(b',') {
                let before = self.bytes.len();
                let first = self.digits(1, 3)?;
                time += match before - self.bytes.len() {
                    1 => first * 100,
                    2 => first * 10,
                    _ => first,
                };
                // Finer than BSON keeps.
                while self.bytes.first().is_some_and(u8::is_ascii_digit) {
                    self.digits(1, 9)?;
                }
            }
        }
        if minute > 59 || time > DAY { None } else { Some(time) }
    }

    /// Milliseconds of `Z`, `+02:00`, `+0200`, `+02`, or nothing at all.
    fn offset(&mut self) -> Option<i64> {
        if self.bytes.is_empty() || self.eat(b'Z') || self.eat(b'z') {
            return Some(0);
        }
        let negative = self.bytes.first() == Some(&b'-');
        if !(self.eat(b'+') || self.eat(b'-')) {
            return None;
        }
        let hours = self.digits(2, 2)?;
        self.eat(b':');
        let minutes = if self.bytes.is_empty() { 0 } else { self.digits(2, 2)? };
        let offset = (hours * 60 + minutes) * 60_000;
        Some(if negative { -offset } else { offset })
    }
}

fn month_of(word: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = word.strip_suffix('.').unwrap_or(word).to_ascii_lowercase();
    if word.len() < 3 {
        return None;
    }
    MONTHS.iter().position(|month| month.starts_with(&word)).map(|index| index as i64 + 1)
}

fn is_weekday(word: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let word = word.strip_suffix('.').unwrap_or(word).to_ascii_lowercase();
    word.len() >= 3 && DAYS.iter().any(|day| day.starts_with(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_forms() {
        assert_eq!(parse_iso("1970-01-01"), Some(0));
        assert_eq!(parse_iso("2012-12-24T12:15:30.501Z"), Some(1_356_351_330_501));
        assert_eq!(parse_iso("2012-12-24T12:15:30.501+01:00"), Some(1_356_351_330_501 - 3_600_000));
        assert_eq!(parse_iso("2012-12-24 12:15:30.501123-0100"), Some(1_356_351_330_501 + 3_600_000));
        assert_eq!(parse_iso("2012-12"), parse_iso("2012-12-01"));
        assert_eq!(parse_iso("20121224T12:15Z"), parse_iso("2012-12-24T12:15"));
        assert_eq!(parse_iso("+010000-01-01T00:00:00Z"), Some(253_402_300_800_000));
        assert_eq!(parse_iso("-000001-12-31"), Some(-62_198_755_200_000 + 31_449_600_000));
        for bad in ["", "2023-02-29", "2024-13-01", "2024-1-1", "24-01-01", "2024-01-01T25:00", "2024-01-01x", "soon"] {
            assert_eq!(parse_iso(bad), None, "{bad}");
        }
    }

    #[test]
    fn loose_forms() {
        let day = parse_iso("2024-05-01");
        for text in ["May 1, 2024", "1 May 2024", "2024/05/01", "5/1/2024", "Wed, 1 May 2024 00:00:00 GMT"] {
            assert_eq!(parse_loose(text), day, "{text}");
        }
        assert_eq!(
            parse_loose("Wed May 01 2024 10:00:00 GMT+0200 (Central European Summer Time)"),
            parse_iso("2024-05-01T08:00:00Z")
        );
        assert_eq!(parse_loose("next week"), None);
    }

    #[test]
    fn writes_what_it_reads() {
        for text in ["1970-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z", "0001-01-01T00:00:00.000Z"] {
            assert_eq!(parse_iso(text).and_then(format_iso).as_deref(), Some(text));
        }
        assert_eq!((format_iso(i64::MAX), format_time(i64::MAX), format_day(i64::MIN)), (None, None, None));
        assert_eq!(format_time(1_714_557_600_000).as_deref(), Some("2024-05-01T10:00:00Z"));
        assert_eq!(format_time(1_714_557_600_120).as_deref(), Some("2024-05-01T10:00:00.120Z"));
        assert_eq!(format_day(1_714_557_600_120).as_deref(), Some("2024-05-01"));
    }
}
