// @ts-check
/** The library in browsers: what Node has, the core being fetched at the first use or handed over by `init`. */
import { createCore } from './core.js';
import { instantiate } from '#built/glue.js';

/** @typedef {'en' | 'es'} Language */

/** @type {WebAssembly.Module | undefined} */
let compiled;
/** @type {Promise<void> | undefined} */
let starting;
/** @type {Map<string, string>} */
const pages = new Map();

const core = createCore({
  instantiate: () => instantiate(ready()),
  page: (language) => pages.get(language) ?? '{}',
});

/**
 * Makes the core ready. Without an argument it is fetched from beside this file; a page whose policy forbids that, or
 * a worker that was handed the compiled module, passes the module, its bytes, a response or a URL.
 * @param {WebAssembly.Module | BufferSource | Response | URL | string} [source]
 * @returns {Promise<void>}
 */
export function init(source) {
  starting ??= compile(source).catch((error) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

/** @param {WebAssembly.Module | BufferSource | Response | URL | string} [source] */
async function compile(source = new URL('./mongovet_bg.wasm', import.meta.url)) {
  if (source instanceof WebAssembly.Module) {
    compiled = source;
    return;
  }
  const isPlace = typeof source === 'string' || source instanceof URL;
  const given = isPlace ? await fetch(source) : source;
  if (given instanceof Response && !given.ok) throw new Error(`${given.url}: ${given.status} ${given.statusText}`);
  // Not the streaming form: it refuses servers that do not name the type application/wasm.
  compiled = await WebAssembly.compile(given instanceof Response ? await given.arrayBuffer() : given);
}

function ready() {
  if (compiled === undefined) throw new Error('mongovet is not ready: await init() first');
  return compiled;
}

/**
 * The same function, which makes the core ready where it is not.
 * @template {any[]} A
 * @template R
 * @param {(...args: A) => Promise<R>} run
 * @returns {(...args: A) => Promise<R>}
 */
const withCore =
  (run) =>
  async (...args) => {
    await init();
    return run(...args);
  };

export const check = withCore(core.check);
export const profile = withCore(core.profile);
export const advise = withCore(core.advise);
export const schema = withCore(core.schema);
export const { checkSync, profileSync, adviseSync, schemaSync, rules, version } = core;

/**
 * The page of one rule, as Markdown; the pages are fetched from beside this file at the first call.
 * @param {string} rule
 * @param {Language} [language]
 * @returns {Promise<string>}
 */
export async function explain(rule, language = 'en') {
  await init();
  if (!pages.has(language)) {
    const response = await fetch(new URL(`./rules.${language}.json`, import.meta.url));
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
    pages.set(language, await response.text());
  }
  return core.explain(rule, language);
}
