// @ts-check
/** One corpus for every host: native, Node, mongosh and Chromium must print the same bytes. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import { core } from '../../js/node.mjs';
import { launch, missing, serve } from '../browser/browser.mjs';
import { folder } from '../js/folders.mjs';
import { mongosh, root, run, shop } from '../js/run.mjs';

/** @typedef {{ name: string, path: string }} File */

const OPTIONS = { now: '2026-06-01', today: '2026-06-01' };

/** @type {Record<string, File[]>} */
const CORPUS = { shop: filesBelow(join(root, shop)), odd: oddFiles(), cases: sharedCases() };

/** @type {Map<string, string>} */
const native = new Map();

test('native and Node print the same bytes', async () => {
  const built = await run('cargo', ['build', '--quiet', '--example', 'report']);
  assert.equal(built.status, 0, built.stderr);
  for (const [name, files] of Object.entries(CORPUS)) {
    if (files.length === 0) continue;
    const names = files.map(({ name }) => name);
    const args = [JSON.stringify({ ...OPTIONS, named: names, names }), 'report', ...files.flatMap(({ name, path }) => [name, path])];
    const { status, stdout, stderr } = await run(join(root, 'target', 'debug', 'examples', 'report'), args);
    assert.equal(status, 0, stderr);
    assert.ok(JSON.parse(stdout).inputs.length === files.length);
    native.set(name, stdout);
    assert.equal((await core.run(inputs(files), OPTIONS)).json, stdout, name);
  }
});

test('the labelled cases are part of the corpus', { skip: CORPUS.cases.length === 0 && '../shared/cases is not there' }, () => {
  assert.ok(100 < CORPUS.cases.length);
});

test('any cut of the inputs gives the same bytes', async () => {
  for (const [name, files] of Object.entries(CORPUS)) {
    if (files.length === 0) continue;
    const whole = (await core.run(inputs(files), OPTIONS)).json;
    for (const size of [1, 7, 4093]) {
      // Byte by byte is slow, so only the odd files go that way.
      if (size < 100 && name !== 'odd') continue;
      const cut = files.map(({ name, path }) => ({ name, data: '', read: () => pieces(readFileSync(path), size) }));
      assert.equal((await core.run(cut, OPTIONS)).json, whole, `${name} by ${size}`);
    }
  }
});

test('CommonJS prints the same bytes', async () => {
  const { check } = createRequire(import.meta.url)('../../js/node.cjs');
  for (const [name, expected] of native) {
    assert.equal(JSON.stringify(await check(inputs(CORPUS[name]), OPTIONS)), JSON.stringify(JSON.parse(expected)));
  }
});

test('mongosh prints the same bytes', async (t) => {
  const home = folder(t, {
    'script.js': `load(${JSON.stringify(join(root, 'pkg', 'mongovet.mongosh.js'))});
      const fs = require("fs");
      for (const [name, files] of Object.entries(${JSON.stringify(CORPUS)})) {
        const inputs = files.map(({ name, path }) => ({ name, data: fs.readFileSync(path) }));
        fs.writeFileSync(name + ".out.json", vet.inputs(inputs, ${JSON.stringify(OPTIONS)}).render("json"));
      }`,
  });
  const { stderr, stdout } = await mongosh(['--nodb', 'script.js'], { cwd: home, env: { HOME: home } });
  for (const [name, expected] of native) {
    assert.equal(readFileSync(join(home, `${name}.out.json`), 'utf8'), expected, stdout + stderr);
  }
});

test('Chromium prints the same bytes', async (t) => {
  const lacking = missing();
  if (lacking !== undefined) return t.skip(lacking);
  const { url, close } = await serve(join(root, 'pkg'));
  const browser = await launch();
  t.after(() => Promise.all([browser.close(), close()]));
  const page = await browser.newPage();
  // Any file of the package will do: what counts is the origin.
  await page.goto(new URL('built/version.js', url).href);
  for (const [name, expected] of native) {
    const encoded = CORPUS[name].map((file) => ({ name: file.name, base64: readFileSync(file.path).toString('base64') }));
    const printed = await page.evaluate(
      async (/** @type {{ encoded: { name: string, base64: string }[], options: object, url: string }} */ { encoded, options, url }) => {
        const { createCore } = await import(new URL('core.js', url).href);
        const { instantiate } = await import(new URL('built/glue.js', url).href);
        const module = await WebAssembly.compile(await (await fetch(new URL('built/mongovet_bg.wasm', url))).arrayBuffer());
        const core = createCore({ instantiate: () => instantiate(module) });
        const inputs = encoded.map(({ name, base64 }) => ({ name, data: Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) }));
        return (await core.run(inputs, options)).json;
      },
      { encoded, options: OPTIONS, url },
    );
    assert.equal(printed, expected, name);
  }
});

/** @param {File[]} files */
const inputs = (files) => files.map(({ name, path }) => ({ name, data: readFileSync(path) }));

/**
 * @param {Uint8Array} bytes
 * @param {number} size
 */
function* pieces(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/**
 * @param {string} at
 * @param {string} [prefix]
 * @returns {File[]}
 */
function filesBelow(at, prefix = '') {
  return /** @type {string[]} */ (readdirSync(at, { recursive: true }))
    .map((file) => ({ name: `${prefix}${file.replaceAll('\\', '/')}`, path: join(at, file) }))
    .filter(({ path }) => statSync(path).isFile())
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Inputs at the edge, written by hand in tests/parity/odd. */
function oddFiles() {
  return filesBelow(join(root, 'tests', 'parity', 'odd'));
}

/** The labelled cases that lie beside the project on some machines. */
function sharedCases() {
  const cases = join(root, '..', 'shared', 'cases');
  if (!statSync(cases, { throwIfNoEntry: false })) return [];
  return readdirSync(cases)
    .filter((name) => /^0(0|2|8)/.test(name))
    .flatMap((name) => filesBelow(join(cases, name, 'input'), `${name}/`))
    .filter(({ name }) => !name.endsWith('mongovet.json'));
}
