// @ts-check
/** A line that tells how far reading has come. */
import { say } from './words.mjs';

const INTERVAL = 200;
/** Less than this is read before one could look. */
const WORTH_TELLING = 16 << 20;

/**
 * @param {{ write: (text: string) => unknown } | undefined} terminal nothing is drawn without one
 * @param {number} total bytes
 * @param {import('./words.mjs').Language} [language]
 */
export function progress(terminal, total, language = 'en') {
  let read = 0;
  let next = Date.now() + INTERVAL;
  let isDrawn = false;
  const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1e6);
  return {
    /** @param {number} bytes */
    advance(bytes) {
      read += bytes;
      if (terminal === undefined || total < WORTH_TELLING || Date.now() < next) return;
      next = Date.now() + INTERVAL;
      isDrawn = true;
      const values = { read: megabytes(read), total: megabytes(total) };
      terminal.write(`\r${say(language, { key: 'progress', values })}`);
    },
    done() {
      if (isDrawn) terminal?.write('\r\x1b[K');
    },
  };
}
