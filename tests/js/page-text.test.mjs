// @ts-check
/** What `explain` prints: whole pages in both languages, examples that a person can read. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { optionsOf, pageText } from '../../js/page-text.mjs';

const root = new URL('../../', import.meta.url);

const english = `Summary.

Prose.

## Bad

\`\`\`json5 file=shop.orders.json5 repeat=200
{_id: {{i}}, items: [{{times 5: {{j}}}}], note: "{{text 100}}"}
\`\`\`
\`\`\`expect
warning document/x  shop.orders path=a
\`\`\`

## Good

\`\`\`json5 file=shop.orders.json5
{}
\`\`\`

## When to ignore it

Never.

## References

- <https://example.org>
`;

test('a page has its parts in order, and examples as far as a reader needs', () => {
  const pages = { en: { 'document/x': english }, es: {} };
  const text = pageText('document/x', pages, { length: { default: 250, description: 'Elements.' } }, 'en');
  const note = 'lorem ipsum dolor sit amet lorem ipsum d…';
  assert.equal(text, `# document/x

Summary.

Prose.

## Bad

\`shop.orders.json5\`

\`\`\`json5
{_id: 0, items: [0, 1, 2, /* … 2 more */], note: "${note}"}
{_id: 1, items: [0, 1, 2, /* … 2 more */], note: "${note}"}
{_id: 2, items: [0, 1, 2, /* … 2 more */], note: "${note}"}
// … 197 more
\`\`\`

Found:

- \`warning document/x shop.orders path=a\`

## Good

\`shop.orders.json5\`

\`\`\`json5
{}
\`\`\`

## Options

- \`length\` (250): Elements.

## When to ignore it

Never.

## References

- <https://example.org>
`);
});

test('a Spanish page takes examples and references from the English one', () => {
  const pages = { en: { 'document/x': english }, es: { 'document/x': 'Resumen.\n\n## Cuándo ignorarla\n\nNunca.\n' } };
  const text = pageText('document/x', pages, {}, 'es');
  const titles = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
  assert.deepEqual(titles, ['document/x', 'Mal', 'Bien', 'Cuándo ignorarla', 'Referencias']);
  assert.ok(text.includes('Resumen.') && text.includes('Se encuentra:') && !text.includes('Summary'));
});

test('every page can be printed, with the options of its rule', () => {
  const names = /** @type {string[]} */ (readdirSync(new URL('src/rules', root), { recursive: true }));
  const pages = { en: /** @type {Record<string, string>} */ ({}), es: /** @type {Record<string, string>} */ ({}) };
  for (const name of names.filter((name) => name.includes('/') && name.endsWith('.md'))) {
    const text = readFileSync(new URL(`src/rules/${name}`, root), 'utf8').replace(/^---\n[^]*?\n---\n+/, '');
    pages[name.endsWith('.es.md') ? 'es' : 'en'][name.replace(/(\.es)?\.md$/, '')] = text;
  }
  const schema = JSON.parse(readFileSync(new URL('js/mongovet.schema.json', root), 'utf8'));
  for (const id of Object.keys(pages.en)) {
    for (const language of /** @type {const} */ (['en', 'es'])) {
      const text = pageText(id, pages, optionsOf(schema, id), language);
      assert.ok(text.startsWith(`# ${id}\n\n`), id);
      assert.doesNotMatch(text, /\{\{|file=\S+ repeat/, id);
    }
  }
  assert.equal(optionsOf(schema, 'document/large-array').length.default, 250);
});
