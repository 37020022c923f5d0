// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { createCore } from '../../js/core.js';
import { root } from './run.mjs';

// Only a debug build can be made to trap on purpose; run.mjs builds one beside the package that ships.
const folder = join(root, 'target', 'pkg-quick', 'built');
const { instantiate } = await import(join(folder, 'glue.js'));
const module = new WebAssembly.Module(readFileSync(join(folder, 'mongovet_bg.wasm')));

const MARK = 'TRAP HERE';
let instances = 0;

/** The real core, which really traps at every input that holds the mark. */
function trapping() {
  instances += 1;
  const glue = instantiate(module);
  class Vet extends glue.Vet {
    /** @param {Uint8Array} bytes */
    write(bytes) {
      if (Buffer.from(bytes).includes(MARK)) glue.trap();
      return super.write(bytes);
    }
  }
  return { ...glue, Vet };
}

const core = createCore({ instantiate: trapping });
const documents = (/** @type {string} */ field) => `[{"_id":{"$oid":"65f000000000000000000001"},"${field}":1}]`;
const good = [
  { name: 'shop.a.json', data: documents('a') },
  { name: 'shop.z.json', data: documents('z') },
];
const bad = { name: 'shop.m.json', data: `[{"_id": 1, "x": "${MARK}"}]` };

test('a trap loses its input and nothing else', async () => {
  instances = 0;
  const report = await core.check([...good, bad]);
  assert.equal(instances, 2);
  assert.deepEqual(report.inputs.map(({ name, problems }) => [name, problems.map(({ kind }) => kind)]), [
    ['shop.a.json', []],
    ['shop.m.json', ['trap']],
    ['shop.z.json', []],
  ]);
  assert.equal(report.summary.problems, 1);
  const untouched = await core.check(good);
  assert.deepEqual(report.findings, untouched.findings);
});

test('two traps lose two inputs', () => {
  const report = core.checkSync([...good, bad, { ...bad, name: 'shop.n.json' }]);
  const trapped = report.inputs.filter(({ problems }) => problems.some(({ kind }) => kind === 'trap'));
  assert.deepEqual(trapped.map(({ name }) => name), ['shop.m.json', 'shop.n.json']);
  assert.equal(report.inputs.length, 4);
});

test('a stream that was read before the trap cannot be read again, and the report says so', async () => {
  async function* stream() {
    yield documents('a');
  }
  const report = await core.check([{ name: 'shop.a.json', data: stream() }, bad, good[1]]);
  const kinds = Object.fromEntries(report.inputs.map(({ name, problems }) => [name, problems.map(({ kind }) => kind)]));
  assert.deepEqual(kinds, { 'shop.a.json': ['unrepeatable'], 'shop.m.json': ['trap'], 'shop.z.json': [] });
});

test('a trap outside all inputs is one clear error', () => {
  const broken = createCore({
    instantiate() {
      const glue = instantiate(module);
      class Vet extends glue.Vet {
        finish() {
          return glue.trap();
        }
      }
      return { ...glue, Vet };
    },
  });
  assert.throws(() => broken.checkSync(good), { name: 'CoreFailure', message: /bug in mongovet/ });
});

test('a stream at which the core breaks down is closed', async () => {
  let isClosed = false;
  async function* stream() {
    try {
      yield bad.data;
      yield bad.data;
    } finally {
      isClosed = true;
    }
  }
  await core.check([{ name: 'shop.m.json', data: stream() }]);
  assert.ok(isClosed);
});

test('an error of the stream itself is passed on', async () => {
  async function* failing() {
    yield documents('a');
    throw new Error('the disk is gone');
  }
  await assert.rejects(core.check([{ name: 'shop.a.json', data: failing() }]), { message: 'the disk is gone' });
});
