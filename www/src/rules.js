// @ts-check
/** The page of a rule in a drawer. The pages come with the first load, so that reading one asks nobody. */

import pagesEn from 'virtual:pages.en';
import pagesEs from 'virtual:pages.es';

import { fill, h, icon } from './dom.js';
import { parsePage } from './markdown.js';

/** @param {string} url @returns {Promise<Record<string, string>>} */
const fetchPages = async (url) => {
  try {
    return await (await fetch(url)).json();
  } catch {
    return {};
  }
};

/** @type {Record<string, Promise<Record<string, string>>>} */
const pages = { en: fetchPages(pagesEn), es: fetchPages(pagesEs) };

/**
 * @param {string} rule
 * @param {import('./words.js').Speech} speech
 */
export async function openRulePage(rule, { t, lang }) {
  const page = (await pages[lang])[rule] ?? (await pages.en)[rule];
  const dialog = h('dialog.drawer', { 'aria-label': t('rule.open', { rule }) });
  const folder = lang === 'es' ? './rules/es/' : './rules/';
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
    h('div.page', { tabindex: '0' }, ...(page ? parsePage(page).map(element) : [t('rule.none')])),
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (/** @type {Event} */ event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {import('./markdown.js').Part} part @returns {any} */
function element(part) {
  if (typeof part === 'string') return part;
  const { tag, attributes = {}, children } = part;
  if (tag === 'pre') {
    const name = /(?:^|\s)file=(\S+)/.exec(attributes.info)?.[1];
    return h('figure.fence', {}, name && h('figcaption', {}, name), h('pre', { tabindex: '0' }, h('code', {}, ...children.map(element))));
  }
  const link = tag === 'a' ? { href: attributes.href, target: '_blank', rel: 'noopener noreferrer' } : {};
  // The drawer's own heading is the first level.
  const level = /^h([1-4])$/.exec(tag);
  return h(level ? `h${Math.min(6, Number(level[1]) + 1)}` : tag, link, ...children.map(element));
}
