// @ts-check
/**
 * Rewritten pipelines give the same documents as those that they replace. Pipelines and documents are drawn from a
 * seeded generator; each pipeline for which a rule offers another one runs in both forms in a server.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

import { serialize } from 'bson';
import { MongoClient } from 'mongodb';

import { startServer } from '../server/server.mjs';

/** @typedef {Record<string, any>} Doc */

const DATABASE = 'rewrites';
/** How many pipelines are drawn. Most of them can stay as they are. */
const PIPELINES = 700;
/** Rules that offer another pipeline, and how often each must at least have been tried on data. */
const RULES = {
  'aggregation/late-match': 40,
  'aggregation/limit-late': 20,
  'aggregation/lookup-before-limit': 20,
  'aggregation/lookup-before-group': 5,
  'aggregation/late-sort': 20,
  'aggregation/early-project': 20,
};

/** A small generator of numbers that are the same in every run (mulberry32). @param {number} seed */
function generator(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    /** @param {number} below */
    number: (below) => Math.floor(next() * below),
    /** @template T @param {T[]} list @returns {T} */
    one: (list) => list[Math.floor(next() * list.length)],
    /** @param {number} share */
    maybe: (share) => next() < share,
  };
}

/** @typedef {ReturnType<typeof generator>} Random */

/**
 * A value that makes trouble: a number, a text, an array, null. No two arrays have the same elements: the server in
 * memory takes those for one group that differ only in order or in how often an element comes.
 * @param {Random} random
 */
function awkward(random) {
  const number = random.number(4);
  return random.one([number, number, `t${number}`, null, [number, number + 4], [], [null]]);
}

/** @param {Random} random @param {number} count */
function orders(random, count) {
  return Array.from({ length: count }, (_, place) => {
    /** @type {Doc} */
    const order = { _id: place, n: (place * 37) % 101 };
    if (random.maybe(0.85)) order.a = awkward(random);
    if (random.maybe(0.9)) order.c = random.maybe(0.15) ? awkward(random) : random.number(5);
    order.key = random.number(6);
    if (random.maybe(0.8)) {
      const part = () => ({ x: random.number(3), ...(random.maybe(0.5) ? { y: random.number(3) } : {}) });
      order.b = random.one([part(), part(), [part(), part()], 5, []]);
    }
    if (random.maybe(0.85)) {
      order.items = Array.from({ length: random.number(4) }, () =>
        random.maybe(0.1) ? random.number(5) : { s: random.number(3), q: random.number(5) },
      );
    }
    return order;
  });
}

/** @param {Random} random */
const others = (random) =>
  Array.from({ length: 10 }, (_, place) => ({
    _id: place,
    k: random.one([place % 5, null, [place % 5, 7]]),
    name: `name${place}`,
    w: random.number(4),
  }));

/** A condition on stored, computed, renamed, joined and unwound fields alike. @param {Random} random @returns {Doc} */
function condition(random) {
  const path = random.one(['a', 'c', 'key', 'b.x', 'b', 'items.q', 'items', 'j.w', 'z', 'e', '_id', '_id.p', 'n', 'total']);
  const value = random.one([random.number(5), random.number(5), `t${random.number(3)}`, null]);
  const tests = [
    value,
    { $gte: random.number(5) },
    { $lt: random.number(5) },
    { $in: [random.number(5), value] },
    { $ne: value },
    { $exists: random.maybe(0.5) },
    { $elemMatch: { q: { $gte: random.number(5) } } },
    { $not: { $gt: random.number(4) } },
  ];
  if (random.maybe(0.08)) return { $expr: { $gt: [`$${random.one(['key', 'n', 'c', 'z'])}`, random.number(4)] } };
  if (random.maybe(0.08)) return { $or: [{ [path]: value }, { [random.one(['key', 'c', 'a'])]: random.number(4) }] };
  return { [path]: random.one(tests) };
}

/** @param {Random} random @returns {Doc} */
const join_ = (random) => ({
  $lookup: { from: 'others', localField: random.one(['c', 'key', 'a', '_id']), foreignField: random.one(['k', '_id']), as: 'j' },
});

/** @param {Random} random @returns {Doc} */
function stage(random) {
  return random.one([
    () => ({ $match: condition(random) }),
    () => ({ $match: { ...condition(random), ...condition(random) } }),
    () => ({ $unwind: '$items' }),
    () => ({ $unwind: { path: random.one(['$items', '$a']), preserveNullAndEmptyArrays: random.maybe(0.5) } }),
    () => join_(random),
    () => ({ $unwind: { path: '$j', preserveNullAndEmptyArrays: true } }),
    () => ({ $set: random.one([{ e: { $ifNull: ['$c', 1] } }, { z: '$c' }, { a: '$key' }, { 'b.x': 1 }, { c: 2, e: '$a' }]) }),
    () => ({ $project: random.one([{ a: 1, c: 1, n: 1, key: 1 }, { items: 0 }, { z: '$c', n: 1, key: 1, items: 1 }, { 'b.x': 1, n: 1, c: 1 }, { _id: 0, c: 1, z: '$key', n: 1 }]) }),
    () => ({ $unset: random.one(['a', 'b', 'items']) }),
    () => ({ $sort: random.one([{ n: 1 }, { n: -1 }, { key: 1, n: -1 }]) }),
    () => ({ $limit: 5 + random.number(30) }),
    () => ({ $skip: random.number(5) }),
    () => ({
      $group: random.one([
        { _id: '$c', total: { $sum: '$n' } },
        { _id: '$key', total: { $sum: '$n' }, most: { $max: '$n' } },
        { _id: { p: '$c', q: '$key' }, total: { $sum: 1 } },
        { _id: '$b.x', total: { $sum: 1 } },
      ]),
    }),
  ])();
}

/** Pipelines of the kinds that the rarer rules look for, with something of chance in them. @param {Random} random */
function likely(random) {
  const filter = random.maybe(0.6) ? [{ $match: { key: random.number(6) } }] : [];
  const passive = () => random.one([{ $set: { e: { $ifNull: ['$a', 0] } } }, { $set: { z: '$c' } }, { $unset: 'b' }, { $project: { n: 1, key: 1, c: 1, j: 1 } }, join_(random)]);
  const sort = { $sort: random.one([{ n: 1 }, { n: -1 }]) };
  return random.one([
    () => [...filter, join_(random), passive(), sort, ...(random.maybe(0.4) ? [{ $skip: 2 }] : []), { $limit: 4 }],
    () => [...filter, { $lookup: { from: 'others', localField: 'key', foreignField: '_id', as: 'j' } }, { $unwind: { path: '$j', preserveNullAndEmptyArrays: true } }, sort, { $limit: 4 }],
    () => [...filter, passive(), passive(), { $limit: 3 + random.number(5) }],
    () => [...filter, passive(), { $unwind: '$items' }, sort],
    () => [{ $match: { key: random.number(6) } }, passive(), sort],
    () => [
      ...filter,
      { $lookup: { from: 'others', localField: random.one(['key', 'c', 'a']), foreignField: random.one(['_id', 'k']), as: 'j' } },
      {
        $group: {
          _id: random.one(['$key', '$key', { p: '$key' }, '$c', { p: '$key', q: '$c' }, { p: '$a' }]),
          total: { $sum: '$n' },
          ...random.one([{}, { name: { $first: '$j.name' } }, { name: { $min: '$j.w' }, last: { $last: '$j.w' } }, { size: { $max: { $size: '$j' } } }]),
        },
      },
    ],
    () => [
      random.one([{ $project: { key: 1, n: 1, c: 1 } }, { $project: { b: 0 } }, { $unset: ['a', 'b'] }, { $project: { items: 1, n: 1 } }]),
      ...(random.maybe(0.5) ? [{ $match: { n: { $gt: random.number(50) } } }] : []),
      ...(random.maybe(0.3) ? [{ $unwind: '$items' }] : []),
      random.one([{ $group: { _id: '$key', total: { $sum: '$n' } } }, { $group: { _id: '$items.s', total: { $sum: '$n' } } }, { $count: 'total' }]),
    ],
  ])();
}

/**
 * The findings that offer another pipeline.
 * @param {{ name: string, data: Uint8Array }[]} inputs
 * @returns {Promise<Doc[]>}
 */
async function offers(inputs) {
  const native = process.env.MONGOVET_REPORT;
  const report = native ? natively(native, inputs) : await (await import('../../js/node.mjs')).check(inputs);
  return report.findings.filter((/** @type {Doc} */ finding) => finding.remedy?.kind === 'pipeline');
}

/** The core as it is built for this machine (examples/report.rs), which needs no WebAssembly. @param {string} program @param {{ name: string, data: Uint8Array }[]} inputs */
function natively(program, inputs) {
  const folder = mkdtempSync(join(tmpdir(), 'mongovet-'));
  try {
    const named = inputs.flatMap(({ name, data }, place) => {
      writeFileSync(join(folder, String(place)), data);
      return [name, join(folder, String(place))];
    });
    const text = execFileSync(program, ['{}', 'report', ...named], { maxBuffer: 1 << 28 });
    return JSON.parse(text.toString());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A value with the names of its objects in order: a rewritten group makes its fields in another one. @param {any} value @returns {any} */
function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, ordered(value[name])]));
}

/** What a pipeline gives: the documents in no order, and the values of its last sort in theirs. @param {Doc[]} documents @param {Doc[]} pipeline */
function outcome(documents, pipeline) {
  const sort = pipeline.findLast((one) => one.$sort ?? one.$group);
  const names = Object.keys(sort?.$sort ?? {});
  return {
    documents: documents.map((document) => JSON.stringify(ordered(document))).sort(),
    order: documents.map((document) => JSON.stringify(names.map((name) => document[name] ?? null))),
  };
}

/**
 * Whether the pipeline decides by itself which documents it gives: not where it cuts a row of equals.
 * @param {Doc[]} pipeline
 */
function decides(pipeline) {
  const unwound = pipeline.findIndex((one) => one.$unwind);
  const cut = pipeline.findLastIndex((one) => one.$limit ?? one.$skip);
  const grouped = pipeline.findIndex((one) => one.$group);
  const sorted = pipeline.findIndex((one) => one.$sort);
  // The server in memory puts an array and its first element into one group, which MongoDB keeps apart.
  const ofArrays = grouped >= 0 && /"\$(a|c|b\.x)"/.test(JSON.stringify(pipeline[grouped].$group._id));
  const mixed = unwound >= 0 && sorted >= 0 && unwound < cut;
  return !mixed && !ofArrays && !(grouped >= 0 && grouped < cut);
}

test('rewritten pipelines give the same documents', { timeout: 240_000 }, async (context) => {
  const server = await startServer();
  if ('missing' in server) return context.skip(server.missing);
  const client = await MongoClient.connect(server.uri);
  const database = client.db(`${DATABASE}_${process.pid}`);
  try {
    const random = generator(20_260);
    const documents = { orders: orders(random, 40), others: others(random) };
    for (const [name, all] of Object.entries(documents)) await database.collection(name).insertMany(/** @type {any} */ (all));
    const pipelines = Array.from({ length: PIPELINES }, (_, place) =>
      place % 2 === 0 ? likely(random) : Array.from({ length: 2 + random.number(5) }, () => stage(random)),
    );
    const script = pipelines.map((pipeline) => `db.orders.aggregate(${JSON.stringify(pipeline)});`).join('\n');
    const indexes = [
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { n: 1 }, name: 'n_1' },
      { v: 2, key: { key: 1, n: 1 }, name: 'key_1_n_1' },
    ];
    const found = await offers([
      { name: `${DATABASE}/orders.bson`, data: Buffer.concat(documents.orders.map((document) => serialize(document))) },
      { name: `${DATABASE}/others.bson`, data: Buffer.concat(documents.others.map((document) => serialize(document))) },
      { name: `${DATABASE}.orders.indexes.json`, data: Buffer.from(JSON.stringify(indexes)) },
      { name: 'pipelines.mongodb.js', data: Buffer.from(`use('${DATABASE}');\n${script}\n`) },
    ]);

    /** @type {Record<string, number>} */
    const tried = {};
    /** @type {Set<string>} */
    const failed = new Set();
    /** @type {string[]} */
    const different = [];
    for (const { rule, location, remedy } of found) {
      const before = /** @type {Doc[]} */ (pipelines[location.start.line - 2]);
      const after = JSON.parse(JSON.stringify(runInNewContext(`(${remedy.script})`)));
      assert.notDeepEqual(after, before, `${rule} offers what is there`);
      if (!decides(before)) continue;
      // The server in memory knows `$set` by its other name only.
      const named = (/** @type {Doc} */ one) => (one.$set ? { $addFields: one.$set } : one);
      const run = (/** @type {Doc[]} */ pipeline) => database.collection('orders').aggregate(pipeline.map(named)).toArray();
      let old;
      try {
        old = await run(before);
      } catch (error) {
        // The server fails on some values (an array for a number): nothing to compare.
        failed.add(String(error).slice(0, 80));
        continue;
      }
      const now = await run(after);
      tried[rule] = (tried[rule] ?? 0) + 1;
      const [one, other] = [outcome(old, before), outcome(now, before)];
      if (JSON.stringify(one) !== JSON.stringify(other)) {
        different.push(`${rule}\n  ${JSON.stringify(before)}\n  ${JSON.stringify(after)}\n  ${old.length} and ${now.length} documents`);
      }
    }
    assert.equal(different.join('\n'), '');
    for (const [rule, least] of Object.entries(RULES)) {
      assert.ok((tried[rule] ?? 0) >= least, `${rule} was tried ${tried[rule] ?? 0} times: ${JSON.stringify(tried)}`);
    }
    context.diagnostic(`tried ${JSON.stringify(tried)}; failed before: ${[...failed].join('; ')}`);
  } finally {
    await database.dropDatabase();
    await client.close();
    server.stop();
  }
});
