//! The examples that teach the choice between embedding and referencing: each comes out as its teachers say.

use super::*;

/// A decision about each subject.
fn decisions(found: &[Value]) -> Vec<(&str, &str)> {
    found.iter().filter_map(|one| Some((one["subject"].as_str()?, one["decision"].as_str()?))).collect()
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}

fn id(kind: usize, number: usize) -> String {
    object_id(START + number as i64 * DAY, kind * 100_000 + number)
}

fn has(found: &[Value], subject: &str, allowed: &[&str]) {
    let all = decisions(found);
    let one = all.iter().find(|(about, _)| *about == subject);
    assert!(one.is_some_and(|(_, decision)| allowed.contains(decision)), "{subject}: {all:?}");
}

#[test]
fn order_lines_stay_in_their_order_and_products_apart() {
    let products =
        lines(60, |n| format!("{{_id: {}, name: 'product {n}', price: {}, stock: {}}}", id(1, n), n + 5, n % 7));
    let orders = lines(200, |n| {
        let item = |place: usize| {
            let product = (n * 7 + place * 11) % 60;
            format!(
                "{{productId: {}, productNameAtPurchase: 'product {product}', unitPriceAtPurchase: {}, quantity: {}}}",
                id(1, product),
                product + 5,
                place + 1
            )
        };
        let items: Vec<String> = (0..=n % 5).map(item).collect();
        format!("{{_id: {}, number: {n}, items: [{}]}}", id(2, n), items.join(", "))
    });
    let script = "db.getSiblingDB('shop').products.updateOne({_id: 1}, {$inc: {stock: -1}});
        db.getSiblingDB('shop').products.find({stock: {$lt: 3}});
        db.getSiblingDB('shop').orders.findOne({number: 7});";
    let found = advise(
        &[("shop.orders.json5", orders), ("shop.products.json5", products), ("shop.mongodb.js", script.to_owned())],
        None,
    );
    has(&found, "shop.orders.items", &["keep"]);
    has(&found, "shop.orders.items.productId", &["keep"]);
}

#[test]
fn an_author_of_thousands_of_books_is_named_by_them() {
    let books = lines(3000, |n| format!("{{_id: {}, title: 'book {n}', authorId: {}}}", id(1, n), id(2, n % 3)));
    let authors = |with: bool| {
        lines(3, |n| {
            let keys: Vec<String> = (0..1000).map(|book| id(1, book * 3 + n)).collect();
            let list = if with { format!(", bookIds: [{}]", keys.join(", ")) } else { String::new() };
            format!("{{_id: {}, name: 'author {n}'{list}}}", id(2, n))
        })
    };
    let found = advise(&[("lib.books.json5", books.clone()), ("lib.authors.json5", authors(false))], None);
    has(&found, "lib.books.authorId", &["keep"]);
    let plain = lines(3000, |n| format!("{{_id: {}, title: 'book {n}'}}", id(1, n)));
    let found = advise(&[("lib.books.json5", plain), ("lib.authors.json5", authors(true))], None);
    has(&found, "lib.authors.bookIds", &["parent-reference"]);
}

#[test]
fn few_addresses_and_five_contacts_stay_inside() {
    let customers = lines(80, |n| {
        let address = |place: usize| format!("{{kind: 'k{place}', street: 'street {place}', town: 'town {n}'}}");
        let addresses: Vec<String> = (0..=n % 3).map(address).collect();
        format!("{{_id: {}, name: 'c {n}', addresses: [{}]}}", id(1, n), addresses.join(", "))
    });
    let users = lines(80, |n| {
        let contact = |place: usize| format!("{{name: 'contact {place}', phone: '60000{n:04}', relation: 'r{place}'}}");
        let contacts: Vec<String> = (0..=n % 5).map(contact).collect();
        format!("{{_id: {}, login: 'u {n}', emergencyContacts: [{}]}}", id(2, n), contacts.join(", "))
    });
    let validator = "db.getSiblingDB('app').createCollection('users', {validator: {$jsonSchema: {bsonType: 'object', \
        properties: {emergencyContacts: {bsonType: 'array', maxItems: 5}}}}});";
    let inputs =
        [("app.customers.json5", customers), ("app.users.json5", users), ("users.mongodb.js", validator.to_owned())];
    let found = advise(&inputs, None);
    has(&found, "app.customers.addresses", &["keep"]);
    has(&found, "app.users.emergencyContacts", &["keep"]);
    assert_eq!(answer(decision_about(&found, "app.users.emergencyContacts"), "growth"), "bounded");
}

#[test]
fn reviews_of_a_product_that_only_grow_leave_it() {
    let model =
        json!({ "relationships": [{ "parent": "shop.products", "path": "reviews", "readTogether": "always" }] });
    let reviews = |number: usize, created: i64| {
        let count = 2 + (80 - number) * 2;
        let review = |place: usize| {
            let at = created + place as i64 * 5 * DAY;
            format!(
                "{{_id: {}, stars: {}, text: 'text {place}', at: new Date({at})}}",
                object_id(at, number * 1000 + place),
                place % 5
            )
        };
        (0..count).map(review).collect::<Vec<_>>().join(", ")
    };
    let products = parents(80, "reviews", reviews);
    let found = advise(&[("shop.products.json5", products.clone())], None);
    has(&found, "shop.products.reviews", &["parent-reference"]);
    let found = advise(&[("shop.products.json5", products)], Some(model));
    has(&found, "shop.products.reviews", &["subset"]);
}

#[test]
fn students_keep_their_addresses_list_their_courses_and_are_named_by_messages() {
    let courses =
        lines(40, |n| format!("{{_id: {}, name: 'course {n}', teacher: 't {}', room: 'r {n}'}}", id(1, n), n % 9));
    let course = |n: usize| format!("{{_id: {}, name: 'course {n}', teacher: 't {}', room: 'r {n}'}}", id(1, n), n % 9);
    let student = |n: usize, courses: String| {
        let email = |place: usize| format!("{{address: 's{n}.{place}@example.com', kind: 'k{place}'}}");
        let emails: Vec<String> = (0..=n % 3).map(email).collect();
        format!("{{_id: {}, name: 's {n}', emails: [{}], {courses}}}", id(2, n), emails.join(", "))
    };
    let listed = lines(120, |n| {
        let keys: Vec<String> = (0..2 + n % 6).map(|place| id(1, (n * 3 + place) % 40)).collect();
        student(n, format!("courseIds: [{}]", keys.join(", ")))
    });
    let copied = lines(120, |n| {
        let whole: Vec<String> = (0..2 + n % 6).map(|place| course((n * 3 + place) % 40)).collect();
        student(n, format!("courses: [{}]", whole.join(", ")))
    });
    let messages = lines(900, |n| format!("{{_id: {}, subject: 'm {n}', postedBy: {}}}", id(3, n), id(2, n * n % 120)));
    let found = advise(
        &[("school.students.json5", listed), ("school.courses.json5", courses), ("school.messages.json5", messages)],
        None,
    );
    has(&found, "school.students.emails", &["keep"]);
    has(&found, "school.students.courseIds", &["keep"]);
    has(&found, "school.messages.postedBy", &["keep"]);
    let found = advise(&[("school.students.json5", copied)], None);
    has(&found, "school.students.courses", &["child-references"]);
}

#[test]
fn memberships_with_a_role_are_an_association() {
    let users = lines(150, |n| format!("{{_id: {}, handle: 'u{n}'}}", id(1, n)));
    let organizations = lines(6, |n| format!("{{_id: {}, slug: 'o{n}'}}", id(2, n)));
    let memberships = lines(450, |n| {
        let (user, organization) = (id(1, n % 150), id(2, (n / 150 + n) % 6));
        format!(
            "{{_id: {}, userId: {user}, organizationId: {organization}, role: 'r{}', joinedAt: new Date({n})}}",
            id(3, n),
            n % 3
        )
    });
    let found = advise(
        &[
            ("saas.users.json5", users),
            ("saas.organizations.json5", organizations),
            ("saas.memberships.json5", memberships),
        ],
        None,
    );
    for side in ["saas.memberships.userId", "saas.memberships.organizationId"] {
        has(&found, side, &["keep"]);
        assert_eq!(decision_about(&found, side)["today"], "association");
    }
}

#[test]
fn a_name_that_hardly_changes_is_copied_and_a_stock_that_always_does_is_not() {
    let source = |name: &'static str| {
        lines(30, move |n| {
            format!("{{_id: {}, {name}: 'value {n}', about: '{text}'}}", id(1, n), text = "about ".repeat(80))
        })
    };
    let holders = |reference: &'static str| {
        lines(240, move |n| format!("{{_id: {}, sku: 'p{n}', {reference}: {}}}", id(2, n), id(1, n % 30)))
    };
    let page = |from: &str, local: &str, field: &str| {
        format!(
            "db.getSiblingDB('shop').products.aggregate([{{$match: {{sku: 'p1'}}}}, {{$lookup: {{from: '{from}', \
             localField: '{local}', foreignField: '_id', as: 'of'}}}}, {{$project: {{sku: 1, 'of.{field}': 1}}}}]);"
        )
    };
    let found = advise(
        &[
            ("shop.products.json5", holders("categoryId")),
            ("shop.categories.json5", source("name")),
            ("page.mongodb.js", page("categories", "categoryId", "name")),
        ],
        None,
    );
    has(&found, "shop.products.categoryId", &["extended-reference"]);
    let sold = "db.getSiblingDB('shop').inventory.updateOne({_id: 1}, {$inc: {stock: -1}});";
    let found = advise(
        &[
            ("shop.products.json5", holders("inventoryId")),
            ("shop.inventory.json5", source("stock")),
            ("page.mongodb.js", page("inventory", "inventoryId", "stock") + sold),
        ],
        None,
    );
    has(&found, "shop.products.inventoryId", &["keep"]);
}
