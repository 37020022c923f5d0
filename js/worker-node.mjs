// @ts-check
/** One reading thread: answers each message with one of its own, first pass and second alike. */
import { parentPort, workerData } from 'node:worker_threads';

import { runSync, Session } from './core.js';
import { reader } from './files.mjs';
import { instantiate } from '#built/glue.js';

/**
 * A task to read, the questions that the tasks from here on are read for, or the wish for what was learned.
 * @typedef {{ task: import('./parallel.mjs').Task } | { asked: Uint8Array } | { handOver: true }} Message
 */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { module, options } = workerData;
const session = new Session(() => instantiate(module), options);
let isSecond = false;

port.on('message', (/** @type {Message} */ message) => {
  if ('task' in message) {
    const { name, path, range } = message.task;
    const source = { name, read: reader(path, { range }), options: { range } };
    const joint = runSync(isSecond ? session.reread(source) : session.feed(source));
    port.postMessage({ joint: joint && Array.from(joint) });
  } else if ('asked' in message) {
    isSecond = true;
    session.ask(message.asked);
    port.postMessage({});
  } else {
    const partial = session.partial();
    port.postMessage({ partial, lost: session.lost }, [/** @type {ArrayBuffer} */ (partial.buffer)]);
  }
});
