// @ts-check
/** The website's page of each rule and the table of all, as HTML without scripts; made by vite.config.js. */

import { readPage } from '../js/pages.mjs';
import { tables } from './src/words.js';

/** @typedef {import('../js/markdown.mjs').Part} Part */
/** @typedef {import('../js/pages.mjs').Block} Block */
/** @typedef {'en' | 'es'} Lang */

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'";

/**
 * All pages below `rules/`.
 * @param {Record<Lang, Record<string, string>>} pages the Markdown by language and rule
 * @param {string} css the file of the styles, from the root of the site
 * @returns {{fileName: string, source: string}[]}
 */
export function rulePages(pages, css) {
  const rules = Object.keys(pages.en).filter((id) => /^[\w-]+\/[\w-]+$/.test(id)).sort();
  return /** @type {Lang[]} */ (['en', 'es']).flatMap((lang) => {
    const folder = lang === 'en' ? 'rules/' : `rules/${lang}/`;
    const read = rules.map((id) => ({ id, page: readPage(pages[lang][id] ?? pages.en[id], pages.en[id]) }));
    return [
      { fileName: `${folder}index.html`, source: table(lang, read, css, upFrom(folder)) },
      ...read.map(({ id, page }) => ({ fileName: `${folder}${id}.html`, source: rulePage(lang, id, page, css, upFrom(`${folder}${id}`)) })),
    ];
  });
}

/** From a file's folder to the root of the site. @param {string} file */
const upFrom = (file) => '../'.repeat(file.split('/').length - 1);

/** @param {Lang} lang @param {{id: string, page: ReturnType<typeof readPage>}[]} rules @param {string} css @param {string} up */
function table(lang, rules, css, up) {
  const groups = [...new Set(rules.map(({ id }) => id.split('/')[0]))];
  const body = groups
    .map((group) => {
      const rows = rules
        .filter(({ id }) => id.startsWith(`${group}/`))
        .map(({ id, page }) => `<tr><th scope="row"><a href="${id}.html"><code>${escaped(id)}</code></a></th><td>${escaped(page.summary)}</td></tr>`);
      return `<h2>${escaped(group)}</h2>\n<table class="rules">\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
    })
    .join('\n');
  const other = lang === 'en' ? 'es/' : '../';
  return document(lang, { title: word(lang, 'rules'), css, up, other, body: `<h1>${word(lang, 'rules')}</h1>\n${body}` });
}

/** @param {Lang} lang @param {string} id @param {ReturnType<typeof readPage>} page @param {string} css @param {string} up */
function rulePage(lang, id, page, css, up) {
  const body = page.blocks.map((block) => blockHtml(lang, id, block, up)).join('\n');
  const other = lang === 'en' ? `../es/${id}.html` : `../../${id}.html`;
  return document(lang, { title: id, css, up, other, body: `<h1><code>${escaped(id)}</code></h1>\n${body}` });
}

/** @param {Lang} lang @param {string} id @param {Block} block @param {string} up */
function blockHtml(lang, id, block, up) {
  switch (block.kind) {
    case 'part':
      return html(block.part);
    case 'fence': {
      const times = 1 < block.repeat ? ` ${word(lang, 'rule.repeat').replace('{n}', String(block.repeat))}` : '';
      const caption = block.name === '' ? '' : `<figcaption>${escaped(block.name)}<span class="muted">${escaped(times)}</span></figcaption>`;
      return `<figure class="fence">${caption}<pre tabindex="0"><code>${escaped(block.text)}</code></pre></figure>`;
    }
    case 'expect': {
      const lines = block.lines.map((line) => {
        const [severity, rule, ...place] = line.trim().split(/\s+/);
        const where = place.filter((part) => part !== '-').join(' ');
        return `<li class="${escaped(severity)}"><b>${word(lang, `severity.${severity}`)}</b> <code>${escaped(rule)}</code> <span class="muted">${escaped(where)}</span></li>`;
      });
      return `<ul class="expect" aria-label="${word(lang, 'rule.expect')}">${lines.join('')}</ul>`;
    }
    default:
      return `<p><a class="try" href="${up}#rule=${id}:${block.number}">${word(lang, 'rule.try')}</a></p>`;
  }
}

/** @param {Part} part @returns {string} */
function html(part) {
  if (typeof part === 'string') return escaped(part);
  const { tag, attributes = {}, children } = part;
  const link = tag === 'a' ? ` href="${escaped(attributes.href)}" rel="noopener noreferrer"` : '';
  return `<${tag}${link}>${children.map(html).join('')}</${tag}>`;
}

/** @param {Lang} lang @param {{title: string, css: string, up: string, other: string, body: string}} parts */
function document(lang, { title, css, up, other, body }) {
  const index = lang === 'en' ? `${up}rules/` : `${up}rules/${lang}/`;
  const otherName = lang === 'en' ? ['es', 'Español'] : ['en', 'English'];
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · mongovet</title>
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}${css}">
</head>
<body class="site">
<header class="top"><a class="home" href="${up}"><img src="${up}icon.svg" alt="" width="22" height="22">mongovet</a><span class="space"></span><a class="quiet" href="${index}">${word(lang, 'rules')}</a><a class="quiet" href="${other}" lang="${otherName[0]}">${otherName[1]}</a></header>
<main class="page">
${body}
</main>
</body>
</html>
`;
}

/** @param {Lang} lang @param {string} key */
function word(lang, key) {
  const words = tables[lang][key];
  return escaped(typeof words === 'string' ? words : words.other);
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
