// @ts-check
/** The examples of rule pages, opened in the playground. */

import { fillExample } from '../../js/pages.mjs';

/**
 * An example as the state of the playground: what the panes know goes there, the rest becomes files.
 * @param {import('../../js/pages.mjs').PageExample} example
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
