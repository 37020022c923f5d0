// @ts-check
/** Reads files in several threads; what they learned is merged, so the report is the one that a single thread gives. */
import { Worker } from 'node:worker_threads';

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
 * @typedef {{ part: import('./core.js').Part, joint?: number[] }} Joint
 *
 * @typedef {{ partial: Uint8Array, lost: Map<string, import('./core.js').Loss['reason']> }} Learned
 */

/** So much of a file is one task. */
const PART = 16 << 20;
/** So much of a file's beginning tells what it is. */
const HEAD = 64 << 10;
/** Only these can be entered in the middle; what is packed cannot. */
const SPLITTABLE = /\.(bson|ndjson|jsonl)$/i;

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
 * @param {Task[]} tasks
 * @param {object} setting
 * @param {WebAssembly.Module} setting.module
 * @param {object} setting.options as the core takes them
 * @param {number} setting.threads
 * @param {(bytes: number) => void} setting.onRead
 * @returns {Promise<Learned[] | undefined>} nothing where parts of a file did not join: then one thread must read all
 */
export async function readInThreads(tasks, { module, options, threads, onRead }) {
  const waiting = tasks.slice();
  /** @type {Map<string, Joint[]>} */
  const joints = new Map();
  const thread = () =>
    new Promise((/** @type {(learned: Learned) => void} */ resolve, reject) => {
      const worker = new Worker(new URL('worker-node.mjs', import.meta.url), {
        workerData: { module, options },
        // Next to nothing lives on a reader's heap: what it learns is in the WebAssembly's memory.
        resourceLimits: { maxYoungGenerationSizeMb: 4 },
      });
      worker.on('error', reject);
      worker.on('message', (message) => {
        if ('partial' in message) return resolve(message);
        onRead(message.done);
        const { task, joint } = message;
        if (task.range) joints.set(task.path, [...(joints.get(task.path) ?? []), { part: task.range, joint }]);
        worker.postMessage(waiting.shift());
      });
      worker.postMessage(waiting.shift());
    });
  const learned = await Promise.all(Array.from({ length: Math.min(threads, tasks.length) }, thread));
  return [...joints.values()].every(join) ? learned : undefined;
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
