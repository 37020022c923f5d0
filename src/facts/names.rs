//! What the name of a field tells of its meaning, in English and Spanish: money, codes, personal data.
//!
//! Names are split into words (`unitPrice`, `unit_price`, `precio-unidad`); accents and a plural's `s` do not count.
//! A name never decides alone: rules look at the values too.

/// How surely a name speaks of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Money {
    /// It does not.
    No,
    /// It may: `total`, `amount`, `valor` also measure other things.
    Maybe,
    /// It does: `price`, `saldo`, `costEur`.
    Yes,
}

/// A part of a date that was split into fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DatePart {
    /// The year.
    Year,
    /// The month.
    Month,
    /// The day of the month.
    Day,
}

/// The words of a name: lower case, without accents and digits.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut last = ' ';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
        // `unitPrice` breaks before the capital, `IVATotal` before the capital that a small letter follows.
        let starts = letter.is_uppercase() && (last.is_lowercase() || (last.is_uppercase() && next_is_lower));
        if (starts || !letter.is_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphabetic() {
            word.extend(plain(letter).to_lowercase());
        }
        last = letter;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Whether the name speaks of money.
pub fn money(name: &str) -> Money {
    let words = words(name);
    if words.iter().any(|word| known(word, NO_MONEY)) {
        Money::No
    } else if words.iter().any(|word| known(word, MONEY)) {
        Money::Yes
    } else if words.iter().any(|word| known(word, MAYBE_MONEY)) {
        Money::Maybe
    } else {
        Money::No
    }
}

/// Whether the name speaks of a currency: where one is, amounts are near.
pub fn is_currency(name: &str) -> bool {
    words(name).iter().any(|word| known(word, CURRENCIES))
}

/// Whether the name speaks of a quantity, whatever its digits look like.
pub fn is_quantity(name: &str) -> bool {
    words(name).last().is_some_and(|last| known(last, QUANTITIES))
}

/// Whether the name speaks of a code: digits that name something and count nothing, such as a phone number, a postal
/// code, a card or an article number. These are rightly strings.
pub fn is_code(name: &str) -> bool {
    let words = words(name);
    let Some(last) = words.last() else { return true };
    if known(last, QUANTITIES) {
        return false;
    }
    // `numberOfItems` counts, `itemNumber` names.
    words.iter().any(|word| known(word, CODES)) || known(last, CODES_AT_THE_END)
}

/// Whether the name speaks of a person's data: values of such a field are told nowhere.
pub fn is_personal(name: &str) -> bool {
    let words = words(name);
    let of_a_person = words.iter().any(|word| known(word, PERSONS));
    words.iter().any(|word| known(word, PERSONAL)) || (of_a_person && words.iter().any(|word| known(word, NAMES)))
}

/// Whether the name is that of a password itself, as against its digest, its age or what is demanded of it.
pub fn is_password(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, PASSWORDS))
}

/// Whether the name is that of a telephone number.
pub fn is_phone(name: &str) -> bool {
    words(name).iter().any(|word| known(word, PHONES))
}

/// Whether the name is that of a date of birth.
pub fn is_birth(name: &str) -> bool {
    words(name).iter().any(|word| known(word, BIRTHS))
}

/// Whether the name is that of a postal address, as against one of a machine or an account.
pub fn is_postal(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| known(word, POSTAL)) && !words.iter().any(|word| known(word, NOT_POSTAL))
}

/// Whether the name is that of a person's name for certain: `firstName`, `surname`.
pub fn is_persons_name(name: &str) -> bool {
    let words = words(name);
    let is_part = |pair: &[String]| matches!(pair, [part, name] if known(part, PARTS_OF_NAMES) && known(name, NAMES));
    words.iter().any(|word| known(word, NAMES_OF_PERSONS)) || words.windows(2).any(is_part)
}

/// Whether the name may be that of a person's name: `customerName`, `displayName`.
pub fn may_name_person(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| known(word, PERSONS)) && words.last().is_some_and(|word| known(word, NAMES))
}

/// Whether a collection's name says that it holds what happened, one document each: logs, chats, sessions.
pub fn is_event_like(collection: &str) -> bool {
    words(collection).iter().any(|word| known(word, EVENT_LIKE))
}

/// Whether the name is that of a latitude.
pub fn is_latitude(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, LATITUDES))
}

/// Whether the name is that of a longitude.
pub fn is_longitude(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, LONGITUDES))
}

/// Whether the name is one under which pairs of longitude and latitude are kept. `latlng` is none: it says that the
/// latitude comes first.
pub fn is_position(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, POSITIONS))
}

/// Whether the name speaks of the time of an event, of a person who acted or of an id: what may rightly be null for long.
pub fn is_event_or_id(name: &str) -> bool {
    words(name).last().is_some_and(|word| EVENTS_AND_IDS.split(' ').any(|other| other == word))
}

/// Whether the name is that of the time at which something happened.
pub fn is_event_time(name: &str) -> bool {
    words(name).last().is_some_and(|word| EVENT_TIMES.split(' ').any(|other| other == word))
}

/// Whether the name is that of a number or time that each change of a document raises.
pub fn is_version(name: &str) -> bool {
    matches!(name, "__v" | "_v" | "v") || words(name).iter().any(|word| known(word, VERSIONS)) || is_change_time(name)
}

/// Whether the name is that of the time of the last change.
pub fn is_change_time(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| known(word, CHANGES)) && words.last().is_some_and(|word| known(word, EVENT_TIMES))
}

/// Whether the name is one under which rows of positions or pairs of numbers are kept.
pub fn is_line(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, LINES))
}

/// Whether things of this name are missed when one gets lost: money, orders, contracts, the data of people.
pub fn is_precious(name: &str) -> bool {
    words(name).iter().any(|word| known(word, PRECIOUS) || known(word, MONEY))
}

/// Whether things of this name are traces of what went on, of which a few may get lost: logs, metrics, views.
pub fn is_trace(name: &str) -> bool {
    words(name).iter().any(|word| known(word, TRACES))
}

/// Whether the name is that of the time at which a document may go; ends of contracts and of goods are none.
pub fn is_expiry(name: &str) -> bool {
    let name = words(name).join(" ");
    EXPIRIES.iter().any(|expiry| *expiry == name)
}

/// Which part of a date the name speaks of, and the words before it: `birthYear` is the year of `birth`.
pub fn date_part(name: &str) -> Option<(DatePart, String)> {
    let mut words = words(name);
    let last = words.pop()?;
    let tables = [(DatePart::Year, YEARS), (DatePart::Month, MONTHS), (DatePart::Day, DAYS)];
    let (part, _) = tables.into_iter().find(|(_, table)| table.split(' ').any(|word| word == last))?;
    Some((part, words.join(" ")))
}

/// Whether the name of a function says that it takes away all that a collection holds: `clearQueue`, `removeAllEvents`,
/// `emptyDb`.
pub fn removes_all(name: &str, collection: &str) -> bool {
    const VERBS: [&str; 11] =
        ["clean", "clear", "delete", "drop", "empty", "emptydb", "flush", "purge", "remove", "reset", "truncate"];
    const WHOLE: [&str; 4] = ["all", "database", "db", "everything"];
    let words = words(name);
    let things = self::words(collection);
    let (verbs, rest): (Vec<&String>, Vec<&String>) =
        words.iter().partition(|word| VERBS.binary_search(&word.as_str()).is_ok());
    let is_meant =
        |word: &&String| WHOLE.contains(&word.as_str()) || things.iter().any(|thing| is_same_thing(word, thing));
    !verbs.is_empty() && (rest.is_empty() || rest.iter().any(is_meant))
}

/// Whether the name, within a collection, is that of a key and of no other thing: `id`, `uuid`, `externalId`, or
/// `orderId` in `orders`. `customerId` in `orders` refers to something else.
pub fn is_own_key(name: &str, collection: &str) -> bool {
    let mut own = words(name);
    let Some(last) = own.pop() else { return false };
    if !KEYS.split(' ').any(|word| word == last) {
        return false;
    }
    let things = words(collection);
    own.iter().all(|word| {
        known(word, OWN) || things.iter().any(|thing| thing == word || super::spelling::is_plural(word, thing))
    })
}

/// Whether the name says how many there are: `itemCount`, `num_comments`, `totalPedidos`, `cantidad de votos`.
pub fn is_count(name: &str) -> bool {
    let words = words(name);
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let is = |word: &str, table: &str| table.split(' ').any(|listed| listed == word);
    is(first, COUNTS) || is(last, COUNTS) || 1 < words.len() && is(first, COUNTS_IN_FRONT)
}

/// Whether the name says that it counts, and not of what: `count`, `total`, `items.length`.
pub fn is_plain_count(name: &str) -> bool {
    matches!(words(name).as_slice(), [word] if matches!(word.as_str(), "conteo" | "contador" | "count" | "counter" | "length"))
}

/// The words of a count that name what is counted.
pub fn counted(name: &str) -> Vec<String> {
    let is = |word: &String| {
        [COUNTS, COUNTS_IN_FRONT, "of de del los las the"]
            .iter()
            .any(|table| table.split(' ').any(|listed| listed == word))
    };
    words(name).into_iter().filter(|word| !is(word)).collect()
}

/// Whether the name is that of a mean.
pub fn is_average(name: &str) -> bool {
    words(name).iter().any(|word| matches!(word.as_str(), "avg" | "average" | "mean" | "media" | "promedio"))
}

/// Whether the name is that of a mark that is mostly a mean of others: `rating`, `valoracion`.
pub fn is_rating(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, "nota puntuacion rating score star valoracion"))
}

/// Whether the name is that of a sum.
pub fn is_total(name: &str) -> bool {
    words(name).iter().any(|word| known(word, "acumulado amount importe monto subtotal sum suma total"))
}

/// Whether the name is that of an amount of money, of whatever time: `unitPriceAtPurchase`.
pub fn is_price(name: &str) -> bool {
    words(name).iter().any(|word| known(word, MONEY) || known(word, "amount importe monto valor value"))
}

/// Whether the name says how many units of something there are.
pub fn is_units(name: &str) -> bool {
    words(name).iter().any(|word| known(word, UNITS))
}

/// Whether the name is that of a depth in a tree.
pub fn is_depth(name: &str) -> bool {
    words(name).last().is_some_and(|word| matches!(word.as_str(), "depth" | "level" | "nivel" | "profundidad"))
}

/// Whether the name is that of what stands between a sum of lines and what is paid: taxes, discounts, shipping.
pub fn is_adjustment(name: &str) -> bool {
    is_deduction(name) || words(name).iter().any(|word| known(word, ADDITIONS))
}

/// Whether the name is that of what lowers a sum.
pub fn is_deduction(name: &str) -> bool {
    words(name).iter().any(|word| known(word, DEDUCTIONS))
}

/// Whether the name is that of a share or a percentage.
pub fn is_rate(name: &str) -> bool {
    words(name).iter().any(|word| known(word, "pct percent percentage porcentaje rate ratio tasa tipo"))
}

/// Whether the name is that of a sum before taxes and the like.
pub fn is_before_adjustments(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| known(word, "base bruto gross imponible items neto net subtotal"))
}

/// Whether the name says that there is more elsewhere: `hasOverflow`, `hasMoreComments`, `tieneMas`.
pub fn marks_more(name: &str) -> bool {
    let words = words(name);
    let has = |word: &str| words.iter().any(|w| w == word);
    ["overflow", "outlier", "desborda", "desbordado"].iter().any(|word| has(word))
        || has("has") && (has("more") || has("extra") || has("extras"))
        || has("tiene") && has("mas")
}

/// Whether the name is that of something that only ever counts up from nothing, or down to it: views, likes, seats.
pub fn is_counter(name: &str) -> bool {
    let words = words(name);
    if words.iter().any(|word| known(word, DIFFERENCES)) {
        return false;
    }
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let counts = |word: &str| matches!(word, "conteo" | "contador" | "count" | "counter" | "counts");
    // `numReservas` counts, `number` and `numLine` may be anything; quantities are moved both ways.
    let numbers =
        matches!(first.as_str(), "nro" | "num" | "number" | "numero") && last.ends_with('s') && 1 < words.len();
    counts(first) || counts(last) || numbers || known(last, COUNTERS)
}

/// Whether the name is that of a tally of what people do, where an estimate is as good: views, clicks, plays.
pub fn is_estimable(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| known(word, ESTIMABLE))
        && !words.iter().any(|word| known(word, PRECIOUS) || known(word, MONEY))
}

/// Whether the name says that only the newest or best are here: `latestReviews`, `ultimosPedidos`.
pub fn is_subset(name: &str) -> bool {
    words(name).iter().any(|word| known(word, SUBSETS))
}

/// The things that a word may name: itself, and what it may be the plural of.
pub fn stems(word: &str) -> Vec<String> {
    super::spelling::stems(word)
}

/// Whether two words name one thing: `customer` and `customers`.
pub fn is_same_thing(a: &str, b: &str) -> bool {
    a == b || super::spelling::is_plural(a, b) || super::spelling::is_plural(b, a)
}

/// Whether the words of a field name the thing that a collection holds: the shorter of the two may leave out what
/// stands in front (`billing customer` in `customers`, `customer` in `crm_customers`).
pub fn names_thing(words: &[String], collection: &[String]) -> bool {
    !words.is_empty()
        && !collection.is_empty()
        && words.iter().rev().zip(collection.iter().rev()).all(|(a, b)| is_same_thing(a, b))
}

/// The words of a path that name the thing it refers to, without those that say that it is a key: `customerId`,
/// `idCliente`, `customer._id`. None where all of them do.
pub fn referred(path: &str) -> Vec<String> {
    for name in path.rsplit('.') {
        let mut words = words(name);
        let is_key = |word: &String| known(word, KEYS) || known(word, POINTERS);
        while words.last().is_some_and(is_key) {
            words.pop();
        }
        let front = words.iter().take_while(|word| is_key(word)).count();
        words.drain(..front);
        if !words.is_empty() {
            return words;
        }
    }
    Vec::new()
}

/// Whether the words of a field name something of its own collection: the parent in a tree.
pub fn is_parent(words: &[String]) -> bool {
    words.last().is_some_and(|word| known(word, PARENTS))
}

/// Whether a name says that the value is that of some moment: `priceAtPurchase`, `nombre_al_comprar`.
pub fn is_snapshot(name: &str) -> bool {
    let words = words(name);
    let joint = words.iter().position(|word| JOINTS.split(' ').any(|other| other == word));
    words.iter().any(|word| word == "snapshot") || joint.is_some_and(|at| 0 < at && at + 1 < words.len())
}

/// The word for a tenant that a path names, and nothing else: `tenantId`, `tenant._id`, `empresa_id`.
pub fn tenant(path: &str) -> Option<String> {
    let mut words = referred(path);
    let only = words.pop().filter(|_| words.is_empty())?;
    known(&only, TENANTS).then_some(only)
}

/// Whether the name is one under which the kind of a thing is kept, or the collection that it lies in.
pub fn is_kind(name: &str) -> bool {
    name == "$ref" || words(name).iter().any(|word| known(word, KINDS))
}

/// Whether a name tells who did something to a document: `createdBy`, `approved_by`, `modificadoPor`.
pub fn is_doer(path: &str) -> bool {
    referred(path).last().is_some_and(|last| DOERS.split(' ').any(|word| word == last))
}

/// Whether the name says by itself that the value is a key: `customerId`, `idCliente`, `customer_ref`, `customer._id`.
pub fn says_key(path: &str) -> bool {
    let words = words(path.rsplit('.').next().unwrap_or(path));
    let is_key = |word: Option<&String>| word.is_some_and(|word| known(word, KEYS) || known(word, POINTERS));
    is_key(words.last()) || is_key(words.first())
}

/// Whether a bare word counts or orders: numbers under it are no keys, whatever collection has its name.
pub fn is_measure(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, MEASURES) || known(word, QUANTITIES))
}

/// Whether a name is given to the keys of many kinds of things, so that two fields of this name need not mean the same.
pub fn is_generic(name: &str) -> bool {
    words(name).iter().all(|word| known(word, GENERIC) || known(word, KEYS))
}

/// Whether a name is that of a key: `tenantId`, `order_no`.
pub fn is_key(name: &str) -> bool {
    words(name).last().is_some_and(|word| known(word, KEYS))
}

/// Whether the words of a field say no more than that it is a key.
pub fn is_bare_key(name: &str) -> bool {
    words(name).iter().all(|word| known(word, KEYS) || known(word, POINTERS))
}

pub(super) fn known(word: &str, table: &str) -> bool {
    let ends = |rest: &str| matches!(rest, "" | "s" | "es");
    table.split(' ').any(|listed| word.strip_prefix(listed).is_some_and(ends))
}

fn plain(letter: char) -> char {
    match letter {
        'á' | 'à' | 'ä' | 'â' | 'Á' => 'a',
        'é' | 'è' | 'ë' | 'ê' | 'É' => 'e',
        'í' | 'ï' | 'î' | 'Í' => 'i',
        'ó' | 'ö' | 'ô' | 'Ó' => 'o',
        'ú' | 'ü' | 'û' | 'Ú' => 'u',
        'ñ' | 'Ñ' => 'n',
        'ç' | 'Ç' => 'c',
        other => other,
    }
}

const MONEY: &str = "\
    alquiler balance budget cobro copago copay cost coste costo cuota debt deposit desembolso deuda dollar eur \
    euro fare fee fianza gasto gbp importe impuesto income ingreso invoiced iva mxn nomina pago payment payout \
    payroll precio premium presupuesto price propina pvp recargo reembolso refund rent revenue salario salary \
    saldo subtotal sueldo surcharge tarifa tax turnover usd vat wage";

const CURRENCIES: &str = "\
    currency divisa eur euro gbp moneda mxn usd";

const MAYBE_MONEY: &str = "\
    abono amount cargo charge credit credito debit debito descuento discount gross monto neto paid sum total \
    valor value";

/// Words that make a quantity of another kind out of a price: a rate, a share, a number of things, a measure.
const NO_MONEY: &str = "\
    at avg cantidad cent centavo centimo cm code codigo count currency date divisa factor fecha gram gramo id \
    index indice kg km level litre litro mm moneda ms nivel pct percent percentage point porcentaje punto qty \
    quantity rate ratio score second segundo time weight";

const CODES: &str = "\
    account asin barcode card cell cellphone celular cif cp cuenta cvc cvv dni ean fax gtin iban imei isbn issn \
    matricula mobile movil msisdn nie nif otp pan pasaporte passport phone pin plate postal postcode sku ssn \
    swift tarjeta tel telefono telephone tlf tracking upc whatsapp zip zipcode";

const CODES_AT_THE_END: &str = "\
    address anexo batch building ccn clave code codigo ext extension hash house id identifier key last licencia license lot lote no \
    nr nro num number numero portal ref reference referencia serial serie token uid version";

const QUANTITIES: &str = "\
    amount balance calls cantidad count importe llamadas precio price qty quantity saldo size sum total";

const PERSONAL: &str = "\
    address apellido birth birthdate birthday calle card cellphone celular correo direccion dni dob email \
    firstname fullname iban ip lastname login mail mobile movil nacimiento nie nif pasaporte passport password \
    phone ssn street surname tarjeta telefono tlf username";

const PERSONS: &str = "\
    author autor client cliente contact contacto customer display first full last paciente patient person \
    persona student user usuario";

const NAMES: &str = "\
    name nombre";

const PASSWORDS: &str = "contrasena passphrase passwd password passwort pwd";

const PHONES: &str = "celular cell cellphone fax mobile movil phone tel telefono telephone tlf whatsapp";

const BIRTHS: &str = "birth birthdate birthday birthdate dob nacimiento";

const POSTAL: &str = "address calle direccion domicilio street";

const NOT_POSTAL: &str = "contract correo email ip mac mail node server wallet web";

const NAMES_OF_PERSONS: &str = "apellido firstname lastname surname";

const PARTS_OF_NAMES: &str = "family first given last maiden middle";

const EVENT_LIKE: &str = "\
    access activity audit call chat click conversation evento event inbox llamada log login mensaje message notificacion \
    notification outbox pageview request sesion session sms track trace visit visita";

const LATITUDES: &str = "lat latitude latitud";

const LONGITUDES: &str = "lng lon long longitude longitud";

const POSITIONS: &str =
    "coord coordenada coordinate geo geopoint lnglat loc location lonlat posicion position ubicacion";

const EVENTS_AND_IDS: &str = "at by date desde expiry fecha hasta id on padre parent ref since time until";

const COUNTS: &str = "cantidad conteo contador count counter counts length longitud qty quantity size tamano";

const COUNTS_IN_FRONT: &str = "n nb no nr nro num number numero total";

const UNITS: &str = "\
    amount cantidad count day dia hora hour noche night pax pieza piece qty quantity seat ticket unidad unit units weight \
    peso volume";

const ADDITIONS: &str = "\
    adjustment ajuste arancel charge comision commission delivery duty envio fee flete freight gst handling igv impuesto \
    interes interest iva porte propina recargo rounding redondeo service shipping surcharge tax taxes tip vat";

const DEDUCTIONS: &str = "\
    anticipo bonificacion bono coupon credit credito cupon deduccion deduction deposit descuento dto discount gift paid \
    pagado points promo promocion promotion rebaja rebate reembolso refund retencion saving voucher withholding";

const DIFFERENCES: &str = "\
    adjustment ajuste balance cambio change delta diff difference diferencia growth movement movimiento net neto offset \
    saldo score trend variacion variation";

const COUNTERS: &str = "\
    click clic descarga disponible download existencia follower hit impression inventario inventory like play remaining \
    reserved reservado reproduccion restante seat stock view visit visita visualizacion";

const ESTIMABLE: &str = "\
    click clic descarga download hit impresion impression lectura like open pageview play read reproduccion scan search \
    share view visit visita visualizacion vista";

const SUBSETS: &str = "\
    best destacado featured last latest mejor mejore newest recent reciente recientes top ultima ultimo";

const EVENT_TIMES: &str = "at date datetime fecha hora instante momento on time timestamp ts when";

const VERSIONS: &str = "etag rev revision ver version";

const CHANGES: &str = "actualizado cambiado change changed modificado modified updated";

const LINES: &str = "\
    area border bound box boundary bounds cell corner edge esquina frontera grid line linea matrix pair path point \
    poligono polygon punto range ring route row ruta segment track tramo tuple vertex vertice vertices";

const PRECIOUS: &str = "\
    account beneficiary booking client cliente contract contrato credit cuenta customer donation empleado employee \
    factura holder invoice ledger loan member movimiento order paciente patient payment pedido people person persona \
    poliza prestamo purchase recibo refund reserva reservation sale settlement student subscription suscripcion \
    transaccion transaction transfer transferencia user usuario venta voucher wallet withdrawal";

const TRACES: &str = "\
    activity analytic audit cache click counter debug draft event evento hit heartbeat impression job log metric \
    metrica notification ping presence queue session sesion stat statistic temp tmp trace track visit visita view vista";

/// Whole names.
const EXPIRIES: &[&str] = &[
    "caduca",
    "caduca en",
    "delete after",
    "delete at",
    "expira",
    "expira en",
    "expire at",
    "expire on",
    "expire time",
    "expires",
    "expires at",
    "expires on",
    "purge after",
    "purge at",
    "remove at",
    "ttl",
];

const YEARS: &str = "year yr yyyy ano anio";

const MONTHS: &str = "month mon mm mes";

const DAYS: &str = "day dd dia";

/// Last words of the name of a key that means nothing. Numbers (`invoiceNo`) mean something to people.
const KEYS: &str = "guid id identificador identifier key pk seq sequence uid uuid";

/// Words that say that a field points at something.
const POINTERS: &str = "fk oid ref reference referencia";

/// Between a thing and a moment.
const JOINTS: &str = "al at when";

/// Whom the documents of one installation belong to.
const TENANTS: &str = "company compania empresa inquilino org organisation organizacion organization tenant workspace";

const KINDS: &str = "clase class coleccion collection entidad entity kind model modelo object objeto recurso resource \
    source target tipo type";

const GENERIC: &str = "abbreviation clase class code codigo estado etiqueta kind label name no nombre num number numero \
    short slug state status tag tipo title titulo type valor value";

/// Last words of a name that tells who did something.
const DOERS: &str = "by por";

/// Names of numbers that say how many, how much or in which order.
const MEASURES: &str = "age answer comment day dia download edad episode episodio fila floor grade hit hour index \
    indice level like line linea lote mes minute month nivel note number numero orden order page pagina piso place \
    point posicion position prioridad priority punto puntuacion rank ranking rate rating reply respuesta review round row score season seat share \
    slot step turn turno version view visit vista vote voto week year";

/// The thing above in a tree.
const PARENTS: &str = "ancestor ancestro padre parent";

/// What may stand before them without naming another thing.
const OWN: &str = "alt custom doc document external externo global internal interno legacy old own public publico row \
    self short surrogate unique";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_collection_itself() {
        for (name, collection) in
            [("id", "orders"), ("externalUuid", "recipes"), ("orderId", "orders"), ("categoryKey", "categories")]
        {
            assert!(is_own_key(name, collection), "{name} in {collection}");
        }
        for (name, collection) in [("customerId", "orders"), ("code", "recipes"), ("order", "orders"), ("grid", "maps")]
        {
            assert!(!is_own_key(name, collection), "{name} in {collection}");
        }
    }

    #[test]
    fn fields_name_the_thing_that_they_refer_to() {
        for (path, collection) in [
            ("customerId", "customers"),
            ("billing.customer_ids", "crm_customers"),
            ("billingCustomer", "customers"),
            ("idCliente", "clientes"),
            ("items.product._id", "products"),
            ("categoryRef.$id", "categories"),
            ("ciudad", "ciudades"),
        ] {
            assert!(names_thing(&referred(path), &words(collection)), "{path} refers to {collection}");
        }
        for (path, collection) in [("customerId", "orders"), ("_id", "orders"), ("status", "states"), ("id", "ids")] {
            assert!(!names_thing(&referred(path), &words(collection)), "{path} does not refer to {collection}");
        }
        assert!(is_parent(&referred("parentId")) && !is_parent(&referred("parenthood")));
        assert!(is_bare_key("_id") && is_bare_key("uuid") && !is_bare_key("sku"));
    }

    #[test]
    fn names_tell_keys_tenants_and_measures() {
        for (path, word) in
            [("tenantId", "tenant"), ("org._id", "org"), ("empresa_id", "empresa"), ("workspace", "workspace")]
        {
            assert_eq!(tenant(path).as_deref(), Some(word), "{path}");
        }
        assert_eq!(tenant("parentCompanyId").or(tenant("tenantName")).or(tenant("_id")), None);
        assert!(says_key("idCliente") && says_key("order.customer_ref") && says_key("customer._id"));
        assert!(!says_key("customer") && !says_key("customers.city"));
        assert!(is_measure("pageScore") && is_measure("orden") && !is_measure("customer"));
        assert!(is_doer("updatedBy") && is_doer("modificado_por") && !is_doer("bylaw"));
        assert!(is_generic("code") && is_generic("shortName") && !is_generic("sku") && !is_generic("countryCode"));
        assert!(is_kind("targetType") && is_kind("$ref") && !is_kind("status"));
        for name in ["priceAtPurchase", "unit_price_at_order", "customerSnapshot", "precioAlComprar"] {
            assert!(is_snapshot(name), "{name}");
        }
        for name in ["at", "createdAt", "data", "atHome", "alias"] {
            assert!(!is_snapshot(name), "{name}");
        }
    }

    #[test]
    fn parts_of_dates_and_of_positions() {
        assert_eq!(date_part("birthYear"), Some((DatePart::Year, "birth".to_owned())));
        assert_eq!(date_part("año"), Some((DatePart::Year, String::new())));
        assert_eq!(date_part("dia_alta"), None);
        assert_eq!(date_part("birthday"), None);
        assert!(is_latitude("geoLat") && is_longitude("Longitud") && is_position("homeLocation"));
        assert!(!is_position("latlng") && !is_latitude("flat"));
    }

    #[test]
    fn names_fall_into_words() {
        for (name, expected) in [
            ("unitPrice", "unit price"),
            ("IVATotal", "iva total"),
            ("precio_unidad-2", "precio unidad"),
            ("teléfonoMóvil", "telefono movil"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn money_is_told_from_measures() {
        for (name, expected) in [
            ("price", Money::Yes),
            ("precioVenta", Money::Yes),
            ("unitPrice", Money::Yes),
            ("rentPerMonth", Money::Yes),
            ("prices", Money::Yes),
            ("copay", Money::Yes),
            ("total", Money::Maybe),
            ("priceChangePct", Money::No),
            ("taxRate", Money::No),
            ("totalKg", Money::No),
            ("weightKg", Money::No),
            ("priceCents", Money::No),
            ("title", Money::No),
        ] {
            assert_eq!(money(name), expected, "{name}");
        }
    }

    #[test]
    fn codes_are_told_from_quantities() {
        for name in ["phone", "postalCode", "chartNo", "cp", "tlf2", "card.last4", "sku", "customerId", "ean13"] {
            assert!(is_code(name), "{name}");
        }
        for name in ["visits", "phoneCalls", "numberOfItems", "quantity", "edad", "year"] {
            assert!(!is_code(name), "{name}");
        }
    }

    #[test]
    fn counts_and_counters() {
        for name in ["itemCount", "num_comments", "totalPedidos", "cantidadVotos", "numberOfItems", "nPlayers"] {
            assert!(is_count(name), "{name}");
        }
        assert_eq!(counted("numberOfOpenItems"), ["open", "items"]);
        for name in ["reservedCount", "numReservas", "stock", "likes", "contador_visitas"] {
            assert!(is_counter(name), "{name}");
        }
        for name in ["quantity", "totalProfit", "stockChange", "netLikes", "shares", "number", "countDelta", "saldo"] {
            assert!(!is_counter(name), "{name}");
        }
        assert!(is_estimable("pageViews") && !is_estimable("orderViews") && !is_estimable("stock"));
        assert!(is_price("unitPriceAtPurchase") && is_adjustment("shippingCost") && is_deduction("cupon"));
        assert!(is_subset("ultimosPedidos") && !is_subset("reviews") && is_average("averageRating"));
    }

    #[test]
    fn what_may_get_lost_and_what_may_not() {
        for name in ["payments", "shop_orders", "Usuarios", "facturas", "accounts"] {
            assert!(is_precious(name), "{name}");
        }
        assert!(!is_precious("metrics") && !is_precious("articles"));
        for name in ["metrics", "orderLogs", "pageViews", "user_sessions"] {
            assert!(is_trace(name), "{name}");
        }
        assert!(!is_trace("orders") && is_event_time("changedAt") && !is_event_time("format"));
        assert!(is_line("corners") && is_line("routePoints") && !is_line("tags"));
    }

    #[test]
    fn personal_names() {
        for name in ["email", "correoElectronico", "firstName", "customerName", "direcciones"] {
            assert!(is_personal(name), "{name}");
        }
        for name in ["name", "type", "estado", "productName"] {
            assert!(!is_personal(name), "{name}");
        }
    }
}
