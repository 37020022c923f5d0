// @ts-check
/** Reads files in several threads; what they learned is merged, so the report is the one that a single thread gives. */
import { Worker } from 'node:worker_threads';

import { runSync } from './core.js';
import { reader } from './files.mjs';

/**
 * A file, or a part of one.
 * @typedef {object} Task
 * @property {string} name
 * @property {string} path
 * @property {number} size
 * @property {import('./core.js').Part} [range]
 *
 * Where a part began and ended in truth: at documents.
 * @typedef {{ path: string, part: import('./core.js').Part, joint?: number[] }} Joint
 *
 * @typedef {{ joints: Joint[], partial: Uint8Array, lost: Map<string, import('./core.js').Loss['reason']> }} Learned
 *
 * Tasks, how many of them the threads have taken, and in the second pass the questions.
 * @typedef {{ tasks: Task[], taken: Int32Array, asked?: Uint8Array }} Work
 */

/** So much of a file is one task at most. */
const PART = 16 << 20;
/** So many tasks for each thread keep all of them busy to the end. */
const TASKS_OF_A_THREAD = 8;
/** So much of a file's beginning tells what it is. */
const HEAD = 64 << 10;
/** Only these can be entered in the middle; what is packed cannot. */
const SPLITTABLE = /\.(bson|ndjson|jsonl|log)$/i;

/**
 * Biggest first, so that no thread starts on a big file when the others are done.
 * @param {import('./files.mjs').Found[]} files
 * @param {number} [part] bytes of a file that are one task
 * @returns {Task[]}
 */
export function tasksOf(files, part = PART) {
  return files.flatMap((file) => parts(file, part)).sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
}

/**
 * So large that all threads are done at nearly the same time, and not so small that starting a part costs much.
 * @param {number} total bytes
 * @param {number} threads
 */
export const partOf = (total, threads) => Math.min(PART, Math.max(PART / 16, Math.ceil(total / (threads * TASKS_OF_A_THREAD))));

/** The threads of a run, the main one among them; they read in both passes. */
export class Readers {
  #own;
  #others;

  /**
   * @param {object} setting
   * @param {import('./core.js').Session} setting.own reads in the main thread
   * @param {WebAssembly.Module} setting.module
   * @param {object} setting.options as the core takes them
   * @param {number} setting.threads
   */
  constructor({ own, module, options, threads }) {
    this.#own = own;
    this.#others = Array.from({ length: threads - 1 }, () => new Thread({ module, options }));
  }

  /**
   * The first pass.
   * @param {Task[]} tasks
   * @param {(bytes: number) => void} onRead
   * @returns {Promise<Learned[] | undefined>} nothing where parts of a file did not join: then one thread must read all
   */
  async read(tasks, onRead) {
    const learned = await this.#share({ tasks }, onRead);
    /** @type {Map<string, Joint[]>} */
    const files = new Map();
    for (const joint of learned.flatMap(({ joints }) => joints)) files.set(joint.path, [...(files.get(joint.path) ?? []), joint]);
    return [...files.values()].every(join) ? learned : undefined;
  }

  /**
   * The second pass, over the same tasks as the first.
   * @param {Task[]} tasks
   * @param {Uint8Array} asked the questions
   * @returns {Promise<Uint8Array[] | undefined>} what was counted for them; nothing where a thread broke down
   */
  async answer(tasks, asked) {
    try {
      return (await this.#share({ tasks, asked }, () => {})).map(({ partial }) => partial);
    } catch {
      // Whatever it was, it happens again where one thread reads all, and is told there.
      return undefined;
    }
  }

  /** Lets the threads go. */
  close() {
    for (const thread of this.#others) thread.end();
  }

  /**
   * @param {{ tasks: Task[], asked?: Uint8Array }} work
   * @param {(bytes: number) => void} onRead
   * @returns {Promise<Learned[]>}
   */
  #share(work, onRead) {
    const shared = { ...work, taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
    const others = this.#others.map((thread) => thread.ask(shared));
    return Promise.all([takeAll(this.#own, shared, onRead), ...others]);
  }
}

/**
 * Reads tasks until all threads together have taken all, and tells what was learned.
 * @param {import('./core.js').Session} session
 * @param {Work} work
 * @param {(bytes: number) => void} [onRead] told of what all threads took
 * @returns {Learned}
 */
export function takeAll(session, { tasks, taken, asked }, onRead) {
  if (asked !== undefined) session.ask(asked);
  /** @type {Joint[]} */
  const joints = [];
  let told = 0;
  for (let at = Atomics.add(taken, 0, 1); at < tasks.length; at = Atomics.add(taken, 0, 1)) {
    const { name, path, range } = tasks[at];
    const source = { name, read: reader(path, { range }), options: { range } };
    const joint = runSync(asked === undefined ? session.feed(source) : session.reread(source));
    if (range) joints.push({ path, part: range, joint: joint && Array.from(joint) });
    for (; onRead && told < Math.min(Atomics.load(taken, 0), tasks.length); told += 1) onRead(tasks[told].size);
  }
  return { joints, partial: session.partial(), lost: session.lost };
}

/** A thread that answers one message after the other. */
class Thread {
  #worker;

  /** @param {{ module: WebAssembly.Module, options: object }} workerData */
  constructor(workerData) {
    this.#worker = new Worker(new URL('worker-node.mjs', import.meta.url), {
      workerData,
      // Next to nothing lives on a reader's heap: what it learns is in the WebAssembly's memory.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
  }

  /**
   * @param {Work} work
   * @returns {Promise<Learned>}
   */
  ask(work) {
    return new Promise((resolve, reject) => {
      const worker = this.#worker.removeAllListeners('message').removeAllListeners('error');
      worker.once('message', resolve).once('error', reject).postMessage(work);
    });
  }

  end() {
    this.#worker.terminate();
  }
}

/**
 * Each part must end where the next one begins.
 * @param {Joint[]} parts
 */
function join(parts) {
  const ordered = parts.toSorted((a, b) => a.part.start - b.part.start);
  return ordered.every(({ joint }, at) => at === 0 || (joint !== undefined && ordered[at - 1].joint?.[1] === joint[0]));
}

/**
 * @param {import('./files.mjs').Found} file
 * @param {number} part
 * @returns {Task[]}
 */
function parts(file, part) {
  const count = SPLITTABLE.test(file.path) ? Math.floor(file.size / part) : 1;
  if (count < 2) return [file];
  const head = headOf(file.path);
  const bounds = Array.from({ length: count + 1 }, (_, at) => Math.floor((file.size * at) / count));
  return bounds.slice(1).map((end, at) => ({ ...file, size: end - bounds[at], range: { start: bounds[at], end, head } }));
}

/** @param {string} path */
function headOf(path) {
  for (const chunk of reader(path)()) return Uint8Array.from(chunk.subarray(0, HEAD));
  return new Uint8Array();
}
