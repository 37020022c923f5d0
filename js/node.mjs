// @ts-check
/** The library in Node, for ECMAScript modules. */
import { readFileSync } from 'node:fs';

import { createCore } from './core.js';
import { folder, instantiate } from '#built/glue.js';

/** @type {WebAssembly.Module | undefined} */
let module;

/** Compiled at the first use, so that importing costs next to nothing. */
export const compiled = () =>
  (module ??= new WebAssembly.Module(readFileSync(new URL('mongovet_bg.wasm', folder))));

export const core = createCore({
  instantiate: () => instantiate(compiled()),
  page: (language) => readFileSync(new URL(`rules.${language}.json`, folder), 'utf8'),
});

export const { check, checkSync, profile, profileSync, advise, adviseSync, schema, schemaSync, explain, rules, version } =
  core;
