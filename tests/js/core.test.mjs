// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { check, checkSync, version } from '../../js/node.mjs';

const posts = '{"_id":{"$oid":"65f000000000000000000001"},"title":"a"}\n';

test('the same report from text, bytes and streams, in any order and any chunks', async () => {
  const bytes = new TextEncoder().encode(posts);
  const inputs = [
    { name: 'blog.posts.json', data: posts },
    { name: 'blog.users.json', data: posts.replace('title', 'name') },
  ];
  const expected = checkSync(inputs);
  assert.deepEqual(await check(inputs.toReversed()), expected);
  async function* byteByByte() {
    for (const byte of bytes) yield Uint8Array.of(byte);
  }
  assert.deepEqual(await check([{ name: 'blog.posts.json', data: byteByByte() }, inputs[1]]), expected);
});

test('an asynchronous stream is refused by the synchronous functions with one sentence', () => {
  async function* stream() {
    yield posts;
  }
  assert.throws(() => checkSync([{ name: 'blog.posts.json', data: stream() }]), /without Sync/);
});

test('inputs of the wrong shape are refused with one sentence', async () => {
  await assert.rejects(check(/** @type {any} */ ('text')), /array of \{ name, data \}/);
  await assert.rejects(check(/** @type {any} */ ([{ data: 'x' }])), /needs a name/);
  await assert.rejects(check([{ name: 'a', data: /** @type {any} */ (5) }]), /string, bytes, or a stream/);
  await assert.rejects(check([{ name: 'a', data: '' }, { name: 'a', data: '' }]), /two inputs/);
  await assert.rejects(check([], { select: /** @type {any} */ ('document/*') }), /select must be an array/);
});

test('an option that does not exist is refused with the nearest name', async () => {
  const inputs = [{ name: 'blog.posts.json', data: posts }];
  /** @type {[object, string][]} */
  const mistakes = [
    [{ showValue: true }, 'there is no option `showValue`; did you mean `showValues`?'],
    [{ servrVersion: '7.0', lang: 'es' }, 'no existe la opción `servrVersion`; ¿querías decir `serverVersion`?'],
    [{ zebra: 1 }, 'there is no option `zebra`'],
  ];
  for (const [options, message] of mistakes) {
    assert.throws(() => checkSync(inputs, options), { kind: 'option', message });
    await assert.rejects(check(inputs, options), { kind: 'option', message });
  }
  const misspelled = /** @type {any} */ ([{ ...inputs[0], options: { colection: 'a.b' } }]);
  assert.throws(() => checkSync(misspelled), { kind: 'option', message: 'there is no option `colection`; did you mean `collection`?' });
});

test('the version is the package\'s', async () => {
  const { default: manifest } = await import('../../pkg/package.json', { with: { type: 'json' } });
  assert.equal(version(), manifest.version);
});
