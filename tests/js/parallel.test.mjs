// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BSON } from 'bson';

import { runAsync, runSync } from '../../js/core.js';
import { findFiles, reader } from '../../js/files.mjs';
import { compiled, core } from '../../js/node.mjs';
import { partOf, Readers, tasksOf } from '../../js/parallel.mjs';
import { folder } from './folders.mjs';

const documents = Array.from({ length: 4000 }, (_, at) => ({
  _id: new BSON.ObjectId(at.toString(16).padStart(24, '0')),
  number: at,
  total: at % 5 ? BSON.Decimal128.fromString('3.5') : '3.5',
  tags: Array.from({ length: at % 7 }, (_, tag) => `tag ${tag}`),
  note: 'x'.repeat(at % 90),
}));

/**
 * @param {string} path
 * @param {number} part
 * @param {number} threads
 */
async function report(path, part, threads) {
  const { files } = await findFiles(['.'], path);
  const sources = files.map(({ name, path }) => ({ name, read: reader(path) }));
  const options = { names: files.map(({ name }) => name) };
  const session = core.session(options);
  if (threads === 0) {
    for (const source of sources) runSync(session.feed(source));
  } else {
    const tasks = tasksOf(files, part);
    assert.ok(files.length < tasks.length, 'the files are split');
    const readers = new Readers({ own: core.session(options), module: compiled(), options, threads });
    try {
      const learned = await readers.read(tasks, () => {});
      assert.ok(learned, 'the parts join');
      for (const { partial } of learned) session.merge(partial);
      let asked = 0;
      await runAsync(
        session.answer(sources, async (names, questions) => {
          asked = names.size;
          const answers = await readers.answer(tasks.filter(({ name }) => names.has(name)), questions);
          assert.ok(answers, 'no thread breaks down');
          return { names, answers };
        }),
      );
      assert.ok(0 < asked, 'the second pass is shared, too');
    } finally {
      readers.close();
    }
    return session.finish().json;
  }
  runSync(session.answer(sources));
  return session.finish().json;
}

test('parts of files in several threads give the report of one thread', async (t) => {
  const good = Buffer.concat(documents.map((document) => BSON.serialize(document)));
  const lines = documents.map((document) => BSON.EJSON.stringify(document, { relaxed: false }));
  // Faults on both sides of the cuts keep their places.
  lines[150] = '{"_id": ';
  lines[3500] = '{"_id": 5,}';
  const path = folder(t, {
    'shop/orders.bson': good,
    'shop/orders.metadata.json': JSON.stringify({
      options: { validator: { $jsonSchema: { bsonType: 'object', properties: { total: { bsonType: 'decimal' } } } } },
      indexes: [
        { v: 2, key: { _id: 1 }, name: '_id_' },
        { v: 2, key: { total: 1, missing: 1 }, name: 'total_1', unique: true },
      ],
      collectionName: 'orders',
    }),
    'shop.notes.ndjson': `${lines.join('\n')}\n`,
  });
  const alone = await report(path, 0, 0);
  const told = JSON.parse(alone).findings.map((/** @type {any} */ { rule }) => rule);
  assert.ok(told.includes('validation/violations') || told.includes('validation/drift'), told.join(' '));
  assert.ok(JSON.parse(alone).inputs.some((/** @type {any} */ { problems }) => problems.length === 2));
  for (const part of [100_000, 37_001]) assert.equal(await report(path, part, 2), alone, `parts of ${part}`);
});

test('only what can be entered in the middle is split', async (t) => {
  const path = folder(t, { 'a.json': ' '.repeat(1000), 'b.bson.gz': ' '.repeat(1000), 'c.bson': ' '.repeat(1000) });
  const { files } = await findFiles(['.'], path);
  const names = tasksOf(files, 250).map(({ name, range }) => `${name} ${range?.start ?? ''}`);
  assert.deepEqual(names, ['a.json ', 'b.bson.gz ', 'c.bson 0', 'c.bson 250', 'c.bson 500', 'c.bson 750']);
});

test('parts keep every thread busy and are neither tiny nor huge', () => {
  assert.equal(partOf(1 << 20, 2), 1 << 20);
  assert.equal(partOf(48 << 20, 2), 3 << 20);
  assert.equal(partOf(4_000_000_000, 2), 16 << 20);
});
