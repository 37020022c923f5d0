// @ts-check
/** The documents of the benchmark: about 300 bytes of BSON each, drawn from a seed. */
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
