// @ts-check
/** One reading thread: takes tasks until there are none, then hands over what it learned. */
import { parentPort, workerData } from 'node:worker_threads';

import { runSync, Session } from './core.js';
import { reader } from './files.mjs';
import { instantiate } from '#built/glue.js';

/** @typedef {import('./parallel.mjs').Task} Task */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { module, options } = workerData;
const session = new Session(() => instantiate(module), options);

port.on('message', (/** @type {Task | undefined} */ task) => {
  if (task === undefined) {
    const partial = session.partial();
    port.postMessage({ partial, lost: session.lost }, [/** @type {ArrayBuffer} */ (partial.buffer)]);
    port.close();
    return;
  }
  const { name, path, size, range } = task;
  const read = runSync(session.feed({ name, read: reader(path, { range }), options: { range } }));
  port.postMessage({ task, done: size, joint: read && Array.from(read) });
});
