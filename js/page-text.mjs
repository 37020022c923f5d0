// @ts-check
/**
 * The pages of rules as `explain` prints them: Markdown with its examples filled in as far as a reader needs, the
 * options of the rule, and, in Spanish, the examples and references of the English page.
 */

import { fill, parseFence, shortName } from './pages.mjs';

/** @typedef {import('./pages.mjs').Series} Series */
/** @typedef {{title: string, text: string}} Section */

/** Documents, and runs of a loop, that an example spells out. */
const MOST = 3;

const TITLES = {
  en: { Bad: 'Bad', Good: 'Good', Options: 'Options', References: 'References', finds: 'Found:', more: 'more' },
  es: { Bad: 'Mal', Good: 'Bien', Options: 'Opciones', References: 'Referencias', finds: 'Se encuentra:', more: 'más' },
};

/**
 * One page.
 * @param {string} id
 * @param {Record<'en' | 'es', Record<string, string>>} pages without their front blocks
 * @param {Record<string, {default?: unknown, description?: string}>} options
 * @param {'en' | 'es'} language
 * @returns {string}
 */
export function pageText(id, pages, options, language) {
  const titles = TITLES[language];
  const english = sections(pages.en[id]);
  const own = sections(pages[language][id] ?? pages.en[id]);
  /** @param {Section[]} page @param {string} title */
  const find = (page, title) => page.find((section) => section.title === title)?.text ?? '';
  const parts = [`# ${id}`, find(own, '')];
  for (const title of /** @type {const} */ (['Bad', 'Good'])) {
    const text = find(english, title);
    if (text !== '') parts.push(`## ${titles[title]}`, readable(text, titles));
  }
  const list = Object.entries(options).map(([name, option]) => {
    const standard = option.default === undefined ? '' : ` (${JSON.stringify(option.default)})`;
    return `- \`${name}\`${standard}: ${option.description ?? ''}`;
  });
  const optionsText = find(own, titles.Options) || list.join('\n');
  if (optionsText !== '') parts.push(`## ${titles.Options}`, optionsText);
  const placed = [...Object.keys(titles), ...Object.values(titles), ''];
  for (const { title, text } of own) if (!placed.includes(title)) parts.push(`## ${title}`, text);
  const references = find(own, titles.References) || find(english, 'References');
  if (references !== '') parts.push(`## ${titles.References}`, references);
  return `${parts.join('\n\n')}\n`;
}

/**
 * The options of a rule, by name, from the JSON Schema of `mongovet.json`.
 * @param {any} schema
 * @param {string} id
 */
export function optionsOf(schema, id) {
  return schema.$defs?.Rules?.properties?.[id]?.anyOf?.[1]?.prefixItems?.[1]?.properties ?? {};
}

/** The `##` sections, the part above them under an empty title. @param {string} page @returns {Section[]} */
function sections(page) {
  const out = [{ title: '', lines: /** @type {string[]} */ ([]) }];
  let isFenced = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('```')) isFenced = !isFenced;
    if (!isFenced && line.startsWith('## ')) out.push({ title: line.slice(3), lines: [] });
    else out[out.length - 1].lines.push(line);
  }
  return out.map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }));
}

/** @param {string} text a section of examples @param {typeof TITLES.en} titles */
function readable(text, titles) {
  const cut = { most: MOST, more: (/** @type {number} */ rest) => `… ${rest} ${titles.more}` };
  const examples = text.split(/^(?=### )/m).map((example) => {
    const fences = [...example.matchAll(/^```(.*)$/gm)].map(([, info]) => parseFence(info).file);
    const series = new Map(fences.flatMap((file) => (file ? [[shortName(file.name), file.series]] : [])));
    return example.replace(/^```(.*)\n([^]*?)^```$/gm, (fence, info, body) => {
      const { language, file } = parseFence(info);
      if (language === 'expect') {
        const lines = body.split('\n').filter((/** @type {string} */ line) => line.trim() !== '');
        const found = lines.map((/** @type {string} */ line) => `- \`${line.trim().replace(/\s+/g, ' ')}\``);
        return `\n${titles.finds}\n\n${found.join('\n')}\n`;
      }
      if (file === null) return fence;
      const filled = fill(body, shortName(file.name), series, file.repeat, cut);
      return `\n\`${file.name}\`\n\n\`\`\`${language}\n${filled}\`\`\`\n`;
    });
  });
  return examples.join('').replace(/\n{3,}/g, '\n\n').trim();
}
