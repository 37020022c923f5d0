// @ts-check
/**
 * Runs every kind of test and closes with one line that counts them all: `N passed, N failed, N skipped`.
 *
 * Names given as arguments choose the suites to run.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'target');

/**
 * @typedef {{ passed: number, failed: number, skipped: string[] }} Count
 * @typedef {{ name: string, run: () => Promise<Count> }} Suite
 */

/** @type {Suite[]} */
const SUITES = [
  { name: 'formatting', run: () => single('formatting', 'cargo', ['fmt', '--check']) },
  { name: 'clippy', run: () => single('clippy', 'cargo', ['clippy', '--all-targets', '--quiet', '--', '-D', 'warnings']) },
  { name: 'core', run: () => cargoTest() },
  { name: 'types', run: () => single('types', process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.']) },
  { name: 'hosts', run: () => nodeTest('tests/js') },
  { name: 'parity', run: () => nodeTest('tests/parity') },
  { name: 'browser', run: () => nodeTest('tests/browser') },
];

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !SUITES.some((suite) => suite.name === name));
if (unknown) {
  console.error(`there is no suite "${unknown}"; there are ${SUITES.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
/** @type {Count} */
const total = { passed: 0, failed: 0, skipped: [] };
for (const { name, run } of SUITES) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n== ${name}`);
  const started = Date.now();
  const { passed, failed, skipped } = await run();
  console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped.length} skipped in ${((Date.now() - started) / 1000).toFixed(0)} s`);
  total.passed += passed;
  total.failed += failed;
  total.skipped.push(...skipped);
}
console.log('');
for (const name of total.skipped) console.log(`skipped: ${name}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`);
process.exitCode = total.failed === 0 && 0 < total.passed ? 0 : 1;

/**
 * A command that is one test by itself.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<Count>}
 */
async function single(name, command, args) {
  const { status } = await execute(command, args);
  return status === 0 ? { passed: 1, failed: 0, skipped: [] } : { passed: 0, failed: 1, skipped: [] };
}

/** @returns {Promise<Count>} */
async function cargoTest() {
  const { status, output } = await execute('cargo', ['test', '--no-fail-fast', '--', '--show-output']);
  /** @type {Count} */
  const count = { passed: 0, failed: 0, skipped: [] };
  for (const [, passed, failed] of output.matchAll(/^test result: .*? (\d+) passed; (\d+) failed;/gm)) {
    count.passed += Number(passed);
    count.failed += Number(failed);
  }
  for (const [, name] of output.matchAll(/^test (.+?) \.\.\. ignored/gm)) count.skipped.push(name);
  // The runner knows no skipping at run time: a test that lacks something says so in this form, and passes.
  for (const [, name, told] of output.matchAll(/^---- (\S+) stdout ----\n((?!---- )[^]*?)(?=^---- |^\w*(?:successes|failures):$)/gm)) {
    const reason = /^skipped: (.+)$/m.exec(told)?.[1];
    if (reason === undefined) continue;
    count.passed -= 1;
    count.skipped.push(`${name} (${reason})`);
  }
  // It did not compile, or a process died before it could count.
  if (status !== 0 && count.failed === 0) count.failed = 1;
  return count;
}

/**
 * @param {string} folder
 * @returns {Promise<Count>}
 */
async function nodeTest(folder) {
  const files = existsSync(join(root, folder))
    ? readdirSync(join(root, folder)).filter((file) => /\.test\.(mjs|cjs)$/.test(file)).sort()
    : [];
  if (files.length === 0) return { passed: 0, failed: 0, skipped: [] };
  const results = join(target, `results-${folder.replaceAll('/', '-')}.tap`);
  rmSync(results, { force: true });
  const { status } = await execute(process.execPath, [
    '--test',
    '--test-concurrency=2',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${results}`,
    ...files.map((file) => join(folder, file)),
  ]);
  const tap = existsSync(results) ? readFileSync(results, 'utf8') : '';
  const figure = (/** @type {string} */ name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(tap)?.[1] ?? 0);
  /** @type {Count} */
  const count = { passed: figure('pass'), failed: figure('fail') + figure('cancelled'), skipped: [] };
  for (const [, name, why] of tap.matchAll(/^\s*ok \d+ - (.+?) # SKIP ?(.*)$/gm)) count.skipped.push(why ? `${name} (${why})` : name);
  if (status !== 0 && count.failed === 0) count.failed = 1;
  return count;
}

/**
 * Shows the output as it comes and keeps it.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{ status: number, output: string }>}
 */
function execute(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve({ status: 127, output });
    });
    child.on('close', (status) => resolve({ status: status ?? 1, output }));
  });
}
