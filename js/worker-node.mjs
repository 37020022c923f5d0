// @ts-check
/** One reading thread: answers each message with what it learned, first pass and second alike. */
import { parentPort, workerData } from 'node:worker_threads';

import { Session } from './core.js';
import { takeAll } from './parallel.mjs';
import { instantiate } from '#built/glue.js';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { module, options } = workerData;
const session = new Session(() => instantiate(module), options);

port.on('message', (/** @type {import('./parallel.mjs').Work} */ work) => {
  const learned = takeAll(session, work);
  port.postMessage(learned, [/** @type {ArrayBuffer} */ (learned.partial.buffer)]);
});
