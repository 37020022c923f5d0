// @ts-check
/** The parts of the playground that need no browser. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Evidence } from '../../www/src/evidence.js';
import { EXAMPLES, exampleState } from '../../www/src/examples.js';
import { decodeState, encodeState } from '../../www/src/share.js';
import { speak, tables } from '../../www/src/words.js';

test('both languages have the same words with the same blanks', () => {
  const blanks = (/** @type {string | {one: string, other: string}} */ words) =>
    [typeof words === 'string' ? words : words.other].flatMap((text) => text.match(/\{\w+\}/g) ?? []).sort();
  assert.deepEqual(Object.keys(tables.es), Object.keys(tables.en));
  for (const [key, words] of Object.entries(tables.en)) {
    assert.deepEqual(blanks(tables.es[key]), blanks(words), key);
    assert.equal(typeof tables.es[key], typeof words, key);
  }
});

test('numbers are written as each language does', () => {
  assert.equal(speak('en').t('error', { n: 1 }), '1 error');
  assert.equal(speak('en').t('warning', { n: 1200 }), '1,200 warnings');
  assert.equal(speak('es').t('warning', { n: 1200 }), '1.200 avisos');
  assert.equal(speak('en').bytes(1536), '1.5 KiB');
  assert.equal(speak('es').bytes(1536), '1,5 KiB');
  assert.throws(() => speak('en').t('no such key'));
});

test('a link holds the whole state, whatever is in it', async () => {
  for (const example of EXAMPLES) {
    const evidence = new Evidence();
    evidence.replace({ ...exampleState(example), script: '// ñ 🍃\n', plans: '{"queryPlanner": {}}', config: '{}', serverVersion: '7.0', complete: true, showValues: true });
    const decoded = await decodeState(await encodeState(evidence.shared()));
    const again = new Evidence();
    again.replace(decoded ?? { blocks: [] });
    assert.deepEqual(again.inputs().inputs, evidence.inputs().inputs, example.id);
    assert.deepEqual(again.options(), evidence.options());
  }
});

test('a link of somebody else, or one that unpacks to a flood, is refused', async () => {
  assert.equal(await decodeState('#example=blog'), null);
  await assert.rejects(decodeState('#s=AAAA'));
  await assert.rejects(decodeState('#s=!'));
  const flood = await encodeState({ blocks: [{ name: 'a.b', documents: ' '.repeat(17 * 1024 * 1024), indexes: '', validator: '' }] });
  assert.ok(flood.length < 40_000);
  await assert.rejects(decodeState(flood), /more than a link may hold/);
});

test('inputs of one name are told apart, and every text is traced back to its pane', () => {
  const evidence = new Evidence();
  evidence.replace({ blocks: [{ name: 'a.b', documents: '{}', indexes: '[]', validator: '' }, { name: 'a.b', documents: '{}', indexes: '', validator: '' }], script: 'x', plans: 'y' });
  evidence.addFiles([{ name: 'a.b.json', file: new Blob(['{}']) }]);
  const { inputs, origins } = evidence.inputs();
  const names = inputs.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, names.join(', '));
  assert.deepEqual(names.filter((name) => !origins.has(name)), ['a.b.json']);
});
