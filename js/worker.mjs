// @ts-check
/**
 * The analysis worker of the web page. It starts from a Blob, so that it inherits the page's content security policy
 * (a worker with a URL would not), and is handed the compiled module, so that it never loads anything itself.
 */

import { createCore } from './core.js';
import { instantiate } from '#built/glue.js';

/**
 * An input as it crosses to the worker. Files are read as streams here and never lie in memory whole.
 * @typedef {{name: string, collection?: string, data: string | Uint8Array | Blob}} WorkerInput
 */

/** How often the page hears how far a file is, in bytes. */
const PROGRESS_STEP = 8 * 1024 * 1024;

/** @type {ReturnType<typeof createCore>} */
let core;
/** The last finished run: its profile, schema and texts are drawn when somebody looks at them. @type {any} */
let outcome = null;

/** @type {Record<string, (message: any) => unknown>} */
const commands = {
  start({ module }) {
    core = createCore({ instantiate: () => instantiate(module) });
    return { version: core.version(), rules: core.rules() };
  },
  async check({ inputs, options, id }) {
    const started = performance.now();
    let seen = 0;
    let told = 0;
    const count = (/** @type {number} */ bytes) => {
      seen += bytes;
      if (told + PROGRESS_STEP <= seen) {
        told = seen;
        self.postMessage({ id, progress: seen });
      }
    };
    outcome = null;
    outcome = await core.run(inputs.map((/** @type {WorkerInput} */ input) => toSource(input, count)), options);
    return { report: outcome.json, milliseconds: performance.now() - started };
  },
  render: ({ format, options }) => outcome?.render(format, options ?? {}) ?? null,
  profile: ({ format }) => outcome?.profile(format) ?? null,
  schema: ({ format }) => outcome?.schema(format) ?? null,
};

self.onmessage = async ({ data: message }) => {
  try {
    self.postMessage({ id: message.id, value: await commands[message.command](message) });
  } catch (error) {
    self.postMessage({ id: message.id, error: plainError(error) });
  }
};

/**
 * @param {WorkerInput} input
 * @param {(bytes: number) => void} count
 */
function toSource({ name, collection, data }, count) {
  const options = collection ? { collection } : {};
  return data instanceof Blob ? { name, options, read: () => chunks(data, count) } : { name, options, data };
}

/**
 * @param {Blob} blob
 * @param {(bytes: number) => void} count
 */
async function* chunks(blob, count) {
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      count(value.length);
      yield value;
    }
  } finally {
    reader.cancel();
  }
}

/** An error with what the core said about it; errors lose their own properties on the way to the page. @param {any} error */
function plainError(error) {
  const { kind = null, place = null, hint = null } = error ?? {};
  return { kind, place, hint, message: String(error?.message ?? error) };
}
