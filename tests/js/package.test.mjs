// @ts-check
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, after, test } from 'node:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

import { root, run } from './run.mjs';
import { check } from '../../js/node.mjs';

const INPUT = { name: 'shop.orders.json', data: '[{"_id":{"$oid":"65f000000000000000000001"},"total":"12.50"}]' };
const PRINT = `check([${JSON.stringify(INPUT)}]).then((report) => console.log(JSON.stringify(report)));`;
/** An empty project with nothing but the package. */
let project = '';

before(async () => {
  project = mkdtempSync(join(tmpdir(), 'mongovet-package-'));
  const packed = await run('npm', ['pack', '--pack-destination', project, '--json'], { cwd: join(root, 'pkg') });
  assert.equal(packed.status, 0, packed.stderr);
  const [{ filename }] = JSON.parse(packed.stdout);
  writeFileSync(join(project, 'package.json'), '{"name": "empty", "version": "1.0.0"}');
  const installed = await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', `./${filename}`], { cwd: project });
  assert.equal(installed.status, 0, installed.stderr);
});
after(() => rmSync(project, { recursive: true, force: true }));

test('the installed package answers through import and through require as the sources do', async () => {
  const expected = JSON.stringify(await check([INPUT]));
  writeFileSync(join(project, 'a.mjs'), `import { check } from 'mongovet';\n${PRINT}`);
  writeFileSync(join(project, 'a.cjs'), `const { check } = require('mongovet');\n${PRINT}`);
  for (const file of ['a.mjs', 'a.cjs']) {
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: project });
    assert.equal(stdout.trim(), expected, stderr);
  }
});

test('both module systems offer the same functions', async () => {
  writeFileSync(join(project, 'b.mjs'), "console.log(Object.keys(await import('mongovet')).filter((name) => !['core', 'compiled', 'default'].includes(name)).sort().join());");
  writeFileSync(join(project, 'b.cjs'), "console.log(Object.keys(require('mongovet')).sort().join());");
  const [esm, cjs] = await Promise.all(['b.mjs', 'b.cjs'].map((file) => run(process.execPath, [file], { cwd: project })));
  assert.equal(esm.stdout, cjs.stdout, esm.stderr + cjs.stderr);
  assert.match(cjs.stdout, /advise,adviseSync,check,checkSync,explain/);
});

test('the command is installed, and mongosh and browsers find their files', async () => {
  const { stdout } = await run(join(project, 'node_modules', '.bin', 'mongovet'), ['--version'], { cwd: project });
  assert.match(stdout, /^mongovet \d+\.\d+\.\d+\n$/);
  const installed = join(project, 'node_modules', 'mongovet');
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  /** @type {(entry: any) => string[]} */
  const files = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(files));
  const named = files(exports);
  assert.ok(named.length > 8);
  for (const file of [...named, 'mongovet.mongosh.js']) assert.ok(existsSync(join(installed, file)), file);
});

test('the published types fit what is exported, in both module systems', async () => {
  const source = `import { check, checkSync, explain, rules, version, type Report } from 'mongovet';
    const report: Report = checkSync([{ name: 'a.json', data: new Uint8Array() }], { lang: 'es', select: ['document/*'] });
    for (const { rule, severity, location } of report.findings) console.log(rule, severity.toUpperCase(), location?.start?.line);
    export const answers: Promise<Report> = check([{ name: 'a.json', data: (async function* () { yield 'x'; })() }]);
    export const words: string = explain(rules()[0].id) + version();
    // @ts-expect-error: inputs are objects with a name
    check(['text']);\n`;
  writeFileSync(join(project, 'types.mts'), source);
  writeFileSync(join(project, 'types.cts'), source);
  const options = { compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: [] }, files: ['types.mts', 'types.cts'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(options));
  const { status, stdout } = await run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project]);
  assert.equal(stdout, '');
  assert.equal(status, 0);
});

test('the lock file names no registry', () => {
  assert.doesNotMatch(readFileSync(join(root, 'package-lock.json'), 'utf8'), /"resolved"/);
});
