//! Stored numbers and subsets against what they follow from, through the public door: counts that only a second reading
//! makes exact, sources in another collection, differences that something explains.

use std::fmt::Write;

use mongovet::{InputOptions, Options, Vet};
use serde_json::Value;

/// The findings of a rule about complete collections.
fn findings(rule: &str, inputs: &[(&str, &str)]) -> Vec<Value> {
    let mut vet = Vet::new(Options { complete: true, ..Options::default() }).expect("the defaults are right");
    feed(&mut vet, inputs);
    if !vet.questions().is_empty() {
        feed(&mut vet, inputs);
    }
    let report: Value = serde_json::from_str(&vet.finish()).expect("the report is JSON");
    let all = report["findings"].as_array().expect("a list").clone();
    all.into_iter().filter(|finding| finding["rule"] == rule).collect()
}

fn feed(vet: &mut Vet, inputs: &[(&str, &str)]) {
    for (name, text) in inputs {
        vet.open(name, InputOptions::default());
        vet.write(text.as_bytes());
        vet.close();
    }
}

fn lines(count: usize, mut line: impl FnMut(usize, &mut String)) -> String {
    let mut out = String::new();
    for number in 0..count {
        line(number, &mut out);
        out.push('\n');
    }
    out
}

const WRITES: &str = "writing to memory cannot fail";

#[test]
fn more_documents_than_the_sample_holds_are_all_compared() {
    let orders = lines(4_500, |number, out| {
        let items = vec!["{sku: 'a'}"; number % 7].join(", ");
        let count = number % 7 + usize::from(number % 100 == 3);
        write!(out, "{{_id: {number}, itemCount: {count}, items: [{items}]}}").expect(WRITES);
    });
    let found = findings("pattern/computed-drift", &[("shop.orders.json5", &orders)]);
    let [finding] = found.as_slice() else { panic!("{found:#?}") };
    let evidence = &finding["evidence"];
    assert_eq!(
        (&evidence["differ"], &evidence["sampled"], &evidence["above"]),
        (&45.into(), &4_500.into(), &45.into())
    );
    assert_eq!(evidence["formula"], "count(items)");
    assert_eq!(finding["severity"], "warning");
    let script = finding["remedy"]["script"].as_str().expect("a text");
    assert!(script.contains("{ $size: \"$items\" }") || script.contains("$size: [\"$items\"]"), "{script}");
}

#[test]
fn number_types_minor_units_and_rounding_do_not_count() {
    let orders = lines(60, |number, out| {
        let (price, qty) = (number * 7 + 105, number % 4 + 1);
        let cents = price * qty + 250;
        let total = format!("{}.{:02}", cents / 100, cents % 100);
        write!(
            out,
            "{{_id: {number}, lineas: [{{precio_cents: NumberLong({price}), cantidad: {qty}}}, {{precio_cents: 250, cantidad: 1}}], \
             importe: NumberDecimal('{total}')}}"
        )
        .expect(WRITES);
    });
    assert_eq!(findings("pattern/computed-drift", &[("tienda.pedidos.json5", &orders)]), Vec::<Value>::new());
    let wrong = orders.replace("NumberDecimal('8.66')", "NumberDecimal('8.67')");
    let found = findings("pattern/computed-drift", &[("tienda.pedidos.json5", &wrong)]);
    assert_eq!(found.first().map(|finding| &finding["path"]), Some(&Value::from("importe")));
    assert_eq!(found.first().map(|finding| &finding["evidence"]["above"]), Some(&Value::from(2)));
}

/// Posts with what `fields` gives for the number of comments of each, and their comments; some are hidden.
fn blog(fields: impl Fn(usize, usize) -> String) -> [String; 2] {
    let of = |post: usize| post * 5 % 9;
    let hidden = |post: usize, place: usize| (post + place).is_multiple_of(6);
    let posts = lines(50, |post, out| {
        let shown = (0..of(post)).filter(|place| !hidden(post, *place)).count();
        write!(out, "{{_id: 'post{post}', {}}}", fields(post, shown)).expect(WRITES);
    });
    let mut comments = String::new();
    for post in 0..50 {
        for place in 0..of(post) {
            let hidden = hidden(post, place);
            writeln!(comments, "{{_id: 'c{post}-{place}', postId: 'post{post}', stars: {place}, hidden: {hidden}}}")
                .expect(WRITES);
        }
    }
    [posts, comments]
}

fn drift(collections: &[String; 2]) -> Vec<Value> {
    let [posts, comments] = collections;
    findings("pattern/computed-drift", &[("blog.posts.json5", posts), ("blog.comments.json5", comments)])
}

#[test]
fn a_count_of_another_collection_is_compared() {
    let found = drift(&blog(|post, _| format!("commentCount: {}", post * 5 % 9 + usize::from(post % 10 == 2))));
    let [finding] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((&finding["collection"], &finding["path"]), (&"blog.posts".into(), &"commentCount".into()));
    assert_eq!(finding["evidence"]["differ"], 5);
    assert_eq!(finding["evidence"]["formula"], "count(blog.comments)");
    // A count that leaves out what is hidden follows another formula, and every post keeps to it.
    assert_eq!(drift(&blog(|_, shown| format!("commentCount: {shown}"))), Vec::<Value>::new());
}

#[test]
fn what_explains_a_difference_silences_it() {
    let orders = |state: &dyn Fn(usize) -> &'static str| {
        lines(80, |number, out| {
            let sent = number * 3 + 10;
            let total = if number % 9 == 2 { 0 } else { sent + number % 5 + 4 };
            let items = format!("{{price: {sent}, qty: 1}}, {{price: {}, qty: 1}}", number % 5 + 4);
            write!(out, "{{_id: {number}, items: [{items}], {}total: {total}}}", state(number)).expect(WRITES);
        })
    };
    let told = |text: &str| findings("pattern/computed-drift", &[("shop.orders.json5", text)]).len();
    assert_eq!(told(&orders(&|_| "")), 1);
    assert_eq!(told(&orders(&|number| if number % 9 == 2 { "state: 'void', " } else { "state: 'paid', " })), 0);
    assert_eq!(told(&orders(&|number| if number % 9 == 2 { "coupon: 'ALL', " } else { "" })), 0);
    assert_eq!(told(&orders(&|number| if number % 2 == 0 { "state: 'void', " } else { "state: 'paid', " })), 1);
}
