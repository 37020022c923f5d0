//! Arithmetic on rewritten documents: every sampled parent is taken apart and put together in each form, and the BSON
//! of the result is measured. Nothing is estimated from averages but elements that the sample cut away, and then the
//! figures say so.

use serde_json::{Map, Value};

use super::names::Names;
use crate::catalogue::Index;
use crate::facts::limits;
use crate::model::array::creation_time;
use crate::model::{Array, Collection};
use crate::order::Ordered;
use crate::profile::sample::MAX_TEXT;
use crate::value::event::{Document, Item};
use crate::value::time::object_id_time;

/// Days of a month, as everywhere where growth is told.
const MONTH: f64 = 30.0 * 86_400_000.0;
/// Months of a year.
pub(super) const YEAR: f64 = 365.25 / 30.0;
/// Children that are built one by one of a typical designed document, of one at the 99th percentile, and of the largest:
/// far beyond what a document can hold.
const MOST_DESIGNED: [u64; 3] = [10_000, 100_000, 1_000_000];
/// Rates of documents that are younger than this many months say little.
const YOUNG: f64 = 3.0;
/// What ages and rates are told for: in how many years.
pub(super) const YEARS: [u32; 3] = [1, 3, 5];

/// Size of a field as BSON: its type, its name with the NUL, its value.
pub(super) fn field(name: &str, value: u64) -> u64 {
    1 + name.len() as u64 + 1 + value
}

/// Size of a document or array with these contents: its length and the NUL at its end.
pub(super) const EMPTY: u64 = 5;
/// Size of an ObjectId.
pub(super) const OBJECT_ID: u64 = 12;
/// Size of a 32-bit integer.
pub(super) const INT: u64 = 4;
/// Size of a boolean.
const BOOL: u64 = 1;

/// Size of an array as BSON; each element stands under its place in decimal digits.
pub(super) fn array(elements: impl Iterator<Item = u64>) -> u64 {
    elements.enumerate().map(|(at, bytes)| 2 + digits(at as u64) + bytes).sum::<u64>() + EMPTY
}

fn digits(number: u64) -> u64 {
    u64::from(number.checked_ilog10().unwrap_or(0)) + 1
}

/// Size of an array with so many elements, their values left out.
fn places(elements: u64) -> u64 {
    // A digit for each, and one more for each from 10, 100, … on.
    let more: u64 = (1..10).map(|power| elements.saturating_sub(10u64.pow(power))).sum();
    EMPTY + 3 * elements + more
}

/// One sampled parent, taken apart. Sizes are bytes of BSON.
#[derive(Debug, Clone)]
pub(super) struct Parent {
    /// The whole document.
    bytes: u64,
    /// The document without the array.
    rest: u64,
    /// Elements of the array.
    elements: u64,
    /// The elements, newest first where they carry times, else the last first.
    newest: Vec<u64>,
    /// The elements in stored order.
    stored: Vec<u64>,
    /// All elements, also those that the sample cut away.
    children: u64,
    /// The value of its `_id`.
    id: u64,
    /// Hash and size of the child's own key, in stored order; empty where it has none.
    keys: Vec<(u64, u64)>,
    /// Whether it has the array at all.
    has_array: bool,
    /// Whether nothing of it was cut away in the sample.
    exact: bool,
    /// When it was made.
    created: Option<i64>,
    /// Elements a month that it gains.
    rate: f64,
}

/// In which order an array keeps its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Oldest first, or no times: what is pushed stands last.
    Pushed,
    /// Newest first.
    NewestFirst,
    /// Neither.
    Mixed,
}

/// The sampled parents with what they tell together.
#[derive(Debug)]
pub(super) struct Simulation {
    parents: Vec<Parent>,
    /// Newest of the children that are shown with their parent.
    pub(super) newest: u64,
    /// Order of the elements.
    pub(super) order: Order,
    /// The time that forecasts start from, in milliseconds.
    pub(super) now: Option<i64>,
    /// Bytes of an element without its place in the array, on average.
    pub(super) child: f64,
    /// Indexes that hold fields of the children today.
    child_indexes: u64,
    /// Documents stored for each one sampled.
    scale: f64,
    /// The largest document and the longest array of all that were read.
    largest: (u64, u64),
    /// Documents that the parents were built from, where they are a design and not a sample.
    pub(super) examples: Option<u64>,
    /// Whether each child has an `_id` of its own already.
    own_id: bool,
    names: Names,
}

/// A percentile and the outlier at some time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Forecast {
    /// Elements at the 99th percentile.
    pub(super) elements: f64,
    /// Bytes of the document at the 99th percentile.
    pub(super) bytes: f64,
    /// Elements of the longest array.
    pub(super) longest: f64,
    /// Bytes of the largest document.
    pub(super) largest: f64,
}

/// When a limit is reached, in milliseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reached {
    /// By one parent in a hundred.
    pub(super) typical: Option<i64>,
    /// By the first.
    pub(super) outlier: Option<i64>,
}

/// What an alternative form adds up to.
#[derive(Debug, Default, Clone, Copy)]
struct Totals {
    parents: u64,
    show: (u64, u64),
    newest: (u64, u64),
    add: (u64, u64),
    entries: u64,
    stored: u64,
    largest: f64,
    largest_in: [f64; YEARS.len()],
}

/// The forms that are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// All children in their parent.
    Embed,
    /// Each child in a document of its own with its parent's `_id`.
    ParentReference,
    /// The newest in the parent with their number, all of them in documents of their own.
    Subset,
    /// The first `cap` in the parent, the rest in pages of `page`.
    Outlier {
        /// Elements that stay.
        cap: u64,
        /// Elements of a page.
        page: u64,
    },
    /// Each child once in a document of its own, its key in each parent.
    ChildReferences,
}

impl Simulation {
    /// Takes the sampled parents of an array apart. `time` is the child's time, `key` its own key, where it has them.
    pub(super) fn new(
        collection: &Collection,
        array: &Array,
        names: Names,
        time: Option<&str>,
        key: Option<&str>,
        now: Option<i64>,
        newest: u64,
    ) -> Simulation {
        let mut parents = Vec::new();
        let mut orders = [0u64; 3];
        let mut latest = None;
        let path: Vec<&str> = array.path.as_str().split('.').collect();
        for (_, kept) in collection.profile.iter().flat_map(|p| p.sample.iter()) {
            kept.with(|document| {
                let (parent, order, last) = Parent::take(document, u64::from(kept.bytes()), &path, time, key);
                if let Some(order) = order {
                    orders[order as usize] += 1;
                }
                latest = latest.max(last).max(parent.created);
                parents.push(parent);
            });
        }
        let ordered: u64 = orders.iter().sum();
        let order = if orders[Order::NewestFirst as usize] * 5 >= ordered * 4 && 0 < ordered {
            Order::NewestFirst
        } else if orders[Order::Pushed as usize] * 5 >= ordered * 4 {
            Order::Pushed
        } else {
            Order::Mixed
        };
        let now = now.or(latest);
        if array.grows() {
            rates(&mut parents, now);
        }
        let children: u64 = parents.iter().map(|p| p.elements).sum();
        let bytes: u64 = parents.iter().map(|p| p.children).sum();
        let profile = collection.profile.as_ref();
        let own_id = key == Some("_id");
        Simulation {
            newest,
            order,
            now,
            child: bytes as f64 / children.max(1) as f64,
            child_indexes: child_indexes(collection, array).count() as u64,
            scale: collection.stored() as f64 / parents.len().max(1) as f64,
            largest: (profile.map_or(0, |p| p.sizes.max()), array.stats.lengths.max()),
            examples: None,
            own_id,
            names,
            parents,
        }
    }

    /// Builds what a few example documents stand for: a hundred parents of which 90 hold the typical number of children,
    /// nine the 99th percentile's, and one the most, each child as large as one of the examples.
    #[must_use]
    pub(super) fn designed(mut self, [typical, p99, most]: [u64; 3]) -> Simulation {
        let pool: Vec<u64> = self.parents.iter().flat_map(|p| p.stored.iter().copied()).collect();
        let Some(example) = self.parents.iter().find(|p| p.has_array).cloned().filter(|_| !pool.is_empty()) else {
            return self;
        };
        self.examples = Some(self.parents.len() as u64);
        let build = |count: u64, at_most: u64| {
            let count = count.min(at_most);
            let stored: Vec<u64> = pool.iter().copied().cycle().take(count as usize).collect();
            let children: u64 = stored.iter().sum();
            let list = children + places(count);
            let leaf = self.names.leaf.as_str();
            let keys = example.keys.first().map(|key| vec![*key; stored.len()]).unwrap_or_default();
            Parent {
                bytes: example.rest + field(leaf, list),
                elements: count,
                newest: stored.iter().rev().copied().collect(),
                stored,
                children,
                keys,
                exact: true,
                ..example.clone()
            }
        };
        let [few, many, all] = MOST_DESIGNED;
        let forms = [(90, build(typical, few)), (9, build(p99, many)), (1, build(most, all))];
        self.parents = forms.iter().flat_map(|(times, parent)| std::iter::repeat_n(parent.clone(), *times)).collect();
        let largest = self.parents.iter().map(|p| p.bytes).max().unwrap_or(0);
        self.largest = (self.largest.0.max(largest), self.largest.1.max(most));
        self.scale = 1.0;
        self
    }

    /// Bytes of a designed document: typical, at the 99th percentile, and the largest.
    pub(super) fn designed_bytes(&self) -> (u64, u64, u64) {
        let mut sizes: Vec<u64> = self.parents.iter().map(|p| p.bytes).collect();
        sizes.order();
        (rank(&sizes, 50).unwrap_or(0), rank(&sizes, 99).unwrap_or(0), sizes.last().copied().unwrap_or(0))
    }

    /// How many parents were taken apart.
    pub(super) fn sampled(&self) -> u64 {
        self.examples.unwrap_or(self.parents.len() as u64)
    }

    /// Whether the path led to an array at least once; a name that holds a dot leads elsewhere.
    pub(super) fn finds_array(&self) -> bool {
        self.parents.iter().any(|p| p.has_array)
    }

    /// How many of them the sample had cut.
    pub(super) fn cut(&self) -> u64 {
        self.parents.iter().filter(|p| !p.exact).count() as u64
    }

    /// Bytes of the arrays and of the documents without them: median and 99th percentile of each.
    pub(super) fn sizes(&self) -> ((u64, u64), (u64, u64)) {
        let of = |value: fn(&Parent) -> u64| {
            let mut sorted: Vec<u64> = self.parents.iter().map(value).collect();
            sorted.order();
            (rank(&sorted, 50).unwrap_or(0), rank(&sorted, 99).unwrap_or(0))
        };
        (of(|p| p.bytes.saturating_sub(p.rest)), of(|p| p.rest))
    }

    /// Elements a month: the median and the 99th percentile of the parents; nothing where they do not grow.
    pub(super) fn rates(&self) -> (f64, f64) {
        let sorted = sorted(self.parents.iter().map(|p| p.rate));
        (rank(&sorted, 50).unwrap_or(0.0), rank(&sorted, 99).unwrap_or(0.0))
    }

    /// What the arrays hold in so many months if every parent keeps its own pace.
    pub(super) fn forecast(&self, months: f64) -> Forecast {
        let elements = sorted(self.parents.iter().map(|p| p.elements_in(months)));
        let bytes = sorted(self.parents.iter().map(|p| p.bytes_in(months)));
        // The sample may miss the largest parent: it grows as the largest sampled one does.
        let beyond = |sampled: f64, today: f64, true_largest: u64| {
            if today <= 0.0 { true_largest as f64 } else { sampled * (true_largest as f64 / today).max(1.0) }
        };
        let today = |value: fn(&Parent) -> u64| self.parents.iter().map(value).max().unwrap_or(0) as f64;
        Forecast {
            elements: rank(&elements, 99).unwrap_or(0.0),
            bytes: rank(&bytes, 99).unwrap_or(0.0),
            longest: beyond(elements.last().copied().unwrap_or(0.0), today(|p| p.elements), self.largest.1),
            largest: beyond(bytes.last().copied().unwrap_or(0.0), today(|p| p.bytes), self.largest.0),
        }
    }

    /// When so many elements are reached.
    pub(super) fn reached_elements(&self, elements: u64) -> Reached {
        self.reached(|p| (elements as f64 - p.elements as f64) / p.rate)
    }

    /// When a document reaches the limit of the server.
    pub(super) fn reached_limit(&self) -> Reached {
        let limit = f64::from(limits::DOCUMENT_BYTES);
        self.reached(|p| (limit - p.bytes as f64) / (p.rate * p.child_in_array()))
    }

    fn reached(&self, months: impl Fn(&Parent) -> f64) -> Reached {
        // Further ahead than this nothing can be told.
        const HORIZON: f64 = 100.0 * YEAR;
        let months = sorted(self.parents.iter().map(|p| if p.rate > 0.0 { months(p) } else { f64::MAX }));
        let date = |months: Option<f64>| {
            // What is passed already has no date ahead.
            let months = months.filter(|m| (0.0..=HORIZON).contains(m))?;
            Some(self.now?.saturating_add((months * MONTH) as i64))
        };
        Reached { typical: date(rank(&months, 1)), outlier: date(months.first().copied()) }
    }

    /// The named figures of a form.
    pub(super) fn figures(&self, form: Form) -> Map<String, Value> {
        let mut totals = Totals::default();
        let mut shared: std::collections::BTreeMap<u64, u64> = std::collections::BTreeMap::new();
        for parent in &self.parents {
            totals.parents += 1;
            match form {
                Form::Embed => self.embed(parent, &mut totals),
                Form::ParentReference => self.parent_reference(parent, &mut totals),
                Form::Subset => self.subset(parent, &mut totals),
                Form::Outlier { cap, page } => self.outlier(parent, cap, page, &mut totals),
                Form::ChildReferences => self.child_references(parent, &mut shared, &mut totals),
            }
        }
        if form == Form::Embed {
            let of = |months| self.forecast(months).largest;
            totals.largest = of(0.0);
            totals.largest_in = YEARS.map(|years| of(f64::from(years) * YEAR));
        }
        if form == Form::ChildReferences {
            let mean = shared.values().sum::<u64>() / (shared.len() as u64).max(1);
            totals.stored += shared.values().sum::<u64>();
            totals.entries += shared.len() as u64 * (1 + self.child_indexes);
            totals.add = (totals.parents * 2, totals.add.1 + totals.parents * mean);
        }
        totals.figures(self.scale, self.now.is_some() && self.parents.iter().any(|p| 0.0 < p.rate))
    }

    /// Bytes of the typical reading and writing of a form: each pattern once for each parent.
    pub(super) fn bytes_per_run(figures: &Map<String, Value>) -> f64 {
        ["bytesReadToShowParent", "bytesReadToShowNewest", "bytesWrittenToAddOne"]
            .iter()
            .filter_map(|name| figures.get(*name)?.as_f64())
            .sum()
    }

    fn embed(&self, parent: &Parent, totals: &mut Totals) {
        totals.read(parent.bytes, (1, parent.bytes));
        totals.add.0 += 1;
        totals.add.1 += parent.bytes + parent.child_in_array() as u64;
        // An empty or missing array still has one entry in an index.
        totals.entries += self.child_indexes * parent.elements.max(1);
        totals.stored += parent.bytes;
    }

    fn parent_reference(&self, parent: &Parent, totals: &mut Totals) {
        let own = if parent.elements == 0 { parent.bytes } else { parent.rest };
        let shown: Vec<u64> = parent.newest(self.newest).map(|child| self.apart(parent, child)).collect();
        totals.read(own, (1 + shown.len() as u64, own + shown.iter().sum::<u64>()));
        totals.add.0 += 1;
        totals.add.1 += self.apart(parent, parent.mean_child(self.child));
        totals.apart(self, parent);
        totals.stored += own;
        totals.largest(own as f64, [own as f64; YEARS.len()]);
    }

    fn subset(&self, parent: &Parent, totals: &mut Totals) {
        let id = if self.own_id { 0 } else { field("_id", OBJECT_ID) };
        let count = if self.names.count_is_new { field(&self.names.count, INT) } else { 0 };
        let with = |children: &mut dyn Iterator<Item = u64>| {
            parent.rest + field(&self.names.newest, array(children.map(|child| child + id))) + count
        };
        let own = if parent.has_array { with(&mut parent.newest(self.newest)) } else { parent.bytes };
        let full = with(&mut std::iter::repeat_n(parent.mean_child(self.child), self.newest as usize)).max(own);
        totals.read(own, (1, own));
        totals.add.0 += 2;
        totals.add.1 += own + self.apart(parent, parent.mean_child(self.child));
        totals.apart(self, parent);
        totals.stored += own;
        let later = YEARS.map(|years| {
            let grown = parent.elements_in(f64::from(years) * YEAR) > parent.elements as f64;
            if grown { full as f64 } else { own as f64 }
        });
        totals.largest(own as f64, later);
    }

    fn outlier(&self, parent: &Parent, cap: u64, page: u64, totals: &mut Totals) {
        let leaf = self.names.leaf.as_str();
        let mean = parent.mean_child(self.child);
        let kept = |elements: u64| {
            parent.rest + field(leaf, array(parent.elements(0..elements))) + field(&self.names.flag, BOOL)
        };
        let page_of = |elements: &mut dyn Iterator<Item = u64>| {
            EMPTY
                + field("_id", OBJECT_ID)
                + field(&self.names.parent_id, parent.id)
                + field("page", INT)
                + field(leaf, array(elements))
        };
        let full_page = page_of(&mut std::iter::repeat_n(mean, page as usize));
        let later = YEARS.map(|years| {
            let grown = parent.elements_in(f64::from(years) * YEAR);
            if grown <= cap as f64 { parent.bytes_in(f64::from(years) * YEAR) } else { kept(cap).max(full_page) as f64 }
        });
        if parent.elements <= cap {
            totals.read(parent.bytes, (1, parent.bytes));
            totals.add.0 += 1;
            totals.add.1 += parent.bytes + parent.child_in_array() as u64;
            totals.entries += self.child_indexes * parent.elements.max(1);
            totals.stored += parent.bytes;
            totals.largest(parent.bytes as f64, later);
            return;
        }
        let own = kept(cap);
        let mut pages = Vec::new();
        let mut from = cap;
        while from < parent.elements {
            let size = page.min(parent.elements - from);
            pages.push(page_of(&mut parent.elements(from..from + size)));
            from += size;
        }
        let last = pages.last().copied().unwrap_or(0);
        totals.read(own, (2, own + last));
        totals.add.0 += 1;
        totals.add.1 += last + mean;
        // Each page has its `_id` and stands in the index on its parent.
        totals.entries += self.child_indexes * parent.elements + 2 * pages.len() as u64;
        totals.stored += own + pages.iter().sum::<u64>();
        totals.largest(own.max(pages.iter().copied().max().unwrap_or(0)) as f64, later);
    }

    fn child_references(
        &self,
        parent: &Parent,
        shared: &mut std::collections::BTreeMap<u64, u64>,
        totals: &mut Totals,
    ) {
        let id = if self.own_id { 0 } else { parent.keys.first().map_or(0, |(_, bytes)| field("_id", *bytes)) };
        let keys = parent.keys.iter().map(|(_, bytes)| *bytes);
        let own =
            if parent.elements == 0 { parent.bytes } else { parent.rest + field(&self.names.child_ids, array(keys)) };
        for ((hash, _), bytes) in parent.keys.iter().zip(&parent.stored) {
            shared.insert(*hash, bytes + id);
        }
        let shown: u64 = parent.newest(self.newest).map(|child| child + id).sum();
        totals.read(own, (1 + self.newest.min(parent.elements), own + shown));
        totals.add.1 += own;
        totals.entries += parent.elements.max(1);
        totals.stored += own;
        let later = YEARS.map(|years| {
            own as f64 + (parent.elements_in(f64::from(years) * YEAR) - parent.elements as f64) * (OBJECT_ID + 4) as f64
        });
        totals.largest(own as f64, later);
    }

    /// A child as a document of its own: with its `_id`, the `_id` of its parent and its place.
    fn apart(&self, parent: &Parent, child: u64) -> u64 {
        let id = if self.own_id { 0 } else { field("_id", OBJECT_ID) };
        child + id + field(&self.names.parent_id, parent.id) + field(&self.names.place, INT)
    }
}

impl Totals {
    fn read(&mut self, show: u64, newest: (u64, u64)) {
        self.show.0 += 1;
        self.show.1 += show;
        self.newest.0 += newest.0;
        self.newest.1 += newest.1;
    }

    /// The children of one parent in documents of their own.
    fn apart(&mut self, simulation: &Simulation, parent: &Parent) {
        let added = simulation.apart(parent, 0);
        self.stored += parent.children + added * parent.elements;
        let largest = parent.stored.iter().copied().max().unwrap_or(0) + added;
        self.largest(largest as f64, [largest as f64; YEARS.len()]);
        // `_id`, the index on the parent, and those that held fields of the children.
        self.entries += parent.elements * (2 + simulation.child_indexes);
    }

    fn largest(&mut self, now: f64, later: [f64; YEARS.len()]) {
        self.largest = self.largest.max(now);
        for (mine, other) in self.largest_in.iter_mut().zip(later) {
            *mine = mine.max(other);
        }
    }

    fn figures(&self, scale: f64, grows: bool) -> Map<String, Value> {
        let mut out = Map::new();
        let parents = self.parents.max(1) as f64;
        let mut put = |name: &str, value: f64| {
            out.insert(name.to_owned(), tenths(value));
        };
        for (pattern, (documents, bytes)) in
            [("ReadToShowParent", self.show), ("ReadToShowNewest", self.newest), ("WrittenToAddOne", self.add)]
        {
            put(&format!("documents{pattern}"), documents as f64 / parents);
            put(&format!("bytes{pattern}"), (bytes as f64 / parents).round());
        }
        put("bytesReadPerRun", ((self.show.1 + self.newest.1) as f64 / parents / 2.0).round());
        put("indexEntriesPerParent", self.entries as f64 / parents);
        put("storedBytes", (self.stored as f64 * scale).round());
        put("largestDocument", self.largest.round());
        if grows {
            for (years, largest) in YEARS.iter().zip(self.largest_in) {
                put(&format!("largestDocumentIn{years}Year{}", if *years == 1 { "" } else { "s" }), largest.round());
            }
        }
        out
    }
}

impl Parent {
    /// Takes a document apart; also the order of its elements and its latest time, where they have times.
    fn take(
        document: &Document<'_>,
        bytes: u64,
        path: &[&str],
        time: Option<&str>,
        key: Option<&str>,
    ) -> (Parent, Option<Order>, Option<i64>) {
        let id = document.children(0).find(|(_, e)| e.key == "_id").map_or(0, |(_, e)| u64::from(e.item.bytes()));
        let created = creation_time(document);
        let mut parent = Parent {
            bytes,
            rest: bytes,
            elements: 0,
            newest: Vec::new(),
            stored: Vec::new(),
            children: 0,
            id,
            keys: Vec::new(),
            has_array: false,
            exact: bytes == u64::from(document.bytes()),
            created,
            rate: 0.0,
        };
        let Some((place, elements, array)) = find(document, path) else { return (parent, None, None) };
        parent.has_array = true;
        parent.elements = elements;
        let mut timed: Vec<(Option<i64>, u64)> = Vec::new();
        for (at, element) in document.children(place) {
            let of = |name: &str| document.children(at).find(|(_, e)| e.key == name);
            let at_time = time.and_then(of).and_then(|(_, e)| match e.item {
                Item::Date(time) => Some(time),
                Item::ObjectId(id) => Some(object_id_time(id)),
                _ => None,
            });
            timed.push((at_time, u64::from(element.item.bytes())));
            if let Some((at, entry)) = key.and_then(of) {
                parent.keys.push((crate::value::hash::hash_entry(document, at), u64::from(entry.item.bytes())));
            }
        }
        parent.stored = timed.iter().map(|(_, bytes)| *bytes).collect();
        // What the sample cut away belongs to the array where that was cut, else to the rest.
        let missing = bytes.saturating_sub(u64::from(document.bytes()));
        let was_cut = (parent.stored.len() as u64) < elements || has_cut_text(document, place);
        let array = u64::from(array) + if was_cut { missing } else { 0 };
        let leaf = path.last().copied().unwrap_or_default();
        parent.rest = bytes.saturating_sub(field(leaf, array));
        parent.children = array.saturating_sub(places(elements));
        let times: Vec<i64> = timed.iter().filter_map(|(time, _)| *time).collect();
        let order = order(&times);
        let last = times.iter().copied().max();
        // Stable: of equal times, and without times, what stands later is newer.
        timed.reverse();
        timed.order_by_key(|(time, _)| std::cmp::Reverse(*time));
        parent.newest = timed.into_iter().map(|(_, bytes)| bytes).collect();
        (parent, order, last)
    }

    fn elements_in(&self, months: f64) -> f64 {
        self.elements as f64 + self.rate * months
    }

    fn bytes_in(&self, months: f64) -> f64 {
        self.bytes as f64 + self.rate * months * self.child_in_array()
    }

    /// Bytes that one more element takes, its place included.
    fn child_in_array(&self) -> f64 {
        if self.elements == 0 {
            return 0.0;
        }
        (self.bytes - self.rest) as f64 / self.elements as f64
    }

    fn mean_child(&self, otherwise: f64) -> u64 {
        match self.elements {
            0 => otherwise.round() as u64,
            _ => self.children / self.elements.max(1),
        }
    }

    /// Sizes of elements in stored order; what the sample cut away shares evenly what is known of it.
    fn elements(&self, places: std::ops::Range<u64>) -> impl Iterator<Item = u64> + '_ {
        let kept = self.stored.len() as u64;
        let missing = self.elements.saturating_sub(kept).max(1);
        let bytes = u128::from(self.children.saturating_sub(self.stored.iter().sum()));
        let up_to = move |count: u64| (bytes * u128::from(count) / u128::from(missing)) as u64;
        places.map(move |place| match self.stored.get(place as usize) {
            Some(bytes) => *bytes,
            None => up_to(place - kept + 1) - up_to(place - kept),
        })
    }

    fn newest(&self, count: u64) -> impl Iterator<Item = u64> + '_ {
        self.newest.iter().copied().take(count as usize)
    }
}

/// Gives each parent its own pace: its elements over its age. A young one has that of the others.
fn rates(parents: &mut [Parent], now: Option<i64>) {
    let ages: Vec<(Option<i64>, u64)> = parents.iter().map(|p| (p.created, p.elements)).collect();
    for (parent, rate) in parents.iter_mut().zip(rates_of(&ages, now)) {
        parent.rate = rate;
    }
}

/// What each gains a month, by when it was made and how many it has; a young one has the pace of the others.
pub(super) fn rates_of(made: &[(Option<i64>, u64)], now: Option<i64>) -> Vec<f64> {
    let Some(now) = now else { return vec![0.0; made.len()] };
    let age = |created: Option<i64>| Some((now.saturating_sub(created?)) as f64 / MONTH);
    let old = |(created, count): &(Option<i64>, u64)| {
        age(*created).filter(|age| *age >= YOUNG).map(|age| *count as f64 / age)
    };
    let known = sorted(made.iter().filter_map(old));
    let median = rank(&known, 50);
    let pace = |one: &(Option<i64>, u64)| {
        let young = age(one.0).map(|age| one.1 as f64 / age.max(1.0));
        old(one).or(median).or(young).unwrap_or(0.0)
    };
    made.iter().map(pace).collect()
}

/// The indexes of a collection that hold the array or fields of its elements.
pub(super) fn child_indexes<'a>(collection: &'a Collection, array: &'a Array) -> impl Iterator<Item = &'a Index> {
    let path = array.path.as_str();
    let inside = move |name: &str| name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    collection.indexes().iter().filter(move |index| index.key.iter().any(|(name, _)| inside(name)))
}

fn order(times: &[i64]) -> Option<Order> {
    if times.len() < 2 || times.first() == times.last() {
        return None;
    }
    Some(if times.is_sorted() {
        Order::Pushed
    } else if times.is_sorted_by(|a, b| a >= b) {
        Order::NewestFirst
    } else {
        Order::Mixed
    })
}

/// Whether a text or binary below an entry is as long as the sample leaves them.
fn has_cut_text(document: &Document<'_>, at: usize) -> bool {
    let Some(Item::Array { end, .. }) = document.entries.get(at).map(|e| e.item) else { return false };
    document.entries.get(at..end as usize).unwrap_or_default().iter().any(|entry| match entry.item {
        // A character of up to four bytes may have been left out whole.
        Item::String(text) => MAX_TEXT - 3 <= text.len(),
        Item::BinData { data, .. } => MAX_TEXT <= data.len(),
        _ => false,
    })
}

/// Event, true length and size of the array at a path that passes no other array.
fn find(document: &Document<'_>, path: &[&str]) -> Option<(usize, u64, u32)> {
    let mut at = 0;
    for name in path {
        at = document.children(at).find(|(_, e)| e.key == *name)?.0;
    }
    match document.entries.get(at)?.item {
        Item::Array { len, bytes, .. } => Some((at, u64::from(len), bytes)),
        _ => None,
    }
}

pub(super) fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.order_by(f64::total_cmp);
    values
}

/// The smallest value that at least so many of a hundred do not exceed.
fn rank<T: Copy>(sorted: &[T], percent: usize) -> Option<T> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// A figure with one decimal at most, as an integer where it is one.
pub(super) fn tenths(value: f64) -> Value {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded.fract() == 0.0 && rounded.abs() < 9.0e15 { Value::from(rounded as i64) } else { Value::from(rounded) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_as_large_as_their_places_and_elements() {
        for count in [0, 1, 9, 10, 11, 99, 100, 101, 1000, 12_345] {
            assert_eq!(array(std::iter::repeat_n(7, count as usize)), places(count) + 7 * count, "{count}");
        }
    }
}
