// @ts-check
/** Builds the playground into www/dist: `npm run www`, after the WebAssembly lies in pkg/built. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { defineConfig } from 'vite';

import { rulePages } from './pages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = `${root}pkg/built/`;

/**
 * What the page takes from the package: the worker as text (it starts from a Blob), the WebAssembly and the pages of
 * the rules as files beside the page.
 * @returns {import('vite').Plugin}
 */
function core() {
  const assets = { 'virtual:wasm': 'mongovet_bg.wasm', 'virtual:pages.en': 'pages.en.json', 'virtual:pages.es': 'pages.es.json' };
  return {
    name: 'mongovet-core',
    resolveId: (id) => (id === 'virtual:worker' || id in assets ? `\0${id}` : undefined),
    async load(id) {
      const name = id.slice(1);
      if (id === '\0virtual:worker') return `export default ${JSON.stringify(await workerText())};`;
      if (!id.startsWith('\0') || !(name in assets)) return undefined;
      const file = assets[/** @type {keyof typeof assets} */ (name)];
      if (!existsSync(built + file)) throw new Error(`pkg/built/${file} is missing: run npm run build first`);
      const reference = this.emitFile({ type: 'asset', name: file, source: readFileSync(built + file) });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
    generateBundle(_, bundle) {
      const css = Object.keys(bundle).find((file) => file.endsWith('.css'));
      if (css === undefined) throw new Error('the styles were not built');
      const pages = { en: readPages('en'), es: readPages('es') };
      for (const { fileName, source } of rulePages(pages, css)) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** @param {string} lang @returns {Record<string, string>} */
const readPages = (lang) => JSON.parse(readFileSync(`${built}pages.${lang}.json`, 'utf8'));

async function workerText() {
  const bundled = await build({
    entryPoints: [`${root}js/worker.mjs`],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    // The glue names the place of the WebAssembly for Node; the worker gets the module itself.
    define: { 'import.meta.url': '"https://worker.invalid/"' },
  });
  return bundled.outputFiles[0].text;
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [core()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});
