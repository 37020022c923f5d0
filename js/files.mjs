// @ts-check
/** Finds and reads the files under the paths of the command line. */
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { didYouMean } from './command-line.mjs';
import { UsageError } from './words.mjs';

/** Bytes read at once; one buffer serves a whole file, since the core copies what it is given. */
const BLOCK = 1 << 18;
export const CONFIG_NAME = 'mongovet.json';
/** As the system says it. */
const DENIED = 'permission denied';

/**
 * @typedef {object} Found
 * @property {string} name as the report calls it, with `/`
 * @property {string} path
 * @property {number} size in bytes
 * @property {boolean} [isStream] it can be read once, as what a shell puts in place of `<(command)`
 * @property {string} [unreadable] why it cannot be read
 */

/**
 * @param {string[]} operands
 * @param {string} folder the current one
 */
export async function findFiles(operands, folder) {
  /** @type {Map<string, Found>} */
  const files = new Map();
  /** @type {string[]} */
  const named = [];
  /** @type {string[]} */
  const configs = [];
  for (const operand of operands) {
    if (operand === '-') continue;
    const path = resolve(folder, operand);
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) throw new UsageError({ key: 'noPath', values: { path: operand } }, nearestPath(path));
    named.push(nameOf(path, folder));
    if (!status.isDirectory()) {
      const unreadable = whyUnreadable(path);
      if (unreadable) {
        const hint = unreadable === DENIED ? /** @type {const} */ ({ key: 'permission' }) : unreadable;
        throw new UsageError({ key: 'unreadable', values: { path: operand } }, hint);
      }
      files.set(path, { name: nameOf(path, folder), path, size: status.size, isStream: !status.isFile() });
      continue;
    }
    for (const file of await walk(path)) {
      if (basename(file.path) === CONFIG_NAME) configs.push(file.path);
      else files.set(file.path, { name: nameOf(file.path, folder), ...file });
    }
  }
  const found = [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { files: found, named, configs };
}

/**
 * The configuration in force: at the root of a path, else the nearest above it.
 * @param {string[]} operands
 * @param {string[]} configs those found below the paths
 * @param {string} folder the current one
 * @returns {string | undefined}
 */
export function findConfig(operands, configs, folder) {
  const roots = operands.length === 0 ? [folder] : operands.map((operand) => (operand === '-' ? folder : resolve(folder, operand)));
  const inForce = new Set(roots.map(configAbove).filter((file) => file !== undefined));
  if (inForce.size > 1) {
    const files = [...inForce].map((file) => nameOf(file, folder)).join(', ');
    throw new UsageError({ key: 'configsDiffer', values: { files } }, { key: 'chooseConfig' });
  }
  const [file] = inForce;
  const deeper = configs.find((config) => config !== file);
  if (deeper !== undefined) {
    throw new UsageError({ key: 'configDeeper', values: { file: nameOf(deeper, folder) } }, { key: 'configAtRoot' });
  }
  return file;
}

/**
 * Opens a file anew at each call, so that it can be read twice.
 * @param {string} path
 * @param {object} [options]
 * @param {{ start: number, end: number }} [options.range] where reading starts; the core says when it has enough
 * @param {(bytes: number) => void} [options.onRead]
 * @returns {() => Generator<Uint8Array, void, void>}
 */
export function reader(path, { range, onRead } = {}) {
  return function* read() {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(BLOCK);
      for (let at = range?.start ?? 0; ; ) {
        const count = readSync(file, buffer, 0, BLOCK, range ? at : null);
        if (count === 0) break;
        at += count;
        yield buffer.subarray(0, count);
        onRead?.(count);
      }
    } finally {
      closeSync(file);
    }
  };
}

/**
 * Relative to the current folder where the file lies below it: reports then read the same on every machine.
 * @param {string} path
 * @param {string} folder
 */
export function nameOf(path, folder) {
  const below = relative(folder, path);
  const outside = below.startsWith('..') || isAbsolute(below);
  return (outside ? path : below || '.').split(sep).join('/');
}

/**
 * All files below a folder but those that no one means: dot folders, node_modules, what git ignores.
 * @param {string} root
 * @returns {Promise<Omit<Found, 'name'>[]>}
 */
async function walk(root) {
  const ignored = await ignoreRules(root);
  /** @type {Omit<Found, 'name'>[]} */
  const files = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const unreadable = whyUnreadable(folder);
    if (unreadable) {
      files.push({ path: folder, size: 0, unreadable });
      continue;
    }
    await ignored.enter(folder);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const isHidden = entry.name.startsWith('.') || entry.name === 'node_modules';
        if (!isHidden && !ignored.has(path, true)) folders.push(path);
      } else if (entry.isFile() && !entry.name.startsWith('.') && !ignored.has(path, false)) {
        files.push({ path, size: statSync(path).size, unreadable: whyUnreadable(path) });
      }
    }
  }
  return files;
}

/**
 * The .gitignore files that hold for a folder: its own, those below, and those above it in its repository.
 * A folder that is named although git ignores it (dumps often are) is meant: then only those below hold.
 * @param {string} root
 */
async function ignoreRules(root) {
  /** @type {{ folder: string, rules: import('ignore').Ignore }[]} */
  const layers = [];
  /** @param {string} folder */
  async function enter(folder) {
    const file = join(folder, '.gitignore');
    if (!existsSync(file)) return;
    const { default: ignore } = await import('ignore');
    layers.push({ folder, rules: ignore().add(readFileSync(file, 'utf8')) });
  }
  /**
   * The deepest file that says something about a path decides.
   * @param {string} path
   * @param {boolean} isFolder
   */
  function has(path, isFolder) {
    for (let at = layers.length - 1; 0 <= at; at -= 1) {
      const { folder, rules } = layers[at];
      const below = relative(folder, path).split(sep).join('/');
      if (below === '' || below.startsWith('..')) continue;
      const { ignored, unignored } = rules.test(isFolder ? `${below}/` : below);
      if (ignored || unignored) return ignored;
    }
    return false;
  }
  for (const folder of repositoryAbove(root)) await enter(folder);
  if (has(root, true)) layers.length = 0;
  return { enter, has };
}

/**
 * The folders above this one, from the repository's root down; none outside a repository.
 * @param {string} folder
 */
function repositoryAbove(folder) {
  /** @type {string[]} */
  const above = [];
  if (existsSync(join(folder, '.git'))) return above;
  for (let at = dirname(folder); ; at = dirname(at)) {
    above.unshift(at);
    if (existsSync(join(at, '.git'))) return above;
    if (dirname(at) === at) return [];
  }
}

/**
 * Outside a repository only the folder itself counts: what lies above it may belong to anyone.
 * @param {string} path
 */
function configAbove(path) {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const folder = isFolder ? path : dirname(path);
  for (const at of [folder, ...repositoryAbove(folder).reverse()]) {
    const file = join(at, CONFIG_NAME);
    if (existsSync(file)) return file;
  }
  return undefined;
}

/** @param {string} path */
function whyUnreadable(path) {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EACCES' ? DENIED : String(error);
  }
}

/** @param {string} path */
function nearestPath(path) {
  const folder = dirname(path);
  if (!existsSync(folder)) return undefined;
  return didYouMean(basename(path), readdirSync(folder));
}
