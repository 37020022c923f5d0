// @ts-check
/** A rule page as the drawer and the website show it: blocks of Markdown, and examples that can be opened. */

import { parsePage } from './markdown.js';
import { fillExample, parseFence } from './template.js';

/** @typedef {import('./markdown.js').Part} Part */
/** @typedef {{kind: 'part', part: Part} | {kind: 'fence', name: string, repeat: number, text: string} | {kind: 'expect', lines: string[]} | {kind: 'open', number: number}} Block */

/** The title of the section of examples, as the English page writes it. */
const EXAMPLES = /^(Bad|Good)$/;

/**
 * The blocks of a page and its examples. In translated pages, which hold no examples, those of the English page stand
 * before the first section.
 * @param {string} page
 * @param {string} [english]
 * @returns {{summary: string, blocks: Block[], examples: import('./template.js').PageExample[]}}
 */
export function readPage(page, english = page) {
  const own = parsePage(page);
  const firstSection = own.findIndex((part) => typeof part !== 'string' && part.tag === 'h2');
  const parts = page === english ? own : own.toSpliced(firstSection < 0 ? own.length : firstSection, 0, ...exampleParts(english));
  if (page !== english) parts.push(...references(english));
  /** @type {Block[]} */
  const blocks = [];
  /** @type {import('./template.js').PageExample[]} */
  const examples = [];
  /** @type {import('./template.js').PageExample | null} */
  let current = null;
  const finish = () => {
    // A dump would have to be encoded; the page takes text.
    if (current && current.files.every(({ name }) => !name.endsWith('.bson'))) {
      blocks.push({ kind: 'open', number: examples.length });
      examples.push(current);
    }
    current = null;
  };
  for (const part of parts) {
    if (typeof part === 'string' || part.tag !== 'pre') {
      if (typeof part !== 'string' && /^h[123]$/.test(part.tag)) finish();
      blocks.push({ kind: 'part', part });
      continue;
    }
    const text = String(part.children[0]);
    const { language, file, isComplete } = parseFence(part.attributes?.info ?? '');
    if (language === 'expect') {
      blocks.push({ kind: 'expect', lines: text.split('\n').filter((line) => line.trim() !== '') });
    } else {
      blocks.push({ kind: 'fence', name: file?.name ?? '', repeat: file?.repeat ?? 1, text });
      if (file) {
        current ??= { files: [], isComplete: false };
        current.files.push({ ...file, text: `${text}\n` });
        current.isComplete ||= isComplete;
      }
    }
  }
  finish();
  const [first] = own;
  return { summary: first === undefined ? '' : plain(first), blocks, examples };
}

/** The sections of examples. @param {string} page */
function exampleParts(page) {
  let isInside = false;
  return parsePage(page).filter((part) => {
    if (typeof part !== 'string' && part.tag === 'h2') isInside = EXAMPLES.test(plain(part));
    return isInside;
  });
}

/** The section of references. @param {string} page */
function references(page) {
  let isInside = false;
  return parsePage(page).filter((part) => {
    if (typeof part !== 'string' && part.tag === 'h2') isInside = plain(part) === 'References';
    return isInside;
  });
}

/** @param {Part} part @returns {string} */
export const plain = (part) => (typeof part === 'string' ? part : part.children.map(plain).join(''));

/**
 * An example as the state of the playground: what the panes know goes there, the rest becomes files.
 * @param {import('./template.js').PageExample} example
 * @returns {{state: import('./share.js').SharedState, files: {name: string, text: string}[]}}
 */
export function exampleAsState(example) {
  /** @type {Map<string, import('./share.js').SharedBlock>} */
  const blocks = new Map();
  /** @type {{name: string, text: string}[]} */
  const files = [];
  let config = '';
  for (const { name, text } of fillExample(example)) {
    const found = /^(?:([^/.]+)\/)?([^/]+?)(?:\.(indexes|validator|data))?\.(?:json5?|ndjson)$/.exec(name);
    if (name === 'mongovet.json') {
      config = text;
    } else if (found && !found[2].includes('.')) {
      const [, database, collection, kind] = found;
      const key = database ? `${database}.${collection}` : collection;
      const block = blocks.get(key) ?? { name: key, documents: '', indexes: '', validator: '' };
      block[kind === 'indexes' || kind === 'validator' ? kind : 'documents'] = text;
      blocks.set(key, block);
    } else {
      files.push({ name, text });
    }
  }
  return { state: { blocks: [...blocks.values()], config, complete: example.isComplete }, files };
}
