// @ts-check
/** The examples of rule pages, opened in the playground. */

import { fillExample } from '../../js/pages.mjs';

/** Names of files that hold neither documents, indexes nor a validator. */
const OTHER_KINDS = /\.(schema|indexstats|stats|collstats|profile|explain|analyzeShardKey|infos?)$/i;

/**
 * A script that does not say its database itself has it from its name, which the pane does not keep.
 * @param {string} name
 * @param {string} text
 */
function inDatabase(name, text) {
  const database = /^(?:.*\/)?([^/.]+)\.[^/]+\.mongodb\.js$/.exec(name)?.[1];
  return database === undefined || /^\s*use\b/m.test(text) ? text : `use(${JSON.stringify(database)});\n${text}`;
}

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
  const scripts = [];
  for (const { name, text } of fillExample(example)) {
    const found = /^(?:([^/]+)\/)?([^/]+?)(?:\.(indexes|validator|data))?\.(?:json5?|ndjson)$/.exec(name);
    if (name === 'mongovet.json') {
      config = text;
    } else if (/\.mongodb\.js$/.test(name)) {
      scripts.push(inDatabase(name, text));
    } else if (found && !OTHER_KINDS.test(found[2])) {
      const [, database, collection, kind] = found;
      const key = database ? `${database}.${collection}` : collection;
      const block = blocks.get(key) ?? { name: key, documents: '', indexes: '', validator: '' };
      block[kind === 'indexes' || kind === 'validator' ? kind : 'documents'] = text;
      blocks.set(key, block);
    } else {
      files.push({ name, text });
    }
  }
  return { state: { blocks: [...blocks.values()], script: scripts.join('\n'), config, complete: example.isComplete }, files };
}
