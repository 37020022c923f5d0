// @ts-check
/** The page's side of the analysis worker: one check at a time, the newest evidence wins, a dead worker is replaced. */

import workerSource from 'virtual:worker';
import wasmUrl from 'virtual:wasm';

/** @typedef {import('../../js/worker.mjs').WorkerInput} WorkerInput */
/** @typedef {{report: string, milliseconds: number}} Checked */
/** @typedef {{version: string, rules: {id: string}[]}} CoreFacts */

/** From when on a running check is given up for newer evidence, in milliseconds. */
const PATIENCE = 1000;
/** The longest that a check of pasted text may take; files may take as long as they are. */
const PASTE_LIMIT = 30_000;

/** What the core or the worker refused, with the place and hint that the core gave. */
export class EngineError extends Error {
  /** @param {{kind: string | null, message: string, place?: any, hint?: any}} fault */
  constructor({ kind, message, place = null, hint = null }) {
    super(message);
    this.kind = kind;
    this.place = place;
    this.hint = hint;
  }
}

/** Newer evidence replaced this check. */
export class Superseded extends Error {}

export class Engine {
  /** @type {Promise<WebAssembly.Module>} */
  #module;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Promise<CoreFacts> | null} */
  #facts = null;
  #nextId = 1;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, progress?: (bytes: number) => void}>} */
  #waiting = new Map();
  /** @type {{started: number, done: Promise<unknown>} | null} */
  #running = null;
  #latest = 0;

  constructor() {
    this.#module = compile(wasmUrl);
    this.#module.catch(() => {});
  }

  /** What the core says of itself; starts the worker where there is none. @returns {Promise<CoreFacts>} */
  facts() {
    this.#facts ??= this.#start();
    return this.#facts;
  }

  /**
   * The report on these inputs. Rejects with `Superseded` where a newer call came before this one began or ended.
   * @param {WorkerInput[]} inputs
   * @param {Record<string, unknown>} options
   * @param {(bytes: number) => void} [progress]
   * @returns {Promise<Checked>}
   */
  async check(inputs, options, progress) {
    this.#latest += 1;
    const ticket = this.#latest;
    await this.facts();
    if (this.#running) {
      const left = Math.max(0, this.#running.started + PATIENCE - performance.now());
      const finished = await Promise.race([this.#running.done.then(() => true, () => true), wait(left).then(() => false)]);
      if (ticket !== this.#latest) throw new Superseded();
      if (!finished) {
        this.stop(new Superseded());
        await this.facts();
      }
    }
    if (ticket !== this.#latest) throw new Superseded();
    const hasFiles = inputs.some(({ data }) => data instanceof Blob);
    const done = this.#ask({ command: 'check', inputs, options }, progress);
    const running = { started: performance.now(), done };
    this.#running = running;
    const timer = hasFiles ? undefined : setTimeout(() => this.stop(new EngineError({ kind: 'slow', message: String(PASTE_LIMIT) })), PASTE_LIMIT);
    try {
      return await done;
    } finally {
      clearTimeout(timer);
      if (this.#running === running) this.#running = null;
    }
  }

  /**
   * An output of the last check: `profile`, `schema` or `render`.
   * @param {'profile' | 'schema' | 'render'} command
   * @param {string} format
   * @param {Record<string, unknown>} [options]
   * @returns {Promise<string | null>}
   */
  async draw(command, format, options) {
    await this.facts();
    return this.#ask({ command, format, options });
  }

  /**
   * Ends the worker; the next call starts another from the module that is compiled already.
   * @param {Error} reason what the calls under way are told
   */
  stop(reason) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#facts = null;
    this.#running = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(reason);
  }

  /** @returns {Promise<CoreFacts>} */
  async #start() {
    let module;
    try {
      module = await this.#module;
    } catch (error) {
      throw new EngineError({ kind: 'load', message: String(error) });
    }
    const url = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }));
    const worker = new Worker(url, { name: 'mongovet' });
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.stop(new EngineError({ kind: 'crash', message: event.message || 'the worker ended' }));
    };
    try {
      return await this.#ask({ command: 'start', module });
    } finally {
      URL.revokeObjectURL(url);
    }
  }

  /** @param {Record<string, unknown>} message @param {(bytes: number) => void} [progress] @returns {Promise<any>} */
  #ask(message, progress) {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      /** @type {Worker} */ (this.#worker).postMessage({ ...message, id });
    });
  }

  /** @param {{id: number, value?: unknown, error?: any, progress?: number}} reply */
  #hear({ id, value, error, progress }) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (progress !== undefined) {
      waiting.progress?.(progress);
      return;
    }
    this.#waiting.delete(id);
    if (error) waiting.reject(new EngineError({ ...error, kind: error.kind ?? 'crash' }));
    else waiting.resolve(value);
  }
}

/** @param {string} url */
async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  // A server that names another type than application/wasm makes the streaming form refuse.
  if (response.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** @param {number} milliseconds */
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
