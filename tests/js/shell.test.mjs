// @ts-check
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { folder } from './folders.mjs';

const vet = createRequire(import.meta.url)('../../js/mongosh.cjs');

const KIND = Symbol.for('@@mongosh.shellApiType');

/**
 * Shell objects that write down what is called; what is not listed does not exist.
 * @param {Record<string, unknown>} methods
 * @param {string} kind
 * @param {string[]} calls
 */
const shellObject = (methods, kind, calls) =>
  new Proxy(methods, {
    get(target, name) {
      if (name === KIND) return kind;
      if (typeof name === 'symbol' || name === 'then') return undefined;
      const method = target[name];
      if (typeof method !== 'function') throw new Error(`${kind}.${name} is not for us to call`);
      return async (/** @type {unknown[]} */ ...args) => {
        calls.push(`${kind}.${name}`);
        return method(...args);
      };
    },
  });

/** @param {Iterable<object>} documents */
async function* cursorOf(documents) {
  yield* documents;
}

/**
 * @param {object} [overrides]
 * @param {string[]} [calls]
 */
function fakeServer(overrides = {}, calls = []) {
  const cursor = (/** @type {object[]} */ documents) => Object.assign(cursorOf(documents), { close: async () => {} });
  /** @type {any} */
  const collection = {
    aggregate: (/** @type {any[]} */ [stage]) => cursor(stage.$sample ? [{ _id: 1, total: '1.50' }] : [{ name: '_id_', key: { _id: 1 }, accesses: { ops: 3 } }]),
    estimatedDocumentCount: () => 5_000,
    find: () => cursor([{ _id: 1 }]),
    getIndexes: () => [{ v: 2, key: { _id: 1 }, name: '_id_' }],
    ...overrides,
  };
  const database = {
    getCollectionInfos: () => [
      { name: 'orders', type: 'collection', options: {} },
      { name: 'totals', type: 'view', options: { viewOn: 'orders', pipeline: [] } },
      { name: 'system.views', type: 'collection', options: {} },
    ],
    runCommand: () => ({ ns: 'shop.orders', count: 5_000, ok: 1 }),
    version: () => '7.0.12',
    ...overrides,
  };
  /** @type {any} */
  const db = shellObject(database, 'Database', calls);
  const orders = shellObject(collection, 'Collection', calls);
  // These two answer at once, as they do in the shell.
  const named = (/** @type {any} */ object, /** @type {Record<string, unknown>} */ direct) =>
    new Proxy(object, { get: (target, name) => (typeof name === 'string' && name in direct ? () => direct[name] : target[name]) });
  const namedOrders = named(orders, { getFullName: 'shop.orders', getName: 'orders' });
  const namedDb = named(db, { getName: 'shop', getCollection: namedOrders });
  collection.getDB = () => namedDb;
  return { db: namedDb, orders: namedOrders, calls };
}

test('a database is read by questions alone: nothing that could write is called', async () => {
  const { db, calls } = fakeServer();
  const report = await vet(db);
  assert.deepEqual([...new Set(calls)].sort(), [
    'Collection.aggregate',
    'Collection.estimatedDocumentCount',
    'Collection.getDB',
    'Collection.getIndexes',
    'Database.getCollectionInfos',
    'Database.runCommand',
    'Database.version',
  ]);
  assert.deepEqual([report.serverVersion, report.serverVersionFrom], ['7.0', 'evidence']);
  assert.deepEqual([...new Set(report.inputs.map((/** @type {any} */ { collection }) => collection))], [null, 'shop.orders']);
  assert.equal(report.summary.problems, 0);
});

test('what the server refuses is a problem of the report, and the rest is read', async () => {
  const { orders } = fakeServer({
    getIndexes() {
      throw new Error('not authorized on shop to execute command listIndexes');
    },
    runCommand() {
      throw new Error('no such command: collStats');
    },
  });
  const report = await vet(orders);
  const problems = report.inputs.flatMap((/** @type {any} */ { name, problems }) => problems.map((/** @type {any} */ problem) => [name, problem.kind, problem.message]));
  assert.deepEqual(problems.map((/** @type {any[]} */ [name, kind]) => [name, kind]), [
    ['shop.orders.indexes.json', 'refused'],
    ['shop.orders.stats.json', 'refused'],
  ]);
  assert.match(problems[0][2], /not authorized/);
  const sample = report.inputs.find((/** @type {any} */ { name }) => name.startsWith('shop.orders.sample'));
  assert.equal(sample.documents, 1);
});

test('a small collection is read whole, a large one by sample', async () => {
  const { orders, calls } = fakeServer({ estimatedDocumentCount: () => 3 });
  await vet(orders);
  assert.ok(calls.includes('Collection.find'));
  const large = fakeServer();
  await vet(large.orders);
  assert.ok(!large.calls.includes('Collection.find'));
});

test('a sample is never taken for the whole collection', async () => {
  const { orders } = fakeServer();
  const report = await vet(orders);
  assert.equal(report.inputs.find((/** @type {any} */ { name }) => name.startsWith('shop.orders.sample')).complete, false);
});

test('what cannot be vetted is refused with one sentence', async () => {
  await assert.rejects(vet(5), /documents, text, a collection or a database, not a number/);
  await assert.rejects(vet(shellObject({}, 'Mongo', [])), /not a Mongo/);
});

test('documents keep the types that the shell knows', async () => {
  const { BSON } = await import('bson');
  const document = { _id: new BSON.ObjectId('65f000000000000000000001'), n: 5, long: BSON.Long.fromNumber(7), decimal: BSON.Decimal128.fromString('1.5'), at: new Date(0), is: true, none: null, list: [1.5], r: /a/gim };
  const types = (await vet([document])).inputs[0];
  assert.equal(types.documents, 1);
  assert.deepEqual(types.problems, []);
});

test('a cursor is explained and never run, unless that is asked for', async () => {
  for (const execute of [undefined, true]) {
    /** @type {string[]} */
    const verbosity = [];
    const explained = { queryPlanner: { namespace: 'shop.orders', winningPlan: { stage: 'COLLSCAN', direction: 'forward' } }, command: { find: 'orders', filter: { a: 1 }, $db: 'shop' }, ok: 1 };
    const cursor = shellObject({ explain: (/** @type {string} */ word) => (verbosity.push(word), explained) }, 'Cursor', []);
    const report = await vet(cursor, { execute });
    assert.deepEqual(verbosity, [execute ? 'executionStats' : 'queryPlanner']);
    assert.deepEqual(report.inputs.map((/** @type {any} */ { kind }) => kind), ['explain']);
  }
});

test('a server that cannot explain is told of, and nothing else is lost', async () => {
  const cursor = shellObject({ explain: () => { throw new Error('no such command: explain'); } }, 'AggregationCursor', []);
  const { orders } = fakeServer();
  const report = await vet(cursor, { against: orders });
  const problems = report.inputs.flatMap((/** @type {any} */ { problems }) => problems.map((/** @type {any} */ { kind }) => kind));
  assert.deepEqual(problems, ['refused']);
  assert.ok(report.inputs.some((/** @type {any} */ { kind }) => kind === 'indexes'));
});

test('a pipeline is judged at its stages, with its collection', async () => {
  const { orders } = fakeServer();
  const report = await vet.pipeline(orders, [{ $match: { at: new Date(0), name: /^a/i } }, { $out: 'copy' }, { $limit: 5 }]);
  const finding = report.findings.find((/** @type {any} */ { rule }) => rule === 'aggregation/stage-order');
  assert.equal(finding?.collection, 'shop.orders');
  assert.equal(finding?.stage, 1);
  await assert.rejects(async () => vet.pipeline(orders, {}), /takes a collection and an array of stages/);
});

test('a script is read from its file', async (t) => {
  const home = folder(t, { 'q.js': 'db.orders.deleteMany({});' });
  const report = await vet.script(`${home}/q.js`);
  assert.deepEqual(report.findings.map((/** @type {any} */ { rule }) => rule), ['update/all-documents']);
  await assert.rejects(async () => vet.script(5), /takes the path of a file/);
});

/**
 * A database of two collections that are larger than their samples: orders, and the customers that they refer to.
 * @param {(command: { name: string, filter: any, options: any }) => Iterable<Uint8Array>} answer what comes for a `find`
 */
async function fakeShop(answer) {
  const { BSON } = await import('bson');
  const id = (/** @type {number} */ kind, /** @type {number} */ n) => new BSON.ObjectId(`65f0000${kind}${n.toString(16).padStart(16, '0')}`);
  const documents = {
    customers: Array.from({ length: 30 }, (_, n) => ({ _id: id(1, n), name: 'a' })),
    orders: Array.from({ length: 30 }, (_, n) => ({ _id: id(2, n), customerId: id(1, n + 1000) })),
  };
  /** @type {{ name: string, filter: any, options: any }[]} */
  const found = [];
  const cursor = (/** @type {Iterable<object>} */ list) => Object.assign(cursorOf(list), { close: async () => {} });
  const collection = (/** @type {'customers' | 'orders'} */ name) => ({
    [KIND]: 'Collection',
    getFullName: () => `shop.${name}`,
    getName: () => name,
    getDB: async () => db,
    getIndexes: async () => [{ v: 2, key: { _id: 1 }, name: '_id_' }],
    estimatedDocumentCount: async () => 5_000_000,
    aggregate: async (/** @type {any[]} */ [stage]) => cursor(stage.$sample ? documents[name].map((document) => BSON.serialize(document)) : []),
    find: async (/** @type {any} */ filter, /** @type {any} */ _, /** @type {any} */ options) => {
      const command = { name, filter, options };
      found.push(command);
      return cursor(answer(command));
    },
  });
  const collections = { customers: collection('customers'), orders: collection('orders') };
  const db = {
    [KIND]: 'Database',
    getName: () => 'shop',
    getMongo: async () => ({ _serviceProvider: { bsonLibrary: BSON } }),
    getCollection: (/** @type {'customers' | 'orders'} */ name) => collections[name],
    getCollectionInfos: async () => Object.keys(collections).map((name) => ({ name, type: 'collection', options: {} })),
    runCommand: async () => ({ count: 5_000_000, size: 500_000_000, ok: 1 }),
    version: async () => '7.0.12',
  };
  return { db, found, BSON, id };
}

test('a reply is read up to its bytes, and the rest of it left', async () => {
  let sent = 0;
  const { db, found, BSON, id } = await fakeShop(function* () {
    for (let n = 0; n < 1000; n += 1) {
      sent += 1;
      yield BSON.serialize({ _id: id(1, n + 1000), text: 'x'.repeat(100_000) });
    }
  });
  const report = await vet(db);
  const [{ filter, options }] = found;
  assert.ok(filter._id.$in.every((/** @type {any} */ value) => value._bsontype === 'ObjectId'), 'values that the driver can send');
  assert.equal(options.raw, true);
  assert.ok(sent <= 25 * found.length, `${sent} documents of 100 KB for ${found.length} commands`);
  const pairs = report.inputs.filter((/** @type {any} */ { kind }) => kind === 'pairs');
  assert.equal(pairs.length, found.length);
  // Without an index the children are not looked for in five million orders, and the report says so.
  assert.ok(found.every(({ filter }) => !('customerId' in filter)));
  const told = report.inputs.find((/** @type {any} */ { name }) => name === 'shop.orders.pairs');
  assert.deepEqual(told.problems.map((/** @type {any} */ { kind }) => kind), ['unserved']);
});

test('a refusal of what belongs to a sample leaves all else standing', async () => {
  const { db, found } = await fakeShop(() => {
    throw new Error('operation exceeded time limit');
  });
  const report = await vet(db, { maxTimeMS: 5 });
  assert.equal(found[0].options.maxTimeMS, 5);
  const refused = report.inputs.filter((/** @type {any} */ { problems }) => problems[0]?.kind === 'refused');
  assert.deepEqual([refused.length, refused[0].problems[0].message.includes('time limit')], [found.length, true]);
  assert.equal(report.inputs.find((/** @type {any} */ { name }) => name === 'shop.orders.sample').documents, 30);
});

test('nothing beside the samples is asked for where that is not wanted', async () => {
  const { db, found } = await fakeShop(() => []);
  await vet(db, { pairs: false });
  assert.deepEqual(found, []);
});

test('evidence is collected as text that is evidence again, without documents and values unless they are asked for', async () => {
  const people = Array.from({ length: 30 }, (_, at) => ({ _id: at, mail: `person${at}@example.org`, born: new Date(1e12 + at * 1e9), score: at * 1.5 }));
  const { db } = fakeServer({ estimatedDocumentCount: () => 30, find: () => Object.assign(cursorOf(people), { close: async () => {} }) });
  const bundle = await vet.collect(db);
  assert.deepEqual([bundle.collections, bundle.withDocuments, bundle.values, bundle.problems], [1, false, true, []]);
  const printed = bundle[Symbol.for('@@mongosh.asPrintable')]();
  assert.match(printed, /^mongovet evidence of 1 collection, no documents: .*\nmvprofile\d:base64,[\w+/=]+\n$/);
  const again = await vet(printed);
  const rules = (/** @type {any} */ report) => report.findings.map((/** @type {any} */ { rule, path }) => `${rule} ${path}`);
  assert.deepEqual(rules(again), rules(await vet(db, { pairs: false })));
  // Wrapped on its way.
  const wrapped = await vet(printed.replace(/(.{76})/g, '$1\n').replace(/\n(?=keep)/, ''));
  assert.equal(wrapped.findings.length, again.findings.length);

  const bytes = (/** @type {any} */ { text }) => Buffer.from(text.split('base64,')[1], 'base64').toString('latin1');
  assert.match(bytes(bundle), /person3@example\.org/);
  const types = await vet.collect(db, { values: false, withDocuments: true });
  assert.deepEqual([types.withDocuments, types.values], [false, false]);
  assert.doesNotMatch(bytes(types), /person\d/);
  assert.match(types.text, /no documents, types and lengths only/);
  const kinds = await vet(types.text);
  assert.ok(kinds.inputs.some((/** @type {any} */ { collection }) => collection === 'shop.orders'));
  const documents = await vet.collect(db, { withDocuments: true });
  assert.ok(bytes(types).length < bytes(bundle).length && bytes(bundle).length < bytes(documents).length);
  await assert.rejects(() => vet.collect([{ _id: 1 }]), /takes a collection or a database/);
});

test('what a script is judged against is asked for its pairs, too', async () => {
  const { db, found } = await fakeShop(() => []);
  await vet('db.orders.find({ total: 5 })', { against: db, pairs: false });
  assert.deepEqual(found, []);
  await vet('db.orders.find({ total: 5 })', { against: db });
  assert.ok(0 < found.length);
});
