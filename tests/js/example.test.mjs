// @ts-check
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { folder } from './folders.mjs';
import { root, run, shop } from './run.mjs';

test('the shop is what its generator writes, and small', async (t) => {
  const path = folder(t);
  const { status, stderr } = await run(process.execPath, ['examples/generate-shop.mjs', path]);
  assert.equal(status, 0, stderr);
  const files = (/** @type {string} */ at) => /** @type {string[]} */ (readdirSync(at, { recursive: true })).filter((file) => statSync(join(at, file)).isFile()).sort();
  const written = files(path);
  // The code of the shop's server is written by hand.
  assert.deepEqual(files(join(root, shop)).filter((file) => !file.startsWith('app')), written);
  let bytes = 0;
  for (const file of written) {
    const content = readFileSync(join(root, shop, file));
    assert.ok(content.equals(readFileSync(join(path, file))), file);
    bytes += content.length;
  }
  assert.ok(bytes < 300_000, `${bytes} bytes`);
});
