// @ts-check
/** The page of a rule in a drawer. The pages come with the first load, so that reading one asks nobody. */

import pagesEn from 'virtual:pages.en';
import pagesEs from 'virtual:pages.es';

import { fill, h, icon } from './dom.js';
import { readPage } from '../../js/pages.mjs';

/** @param {string} url @returns {Promise<Record<string, string>>} */
const fetchPages = async (url) => {
  try {
    return await (await fetch(url)).json();
  } catch {
    // Without its pages the playground still checks; the drawer says that there is none.
    return {};
  }
};

/** @type {Record<string, Promise<Record<string, string>>>} */
const pages = { en: fetchPages(pagesEn), es: fetchPages(pagesEs) };

/**
 * The page of a rule in a language, else in English.
 * @param {string} rule
 * @param {string} lang
 */
export async function rulePage(rule, lang) {
  const english = (await pages.en)[rule];
  if (english === undefined) return null;
  return readPage((await pages[lang])[rule] ?? english, english);
}

/**
 * Opens the drawer; `tryExample` loads an example of the page.
 * @param {string} rule
 * @param {import('./words.js').Speech} speech
 * @param {(example: import('../../js/pages.mjs').PageExample) => void} tryExample
 */
export async function openRulePage(rule, speech, tryExample) {
  const { t, lang } = speech;
  const page = await rulePage(rule, lang);
  const dialog = h('dialog.drawer', { 'aria-label': t('rule.open', { rule }) });
  const folder = lang === 'es' ? './rules/es/' : './rules/';
  /** @param {import('../../js/pages.mjs').Block} block */
  const draw = (block) => {
    switch (block.kind) {
      case 'part':
        return element(block.part);
      case 'fence':
        return h(
          'figure.fence',
          {},
          block.name && h('figcaption', {}, block.name, 1 < block.repeat && h('span.muted', {}, ` ${t('rule.repeat', { n: block.repeat })}`)),
          h('pre', { tabindex: '0' }, h('code', {}, block.text)),
        );
      case 'expect':
        return h('ul.expect', { 'aria-label': t('rule.expect') }, ...block.lines.map(expectation));
      default:
        return h('p', {}, h('button.small', { type: 'button', onclick: () => (dialog.close(), page && tryExample(page.examples[block.number])) }, t('rule.try'), icon('arrow')));
    }
  };
  fill(
    dialog,
    h(
      'header',
      {},
      h('h2', {}, rule),
      h(
        'div',
        {},
        page && h('a.quiet.small', { href: `${folder}${rule}.html`, target: '_blank', rel: 'noopener' }, t('rule.page')),
        h('button.quiet.small.bare', { type: 'button', 'aria-label': t('close'), onclick: () => dialog.close() }, icon('close')),
      ),
    ),
    h('div.page', { tabindex: '0', role: 'group', 'aria-label': rule }, ...(page ? page.blocks.map(draw) : [h('p', {}, t('rule.none'))])),
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (/** @type {Event} */ event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

/** A line of `expect`: severity, rule, then the place. @param {string} line */
function expectation(line) {
  const [severity, rule, ...place] = line.trim().split(/\s+/);
  return h(`li.${severity}`, {}, icon(severity), h('code', {}, rule), ' ', h('span.muted', {}, place.filter((part) => part !== '-').join(' ')));
}

/** @param {import('../../js/markdown.mjs').Part} part @returns {any} */
function element(part) {
  if (typeof part === 'string') return part;
  const { tag, attributes = {}, children } = part;
  const link = tag === 'a' ? { href: attributes.href, target: '_blank', rel: 'noopener noreferrer' } : {};
  // The drawer's own heading is above those of the page.
  const level = /^h([1-4])$/.exec(tag);
  return h(level ? `h${Number(level[1]) + 1}` : tag, link, ...children.map(element));
}
