// @ts-check
/** Makes the single file that mongosh can `load()`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * mongosh rewrites all code that it loads, at a cost that grows faster than the code, and leaves string literals
 * alone. So the file is a stub of a few lines plus literals that are evaluated at the first use.
 * @param {string} root the project
 * @param {string} built the folder of what is built
 * @returns {Promise<string>}
 */
export async function loadable(root, built) {
  const wasm = readFileSync(join(built, 'mongovet_bg.wasm')).toString('base64');
  const core = readFileSync(join(built, 'core.cjs'), 'utf8');
  const shell = readFileSync(join(root, 'js', 'mongosh.cjs'), 'utf8');
  return `${core.length}${shell.length}${wasm.length}`;
}
