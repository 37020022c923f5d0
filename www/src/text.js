// @ts-check
/** Small pieces of text that several views show: sentences with code in them, scripts with a copy button. */

import { javascriptLanguage } from '@codemirror/lang-javascript';
import { highlightCode, tagHighlighter, tags } from '@lezer/highlight';
import { parser as json } from '@lezer/json';

import { h, icon } from './dom.js';

/** Longest text that is coloured, in UTF-16 units. */
const COLOURED = 200_000;
const colours = tagHighlighter([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: 'code-key' },
  { tag: [tags.string, tags.regexp], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.null], class: 'code-number' },
  { tag: [tags.keyword, tags.function(tags.variableName), tags.typeName], class: 'code-word' },
  { tag: tags.comment, class: 'code-comment' },
]);

/**
 * JavaScript, TypeScript or JSON in colours.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function coloured(text) {
  if (COLOURED < text.length) return [text];
  /** @type {(Node | string)[]} */
  const parts = [];
  const parser = /^\s*[[{]/.test(text) ? json : javascriptLanguage.parser.configure({ dialect: 'ts' });
  const tree = parser.parse(text);
  highlightCode(text, tree, colours, (part, names) => parts.push(names ? h('span', { class: names }, part) : part), () => parts.push('\n'));
  return parts;
}

/**
 * A sentence of the report, in which back quotes mark code.
 * @param {string} sentence
 * @returns {(Node | string)[]}
 */
export function sentence(sentence) {
  return sentence.split('`').map((part, at) => (at % 2 === 1 ? h('code', {}, part) : part));
}

/**
 * A place in dot notation, isolated so that right-to-left names do not reorder what stands around them. Long paths
 * may break after their dots.
 * @param {string} path
 */
export function dotted(path) {
  return h('bdi', {}, ...path.split('.').flatMap((part, at) => (at === 0 ? [part] : ['.', h('wbr'), part])));
}

/**
 * A button that copies a text.
 * @param {import('./words.js').Speech} speech
 * @param {string | (() => string)} text
 */
export function copyButton({ t }, text) {
  const label = h('span', {}, t('copy'));
  const button = h('button.quiet.small', { type: 'button', onclick: copy }, icon('copy'), label);
  async function copy() {
    let done = 'copy.done';
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
    } catch {
      done = 'copy.failed';
    }
    label.textContent = t(done);
    button.setAttribute('aria-live', 'polite');
    setTimeout(() => {
      label.textContent = t('copy');
    }, 1600);
  }
  return button;
}

/**
 * A script with its safety and a copy button.
 * @param {import('./words.js').Speech} speech
 * @param {{title: string, safety?: string, script: string, open?: boolean}} what
 */
export function scriptBlock(speech, { title, safety, script, open = false }) {
  const { t } = speech;
  return h(
    'details.script',
    { open },
    h(
      'summary',
      {},
      icon('chevron', 'turn'),
      h('span', {}, title),
      safety && h(`span.safety.${safety}`, { title: t(`safety.${safety}.why`) }, t(`safety.${safety}`)),
    ),
    h('div.code', {}, h('pre', { tabindex: '0', role: 'group', 'aria-label': title }, h('code', {}, ...coloured(script))), copyButton(speech, script)),
  );
}

/**
 * A figure of the evidence as text.
 * @param {import('./words.js').Speech} speech
 * @param {unknown} value
 * @returns {string}
 */
export function figure(speech, value) {
  if (typeof value === 'number') return speech.count(value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((item) => figure(speech, item)).join(', ');
  if (value !== null && typeof value === 'object') {
    return Object.entries(value)
      .map(([name, item]) => `${name} ${figure(speech, item)}`)
      .join(', ');
  }
  return String(value);
}

/**
 * What a view says when it has nothing to show.
 * @param {string} headline
 * @param {string} [more]
 */
export function nothing(headline, more) {
  return h('div.nothing', {}, h('p.headline', {}, headline), more && h('p', {}, more));
}
