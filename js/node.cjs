// @ts-check
/** The library in Node, for CommonJS. */
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const { createCore, folder, instantiate } = require('#built/core.cjs');

/** @type {WebAssembly.Module | undefined} */
let module_;

const core = createCore({
  instantiate: () =>
    instantiate((module_ ??= new WebAssembly.Module(readFileSync(join(folder, 'mongovet_bg.wasm'))))),
  page: (/** @type {string} */ language) => readFileSync(join(folder, `rules.${language}.json`), 'utf8'),
});

const { check, checkSync, profile, profileSync, advise, adviseSync, schema, schemaSync, explain, rules, version } = core;
module.exports = { check, checkSync, profile, profileSync, advise, adviseSync, schema, schemaSync, explain, rules, version };
