//! Fields that hold personal data or secrets, by what they hold and how they are called. Values are looked at and never
//! kept.

use crate::facts::identifier::{self, SecretForm};
use crate::facts::names;
use crate::profile::{FieldId, FieldKind, Shape};
use crate::value::{FieldPath, Item, Type};

use super::{Collection, FieldRef};

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sensitive {
    /// E-mail addresses.
    Email,
    /// Telephone numbers.
    Phone,
    /// National identity numbers.
    NationalId,
    /// Bank accounts.
    Account,
    /// Postal addresses.
    Address,
    /// Names of persons.
    Name,
    /// Dates of birth.
    Birth,
    /// Numbers of payment cards.
    Card,
    /// Passwords in clear.
    Password,
    /// A secret of a known form.
    Secret(SecretForm),
}

/// A field with what it holds.
#[derive(Debug, Clone)]
pub struct Held {
    /// Its path.
    pub path: FieldPath,
    /// What it holds.
    pub what: Sensitive,
    /// Values that show it; those that were looked at where its name shows it.
    pub values: u64,
}

impl Held {
    /// Whether it is of a person for certain, without anything beside it.
    fn is_sure(&self) -> bool {
        match self.what {
            Sensitive::Address => false,
            Sensitive::Name => names::is_persons_name(self.path.leaf()),
            what => !what.is_secret(),
        }
    }
}

/// The object that a path lies in.
fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

impl Sensitive {
    /// Whether it is a secret, as against data of a person.
    pub fn is_secret(self) -> bool {
        matches!(self, Sensitive::Card | Sensitive::Password | Sensitive::Secret(_))
    }
}

/// Percent of the values that must have a form before the field is said to hold it.
const NEARLY_ALL: u64 = 80;
/// Values with a check digit that tell: one in ten passes by chance.
const CHECKED: u64 = 10;

/// Values of a field, counted by their form.
#[derive(Debug, Clone, Copy, Default)]
struct Forms {
    values: u64,
    cards: u64,
    accounts: u64,
    national: u64,
    phones: u64,
    clear: u64,
    spaced: u64,
    secrets: [u64; 3],
}

impl Forms {
    fn add(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.values += 1;
        let count = |hit: bool| u64::from(hit);
        self.cards += count(identifier::is_card(text));
        self.accounts += count(identifier::is_iban(text));
        self.national += count(identifier::is_national(text));
        self.phones += count(identifier::is_phone(text));
        self.clear += count(!identifier::is_digest_or_reference(text));
        self.spaced += count(text.contains(' ') && text.chars().any(char::is_alphabetic));
        if let Some(slot) = identifier::secret_form(text).and_then(|form| self.secrets.get_mut(form as usize)) {
            *slot += 1;
        }
    }

    fn nearly_all(&self, count: u64) -> bool {
        0 < count && self.values * NEARLY_ALL <= count * 100
    }

    fn checked(&self, count: u64) -> bool {
        CHECKED <= count && self.nearly_all(count)
    }
}

impl Collection {
    /// The fields that hold personal data or secrets, by path.
    pub fn sensitive(&self) -> &[Held] {
        self.held.get_or_init(|| self.find_sensitive())
    }

    fn find_sensitive(&self) -> Vec<Held> {
        let fields: Vec<FieldRef<'_>> = self.fields().filter(may_be).collect();
        let ids: Vec<FieldId> = fields.iter().map(|at| at.id).collect();
        let mut forms = vec![Forms::default(); fields.len()];
        self.each_at_any(&ids, |which, document, place| {
            let (Some(forms), Some(entry)) = (forms.get_mut(which), document.entries.get(place)) else { return };
            match entry.item {
                Item::String(text) => forms.add(text),
                Item::Long(number) => forms.add(&number.to_string()),
                _ => {}
            }
        });
        let found = fields.iter().zip(&forms);
        let mut held: Vec<Held> = found
            .filter_map(|(at, forms)| {
                let (what, values) = judge(at, forms)?;
                Some(Held { path: at.path.clone(), what, values })
            })
            .collect();
        // Shops and sites have addresses and repositories have names: they are a person's beside what only persons have.
        let sure: Vec<String> = held.iter().filter(|one| one.is_sure()).map(|one| one.path.to_string()).collect();
        held.retain(|one| match one.what {
            Sensitive::Address => !sure.is_empty(),
            Sensitive::Name => one.is_sure() || sure.iter().any(|path| parent(path) == parent(one.path.as_str())),
            _ => true,
        });
        held
    }
}

/// Whether name or shapes make it worth to look at the values.
fn may_be(at: &FieldRef<'_>) -> bool {
    let field = at.field;
    let strings = field.count_of(Type::String);
    let is_leaf = field.count_of(Type::Object) + field.count_of(Type::Array) < field.count;
    let plain = strings - field.shape_count(Shape::Empty).min(strings);
    let named = field.kind == FieldKind::Named;
    let by_name = names::is_personal(at.leaf()) || names::is_password(at.leaf());
    named && is_leaf && (0 < plain || 0 < field.count_of(Type::Long) || by_name)
}

/// What a field holds.
fn judge(at: &FieldRef<'_>, forms: &Forms) -> Option<(Sensitive, u64)> {
    let (field, leaf) = (at.field, at.leaf());
    for form in [SecretForm::PrivateKey, SecretForm::Connection, SecretForm::Token] {
        let count = forms.secrets.get(form as usize).copied().unwrap_or(0);
        if forms.nearly_all(count) {
            return Some((Sensitive::Secret(form), count));
        }
    }
    if forms.checked(forms.cards) {
        return Some((Sensitive::Card, forms.cards));
    }
    if names::is_password(leaf) {
        return forms.nearly_all(forms.clear).then_some((Sensitive::Password, forms.clear));
    }
    if forms.checked(forms.accounts) {
        return Some((Sensitive::Account, forms.accounts));
    }
    if forms.checked(forms.national) {
        return Some((Sensitive::NationalId, forms.national));
    }
    let strings = field.count_of(Type::String) - field.shape_count(Shape::Empty).min(field.count_of(Type::String));
    let emails = field.shape_count(Shape::Email);
    if 0 < emails && strings * NEARLY_ALL <= emails * 100 {
        return Some((Sensitive::Email, emails));
    }
    if names::is_phone(leaf) && forms.nearly_all(forms.phones) {
        return Some((Sensitive::Phone, forms.phones));
    }
    let dated = field.count_of(Type::Date) + field.shape_count(Shape::Day) + field.shape_count(Shape::DateTime);
    if names::is_birth(leaf) && 0 < dated {
        return Some((Sensitive::Birth, dated));
    }
    if names::is_postal(leaf) && forms.nearly_all(forms.spaced) {
        return Some((Sensitive::Address, forms.values));
    }
    if (names::is_persons_name(leaf) || names::may_name_person(leaf)) && 0 < forms.values {
        return Some((Sensitive::Name, forms.values));
    }
    None
}
