// @ts-check
/** `const vet = require('mongovet/mongosh')` in mongosh. */
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const { folder } = require('#built/core.cjs');
const { createShell } = require('./shell.cjs');

module.exports = createShell({
  wasm: () => readFileSync(join(folder, 'mongovet_bg.wasm')),
  read: (path) => readFileSync(path, 'utf8'),
  page: (language) => readFileSync(join(folder, `rules.${language}.json`), 'utf8'),
});
