// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { folder } from './folders.mjs';
import { mongovet, root, run, shop } from './run.mjs';

const ORDERS = '[{"_id":{"$oid":"65f000000000000000000001"},"total":{"$numberInt":"3"}}]';

test('the shop: findings on the terminal, exit code by severity', async () => {
  const { status, stdout, stderr } = await mongovet([shop]);
  assert.equal(stderr, '');
  const { stdout: json } = await mongovet([shop, '--format', 'json']);
  const { summary } = JSON.parse(json);
  assert.ok(0 < summary.warning);
  assert.equal(status, 0 < summary.error ? 1 : 0);
  assert.match(stdout, /shop\.posts/);
  assert.doesNotMatch(stdout, /\x1b/);
  const codes = async (/** @type {string[]} */ ...args) => (await mongovet([shop, ...args])).status;
  assert.equal(await codes('--fail-on', 'warning'), 1);
  assert.equal(await codes('--select', 'document/no-such-*x'), 2);
  assert.equal(await codes('--max-warnings', String(summary.warning), '--fail-on', 'error'), 0 < summary.error ? 1 : 0);
  assert.equal(await codes('--max-warnings', '0'), 1);
});

test('colour comes when asked for', async () => {
  assert.match((await mongovet([shop, '--color', 'always'])).stdout, /\x1b\[/);
  assert.doesNotMatch((await mongovet([shop, '--color', 'never'])).stdout, /\x1b/);
});

test('colour comes by itself on a terminal, but for NO_COLOR', { skip: !existsSync('/usr/bin/script') && 'there is no `script` to make a terminal' }, async () => {
  const onTerminal = (/** @type {Record<string, string>} */ env) =>
    run('script', ['-qec', `${process.execPath} js/cli.mjs ${shop}`, '/dev/null'], { env: { TERM: 'xterm', NO_COLOR: undefined, ...env } });
  assert.match((await onTerminal({})).stdout, /\x1b\[[\d;]*m/);
  assert.doesNotMatch((await onTerminal({ NO_COLOR: '1' })).stdout, /\x1b\[[\d;]*m/);
});

test('several outputs of one run', async (t) => {
  const path = folder(t);
  const { stdout } = await mongovet([join(root, shop), '--format', 'json', '--output-file', 'r.json', '--format', 'concise'], { cwd: path });
  const { findings } = JSON.parse(readFileSync(join(path, 'r.json'), 'utf8'));
  assert.ok(0 < findings.length);
  assert.ok(stdout.includes(findings[0].rule));
});

test('a file that cannot be written is a mistake', async () => {
  const { status, stderr } = await mongovet([shop, '-o', 'no/such/folder/r.json']);
  assert.equal(status, 2);
  assert.match(stderr, /^mongovet: no\/such\/folder\/r\.json cannot be written/);
});

test('the settings in force can be shown', async (t) => {
  const path = folder(t, { 'shop/a.b.json': ORDERS, 'shop/mongovet.json': '{"serverVersion": "7.0"}' });
  const { stdout } = await mongovet(['shop', '--print-config', '--select', 'index/*', '--now', '2026-01-01'], { cwd: path });
  const { select, now, today, config, configName } = JSON.parse(stdout);
  assert.deepEqual([select, now, today, config, configName], [['index/*'], '2026-01-01', '2026-01-01', { serverVersion: '7.0' }, 'shop/mongovet.json']);
});

test('standard input says the same as the file', async (t) => {
  const path = folder(t, { 'shop.orders.json': ORDERS });
  const read = async (/** @type {string[]} */ args, /** @type {string} */ input = '') => JSON.parse((await mongovet([...args, '--format', 'json'], { cwd: path, input })).stdout);
  const file = await read(['shop.orders.json']);
  assert.deepEqual(await read(['-', '--stdin-name', 'shop.orders.json'], ORDERS), file);
  assert.equal(file.inputs[0].collection, 'shop.orders');
  const { inputs } = await read(['-', '--collection', 'x.y'], ORDERS);
  assert.deepEqual([inputs[0].name, inputs[0].collection], ['stdin', 'x.y']);
});

test('what a shell puts in place of a command is read once', { skip: process.platform === 'win32' && 'no named pipes' }, async (t) => {
  const path = folder(t, { 'shop.orders.json': ORDERS });
  const { stdout, stderr } = await run('bash', ['-c', `node ${join(root, 'js', 'cli.mjs')} <(cat shop.orders.json) --collection shop.orders --format json`], { cwd: path });
  const [input] = JSON.parse(stdout || '{"inputs": []}').inputs;
  assert.deepEqual([input?.documents, input?.collection], [1, 'shop.orders'], stderr);
});

test('a mistake is exit code 2 and one sentence on stderr', async (t) => {
  const path = folder(t, { 'picture.png': '\x89PNG\r\n\x1a\n\0\0', 'empty/readme.txt': 'hello', 'bad/mongovet.json': '{"rules": 5', 'bad/a.b.json': ORDERS });
  /** @type {[string[], RegExp][]} */
  const mistakes = [
    [['nowhere'], /^mongovet: there is no nowhere\n$/],
    [['chekc'], /neither a command nor a file "chekc"; did you mean check\?/],
    [['check'], /needs a PATH/],
    [['.', '--unknown'], /there is no option --unknown/],
    [['picture.png'], /picture\.png: nothing in it could be read as evidence/],
    [['empty'], /empty: nothing in it could be read as evidence/],
    [['bad'], /mongovet\.json/],
    [['empty', '--lang', 'fr'], /--lang takes en, es/],
    [['bad/a.b.json', '--config', 'none.json'], /none\.json cannot be read/],
    [['explain', 'document/large-aray'], /did you mean document\/large-array\?/],
    [['picture.png', '--max-findings', 'many'], /--max-findings takes a whole number/],
    [['chekc', '--lang', 'es'], /ni una orden ni un fichero «chekc»; ¿querías decir check\?/],
    [['picture.png', '--lang', 'es'], /picture\.png: nada de su contenido se pudo leer como evidencia/],
    [['explain', 'document/large-aray', '--lang=es'], /no existe la regla .*¿querías decir document\/large-array\?/],
  ];
  for (const [args, sentence] of mistakes) {
    const { status, stderr, stdout } = await mongovet(args, { cwd: path });
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, sentence);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    if (!args[0].startsWith('picture') && args[0] !== 'empty') assert.equal(stdout, '');
  }
});

test('a declared model alone is evidence', async (t) => {
  const path = folder(t, { 'model/mongovet.json': '{}' });
  assert.equal((await mongovet(['model'], { cwd: path })).stderr, '');
});

test('problems of the input: told, and as strict as asked', async (t) => {
  const path = folder(t, { 'shop.orders.json': `${ORDERS.slice(1, -1)}\n{"_id": {"$oid": "65f0` });
  const code = async (/** @type {string[]} */ ...args) => (await mongovet(['shop.orders.json', ...args], { cwd: path })).status;
  assert.equal(await code(), 0);
  assert.equal(await code('--fail-on', 'problem'), 1);
  assert.equal(await code('--strict-input'), 2);
});

test('a reader that leaves early is no failure', async () => {
  const child = spawn(process.execPath, ['js/cli.mjs', shop, '--format', 'json'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  child.stdout.destroy();
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(stderr, '');
  assert.equal(status, 0);
});

test('profile, advise, schema, rules and explain answer in each of their formats', async () => {
  for (const [command, formats] of Object.entries({ profile: ['text', 'json', 'html'], advise: ['text', 'markdown', 'json'], schema: ['json', 'typescript', 'mermaid'] })) {
    for (const format of formats) {
      const { status, stdout, stderr } = await mongovet([command, shop, '--format', format]);
      assert.equal(status, 0, `${command} ${format}: ${stderr}`);
      assert.ok(50 < stdout.length, `${command} ${format}`);
      if (format === 'json') JSON.parse(stdout);
    }
  }
  const { stdout: rules } = await mongovet(['rules']);
  assert.match(rules, /^document\/unbounded-array /m);
  const { stdout: page } = await mongovet(['explain', 'document/unbounded-array']);
  assert.match(page, /## Bad/);
  const { stdout: spanish } = await mongovet(['explain', 'document/unbounded-array', '--lang', 'es']);
  assert.match(spanish, /## Cuándo ignorarla/);
});

test('a saved profile can be merged later', async (t) => {
  const path = folder(t);
  const dump = join(root, shop, 'dump');
  await mongovet(['profile', dump, '--save', 'shop.mvprofile'], { cwd: path });
  const { stdout, stderr, status } = await mongovet(['profile', 'shop.mvprofile', '--format', 'json'], { cwd: path });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /shop\.orders/);
});

test('init writes what check reads, and never over what is there', async (t) => {
  const path = folder(t);
  const dump = join(root, shop, 'dump');
  const { stdout, stderr, status } = await mongovet(['init', dump], { cwd: path });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /mongovet\.json/);
  const written = readFileSync(join(path, 'mongovet.json'), 'utf8');
  assert.match(written, /"parent": "shop\.posts", "path": "comments"/);
  const checked = await mongovet(['check', dump, '--config', 'mongovet.json'], { cwd: path });
  assert.notEqual(checked.status, 2, checked.stderr);
  const again = await mongovet(['init', dump], { cwd: path });
  assert.equal(again.status, 2);
  assert.match(again.stderr, /mongovet\.json is there already/);
  assert.equal(readFileSync(join(path, 'mongovet.json'), 'utf8'), written);
  const shown = await mongovet(['init', dump, '-o', '-', '--config', 'mongovet.json', '--lang', 'es'], { cwd: path });
  assert.equal(shown.status, 0, shown.stderr);
  assert.match(shown.stdout, /escrito por|"relationships"/);
  assert.equal((await mongovet(['init', 'nothing-here'], { cwd: path })).status, 2);
});

test('threads change nothing in the report', async (t) => {
  const lines = Array.from({ length: 150_000 }, (_, at) => `{"_id":{"$oid":"${at.toString(16).padStart(24, '0')}"},"n":{"$numberInt":"${at % 997}"},"tags":["a","b"],"text":"${'x'.repeat(at % 90)}"}\n`).join('');
  const path = folder(t, { 'a.one.ndjson': lines, 'a.two.ndjson': lines.slice(0, 1_000_000), 'a.three.ndjson': lines.replaceAll('tags', 'marks') });
  const read = async (/** @type {string} */ jobs) => (await mongovet(['.', '--format', 'json', '--jobs', jobs], { cwd: path })).stdout;
  const alone = await read('1');
  assert.ok(1000 < alone.length);
  assert.equal(await read('2'), alone);
});

test('nothing of progress is drawn where there is no terminal', async () => {
  const { stderr } = await mongovet([shop]);
  assert.equal(stderr, '');
});

test('a named file of which nothing could be read is a mistake, an empty dump is none', async (t) => {
  const path = folder(t, { 'prose.json': 'no documents {{{', 'open.json': '[[[[', 'torn.mvprofile': 'mvprofile2\nxx', 'a.bson': '' });
  for (const name of ['prose.json', 'open.json', 'torn.mvprofile']) {
    const { status, stderr } = await mongovet([name], { cwd: path });
    assert.equal(status, 2, name);
    assert.match(stderr, /nothing in it could be read as evidence/);
  }
  assert.equal((await mongovet(['a.bson'], { cwd: path })).status, 0);
});

test('mistakes of use have one sentence and the exit code 2', async () => {
  const mistakes = {
    'ends in .mvprofile': ['profile', shop, '--save', 'shop.vet'],
    'cannot be written': ['profile', shop, '--save', 'no/such/folder/shop.mvprofile'],
    'an empty PATH': [''],
    '--collection needs a value': [shop, '--collection', ''],
    'takes no "index/sparse"': ['rules', 'index/sparse'],
    'did you mean document/mixed-types?': ['explain', 'mixed-types'],
  };
  for (const [text, args] of Object.entries(mistakes)) {
    const { status, stderr } = await mongovet(args);
    assert.equal(status, 2, text);
    assert.ok(stderr.includes(text), stderr);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});

test('each rule is listed with what its page says first', async () => {
  const { stdout } = await mongovet(['rules', '--format', 'json']);
  for (const { id, summary } of JSON.parse(stdout)) assert.match(summary, /^[^#\s].{10}/, id);
});
