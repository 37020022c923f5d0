// @ts-check
/** Makes the single file that mongosh can `load()`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * Evaluated when the file is loaded, with what is packed in it; that is unpacked and evaluated at the first use.
 * This function is shipped as its own source text, so it may name nothing outside itself.
 * @param {{ texts: string, wasm: string }} packed
 */
function bootstrap(packed) {
  /** @param {string} data */
  const unpack = (data) => require('zlib').gunzipSync(Buffer.from(data, 'base64'));
  /** @param {string} text @param {(name: string) => unknown} require */
  const evaluate = (text, require) => {
    const module = { exports: {} };
    (0, eval)(`(function (module, exports, require, __dirname) {${text}\n})`)(module, module.exports, require, '');
    return module.exports;
  };
  /** @type {any} */
  let made;
  const make = () => {
    if (made === undefined) {
      const texts = JSON.parse(unpack(packed.texts).toString());
      const { createShell } = /** @type {any} */ (evaluate(texts.shell, () => evaluate(texts.core, () => undefined)));
      made = createShell({ wasm: () => unpack(packed.wasm), page: (/** @type {string} */ language) => texts[language], read: (/** @type {string} */ path) => require('fs').readFileSync(path, 'utf8') });
    }
    return made;
  };
  /** @type {any} */
  const vet = (/** @type {any[]} */ ...args) => make()(...args);
  for (const name of ['advise', 'collect', 'inputs', 'pipeline', 'script', 'explain', 'rules', 'version', 'help']) {
    vet[name] = (/** @type {any[]} */ ...args) => make()[name](...args);
  }
  return vet;
}

/**
 * mongosh rewrites all code that it loads, at a cost that grows faster than the code, and leaves string literals
 * alone. So the file is one statement over literals.
 * @param {string} root the project
 * @param {string} built the folder of what is built
 * @returns {string}
 */
export function loadable(root, built) {
  const texts = {
    core: readFileSync(join(built, 'core.cjs'), 'utf8'),
    shell: readFileSync(join(root, 'js', 'shell.cjs'), 'utf8'),
    en: readFileSync(join(built, 'rules.en.json'), 'utf8'),
    es: readFileSync(join(built, 'rules.es.json'), 'utf8'),
  };
  const pack = (/** @type {string | Uint8Array} */ data) => gzipSync(data, { level: 9 }).toString('base64');
  return `// mongovet: load() this file in mongosh, then see vet.help().
globalThis.vet = (0, eval)(${JSON.stringify(`(${bootstrap})`)})({
  texts: ${JSON.stringify(pack(JSON.stringify(texts)))},
  wasm: ${JSON.stringify(pack(readFileSync(join(built, 'mongovet_bg.wasm'))))},
});
`;
}
