// @ts-check
/** What the benchmark reads: documents of about 300 bytes of BSON each, drawn from a seed, scripts and a log. */
import { closeSync, openSync, writeSync } from 'node:fs';

import { BSON } from 'bson';

const { calculateObjectSize, Decimal128, EJSON, ObjectId, serialize } = BSON;

/** @param {number} seed */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** @param {number} count */
export function makeDocuments(count) {
  const random = generator(7);
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, at) => ({
    _id: objectId(at),
    customer: objectId(below(count / 10)),
    number: at,
    status: ['open', 'paid', 'shipped', 'returned'][below(4)],
    total: Decimal128.fromString(`${below(10_000)}.${10 + below(90)}`),
    placedAt: new Date(1_700_000_000_000 + at * 60_000),
    address: { street: `Street ${below(500)}`, town: `Town ${below(50)}`, location: [below(180) + 0.5, below(90) + 0.25] },
    items: Array.from({ length: 1 + below(3) }, () => ({ sku: `S-${below(1000)}`, quantity: 1 + below(5) })),
  }));
}

/** @param {number} at */
function objectId(at) {
  return new ObjectId(`65f00000aabbccddee${at.toString(16).padStart(6, '0')}`);
}

/** @param {object[]} documents */
export const toBson = (documents) => Buffer.concat(documents.map((document) => serialize(document)));
/** @param {object[]} documents */
export const toNdjson = (documents) => Buffer.from(documents.map((document) => `${EJSON.stringify(document, { relaxed: false })}\n`).join(''));
/** @param {object[]} documents */
export const meanSize = (documents) => documents.reduce((/** @type {number} */ sum, document) => sum + calculateObjectSize(document), 0) / documents.length;

/**
 * Writes the same documents over and over, with new ids, until the file has its size.
 * @param {string} file
 * @param {number} size
 * @param {object[]} documents
 * @param {'bson' | 'ndjson'} form
 */
export function writeLarge(file, size, documents, form) {
  const out = openSync(file, 'w');
  for (let written = 0, round = 0; written < size; round += 1) {
    const renewed = documents.map((document, at) => ({ ...document, _id: new ObjectId(`66${round.toString(16).padStart(6, '0')}aabbccddee${at.toString(16).padStart(6, '0')}`) }));
    const bytes = form === 'bson' ? toBson(renewed) : toNdjson(renewed);
    writeSync(out, bytes);
    written += bytes.length;
  }
  closeSync(out);
}

/**
 * So many finds of different shapes, over a thousand collections of two hundred fields.
 * @param {number} count
 */
export const makeQueries = (count) =>
  Array.from({ length: count }, (_, at) => `db.c${at % 1000}.find({ field${at % 200}: ${at}, field${(at * 7) % 199}: { $gt: ${at} } }).sort({ field${(at * 13) % 197}: 1 });\n`).join('');

/**
 * A script with an aggregation among the code around it.
 * @param {number} size in bytes
 */
export function makeScript(size) {
  let text = '';
  for (let at = 0; text.length < size; at += 1) {
    text += `// Step ${at}
const totals${at} = db.orders${at % 20}.aggregate([{ $match: { status: "s${at}", total: { $gt: ${at} } } }, { $group: { _id: "$customer", count: { $sum: 1 } } }]);
function step${at}(a, b) {
  if (a > b) return a + ${at};
  for (const one of [1, 2, 3]) print(one * b);
  return "text ${at}";
}
`;
  }
  return text;
}

/**
 * The log of a server, of which 1 line in 100 is a slow query.
 * @param {number} lines
 */
export function makeLog(lines) {
  const head = { t: { $date: '2026-11-30T10:00:00.000+00:00' }, s: 'I' };
  const slow = (/** @type {number} */ at) => ({
    ...head, c: 'COMMAND', id: 51803, ctx: 'conn12', msg: 'Slow query',
    attr: {
      type: 'command', ns: `shop.c${at % 30}`, command: { find: `c${at % 30}`, filter: { status: 'open', total: { $gt: at } }, $db: 'shop' },
      planSummary: 'COLLSCAN', keysExamined: 0, docsExamined: 1000, nreturned: 10, reslen: 1000, durationMillis: 120,
    },
  });
  const other = (/** @type {number} */ at) => ({
    ...head, c: 'NETWORK', id: 22943, ctx: 'listener', msg: 'Connection accepted',
    attr: { remote: '127.0.0.1:5000', connectionId: at, connectionCount: 12 },
  });
  return Buffer.from(Array.from({ length: lines }, (_, at) => `${JSON.stringify(at % 100 === 0 ? slow(at) : other(at))}\n`).join(''));
}
