// @ts-check
/** The pages of rules for readers: examples filled in as the tests of the rules do, Markdown that is understood. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parsePage } from '../../js/markdown.mjs';
import { core } from '../../js/node.mjs';
import { fill, fillExample, readPage } from '../../js/pages.mjs';
import { Evidence } from '../../www/src/evidence.js';
import { exampleAsState } from '../../www/src/page.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** @type {[string, string][]} */
const pages = /** @type {string[]} */ (readdirSync(`${root}src/rules`, { recursive: true }))
  .filter((file) => /[\\/].*\.md$/.test(file))
  .map((file) => [file, readFileSync(`${root}src/rules/${file}`, 'utf8')]);

test('placeholders give what they give in the tests of the rules', () => {
  /** @type {[string, number, string | null][]} */
  const cases = JSON.parse(readFileSync(`${root}tests/rules/template.json`, 'utf8'));
  const series = new Map(['orders', 'customers'].map((name) => [name, { from: 1_767_225_600_000, step: 86_400_000 }]));
  for (const [text, count, expected] of cases) {
    const filled = () => fill(text, 'orders', series, count);
    if (expected === null) assert.throws(filled, Error, text);
    else assert.equal(filled(), expected, text);
  }
});

test('every page is read, and its examples are filled in', () => {
  assert.ok(10 < pages.length);
  for (const [file, text] of pages) {
    const english = text.includes('## Bad') ? text : (pages.find(([other]) => other === file.replace('.es.md', '.md'))?.[1] ?? text);
    const { summary, blocks, examples } = readPage(text, english);
    assert.ok(summary.length > 10, `${file} has no summary`);
    assert.ok(blocks.length > 2, file);
    for (const example of examples) {
      for (const filled of fillExample(example)) assert.doesNotMatch(filled.text, /\{\{/, `${file}: ${filled.name}`);
    }
  }
});

test('an example opened in the playground finds what its page says', async () => {
  let looked = 0;
  for (const [file, text] of pages.filter(([name]) => !name.endsWith('.es.md'))) {
    for (const example of readPage(text).examples) {
      if (example.expected.length === 0) continue;
      const { state, files } = exampleAsState(example);
      const evidence = new Evidence();
      evidence.replace(state);
      const pasted = evidence.inputs().inputs.map(({ collection, ...input }) => ({ ...input, options: collection ? { collection } : {} }));
      const inputs = [...pasted, ...files.map(({ name, text: data }) => ({ name, data }))];
      const options = { ...evidence.options(), today: new Date().toISOString().slice(0, 10) };
      const { report } = await core.run(/** @type {import('../../js/index.d.ts').Input[]} */ (inputs), options);
      for (const line of example.expected) {
        const [severity, rule, collection, ...places] = line.trim().split(/\s+/);
        // Lines and files are those of the page; the playground's panes have names of their own.
        const wanted = Object.fromEntries(places.filter((place) => /^(path|index|stage)=/.test(place)).map((place) => place.split(/=(.*)/s).slice(0, 2)));
        const isFound = report.findings.some(
          (finding) =>
            finding.severity === severity &&
            finding.rule === rule &&
            (finding.collection ?? '-') === collection &&
            Object.entries(wanted).every(([name, value]) => String(finding[/** @type {'path'} */ (name)]) === value),
        );
        const found = report.findings.map((finding) => `${finding.severity} ${finding.rule} ${finding.collection} ${finding.path ?? finding.index ?? ''}`);
        assert.ok(isFound, `${file}: ${line}\nfound:\n${found.join('\n')}`);
        looked += 1;
      }
    }
  }
  assert.ok(20 < looked, `only ${looked} expectations`);
});

test('no Markdown on the pages is left over as text', () => {
  for (const [file, text] of pages) {
    /** @param {import('../../js/markdown.mjs').Part} part */
    const check = (part) => {
      if (typeof part === 'string') assert.doesNotMatch(part, /`|\*\*|\]\(|^\s*(#|>|- |\|)/, `${file}: ${part}`);
      else if (part.tag !== 'pre' && part.tag !== 'code') part.children.forEach(check);
    };
    parsePage(text).forEach(check);
  }
});
