// @ts-check
/** Elements from data. Every text becomes a text node, so nothing that was pasted is ever markup. */

/** Characters that change how other text is shown: controls, ANSI escapes, bidirectional marks, invisible separators. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/**
 * The text with its invisible characters spelled out, such as `\u202e`.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** @typedef {Node | string | number | false | null | undefined} Child */

/**
 * An element. `selector` is a tag with classes (`button.quiet.small`). Names in `attributes` that start with `on` are
 * listeners, `value` and the booleans are properties, everything else an attribute.
 * @param {string} selector
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(selector, attributes = {}, ...children) {
  const [tag, ...classes] = selector.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length > 0) element.className = classes.join(' ');
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/**
 * An element of a drawing.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Child | Child[])} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  append(element, children);
  return element;
}

/**
 * Replaces what a container holds.
 * @param {Element} container
 * @param {...(Child | Child[])} children
 */
export function fill(container, ...children) {
  container.textContent = '';
  append(container, children);
}

/** @param {HTMLElement} element @param {Record<string, any>} attributes */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') /** @type {any} */ (element).value = value;
    else if (name === 'class') element.className += ` ${value}`;
    else if (value === true) element.setAttribute(name, '');
    else element.setAttribute(name, typeof value === 'string' ? visible(value) : String(value));
  }
}

/** @param {Element} element @param {(Child | Child[])[]} children */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false || child === '') continue;
    element.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
}

/** Drawn by hand so that no icon font or sheet is loaded; all on a 16 unit grid. @type {Record<string, string>} */
const ICONS = {
  error: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5.6 5.6l4.8 4.8m0-4.8-4.8 4.8',
  warning: 'M8 2 1.8 13.2h12.4L8 2Zm0 4.2v3.4m0 1.9v.1',
  info: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm0 5.7v4m0-6.5v.1',
  problem: 'M4 2h5.5L12.5 5v9h-8.5zM6 8l4 4m0-4-4 4',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3',
  check: 'm3 8.5 3.3 3.3L13 4.7',
  close: 'm4 4 8 8m0-8-8 8',
  plus: 'M8 3v10M3 8h10',
  file: 'M4 1.8h5.5L12.5 5v9.2h-8.5zM9.3 2v3.3h3',
  link: 'M6.8 9.2a2.7 2.7 0 0 0 3.9 0l2.2-2.3a2.7 2.7 0 0 0-3.8-3.8l-.9.9m1 2.8a2.7 2.7 0 0 0-3.9 0L3.1 9.1a2.7 2.7 0 0 0 3.8 3.8l.9-.9',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm0-3.8v1.3m0 11v1.3M1.2 8h1.3m11 0h1.3M3.2 3.2l.9.9m7.8 7.8.9.9m0-9.6-.9.9m-7.8 7.8-.9.9',
  moon: 'M13.3 9.7A5.7 5.7 0 0 1 6.3 2.7a5.7 5.7 0 1 0 7 7Z',
  auto: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 0v12m2-11v10m2-8.5v7',
  chevron: 'm6 3.5 4.5 4.5L6 12.5',
  script: 'm2.5 4.5 3.5 3.5-3.5 3.5M8 12h5.5',
  plan: 'M8 2.2v3M4 10.8V8h8v2.8M8 5.2V8M2.4 10.8h3.2v3H2.4zM10.4 10.8h3.2v3h-3.2z',
  gear: 'M2.5 4.5h6m3 0h2m-11 7h2m3 0h6M8.5 2.8v3.4h3V2.8zM4.5 9.8v3.4h3V9.8z',
  arrow: 'M2.5 8h11M9.5 4l4 4-4 4',
  download: 'M8 2v8m-3.5-3L8 10.5 11.5 7M2.5 13.5h11',
};

/**
 * A drawing beside a text, hidden from screen readers.
 * @param {string} name
 * @param {string} [extra]
 */
export function icon(name, extra = '') {
  return svg('svg', { viewBox: '0 0 16 16', class: `icon ${extra}`, 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] ?? '' }));
}
