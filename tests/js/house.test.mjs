// @ts-check
/** What the hosts promise about their own shape. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { root } from './run.mjs';

const sources = readdirSync(join(root, 'js'))
  .filter((file) => /\.(js|mjs|cjs)$/.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(join(root, 'js', file), 'utf8')) }));

test('only the command line and the build know of a process', () => {
  const knowing = sources.filter(({ code }) => /\bprocess\b/.test(code)).map(({ file }) => file);
  assert.deepEqual(knowing, ['build.mjs', 'cli.mjs']);
});

test('the shim knows no host: no imports, no globals of Node, browsers or the shell', () => {
  const { code } = /** @type {{ code: string }} */ (sources.find(({ file }) => file === 'core.js'));
  assert.doesNotMatch(code, /\b(require|import\s*\(|from '|window|document\.|Buffer|globalThis|navigator|self|db)\b/);
});

test('every source is checked by the type checker', () => {
  for (const { file } of sources) assert.match(readFileSync(join(root, 'js', file), 'utf8'), /^(#!.*\n)?\/\/ @ts-check\n/, file);
});

test('only the boundary names wasm_bindgen', () => {
  const naming = /** @type {string[]} */ (readdirSync(join(root, 'src'), { recursive: true }))
    .filter((file) => file.endsWith('.rs') && withoutComments(readFileSync(join(root, 'src', file), 'utf8')).includes('wasm_bindgen'));
  assert.deepEqual(naming, ['wasm.rs']);
});

/** @param {string} code */
function withoutComments(code) {
  return code.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
