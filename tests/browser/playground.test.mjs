// @ts-check
/** The playground in a real Chromium: what a person sees, what the page may do, and what it costs. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { core } from '../../js/node.mjs';
import { EXAMPLES } from '../../www/src/examples.js';

import { launch, missing, serve } from './browser.mjs';

const skip = missing();
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self' blob:; img-src 'self' data:";
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What the first load shall weigh, gzipped, and what it may weigh until the WebAssembly is as small as it shall be. */
const FIRST_LOAD = { target: 1_000_000, limit: 3_200_000 };

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;
/** @type {import('playwright-core').Page} */
let page;
/** What went wrong on the page without anybody asking: exceptions, refused styles and scripts, console errors. @type {string[]} */
let faults = [];

before(async () => {
  if (skip) return;
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  if (skip) return;
  await page?.context().close();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] });
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
  faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
});

/** @param {string} [hash] */
async function open(hash = '') {
  await page.goto(server.url + hash);
  if (hash) await checked();
  else await page.waitForSelector('.welcome', { state: 'attached' });
}

/** Waits until what was given last has been checked and is shown. */
const checked = () => page.waitForFunction(() => !document.body.classList.contains('pending') && document.querySelector('.view[data-tab]:not([data-tab=welcome])') !== null);

/** Shows a tab of the report. @param {string} name */
async function show(name) {
  await page.locator(`#tab-${name}`).click();
  await page.waitForSelector(`.view[data-tab=${name}]`, { state: 'attached' });
}

/** Puts text into the open editor as a paste over all that is there does. @param {string} text */
async function paste(text) {
  await page.locator('.part.open .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press('Control+v');
}

/** @param {{name?: string, documents?: string, indexes?: string, validator?: string}} block */
async function give({ name = 'shop.orders', ...texts }) {
  await open();
  await page.locator('.name').fill(name);
  for (const [pane, text] of Object.entries(texts)) {
    await page.locator(`.segments input[value=${pane}]`).check({ force: true });
    await paste(text ?? '');
  }
  await checked();
}

/** The same report as any host gives. @param {{name: string, collection?: string, data: string}[]} inputs @param {object} [options] */
const reportOn = async (inputs, options = {}) => JSON.parse(await page.evaluate(([given, chosen]) => /** @type {any} */ (window).mongovet.check(given, chosen), /** @type {any} */ ([inputs, options])));

const TTL = '[{ v: 2, key: { _id: 1 }, name: "_id_" }, { v: 2, key: { at: 1, user: 1 }, name: "both", expireAfterSeconds: 3600 }]';

test('pasted indexes become findings, with place, reason, help and script', { skip }, async () => {
  await give({ indexes: TTL });
  const finding = page.locator('[data-rule="index/ttl-compound"]');
  await finding.waitFor();
  const report = await reportOn([{ name: 'shop.orders.indexes.json', collection: 'shop.orders', data: TTL }]);
  const expected = report.findings.find((/** @type {any} */ { rule }) => rule === 'index/ttl-compound');
  const words = (/** @type {string} */ text) => text.replaceAll('`', '');
  const shown = await finding.innerText();
  for (const part of ['message', 'why', 'help']) assert.ok(shown.includes(words(expected[part])), `${part}: ${shown}`);
  assert.match(shown, /shop\.orders/);
  assert.equal(await page.locator('[data-part="block:1"] .tally.error').innerText(), String(report.summary.error));
  assert.deepEqual(faults, []);
});

test('the page says byte for byte what Node says, about every bundled example', { skip }, async () => {
  await open();
  for (const { id, make } of EXAMPLES) {
    const inputs = make().flatMap(({ name, ...texts }) =>
      Object.entries(texts)
        .filter(([, data]) => data !== '')
        .map(([kind, data]) => ({ name: kind === 'documents' ? `${name}.json` : `${name}.${kind}.json`, data })),
    );
    const shown = await page.evaluate((given) => /** @type {any} */ (window).mongovet.check(given), inputs);
    assert.equal(shown, (await core.run(inputs)).json, id);
  }
});

test('each bundled example shows what it promises', { skip }, async () => {
  /** @type {Record<string, string[]>} */
  const promised = {
    blog: ['document/unbounded-array'],
    shop: ['document/money-as-double', 'document/date-as-string', 'document/similar-names'],
    indexes: ['index/duplicate', 'index/redundant-prefix', 'index/ttl-compound'],
    meters: ['document/data-in-keys'],
    validator: ['validation/bad-keyword', 'validation/contradiction'],
    tidy: [],
  };
  for (const [id, rules] of Object.entries(promised)) {
    await page.goto('about:blank');
    await open(`#example=${id}`);
    const found = await page.locator('.finding').evaluateAll((findings) => findings.map((finding) => /** @type {HTMLElement} */ (finding).dataset.rule));
    for (const rule of rules) assert.ok(found.includes(rule), `${id} lacks ${rule}: ${found.join(', ')}`);
    if (rules.length === 0) assert.deepEqual(found, [], id);
  }
});

test('the place of a finding leads to the text that it is about', { skip }, async () => {
  await give({ indexes: TTL, documents: '{_id: 1, at: "x"}' });
  await page.locator('[data-rule="index/ttl-compound"] button.where').click();
  assert.equal(await page.locator('.segments input:checked').inputValue(), 'indexes');
  const selected = await page.evaluate(() => /** @type {any} */ (document.querySelector('.editor-host')?.shadowRoot)?.getSelection?.().toString() ?? '');
  assert.match(selected, /^both|^$/);
});

test('a document that cannot be read is a problem with its place, and the place is a way there', { skip }, async () => {
  await give({ documents: '{_id: 1, a: 1}\n{_id: 2, a: }\n{_id: 3, a: 3}\n' });
  const problem = page.locator('.problems li').first();
  assert.match(await problem.innerText(), /document 2.*line 2/);
  await problem.locator('button').click();
  assert.equal(await page.evaluate(() => document.activeElement?.classList.contains('editor-host')), true);
});

test('the policy of the page is the one of the design, and nothing on the page breaks it', { skip }, async () => {
  await page.addInitScript(() => {
    /** @type {any} */ (window).violations = [];
    document.addEventListener('securitypolicyviolation', (event) => /** @type {any} */ (window).violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await open('#example=blog');
  for (const tab of ['decisions', 'profile', 'schema', 'output', 'findings']) {
    await show(tab);
  }
  assert.equal(await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content'), POLICY);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).violations), []);
  assert.deepEqual(faults, []);
});

test('inside the worker, fetching from elsewhere and eval are refused', { skip }, async () => {
  // A second server on another port stands for the rest of the world: it would answer anybody.
  const elsewhere = await serve();
  try {
    // The page's own worker is made to run a probe before its own text, so that what is tried is tried right there.
    await page.addInitScript((target) => {
      const probe = `
        const tried = {};
        const attempts = {
          fetch: () => fetch(${JSON.stringify(target)}, { mode: 'no-cors' }),
          request: () => new Promise((resolve, reject) => { const r = new XMLHttpRequest(); r.onload = resolve; r.onerror = reject; r.open('GET', ${JSON.stringify(target)}); r.send(); }),
          socket: () => new Promise((resolve, reject) => { const s = new WebSocket(${JSON.stringify(target.replace('http', 'ws'))}); s.onopen = resolve; s.onerror = reject; }),
          script: async () => importScripts(${JSON.stringify(`${target}icon.svg`)}),
          eval: async () => eval('1 + 1'),
          function: async () => new Function('return 1')(),
          wasm: () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])),
        };
        globalThis.probing = Promise.all(Object.entries(attempts).map(async ([name, attempt]) => {
          try { await attempt(); tried[name] = 'worked'; } catch (error) { tried[name] = 'refused'; }
        })).then(() => new BroadcastChannel('probe').postMessage(tried));
      `;
      const Real = window.Blob;
      window.Blob = /** @type {any} */ (class extends Real {
        constructor(/** @type {any[]} */ parts, /** @type {any} */ options) {
          super(options?.type === 'text/javascript' ? [probe, ...parts] : parts, options);
        }
      });
      /** @type {any} */ (window).probed = new Promise((resolve) => {
        new BroadcastChannel('probe').onmessage = ({ data }) => resolve(data);
      });
    }, elsewhere.url);
    await open('#example=indexes');
    const tried = await page.evaluate(() => /** @type {any} */ (window).probed);
    assert.deepEqual(tried, { fetch: 'refused', request: 'refused', socket: 'refused', script: 'refused', eval: 'refused', function: 'refused', wasm: 'worked' });
    assert.deepEqual(elsewhere.requests, []);
    assert.notEqual(await page.locator('.finding').count(), 0, 'the probed worker still checks');
  } finally {
    await elsewhere.close();
  }
});

test('after the first load nothing is asked of any server, whatever is pasted, checked, read or shared', { skip }, async () => {
  /** @type {string[]} */
  const asked = [];
  await open();
  await page.waitForTimeout(500);
  const served = server.requests.length;
  // Blobs and data are the page's own; they touch no network.
  page.context().on('request', (request) => !/^(blob|data):/.test(request.url()) && asked.push(request.url()));
  await page.locator('.name').fill('shop.orders');
  await paste('{_id: 1, total: 1.5}');
  await page.locator('.segments input[value=indexes]').check({ force: true });
  await paste(TTL);
  await checked();
  for (const tab of ['decisions', 'profile', 'schema', 'output', 'findings']) await show(tab);
  await page.locator('.finding .rule').first().click();
  await page.locator('.drawer button[aria-label=Close]').click();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.locator('.sheet button[aria-label=Close]').click();
  await page.locator('header select').selectOption('es');
  await checked();
  await page.locator('.finding .rule').first().click();
  await page.keyboard.press('Escape');
  await page.setInputFiles('#picker', [], { timeout: 1 }).catch(() => {});
  await page.waitForTimeout(200);
  assert.deepEqual(asked, []);
  assert.equal(server.requests.length, served);
});

test('markup, terminal sequences and text direction in names are shown and never obeyed', { skip }, async () => {
  const name = '<img src=x onerror="window.attacked = true">';
  const turned = '\u202egnp.exe\u001b[31m';
  await page.addInitScript(() => {
    /** @type {any} */ (window).attacked = false;
  });
  const document = JSON.stringify({ _id: 1, [name]: { [turned]: 1 }, $bad: 2 });
  await give({ name: `shop.${name}`, documents: `${document}\n${document.replace('"_id":1', '"_id":2')}`, indexes: JSON.stringify([{ v: 2, key: { [name]: 1, [turned]: 1 }, name, expireAfterSeconds: 1 }]) });
  for (const tab of ['findings', 'decisions', 'profile', 'schema', 'output']) {
    await show(tab);
    assert.equal(await page.locator('.view img').count(), 0, tab);
    const text = await page.locator('.view').evaluate((view) => view.textContent ?? '');
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/, tab);
  }
  await show('profile');
  assert.match(await page.locator('.view').innerText(), /<img src=x onerror=/);
  assert.match(await page.locator('.view').innerText(), /\\u202egnp\.exe/);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).attacked), false);
  assert.deepEqual(faults, []);
});

test('a link holds what was pasted and gives the same report; a damaged one says so', { skip }, async () => {
  await give({ indexes: TTL, documents: '{_id: 1, ñ: "añadido 🍃"}' });
  const before = await page.locator('.findings').innerText();
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.locator('.sheet input').inputValue();
  assert.match(link, /#s=[\w-]+$/);
  await page.goto('about:blank');
  await page.goto(link);
  await checked();
  assert.equal(await page.locator('.findings').innerText(), before);
  assert.equal(await page.locator('.name').inputValue(), 'shop.orders');
  await page.goto('about:blank');
  await page.goto(`${server.url}#s=${'A'.repeat(40)}`);
  assert.match(await page.locator('.failure').innerText(), /damaged/);
});

test('what does not fit into a link is said instead of offered', { skip }, async () => {
  const noise = Array.from({ length: 3000 }, (_, n) => `{_id: ${n}, h: "${Buffer.from(String(Math.sin(n)) + n).toString('base64')}"}`).join('\n');
  await open();
  await page.evaluate(() => document.body);
  await paste(noise);
  await checked();
  await page.getByRole('button', { name: 'Share' }).click();
  assert.match(await page.locator('.sheet').innerText(), /Too much for a link/);
  assert.equal(await page.locator('.sheet input').count(), 0);
});

test('dropped dumps are read, gzipped ones too', { skip }, async () => {
  await open();
  const dump = bson(Array.from({ length: 30 }, (_, n) => n));
  await page.locator('[data-part=files] h3 button').click();
  await page.setInputFiles('#picker', [
    { name: 'events.bson', mimeType: 'application/octet-stream', buffer: dump },
    { name: 'archive.bson.gz', mimeType: 'application/gzip', buffer: gzipSync(dump) },
  ]);
  await checked();
  assert.match(await page.locator('.status').innerText(), /60 documents/);
});

test('a trap loses one input, and the page goes on', { skip }, async () => {
  // The core has no input that makes it trap, so the boundary is made to: what holds a mark throws as a trap does.
  await page.addInitScript(() => {
    const trapping = `
      const Instance = WebAssembly.Instance;
      WebAssembly.Instance = function (module, imports) {
        const { exports } = new Instance(module, imports);
        const write = (self, at, length) => {
          if (new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length)).includes('TRAP')) throw new WebAssembly.RuntimeError('unreachable');
          return exports.vet_write(self, at, length);
        };
        return { exports: { ...exports, vet_write: write } };
      };
    `;
    const Real = window.Blob;
    window.Blob = /** @type {any} */ (class extends Real {
      constructor(/** @type {any[]} */ parts, /** @type {any} */ options) {
        super(options?.type === 'text/javascript' ? [trapping, ...parts] : parts, options);
      }
    });
  });
  await open();
  await page.locator('.name').fill('shop.good');
  await paste('{_id: 1, a: 1}\n{_id: 2, a: 2}');
  await page.getByRole('button', { name: 'Add a collection' }).click();
  await page.locator('.name').fill('shop.bad');
  await paste('{_id: 1, b: "TRAP"}');
  await checked();
  assert.match(await page.locator('.problems').innerText(), /shop\.bad/);
  assert.match(await page.locator('.status').innerText(), /^2 documents/);
  await show('profile');
  assert.match(await page.locator('.view').innerText(), /shop\.good/);
});

test('a worker that dies is replaced, and the next check succeeds', { skip }, async () => {
  // The page is made to think that its worker crashed, as a browser says when it runs out of memory.
  await page.addInitScript(() => {
    const Real = window.Worker;
    window.Worker = /** @type {any} */ (class extends Real {
      constructor(/** @type {string} */ url, /** @type {any} */ options) {
        super(url, options);
        /** @type {any} */ (window).lastWorker = this;
      }
    });
  });
  await open('#example=indexes');
  const before = await page.locator('.finding').count();
  await page.evaluate(() => {
    /** @type {any} */ (window).lastWorker.terminate();
    /** @type {any} */ (window).lastWorker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));
  });
  await page.locator('.name').fill('app.other');
  await checked();
  assert.equal(await page.locator('.finding').count(), before);
});

test('everything is said in Spanish too, and the choice stays', { skip }, async () => {
  await open('#example=shop');
  await page.locator('header select').selectOption('es');
  await checked();
  assert.equal(await page.locator('html').getAttribute('lang'), 'es');
  assert.match(await page.locator('#tab-findings').innerText(), /Hallazgos/);
  const english = (await reportOn([{ name: 'i.json', data: TTL }], { lang: 'en' })).findings[0].message;
  const spanish = (await reportOn([{ name: 'i.json', data: TTL }], { lang: 'es' })).findings[0].message;
  assert.notEqual(english, spanish);
  await page.reload();
  assert.match(await page.locator('#tab-findings').innerText(), /Hallazgos/);
});

for (const [width, height] of [[1440, 900], [360, 740]]) {
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    test(`no accessibility fault and nothing wider than the page at ${width} pixels, ${scheme}`, { skip }, async () => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      await open();
      await accessible('welcome');
      await open('#example=shop');
      await accessible('a report');
      for (const tab of ['decisions', 'profile', 'schema', 'output']) {
        await show(tab);
        await accessible(tab, '.report');
      }
      await show('findings');
      if (width <= 860) {
        await page.locator('.sides [data-side=evidence]').click();
        await accessible('evidence', '.evidence');
      }
      await page.locator('[data-part=settings] h3 button').click();
      await accessible('settings', '.evidence');
      await page.locator('[data-part=files] h3 button').click();
      await accessible('files', '.evidence');
      await page.getByRole('button', { name: 'Share' }).click();
      await accessible('share', 'dialog');
    });
  }
}

/** @param {string} what @param {string} [part] of the page; else all of it */
async function accessible(what, part) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${what} is ${wide} pixels wider than the page`);
  // The policy refuses injected scripts, so the checker comes through the debugger, as Playwright's own code does.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate((within) => /** @type {any} */ (window).axe.run(within ?? document), part);
  const told = violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.length} × ${nodes[0].target.join(' ')} ${nodes[0].failureSummary}`);
  assert.deepEqual(told, [], what);
}

test('the page of a rule opens in a drawer and on the website, and its examples open in the playground', { skip }, async () => {
  await open('#example=shop');
  const rule = await page.locator('.finding .rule').first().innerText();
  await page.locator('.finding .rule').first().click();
  await page.waitForSelector('dialog[open] .fence');
  await accessible('drawer', 'dialog');
  assert.equal(await page.locator('dialog h2').innerText(), rule);
  await page.locator('dialog button.small', { hasText: 'Open this example' }).first().click();
  await checked();
  assert.ok(0 < (await page.locator(`.finding[data-rule="${rule}"]`).count()), rule);
  for (const path of [`rules/${rule}.html`, `rules/es/${rule}.html`, 'rules/', 'rules/es/']) {
    await page.goto(server.url + path);
    await accessible(path);
  }
  await page.goto(`${server.url}rules/es/${rule}.html`);
  await page.getByRole('link', { name: 'Abrir este ejemplo' }).first().click();
  await page.waitForSelector(`.finding[data-rule="${rule}"]`);
  assert.deepEqual(faults, []);
});

test('a mistake in mongovet.json is told with its place, and the findings return when it is mended', { skip }, async () => {
  await open('#example=shop');
  const before = await page.locator('.finding').count();
  await page.locator('[data-part=settings] h3 button').click();
  await paste('{ "rulez": {} }');
  await page.waitForSelector('.failure');
  assert.match(await page.locator('.failure').innerText(), /rulez/);
  await paste('{ "rules": {} }');
  await page.waitForSelector('.finding');
  assert.equal(await page.locator('.finding').count(), before);
});

test('the keyboard alone reaches and works everything', { skip }, async () => {
  await open('#example=indexes');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'view');
  await page.locator('#tab-findings').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'tab-decisions');
  await page.keyboard.press('ArrowLeft');
  await page.locator('.finding .rule').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.classList.contains('rule')), true, 'the focus returns to where it was');
  // Tab leaves the editor.
  await page.locator('.part.open .cm-content').click();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.classList.contains('editor-host')), false);
});

test('relationships are drawn and listed, and growth has its curves', { skip }, async () => {
  await open();
  await page.locator('.welcome button').first().click();
  await checked();
  await show('decisions');
  const graph = page.locator('svg.graph');
  assert.equal(await graph.getAttribute('role'), 'img');
  assert.equal(await graph.locator('.box').count(), 2);
  assert.equal(await graph.locator('.box.part').count(), 1);
  assert.equal(await graph.locator('.edge.changes').count(), 1);
  await page.locator('section.graph summary').click();
  assert.match(await page.locator('section.graph li').innerText(), /blog\.posts → blog\.posts\.comments \(comments\): embed → parent-reference/);
  const curves = page.locator('.decision .growth .curve');
  assert.equal(await curves.count(), 2);
  const heights = (await curves.first().locator('circle').evaluateAll((circles) => circles.map((circle) => Number(circle.getAttribute('cy')))));
  assert.deepEqual(heights, [...heights].sort((a, b) => b - a), 'what grows rises');
  await show('profile');
  assert.equal(await page.locator('.profile .growth .curve').count(), 1);
  assert.deepEqual(faults, []);
});

test('the weight of the first load, held to its limit', { skip }, async (context) => {
  const seen = server.requests.length;
  await open();
  await page.waitForTimeout(500);
  const first = server.requests.slice(seen);
  const total = first.reduce((sum, { gzipped }) => sum + gzipped, 0);
  context.diagnostic(`first load: ${(total / 1000).toFixed(0)} KB gzipped in ${first.length} requests (target ${FIRST_LOAD.target / 1000} KB, limit ${FIRST_LOAD.limit / 1000} KB)`);
  for (const { path, gzipped } of first) context.diagnostic(`  ${(gzipped / 1000).toFixed(1)} KB ${path}`);
  const wasm = new WebAssembly.Module(readFileSync(new URL('../../pkg/built/mongovet_bg.wasm', import.meta.url)));
  if (WebAssembly.Module.exports(wasm).some(({ name }) => name === 'trap')) {
    context.skip('a quick build keeps its checks and is not what ships');
    return;
  }
  assert.ok(0 < total && total <= FIRST_LOAD.limit);
});

test('a re-check of 500 KB of pasted documents, measured', { skip }, async (context) => {
  const documents = Array.from({ length: 1900 }, (_, n) => JSON.stringify({
    _id: { $oid: (0x65000000 + n * 3600).toString(16) + n.toString(16).padStart(16, '0') },
    customer: { $oid: (n % 300).toString(16).padStart(24, '0') },
    at: { $date: new Date(1.7e12 + n * 3.6e6).toISOString() },
    total: { $numberDecimal: String(n / 100) },
    items: [{ sku: `s-${n % 90}`, quantity: 1 + (n % 4) }, { sku: `s-${n % 70}`, quantity: 2 }],
    note: 'as ordered by telephone',
  })).join('\n');
  await give({ documents });
  /** @type {number[]} */
  const inWorker = [];
  for (let round = 0; round < 7; round += 1) {
    const milliseconds = await page.evaluate(async (data) => {
      const started = performance.now();
      await /** @type {any} */ (window).mongovet.check([{ name: 'shop.orders.json', collection: 'shop.orders', data }]);
      return performance.now() - started;
    }, documents);
    inWorker.push(milliseconds);
  }
  inWorker.sort((a, b) => a - b);
  context.diagnostic(`re-check of ${(documents.length / 1000).toFixed(0)} KB: median ${inWorker[3].toFixed(1)} ms, fastest ${inWorker[0].toFixed(1)} ms (target 50 ms), with the way to the worker and back`);
  // The page stays free meanwhile: the longest wait between two frames says how free.
  const longest = await page.evaluate(async (data) => {
    let worst = 0;
    let last = performance.now();
    let isOver = false;
    const beat = () => {
      const now = performance.now();
      worst = Math.max(worst, now - last);
      last = now;
      if (!isOver) setTimeout(beat, 0);
    };
    beat();
    await /** @type {any} */ (window).mongovet.check([{ name: 'shop.orders.json', collection: 'shop.orders', data: data.repeat(8) }]);
    isOver = true;
    return worst;
  }, documents);
  context.diagnostic(`longest pause of the page during a check of ${((8 * documents.length) / 1e6).toFixed(1)} MB: ${longest.toFixed(0)} ms`);
  assert.ok(longest < 500, `the page stood still for ${longest} ms`);
});

/** A dump of documents `{n: …}`, by hand. @param {number[]} numbers */
function bson(numbers) {
  return Buffer.concat(numbers.map((n) => {
    const document = Buffer.alloc(12);
    document.writeInt32LE(12, 0);
    document[4] = 0x10;
    document.write('n\0', 5, 'latin1');
    document.writeInt32LE(n, 7);
    return document;
  }));
}
