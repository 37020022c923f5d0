//! A short run of mutations in every `cargo test`; tests/fuzz holds the same targets for cargo-fuzz.

use bumpalo::Bump;
use mongovet::value::event::Fidelity;
use mongovet::value::literal::Now;
use mongovet::value::{Document, Value, bson, ejson, literal, write};

use super::recorder::{named, read_in};

/// Numbers that look random and are the same in every run.
struct Xorshift(u64);

impl Xorshift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

const TEXTS: [&str; 4] = [
    r#"{"_id": {"$oid": "5f0000000000000000000001"}, "n": {"$numberDecimal": "1.5E+3"}, "d": {"$date": "2024-01-01T00:00:00.5+02:00"}, "b": {"$binary": {"base64": "AQI=", "subType": "00"}}, "t": {"$timestamp": {"t": 1, "i": 2}}, "r": {"$regularExpression": {"pattern": "a", "options": "ix"}}, "s": "\ud83d\ude00\n", "x": [1, -2.5e3, true, null, {"low": 1, "high": 2, "unsigned": false}]}"#,
    "{ _id: ObjectId('5f0000000000000000000001'), d: new Date(2024, 1), n: NumberLong('5'), x: [1, ... 3 more items], r: /a[/]/i, b: Binary.createFromBase64('AQ==', 0), t: Timestamp({ t: 1, i: 2 }), f: DBRef('c', 1), s: 'a' + \"b\", /* c */ o: { 'k-x': [Object], }, u: UUID() } // end",
    "shop> db.a.find()\n[ { _id: 1 }, { _id: 2, a: 'x'... 9 more characters } ]\nType \"it\" for more\n",
    "{\"_id\": 1}\n{\"_id\": 2, \"a\": [\n]}\n\n{\"v\": 2, \"key\": {\"a\": 1}, \"name\": \"a_1\"}\n",
];

fn mutate(bytes: &mut Vec<u8>, random: &mut Xorshift) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at + 1),
            3 => {
                let special = b"{}[]\"',:$\\/\n\0\xff";
                bytes.insert(at, special[random.below(special.len())]);
            }
            4 => {
                bytes.remove(at);
            }
            _ => {
                let end = (at + random.below(20)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.extend(piece);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'{');
        }
    }
}

/// Whatever comes in: no panic, sizes that add up, and what is read can be written and read again.
fn decoders_hold(bytes: &[u8]) {
    let arena = Bump::new();
    let mut entries = Vec::new();
    if let Ok(size) = bson::decode(bytes, &arena, &mut entries) {
        assert!(size <= bytes.len());
        let document = Document { entries: &entries, fidelity: Fidelity::Exact };
        assert_eq!(document.bytes() as usize, size);
    }
    let arena = Bump::new();
    let mut entries = Vec::new();
    if let Ok((size, _)) = ejson::decode(bytes, &arena, &mut entries) {
        assert!(size <= bytes.len());
        round_trip(&entries);
    }
    let arena = Bump::new();
    let mut entries = Vec::new();
    if let Ok((size, form)) = literal::decode(bytes, &arena, &mut entries, &mut Now::default()) {
        assert!(size <= bytes.len());
        if !form.cut {
            round_trip(&entries);
        }
    }
}

fn round_trip(entries: &[mongovet::value::Entry<'_>]) {
    let document = Document { entries, fidelity: Fidelity::Exact };
    let value = Value::from_document(&document);
    let bytes = write::bson(&value).unwrap();
    // Of code with scope only the size of the scope is kept, which the writer replaces.
    if !format!("{value:?}").contains("JavascriptWithScope") {
        assert_eq!(bytes.len() as u32, document.bytes(), "{value:?}");
    }
    let arena = Bump::new();
    let mut again = Vec::new();
    bson::decode(&bytes, &arena, &mut again).unwrap_or_else(|e| panic!("{e:?} {value:?}"));
}

#[test]
fn mutated_inputs_break_nothing() {
    let mut random = Xorshift(0x9E37_79B9_7F4A_7C15);
    let mut seeds: Vec<Vec<u8>> = TEXTS.iter().map(|text| text.as_bytes().to_vec()).collect();
    let arena = Bump::new();
    let mut entries = Vec::new();
    ejson::decode(TEXTS[0].as_bytes(), &arena, &mut entries).unwrap();
    let value = Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact });
    let one = write::bson(&value).unwrap();
    seeds.push([&one[..], &one[..], &one[..]].concat());
    for round in 0..30_000 {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        mutate(&mut bytes, &mut random);
        decoders_hold(&bytes);
        if round % 8 == 0 {
            let name = ["c.bson", "c.json", "c.json5", "c.txt"][random.below(4)];
            let whole = read_in(name, [&bytes[..]], named());
            let size = 1 + random.below(40);
            assert_eq!(whole, read_in(name, bytes.chunks(size), named()), "{name} in pieces of {size}: {bytes:?}");
        }
    }
}
