// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BSON } from 'bson';

import { runSync } from '../../js/core.js';
import { findFiles, reader } from '../../js/files.mjs';
import { compiled, core } from '../../js/node.mjs';
import { readInThreads, tasksOf } from '../../js/parallel.mjs';
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
    const learned = await readInThreads(tasks, { module: compiled(), options, threads, onRead() {} });
    assert.ok(learned, 'the parts join');
    for (const { partial } of learned) session.merge(partial);
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
  const path = folder(t, { 'shop/orders.bson': good, 'shop.notes.ndjson': `${lines.join('\n')}\n` });
  const alone = await report(path, 0, 0);
  assert.ok(JSON.parse(alone).inputs.some((/** @type {any} */ { problems }) => problems.length === 2));
  for (const part of [100_000, 37_001]) assert.equal(await report(path, part, 2), alone, `parts of ${part}`);
});

test('only what can be entered in the middle is split', async (t) => {
  const path = folder(t, { 'a.json': ' '.repeat(1000), 'b.bson.gz': ' '.repeat(1000), 'c.bson': ' '.repeat(1000) });
  const { files } = await findFiles(['.'], path);
  const names = tasksOf(files, 250).map(({ name, range }) => `${name} ${range?.start ?? ''}`);
  assert.deepEqual(names, ['a.json ', 'b.bson.gz ', 'c.bson 0', 'c.bson 250', 'c.bson 500', 'c.bson 750']);
});
