#!/usr/bin/env node
// @ts-check
/** The command line; the only file that names process. All else is imported once it is needed. */
import { availableParallelism } from 'node:os';

import { parseCommandLine } from './command-line.mjs';
import { languageOf, say, UsageError } from './words.mjs';

// A reader that has seen enough (`| head`) is no failure of ours.
process.stdout.on('error', (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') process.exit(0);
  throw error;
});

/** What the commands may know of the process around them. */
const environment = {
  folder: process.cwd(),
  color: !process.env.NO_COLOR && process.env.TERM !== 'dumb' && Boolean(process.stdout.isTTY),
  width: process.stdout.isTTY ? process.stdout.columns : undefined,
  today: () => new Date().toISOString().slice(0, 10),
  threads: availableParallelism(),
  get stdin() {
    return process.stdin;
  },
  /** @param {string} text */
  print: (text) => {
    process.stdout.write(text);
  },
  /** @param {string} text */
  warn: (text) => {
    process.stderr.write(text);
  },
  /** Where progress may be drawn, if anywhere. */
  progress: process.stderr.isTTY ? process.stderr : undefined,
};

const language = languageOf(process.argv.slice(2));
process.exitCode = await main();

/** @returns {Promise<number>} */
async function main() {
  try {
    const line = parseCommandLine(process.argv.slice(2));
    if (line.show === 'version') {
      const { version } = await import('#built/version.js');
      environment.print(`mongovet ${version}\n`);
      return 0;
    }
    if (line.show === 'help') {
      const { help } = await import('./help.mjs');
      environment.print(help(line.command, language));
      return 0;
    }
    const { run } = await import('./commands.mjs');
    return await run(line, environment);
  } catch (error) {
    return failed(error);
  }
}

/**
 * One clear sentence for a mistake; the whole trace for a bug of ours.
 * @param {unknown} error
 */
function failed(error) {
  const mistake = /** @type {{ kind?: string, message?: string, code?: string, stack?: string }} */ (error);
  if (mistake.code === 'ERR_MODULE_NOT_FOUND' && /built/.test(mistake.message ?? '')) {
    environment.warn(`mongovet: ${say(language, { key: 'notBuilt' })}\n`);
  } else if (error instanceof UsageError) {
    environment.warn(`mongovet: ${error.in(language)}\n`);
  } else if (mistake.kind !== undefined) {
    environment.warn(`mongovet: ${mistake.message}\n`);
  } else {
    environment.warn(`mongovet: ${mistake.stack ?? error}\n`);
  }
  return 2;
}
