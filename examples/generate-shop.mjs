// @ts-check
/**
 * Writes examples/shop: what a small garden shop with a blog could hand over after four years of business.
 *
 * The history is made up, its faults are the usual ones: each came with a decision that looked right at the time
 * (see README.md beside this file). Everything is drawn from a seed, so the files never change by themselves.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { BSON } from 'bson';

const { Decimal128, Double, EJSON, Int32, Long, ObjectId, serialize } = BSON;

const out = process.argv[2] ?? fileURLToPath(new URL('shop', import.meta.url));
const dump = join(out, 'dump', 'shop');

const DAY = 86_400_000;
const OPENED = Date.UTC(2022, 2, 14, 8);
const TODAY = Date.UTC(2026, 4, 29, 18);
/** Until this day the till was a spreadsheet, imported once: amounts and dates came as text. */
const SHEET_UNTIL = Date.UTC(2023, 0, 9);
/** From this day on a second application, for telephones, writes orders and carts, too. */
const PHONES_FROM = Date.UTC(2025, 1, 3);

/** Mulberry32, a small generator whose numbers depend on the seed alone. */
let state = 20220314;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}
/** @param {number} from @param {number} to both may come */
const between = (from, to) => from + Math.floor(random() * (to - from + 1));
/** @template T @param {readonly T[]} list @returns {T} */
const pick = (list) => list[Math.floor(random() * list.length)];
/** @param {number} share from 0 to 1 */
const chance = (share) => random() < share;
/** Small numbers are likelier. @param {number} from @param {number} to */
const early = (from, to) => from + Math.floor(random() * random() * (to - from + 1));

let ids = 0;
/** @param {number} at milliseconds @returns {InstanceType<typeof ObjectId>} */
function idAt(at) {
  ids += 1;
  const hex = (/** @type {number} */ number, /** @type {number} */ digits) => number.toString(16).padStart(digits, '0');
  return new ObjectId(`${hex(Math.floor(at / 1000), 8)}7c3a91e04d${hex(ids, 6)}`);
}
/** @param {number} cents */
const amount = (cents) => Decimal128.fromString((cents / 100).toFixed(2));
/** @param {number} from @param {number} to */
const timeBetween = (from, to) => from + Math.floor(random() * ((to - from) / 1000)) * 1000;

const FIRST = ['Ines', 'Jonas', 'Mara', 'Tomás', 'Wanda', 'Piet', 'Leila', 'Oskar', 'Greta', 'Rui', 'Hanne', 'Carla', 'Emil', 'Nadia', 'Sven', 'Ada', 'Bruno', 'Yara', 'Milo', 'Frida'];
const LAST = ['Alves', 'Brandt', 'Costa', 'Dahl', 'Egger', 'Fuchs', 'Garrido', 'Holm', 'Ivers', 'Janssen', 'Keller', 'Lind', 'Moreau', 'Novak', 'Ortega', 'Peters', 'Roth', 'Silva', 'Toth', 'Vogel'];
const TOWNS = [['Freiburg', '79098'], ['Basel', '4051'], ['Colmar', '68000'], ['Lörrach', '79539'], ['Offenburg', '77652'], ['Zürich', '8001'], ['Emmendingen', '79312']];
const STREETS = ['Lindenweg', 'Rue des Jardins', 'Hauptstrasse', 'Am Bach', 'Quai du Rhin', 'Kirchgasse'];
const GOODS = [
  ['TRW', 'hand trowel', 1290, 'tools'], ['HOE', 'draw hoe', 2790, 'tools'], ['SEC', 'secateurs', 3490, 'tools'],
  ['RAK', 'leaf rake', 2390, 'tools'], ['SPD', 'digging spade', 4890, 'tools'], ['CAN', 'watering can, 9 l', 3190, 'water'],
  ['HOS', 'garden hose, 20 m', 3990, 'water'], ['BUT', 'rain barrel, 210 l', 8990, 'water'], ['DRP', 'drip kit', 4590, 'water'],
  ['TOM', 'tomato seeds, mixed', 390, 'seeds'], ['BAS', 'basil seeds', 250, 'seeds'], ['PEA', 'sugar pea seeds', 320, 'seeds'],
  ['LAV', 'lavender, potted', 690, 'plants'], ['ROS', 'climbing rose', 2490, 'plants'], ['FIG', 'fig tree, 80 cm', 3990, 'plants'],
  ['APL', 'apple tree, espalier', 6490, 'plants'], ['POT', 'terracotta pot, 30 cm', 1890, 'pots'], ['BOX', 'raised bed, larch', 14900, 'pots'],
  ['CMP', 'compost, 40 l', 790, 'soil'], ['BRK', 'bark mulch, 60 l', 890, 'soil'], ['GLV', 'gloves, goatskin', 1590, 'clothing'],
  ['HAT', 'straw hat', 1990, 'clothing'], ['KNE', 'knee pad', 1490, 'clothing'], ['BIN', 'compost bin, 300 l', 7490, 'soil'],
];
const TOPICS = ['pruning roses in March', 'a rain barrel that does not freeze', 'which tomato tastes best', 'raised beds from larch', 'figs in pots', 'mulch or not', 'slugs without poison', 'an espalier in four winters', 'drip watering for two weeks away', 'basil that lives', 'compost in a small garden', 'peas on strings', 'sharpening secateurs', 'lavender on a windy balcony'];
const REMARKS = ['Thank you, this worked for my balcony.', 'Mine froze all the same last winter. What about insulation?', 'Would you do this in heavy clay, too?', 'Same here, and the slugs came back after two weeks.', 'Great photos!', 'I used larch from the sawmill, half the price and no splinters so far.', 'Which variety is the one in the second picture?', 'Four years later it still stands. Thanks again.', 'Careful with the north side, it stays wet there.'];

const customers = makeCustomers(110);
const products = makeProducts();
const orders = makeOrders(260);
const carts = makeCarts(28);
const posts = makePosts(60);

mkdirSync(dump, { recursive: true });
writeFileSync(join(out, 'dump', 'prelude.json'), '{"ServerVersion":"7.0.12","ToolVersion":"100.9.5"}\n');
write('customers', customers, {
  options: {
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['name', 'email', 'phone', 'createdAt'],
        properties: {
          name: { bsonType: 'string' },
          email: { bsonType: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' },
          phone: { bsonType: 'string' },
          newsletter: { bsonType: 'bool' },
          createdAt: { bsonType: 'date' },
        },
      },
    },
    validationLevel: 'moderate',
    validationAction: 'warn',
  },
  indexes: [index({ email: 1 })],
});
write('products', products, { indexes: [index({ sku: 1 }, { unique: true }), index({ category: 1 }), index({ name: 'text' })] });
write('orders', orders, {
  indexes: [index({ customerId: 1 }), index({ customerId: 1, placedAt: -1 }), index({ status: 1 }), index({ placedAt: -1 })],
});
write('carts', carts, { indexes: [index({ updatedAt: 1 }, { expireAfterSeconds: 14 * 86_400 })] });
write('posts', posts, { indexes: [index({ slug: 1 }, { unique: true }), index({ publishedAt: -1 }), index({ tags: 1 })] });

// What the shop's owner pasted beside the dump: the indexes of the products as they are in production, how often
// those of the orders were used, and the validator that is planned for the orders.
evidence('products.indexes.json', [
  { v: 2, key: { _id: 1 }, name: '_id_' },
  { v: 2, key: { sku: 1 }, name: 'sku_1', unique: true },
  { v: 2, key: { category: 1 }, name: 'category_1' },
  { v: 2, key: { category: 1, price: 1 }, name: 'category_1_price_1' },
  { v: 2, key: { _fts: 'text', _ftsx: 1 }, name: 'name_text', weights: { name: 1 }, default_language: 'english', language_override: 'language', textIndexVersion: 3 },
]);
const since = new Date(TODAY - 131 * DAY);
const used = (/** @type {string} */ name, /** @type {object} */ key, /** @type {number} */ ops) => ({
  name, key, host: 'shop-db-1:27017', accesses: { ops: Long.fromNumber(ops), since }, spec: { v: 2, key, name },
});
evidence('orders.indexstats.json', [
  used('_id_', { _id: 1 }, 48_211),
  used('customerId_1', { customerId: 1 }, 0),
  used('customerId_1_placedAt_-1', { customerId: 1, placedAt: -1 }, 19_408),
  used('status_1', { status: 1 }, 3_022),
  used('placedAt_-1', { placedAt: -1 }, 7_120),
]);
evidence('orders.validator.json', {
  $jsonSchema: {
    bsonType: 'object',
    required: ['customerId', 'items', 'total', 'status', 'placedAt'],
    properties: {
      customerId: { bsonType: 'objectId' },
      status: { enum: ['open', 'paid', 'shipped', 'returned'] },
      total: { bsonType: 'decimal', minimum: 0 },
      placedAt: { bsonType: 'date' },
      items: {
        bsonType: 'array',
        minItems: 1,
        items: { bsonType: 'object', required: ['sku', 'price', 'quantity'], properties: { quantity: { bsonType: 'int', minimum: 1 } } },
      },
    },
  },
});

/** @param {number} count */
function makeCustomers(count) {
  const made = [];
  for (let at = 0; at < count; at += 1) {
    const created = OPENED + Math.floor((at / count) * (TODAY - OPENED - 20 * DAY)) + between(0, 9 * DAY);
    const [first, last] = [pick(FIRST), pick(LAST)];
    const [town, code] = pick(TOWNS);
    const isFromSheet = created < SHEET_UNTIL;
    const address = () => ({ street: `${pick(STREETS)} ${between(1, 140)}`, town, postcode: isFromSheet ? new Int32(Number(code)) : code });
    made.push({
      _id: idAt(created),
      name: `${first} ${last}`,
      email: `${first}.${last}${between(1, 89)}@example.${pick(['com', 'org', 'net'])}`.toLowerCase().replace('á', 'a'),
      // The form has asked for it only since the couriers do.
      ...(chance(isFromSheet ? 0.55 : 0.93) && { phone: `+49 761 ${between(100000, 999999)}` }),
      addresses: Array.from({ length: early(1, 3) }, address),
      newsletter: isFromSheet ? pick(['yes', 'no']) : chance(0.4),
      createdAt: new Date(created),
    });
  }
  return made;
}

function makeProducts() {
  return GOODS.map(([code, name, cents, category], at) => {
    const created = OPENED + at * 21 * DAY + between(0, 5 * DAY);
    const isOld = created < SHEET_UNTIL;
    const reviews = Array.from({ length: early(2, 14) }, () => pick([3, 4, 4, 5, 5, 5, 2]));
    return {
      _id: idAt(created),
      sku: `${code}-${between(100, 999)}`,
      name,
      category,
      price: isOld ? new Double(Number(cents) / 100) : amount(Number(cents)),
      stock: new Int32(between(0, 120)),
      rating: {
        average: new Double(reviews.reduce((sum, stars) => sum + stars, 0) / reviews.length),
        count: new Int32(reviews.length),
      },
      ...(category === 'plants' && { care: { light: pick(['sun', 'half shade', 'shade']), hardyTo: new Int32(-between(5, 25)) } }),
      ...(category === 'clothing' && { sizes: ['S', 'M', 'L', 'XL'].slice(0, between(2, 4)) }),
      createdAt: new Date(created),
    };
  });
}

/** @param {number} count */
function makeOrders(count) {
  const made = [];
  for (let at = 0; at < count; at += 1) {
    const placed = OPENED + Math.floor((at / count) * (TODAY - OPENED)) + between(0, 3 * DAY);
    const known = customers.filter(({ createdAt }) => createdAt.getTime() <= placed);
    const customer = pick(known.length > 0 ? known : customers.slice(0, 1));
    const items = Array.from({ length: early(1, 5) }, () => {
      const product = pick(products);
      const price = Number(product.price.toString());
      return { sku: product.sku, name: product.name, price: amount(Math.round(price * 100)), quantity: new Int32(early(1, 6)) };
    });
    const cents = items.reduce((sum, { price, quantity }) => sum + Math.round(Number(price.toString()) * 100) * quantity.valueOf(), 0);
    const isFromSheet = placed < SHEET_UNTIL;
    const isFromPhone = PHONES_FROM < placed && chance(0.4);
    const status = placed > TODAY - 6 * DAY ? pick(['open', 'paid']) : chance(0.04) ? 'returned' : chance(0.02) ? 'cancelled' : 'shipped';
    const shipped = placed + between(1, 6) * DAY + between(0, 36_000) * 1000;
    made.push({
      _id: idAt(placed),
      number: `${new Date(placed).getUTCFullYear()}-${String(at + 1).padStart(5, '0')}`,
      // The application for telephones keeps ids as it got them: as text.
      customerId: isFromPhone ? customer._id.toHexString() : customer._id,
      items,
      total: isFromSheet ? (cents / 100).toFixed(2) : amount(cents),
      status,
      placedAt: new Date(placed),
      ...(status === 'shipped' && { shippedAt: isFromSheet ? new Date(shipped).toISOString().slice(0, 10) : new Date(shipped) }),
      ...(isFromPhone && { channel: 'phone', device: { os: pick(['ios', 'android']), app: `2.${between(0, 9)}.${between(0, 4)}` } }),
    });
  }
  return made;
}

/** @param {number} count */
function makeCarts(count) {
  return Array.from({ length: count }, (_, at) => {
    const isFromPhone = at % 4 !== 0;
    const updated = timeBetween(isFromPhone ? PHONES_FROM : TODAY - 13 * DAY, TODAY);
    return {
      _id: idAt(updated),
      customerId: pick(customers)._id,
      items: Array.from({ length: early(1, 4) }, () => ({ sku: pick(products).sku, quantity: new Int32(early(1, 4)) })),
      // The index that should clear old carts heeds dates alone; these are milliseconds.
      updatedAt: isFromPhone ? Long.fromNumber(updated) : new Date(updated),
    };
  });
}

/** @param {number} count */
function makePosts(count) {
  const made = [];
  for (let at = 0; at < count; at += 1) {
    const published = OPENED + 30 * DAY + Math.floor((at / count) * (TODAY - OPENED - 50 * DAY)) + between(0, 12 * DAY);
    const topic = TOPICS[at % TOPICS.length];
    // Searches bring readers to old posts as to new ones, so none comes to rest; one was linked by a newspaper.
    const months = (TODAY - published) / (30 * DAY);
    const perMonth = chance(0.1) ? 0 : 0.15 + random() * random() * 0.9;
    const total = at === 2 ? 190 : Math.round(months * perMonth);
    const times = Array.from({ length: total }, () => timeBetween(published, TODAY));
    made.push({
      _id: idAt(published),
      slug: `${topic.replace(/[^a-z]+/g, '-')}-${new Date(published).getUTCFullYear()}`.concat(at >= TOPICS.length ? `-${at}` : ''),
      title: topic[0].toUpperCase() + topic.slice(1),
      author: pick(['Greta', 'Rui']),
      tags: [pick(['trees', 'beds', 'water', 'pots']), pick(['spring', 'summer', 'autumn', 'winter'])],
      body: Array.from({ length: between(2, 5) }, () => `${pick(REMARKS)} ${pick(REMARKS)}`).join('\n\n'),
      publishedAt: new Date(published),
      comments: times.sort((a, b) => a - b).map((time) => ({ _id: idAt(time), by: pick(FIRST), text: pick(REMARKS), at: new Date(time) })),
    });
  }
  return made;
}

/**
 * @param {Record<string, number | string>} key
 * @param {object} [options]
 */
function index(key, options = {}) {
  const name = Object.entries(key).map(([field, direction]) => `${field}_${direction}`).join('_');
  if (Object.values(key).includes('text')) {
    const weights = Object.fromEntries(Object.keys(key).map((field) => [field, 1]));
    return { v: 2, key: { _fts: 'text', _ftsx: 1 }, name, weights, default_language: 'english', language_override: 'language', textIndexVersion: 3 };
  }
  return { v: 2, ...options, key, name };
}

/**
 * @param {string} name
 * @param {object[]} documents
 * @param {{ options?: object, indexes: object[] }} catalogue
 */
function write(name, documents, { options = {}, indexes }) {
  writeFileSync(join(dump, `${name}.bson`), Buffer.concat(documents.map((document) => serialize(document))));
  const all = [{ v: 2, key: { _id: 1 }, name: '_id_' }, ...indexes];
  const metadata = { options, indexes: all, uuid: `5f0d9c2e77b14a0e9d3c${String(name.length).padStart(12, '0')}`, collectionName: name, type: 'collection' };
  writeFileSync(join(dump, `${name}.metadata.json`), EJSON.stringify(metadata, { relaxed: false }));
}

/**
 * @param {string} name
 * @param {object} value
 */
function evidence(name, value) {
  writeFileSync(join(out, name), `${EJSON.stringify(value, undefined, 2, { relaxed: true })}\n`);
}
