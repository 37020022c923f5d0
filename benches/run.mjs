// @ts-check
/**
 * The benchmark: prints a table in Markdown whose ratios all come from this one run.
 *
 * `npm run bench` builds what ships and measures it; `npm run bench -- --quick` takes smaller inputs.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { BSON } from 'bson';

import { core } from '../js/node.mjs';
import { makeDocuments, makeLog, makeQueries, makeScript, meanSize, toBson, toNdjson, writeLarge } from './data.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'target', 'bench');
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
const MB = 1e6;
const LARGE = options.quick ? 100 * MB : 1000 * MB;
const DOCUMENTS = options.quick ? 20_000 : 100_000;
const ROUNDS = 5;
const cli = [join(root, 'js', 'cli.mjs')];

/** @param {number} bytes @param {number} seconds */
const rate = (bytes, seconds) => bytes / seconds / MB;
/** @param {number} megabytes */
const perSecond = (megabytes) => `${megabytes.toFixed(0)} MB/s`;
/** @param {number} value */
const milliseconds = (value) => `${value.toFixed(0)} ms`;

/** @typedef {{ what: string, measured: string, target: string, holds: boolean | undefined }} Row */
/** @type {Row[]} */
const rows = [];

/** @type {[string, () => void | Promise<void>][]} */
const SECTIONS = [
  ['speed', speed],
  ['threads', threads],
  ['memory', memory],
  ['linear', linear],
  ['text', text],
  ['start', start],
  ['size', size],
];

mkdirSync(folder, { recursive: true });
for (const [name, section] of SECTIONS) {
  if (options.only !== undefined && options.only !== name) continue;
  console.error(`${name} …`);
  await section();
}
print();

/** Points 1 to 3: one thread, against mongodb-schema, the bare walk, and the same core built natively. */
async function speed() {
  const documents = makeDocuments(DOCUMENTS);
  const bson = toBson(documents);
  const ndjson = toNdjson(documents);
  const bsonFile = keep('orders.bson', bson);
  console.error(`${documents.length} documents, ${meanSize(documents).toFixed(0)} bytes each, ${(ndjson.length / documents.length).toFixed(0)} as JSON`);

  // Both read the same documents equally often, and the best round of each counts: all code is warm by then.
  const packed = documents.map((document) => BSON.serialize(document));
  const lines = ndjson.toString().trimEnd().split('\n');
  const schemaOfBson = rate(bson.length, await bestOf(ROUNDS, () => mongodbSchema(packed, BSON.deserialize)));
  const schemaOfNdjson = rate(ndjson.length, await bestOf(ROUNDS, () => mongodbSchema(lines, (line) => BSON.EJSON.parse(line, { relaxed: false }))));
  const profileBson = rate(bson.length, await bestOf(ROUNDS, () => profile('bench.orders.bson', bson)));
  const profileNdjson = rate(ndjson.length, await bestOf(ROUNDS, () => profile('bench.orders.ndjson', ndjson)));
  const walk = rate(bson.length, await bareWalk(bson));
  const native = rate(bson.length, nativeProfile(bsonFile));

  row('`profile` of BSON, one thread', perSecond(profileBson), '', undefined);
  ratio('… against `mongodb-schema` with `bson.deserialize`', profileBson, schemaOfBson, 25);
  share('… of the bare walk in WebAssembly', profileBson, walk, 0.15);
  row('`profile` of NDJSON, one thread', perSecond(profileNdjson), '', undefined);
  ratio('… against `mongodb-schema` with `EJSON.parse`', profileNdjson, schemaOfNdjson, 25);
  share('WebAssembly of the same core built natively', profileBson, native, 0.6);
}

/** Point 4. */
async function threads() {
  const documents = makeDocuments(DOCUMENTS / 5);
  const file = join(folder, 'large.bson');
  // Threads are for what takes seconds: of less the start of the process is most.
  writeLarge(file, Math.max(LARGE / 2, 400 * MB), documents, 'bson');
  const take = (/** @type {number} */ jobs) => {
    const started = performance.now();
    const { stdout } = spawnSync(process.execPath, [...cli, 'profile', file, '--format', 'json', '--jobs', String(jobs)], { maxBuffer: 1 << 28, encoding: 'utf8' });
    return { seconds: (performance.now() - started) / 1000, stdout };
  };
  const rounds = Array.from({ length: 3 }, () => [take(1), take(2)]);
  const best = (/** @type {number} */ at) => Math.min(...rounds.map((round) => round[at].seconds));
  const size = `${Math.round(statSync(file).size / MB)} MB`;
  ratio(`two threads against one, on one file of ${size} (${availableParallelism()} cores)`, 1 / best(1), 1 / best(0), 1.7);
  const isSame = rounds.flat().every(({ stdout }) => stdout === rounds[0][0].stdout);
  row('… with the identical profile', isSame ? 'yes' : 'no', 'yes', isSame);
  rmSync(file);
}

/** Point 5. */
async function memory() {
  const documents = makeDocuments(DOCUMENTS / 5);
  for (const form of /** @type {const} */ (['bson', 'ndjson'])) {
    const file = join(folder, `large.${form}`);
    writeLarge(file, LARGE, documents, form);
    await peak(`peak memory, ${Math.round(statSync(file).size / MB)} MB of ${form === 'bson' ? 'BSON' : 'NDJSON'}`, file);
    rmSync(file);
  }
  const array = join(folder, 'array.json');
  writeFileSync(array, `[${toNdjson(documents).toString().trimEnd().split('\n').concat().join(',')}`);
  const part = `,${toNdjson(documents).toString().trimEnd().split('\n').join(',')}`;
  while (statSync(array).size < LARGE / 5) writeFileSync(array, part, { flag: 'a' });
  writeFileSync(array, ']', { flag: 'a' });
  await peak(`peak memory, a JSON array of ${Math.round(statSync(array).size / MB)} MB on one line`, array);
  rmSync(array);

  const keys = join(folder, 'keys.bson');
  writeFileSync(keys, Buffer.concat(Array.from({ length: 1000 }, (_, at) => {
    const scores = Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`65f000000000000000${(at * 100 + key).toString(16).padStart(6, '0')}`, key]));
    return BSON.serialize({ _id: at, scores });
  })));
  await peak('peak memory, 100,000 keys that are data', keys);
  const big = join(folder, 'big.bson');
  const bytes = BSON.serialize({ _id: 1, list: Array.from({ length: 200_000 }, (_, at) => ({ at, text: 'x'.repeat(50) })) }, { checkKeys: false });
  writeFileSync(big, Buffer.concat(Array.from({ length: 10 }, () => bytes)));
  await peak(`peak memory, documents of ${(bytes.length / (1 << 20)).toFixed(1)} MiB`, big);
}

/** Point 6. */
async function linear() {
  const documents = makeDocuments(DOCUMENTS);
  const [few, many] = [toBson(documents.slice(0, DOCUMENTS / 10)), toBson(documents)];
  const slow = await bestOf(3, () => profile('bench.orders.bson', many));
  const fast = await bestOf(3, () => profile('bench.orders.bson', few));
  const factor = slow / fast;
  row('ten times the documents take', `${factor.toFixed(1)} × the time`, '≤ 11 ×', factor <= 11);

  const wide = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field${at}`, at]));
  const inputs = Array.from({ length: 1000 }, (_, at) => ({ name: `wide/c${at}.bson`, data: Buffer.concat([0, 1, 2].map((id) => BSON.serialize({ _id: id, ...wide }))) }));
  const session = core.session({});
  const { runSync } = await import('../js/core.js');
  for (const input of [...inputs, { name: 'queries.js', data: makeQueries(5000) }]) runSync(session.feed(input));
  const started = performance.now();
  runSync(session.answer(inputs));
  session.finish();
  const seconds = (performance.now() - started) / 1000;
  row('rules and advice on 1,000 collections of 200 fields, 5,000 queries', `${seconds.toFixed(2)} s`, '< 2 s', seconds < 2);

  const check = (/** @type {string} */ data) => bestOf(3, () => core.checkSync([{ name: 'queries.js', data }]));
  const operations = (await check(makeQueries(5000))) / (await check(makeQueries(500)));
  row('ten times the operations take', `${operations.toFixed(1)} × the time`, '≤ 11 ×', operations <= 11);
}

/** Point 7: what the application and the server wrote. */
async function text() {
  const script = makeScript(MB);
  const seconds = await bestOf(ROUNDS, () => core.checkSync([{ name: 'application.js', data: script }]));
  row('`check` of 1 MB of script', milliseconds(seconds * 1000), '< 100 ms', seconds < 0.1);
  const log = makeLog(options.quick ? 100_000 : 1_000_000);
  const speed = rate(log.length, await bestOf(ROUNDS, () => core.checkSync([{ name: 'mongod.log', data: log }])));
  row('`check` of a log of the server, 1 line in 100 a slow query', perSecond(speed), '≥ 150 MB/s', 150 <= speed);
}

/** Point 8: medians, since one start differs from the next. */
async function start() {
  const file = keep('small.json', Buffer.from('[{"_id":1,"a":2}]'));
  const bare = median(() => time(['-e', '0']));
  const version = median(() => time([...cli, '--version']));
  const check = median(() => time([...cli, 'check', file]));
  row('`node -e 0`', milliseconds(bare), '', undefined);
  ratioAtMost('`mongovet --version` against it', version, bare, 1.5);
  row('`check` of one small file beyond it', milliseconds(check - bare), '≤ 80 ms', check - bare <= 80);
}

/** Point 9. */
function size() {
  const wasm = readFileSync(join(root, 'pkg', 'built', 'mongovet_bg.wasm'));
  const gzipped = gzipSync(wasm, { level: 9 }).length / 1000;
  row('the WebAssembly, gzipped', `${gzipped.toFixed(0)} KB`, '≤ 700 KB', gzipped <= 700);
}

/**
 * @param {string} name
 * @param {Uint8Array} data
 */
function profile(name, data) {
  core.profileSync([{ name, data }]);
}

/**
 * @template T
 * @param {T[]} packed
 * @param {(packed: T) => any} unpack
 */
async function mongodbSchema(packed, unpack) {
  const { analyzeDocuments } = createRequire(import.meta.url)('mongodb-schema');
  async function* documents() {
    for (const one of packed) yield unpack(one);
  }
  const analysis = await analyzeDocuments(documents());
  await analysis.getInternalSchema();
}

/** @param {Uint8Array} bytes */
async function bareWalk(bytes) {
  const file = join(folder, 'walk.wasm');
  const source = join(root, 'benches', 'walk', 'walk.rs');
  execFileSync('rustc', ['--edition', '2024', '--crate-type', 'cdylib', '--target', 'wasm32-unknown-unknown', '-C', 'opt-level=3', '-C', 'target-feature=+simd128', source, '-o', file]);
  const { instance } = await WebAssembly.instantiate(readFileSync(file));
  const { memory, room, walk } = /** @type {any} */ (instance.exports);
  const pointer = room(bytes.length);
  new Uint8Array(memory.buffer, pointer, bytes.length).set(bytes);
  return bestOf(5, () => walk(pointer, bytes.length));
}

/**
 * Seconds of the native core alone: the start of the process is taken off.
 * @param {string} file
 */
function nativeProfile(file) {
  execFileSync('cargo', ['build', '--release', '--quiet', '--example', 'report'], { cwd: root, stdio: 'inherit' });
  const binary = join(root, 'target', 'release', 'examples', 'report');
  const empty = keep('empty.json', Buffer.from(''));
  const take = (/** @type {string} */ path) => {
    const started = performance.now();
    execFileSync(binary, ['{}', 'profile', 'bench.orders.bson', path], { maxBuffer: 1 << 28 });
    return (performance.now() - started) / 1000;
  };
  const best = (/** @type {string} */ path) => Math.min(take(path), take(path), take(path));
  return best(file) - best(empty);
}

/**
 * @param {string} what
 * @param {string} file
 */
async function peak(what, file) {
  const bytes = await peakOf([...cli, 'check', file, '--format', 'json', '--jobs', '1']);
  row(what, `${Math.round(bytes / MB)} MB`, '< 200 MB', bytes < 200 * MB);
}

/**
 * The most memory that a process had resident, as Linux counts it.
 * @param {string[]} args
 * @returns {Promise<number>}
 */
function peakOf(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    let most = 0;
    const look = setInterval(() => {
      const status = `/proc/${child.pid}/status`;
      if (!existsSync(status)) return;
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8')) ?? [];
      most = Math.max(most, Number(kilobytes ?? 0) * 1024);
    }, 20);
    child.on('close', () => {
      clearInterval(look);
      resolve(most);
    });
  });
}

/**
 * @param {number} times
 * @param {() => unknown} work
 * @returns {Promise<number>} seconds
 */
async function bestOf(times, work) {
  let best = Infinity;
  for (let round = 0; round < times; round += 1) {
    const started = performance.now();
    await work();
    best = Math.min(best, (performance.now() - started) / 1000);
  }
  return best;
}

/** @param {string[]} args */
function time(args) {
  const started = performance.now();
  spawnSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - started;
}

/** @param {() => number} take */
function median(take) {
  const taken = Array.from({ length: 15 }, take).sort((a, b) => a - b);
  return taken[7];
}

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 */
function keep(name, bytes) {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

/** @param {string} what @param {string} measured @param {string} target @param {boolean | undefined} holds */
function row(what, measured, target, holds) {
  rows.push({ what, measured, target, holds });
}

/** @param {string} what @param {number} ours @param {number} theirs @param {number} least */
function ratio(what, ours, theirs, least) {
  row(what, `${(ours / theirs).toFixed(1)} ×`, `≥ ${least} ×`, least <= ours / theirs);
}

/** @param {string} what @param {number} ours @param {number} theirs @param {number} most */
function ratioAtMost(what, ours, theirs, most) {
  row(what, `${(ours / theirs).toFixed(2)} ×`, `≤ ${most} ×`, ours / theirs <= most);
}

/** @param {string} what @param {number} ours @param {number} limit @param {number} least */
function share(what, ours, limit, least) {
  row(what, `${((100 * ours) / limit).toFixed(0)} %`, `≥ ${100 * least} %`, least <= ours / limit);
}

function print() {
  console.log(`Node ${process.version} on ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}\n`);
  console.log('| what | measured | target | holds |\n|---|---|---|---|');
  for (const { what, measured, target, holds } of rows) {
    console.log(`| ${what} | ${measured} | ${target} | ${holds === undefined ? '' : holds ? 'yes' : '**no**'} |`);
  }
}
