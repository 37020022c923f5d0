// @ts-check
/**
 * Assembles the publishable package in pkg/ from js/ and the WebAssembly.
 *
 * `node js/build.mjs` builds what ships. `--quick` compiles fast and keeps the checks of a debug build.
 * `--out FOLDER` puts the package there. `--wasm FOLDER` takes wasm-pack's output from there and compiles nothing.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { loadable } from './loadable.mjs';
import { optionsOf, pageText } from './page-text.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'pkg') },
    wasm: { type: 'string' },
  },
});

/** The files of js/ that the package holds as they are. */
const COPIED = [
  'cli.mjs',
  'command-line.mjs',
  'commands.mjs',
  'core.js',
  'files.mjs',
  'help.mjs',
  'index.d.ts',
  'mongosh.cjs',
  'node.cjs',
  'node.mjs',
  'parallel.mjs',
  'progress.mjs',
  'shell.cjs',
  'web.d.ts',
  'words.mjs',
  'worker-node.mjs',
];
/** What Rust switches on for this target since 1.82, and the SIMD of .cargo/config.toml. */
const WASM_FEATURES = [
  'bulk-memory',
  'mutable-globals',
  'multivalue',
  'nontrapping-float-to-int',
  'reference-types',
  'sign-ext',
  'simd',
].map((feature) => `--enable-${feature}`);

const out = resolve(options.out);
const built = join(out, 'built');
const wasmFolder = options.wasm ? resolve(options.wasm) : compileWasm();
const wasm = options.quick || options.wasm ? join(wasmFolder, 'mongovet_bg.wasm') : optimised();
rmSync(built, { recursive: true, force: true });
mkdirSync(built, { recursive: true });
cpSync(wasm, join(built, 'mongovet_bg.wasm'));
await placeGlue();
placeRulePages();
await placeModules();
report();

/** @returns {string} the folder of wasm-pack's output */
function compileWasm() {
  const profile = options.quick ? 'quick' : 'release';
  const folder = join(root, 'target', `wasm-${profile}`);
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const path = [join(cache, 'mongovet', 'tools', 'bin'), process.env.PATH].join(delimiter);
  const flags = ['--target', 'web', '--mode', 'no-install', '--no-opt', '--no-typescript', '--no-pack'];
  execFileSync('wasm-pack', ['build', ...flags, '--profile', profile, '--out-dir', relative(root, folder), '.'], {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: 'inherit',
  });
  return folder;
}

/** @returns {string} the file */
function optimised() {
  const out = join(wasmFolder, 'optimised.wasm');
  const wasmOpt = join(root, 'node_modules', 'binaryen', 'bin', 'wasm-opt');
  // Functions with one caller stay on their own unless they are small: each engine compiles whole functions when they are
  // first called, and one that holds all rules is waited for long after a small file is read.
  const flags = ['-O3', '--one-caller-inline-max-function-size', '100', ...WASM_FEATURES];
  execFileSync(process.execPath, [wasmOpt, ...flags, join(wasmFolder, 'mongovet_bg.wasm'), '-o', out], { stdio: 'inherit' });
  return out;
}

/**
 * wasm-bindgen's module holds one instance for ever; as the body of a function it gives a new one each time,
 * which is what makes a trap survivable.
 */
async function placeGlue() {
  const bundled = await build({
    entryPoints: [join(wasmFolder, 'mongovet.js')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'glue',
    define: { 'import.meta.url': '""' },
  });
  const body = bundled.outputFiles[0].text;
  const instantiate = `// @ts-nocheck\nexport function instantiate(module) {\n${body}\nglue.initSync({ module });\nreturn glue;\n}\n`;
  writeFileSync(join(built, 'glue.js'), `${instantiate}export const folder = new URL('.', import.meta.url);\n`);

  // One file without `import`, for CommonJS and for what mongosh loads.
  writeFileSync(join(built, 'instantiate.js'), instantiate);
  await build({
    stdin: {
      contents: `export * from ${JSON.stringify(join(root, 'js', 'core.js'))};
        export { instantiate } from ${JSON.stringify(join(built, 'instantiate.js'))};
        export const folder = __dirname;`,
      resolveDir: root,
    },
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    banner: { js: '// @ts-nocheck' },
    outfile: join(built, 'core.cjs'),
  });
  rmSync(join(built, 'instantiate.js'));
  const { version } = JSON.parse(readFileSync(join(root, 'pkg', 'package.json'), 'utf8'));
  writeFileSync(join(built, 'version.js'), `export const version = ${JSON.stringify(version)};\n`);
}

/** The pages of the rules ship beside the WebAssembly, one file a language. */
function placeRulePages() {
  /** @type {Record<string, Record<string, string>>} */
  const pages = { en: {}, es: {} };
  const rules = join(root, 'src', 'rules');
  const files = existsSync(rules) ? /** @type {string[]} */ (readdirSync(rules, { recursive: true })) : [];
  for (const file of files.sort()) {
    const page = /^(?<id>[^/]+\/[^/]+?)(?<spanish>\.es)?\.md$/.exec(file.replaceAll('\\', '/'))?.groups;
    if (page === undefined) continue;
    const text = readFileSync(join(rules, file), 'utf8');
    // The words on top are in the WebAssembly; what follows them is for people.
    pages[page.spanish ? 'es' : 'en'][page.id] = text.replace(/^---\n[^]*?\n---\n+/, '');
  }
  const schema = JSON.parse(readFileSync(join(root, 'js', 'mongovet.schema.json'), 'utf8'));
  for (const language of /** @type {const} */ (['en', 'es'])) {
    // The site makes elements of the pages as they are written; `explain` prints them for reading.
    writeFileSync(join(built, `pages.${language}.json`), `${JSON.stringify(pages[language])}\n`);
    const texts = Object.keys(pages.en).map((id) => [id, pageText(id, pages, optionsOf(schema, id), language)]);
    writeFileSync(join(built, `rules.${language}.json`), `${JSON.stringify(Object.fromEntries(texts))}\n`);
  }
  cpSync(join(root, 'js', 'mongovet.schema.json'), join(out, 'mongovet.schema.json'));
}

async function placeModules() {
  for (const file of COPIED) cpSync(join(root, 'js', file), join(out, file));
  if (out !== join(root, 'pkg')) {
    for (const file of ['package.json', 'README.md']) cpSync(join(root, 'pkg', file), join(out, file));
  }
  // The types of a CommonJS module must not stand in a file that counts as an ECMAScript one.
  cpSync(join(root, 'js', 'index.d.ts'), join(out, 'index.d.cts'));
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
  await placeWeb();
  writeFileSync(join(out, 'mongovet.mongosh.js'), loadable(root, built));
}

/** Browsers know no import maps of package.json, so the web entry is one bundle that finds the WebAssembly beside it. */
async function placeWeb() {
  await build({
    entryPoints: [join(root, 'js', 'web.mjs')],
    bundle: true,
    format: 'esm',
    outfile: join(built, 'web.js'),
    alias: { '#built/glue.js': join(built, 'glue.js') },
  });
}

function report() {
  const wasm = readFileSync(join(built, 'mongovet_bg.wasm'));
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(0)} KB`;
  console.error(`${relative(process.cwd(), out) || '.'}: WebAssembly of ${kilobytes(wasm.length)}, gzipped ${kilobytes(gzipSync(wasm, { level: 9 }).length)}`);
}
