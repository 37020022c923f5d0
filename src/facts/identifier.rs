//! Identifiers that carry their own proof: cards, accounts, national numbers; and secrets of a known form.

/// Whether a text is the number of a payment card: the length and the first digits of an issuer, and Luhn's check digit
/// (ISO/IEC 7812). Blanks and hyphens may stand between the digits.
pub fn is_card(text: &str) -> bool {
    let Some(digits) = digits(text, &[' ', '-'], 13..=19) else { return false };
    let number = |from: usize, to: usize| -> u32 {
        digits.get(from..to).unwrap_or_default().iter().fold(0, |sum, digit| sum * 10 + u32::from(*digit))
    };
    let (two, four) = (number(0, 2), number(0, 4));
    let is_issued = match digits.len() {
        13 | 19 => two / 10 == 4 || (digits.len() == 19 && two == 62),
        14 => two == 36 || two == 38 || (300..=305).contains(&number(0, 3)),
        15 => two == 34 || two == 37,
        16 => {
            two / 10 == 4
                || (51..=55).contains(&two)
                || (2221..=2720).contains(&four)
                || four == 6011
                || two == 65
                || two == 62
                || (3528..=3589).contains(&four)
        }
        _ => false,
    };
    is_issued && luhn(&digits)
}

fn luhn(digits: &[u8]) -> bool {
    let doubled = |digit: u8| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let value = |(at, digit): (usize, &u8)| u32::from(if at % 2 == 1 { doubled(*digit) } else { *digit });
    digits.iter().rev().enumerate().map(value).sum::<u32>() % 10 == 0
}

/// Whether a text is an international bank account number (ISO 13616): country, check digits, remainder 1 by 97.
pub fn is_iban(text: &str) -> bool {
    let plain: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
    let (Some(country), Some(check)) = (plain.get(..2), plain.get(2..4)) else { return false };
    if !(15..=34).contains(&plain.len())
        || !country.iter().all(u8::is_ascii_uppercase)
        || !check.iter().all(u8::is_ascii_digit)
    {
        return false;
    }
    let rest = plain.get(4..).unwrap_or_default();
    let mut remainder = 0;
    for byte in rest.iter().chain(country).chain(check) {
        remainder = match byte {
            b'0'..=b'9' => (remainder * 10 + u32::from(byte - b'0')) % 97,
            b'A'..=b'Z' => (remainder * 100 + u32::from(byte - b'A') + 10) % 97,
            _ => return false,
        };
    }
    remainder == 1
}

/// Whether a text is a national number whose check digit holds: Spanish DNI and NIE, Brazilian CPF.
pub fn is_national(text: &str) -> bool {
    is_dni(text) || is_cpf(text)
}

/// A Spanish DNI or NIE: the letter is the number's remainder by 23.
fn is_dni(text: &str) -> bool {
    const LETTERS: &[u8] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let plain: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'-' | b' ')).collect();
    let [first, middle @ .., letter] = plain.as_slice() else { return false };
    let first = match first {
        b'0'..=b'9' => first - b'0',
        b'X' | b'Y' | b'Z' => first - b'X',
        _ => return false,
    };
    if middle.len() != 7 || !middle.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let number = middle.iter().fold(u32::from(first), |sum, digit| sum * 10 + u32::from(digit - b'0'));
    LETTERS.get(number as usize % 23) == Some(letter)
}

/// A Brazilian CPF: nine digits and two that check them.
fn is_cpf(text: &str) -> bool {
    let Some(digits) = digits(text, &['.', '-'], 11..=11) else { return false };
    if digits.iter().all(|digit| Some(digit) == digits.first()) {
        return false;
    }
    let check = |length: usize| {
        let weighted = digits.iter().take(length).zip((2..=length + 1).rev());
        let sum: usize = weighted.map(|(digit, weight)| usize::from(*digit) * weight).sum();
        let rest = sum * 10 % 11 % 10;
        digits.get(length).map(|digit| usize::from(*digit)) == Some(rest)
    };
    check(9) && check(10)
}

/// Whether a text is a telephone number in its usual writing: 8 to 15 digits, with a plus in front or with separators.
pub fn is_phone(text: &str) -> bool {
    let count = text.bytes().filter(u8::is_ascii_digit).count();
    let usual = text.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c));
    (8..=15).contains(&count) && usual
}

/// A secret that is known by its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SecretForm {
    /// A private key in PEM.
    PrivateKey,
    /// A connection string with a password.
    Connection,
    /// A token or key of a well-known service, or a signed web token.
    Token,
}

/// The beginnings of the tokens of services, and how long the whole is at least.
const TOKENS: [(&str, usize); 18] = [
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 39),
    ("ghp_", 40),
    ("gho_", 40),
    ("ghs_", 40),
    ("github_pat_", 40),
    ("glpat-", 26),
    ("xoxb-", 24),
    ("xoxp-", 24),
    ("xoxa-", 24),
    ("sk_live_", 24),
    ("rk_live_", 24),
    ("whsec_", 30),
    ("SG.", 60),
    ("npm_", 40),
    ("dop_v1_", 64),
    ("ya29.", 40),
];

/// The form of a secret, if a text has one.
pub fn secret_form(text: &str) -> Option<SecretForm> {
    let text = text.trim_start();
    if text.starts_with("-----BEGIN ") && text.lines().next().is_some_and(|line| line.contains("PRIVATE KEY-----")) {
        return Some(SecretForm::PrivateKey);
    }
    if has_password(text) {
        return Some(SecretForm::Connection);
    }
    let is_word = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    let is_token = TOKENS.iter().any(|(start, length)| text.starts_with(start) && *length <= text.len());
    (is_word && (is_token || is_web_token(text))).then_some(SecretForm::Token)
}

/// `scheme://user:password@host`.
fn has_password(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let is_scheme = !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'+');
    let authority = rest.split(['/', '?', '#', ' ']).next().unwrap_or_default();
    let password = authority.rsplit_once('@').and_then(|(user, _)| user.split_once(':')).map(|(_, password)| password);
    let is_blank = |password: &str| {
        password.is_empty() || password.starts_with(['<', '$', '{', '*', '%']) || password.chars().all(|c| c == 'x')
    };
    is_scheme && password.is_some_and(|password| !is_blank(password))
}

/// A JSON web token with its signature.
fn is_web_token(text: &str) -> bool {
    let mut parts = text.split('.');
    let starts = |part: Option<&str>| part.is_some_and(|part| part.starts_with("eyJ"));
    starts(parts.next())
        && starts(parts.next())
        && parts.next().is_some_and(|signature| 20 <= signature.len())
        && parts.next().is_none()
}

/// Whether a text may be the digest of a password, or a place where the password is kept, as against the password.
pub fn is_digest_or_reference(text: &str) -> bool {
    let is_hex = 32 <= text.len() && text.bytes().all(|b| b.is_ascii_hexdigit());
    let is_mask = text.chars().all(|c| matches!(c, '*' | 'x' | 'X' | '•' | '-' | '.'));
    let starts = ["$", "{", "pbkdf2", "scrypt", "argon2", "bcrypt", "sha", "arn:", "vault:", "enc:", "md5"];
    let lower = text.to_ascii_lowercase();
    is_hex
        || is_mask
        || 40 <= text.len()
        || text.contains("://")
        || text.contains(':') && 24 <= text.len()
        || starts.iter().any(|start| lower.starts_with(start))
}

/// The digits of a text in which nothing else stands but these separators, if there are as many as wanted.
fn digits(text: &str, separators: &[char], wanted: std::ops::RangeInclusive<usize>) -> Option<Vec<u8>> {
    let mut digits = Vec::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' => digits.push(letter as u8 - b'0'),
            other if separators.contains(&other) => {}
            _ => return None,
        }
    }
    wanted.contains(&digits.len()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits() {
        // Test numbers that issuers and standards publish.
        for card in
            ["4111111111111111", "5555 5555 5555 4444", "378282246310005", "2223003122003222", "6011-1111-1111-1117"]
        {
            assert!(is_card(card), "{card}");
        }
        for other in
            ["4111111111111112", "7110884538617966", "1234567812345670", "411111111111", "4111 1111 1111 1111x"]
        {
            assert!(!is_card(other), "{other}");
        }
        assert!(is_iban("GB82 WEST 1234 5698 7654 32") && is_iban("DE89370400440532013000"));
        assert!(!is_iban("GB82WEST12345698765433") && !is_iban("DE89") && !is_iban("de89370400440532013000"));
        assert!(is_national("12345678Z") && is_national("X1234567L") && is_national("529.982.247-25"));
        assert!(!is_national("12345678A") && !is_national("111.111.111-11") && !is_national(""));
    }

    #[test]
    fn secrets_of_a_known_form() {
        assert_eq!(secret_form("mongodb+srv://app:s3cret@db.example.com/x"), Some(SecretForm::Connection));
        assert_eq!(secret_form("-----BEGIN RSA PRIVATE KEY-----\nMIIE"), Some(SecretForm::PrivateKey));
        assert_eq!(secret_form("ghp_0123456789abcdefghijABCDEFGHIJ012345"), Some(SecretForm::Token));
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLXRoYXQtaXMtbG9uZw";
        assert_eq!(secret_form(token), Some(SecretForm::Token));
        for plain in [
            "https://example.com/a:b@c",
            "mongodb://app:<password>@db/x",
            "mongodb://db.example.com/x",
            "-----BEGIN PUBLIC KEY-----",
            "AKIA",
            "eyJ.eyJ.x",
            "ghp_ is a prefix of tokens, as everybody knows",
        ] {
            assert_eq!(secret_form(plain), None, "{plain}");
        }
    }

    #[test]
    fn digests_are_no_passwords() {
        for kept in [
            "$2b$12$YrHnO1mgN52dhKV85SeJnms",
            "{SSHA}abc",
            "5f4dcc3b5aa765d61d8327deb882cf99",
            "********",
            "vault://kv/1",
        ] {
            assert!(is_digest_or_reference(kept), "{kept}");
        }
        assert!(!is_digest_or_reference("delta-walnut-15"));
    }
}
