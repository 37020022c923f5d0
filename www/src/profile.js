// @ts-check
/** The profile: one row a field, with how often it is there, its types, and how long its arrays are. */

import { h, svg } from './dom.js';
import { collectionGrowth } from './growth.js';
import { dotted, nothing } from './text.js';

/** @typedef {import('./main.js').Cx} Cx */
/** @typedef {{min: number, median: number, p99: number, max: number, total: number}} Lengths */

/** Types that share a colour. @type {Record<string, string>} */
const FAMILIES = { int: 'number', long: 'number', double: 'number', decimal: 'number', date: 'date', timestamp: 'date', objectId: 'id', bool: 'bool', array: 'list', object: 'part', null: 'nothing', undefined: 'nothing', string: 'string' };

/** Rows that are drawn at once. */
const PAGE = 400;

/** @param {Cx} cx @param {string | null} json */
export function profileView(cx, json) {
  const { t } = cx.speech;
  const collections = json ? JSON.parse(json).collections : [];
  if (collections.length === 0) return [nothing(t('profile.none'))];
  return collections.map((/** @type {any} */ collection) => section(cx, collection));
}

/** @param {Cx} cx @param {any} profile of one collection */
function section(cx, profile) {
  const { collection, documents, complete, sizes, created, fields } = profile;
  const { t, bytes } = cx.speech;
  const longest = Math.max(1, ...fields.map((/** @type {any} */ field) => field.arrayLengths?.max ?? 0));
  const shown = labelled(fields.slice(0, PAGE));
  const heads = ['field', 'presence', 'types', 'distinct', 'details'];
  return h(
    'section.profile',
    {},
    h('h3', {}, dotted(collection)),
    h(
      'p.aside',
      {},
      [
        t('profile.documents', { n: documents }),
        t(complete ? 'inputs.complete' : 'inputs.sample'),
        t('profile.sizes', { median: bytes(sizes.median), p99: bytes(sizes.p99), max: bytes(sizes.max) }),
        created && (created[0] === created[1] ? created[0] : `${created[0]} – ${created[1]}`),
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    h(
      'div.scroll',
      { tabindex: '0', role: 'group', 'aria-label': `${t('profile')}: ${collection}` },
      h(
        'table.fields',
        {},
        h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col', class: head }, t(`profile.${head}`))))),
        h('tbody', {}, ...shown.map(({ field, label, level }) => row(cx, field, label, level, longest))),
      ),
    ),
    shown.length < fields.length && h('p.aside', {}, t('profile.more', { n: fields.length - shown.length })),
    collectionGrowth(cx, profile),
  );
}

/**
 * The fields with the names that they have below their parents. A name may hold dots itself, so the parent's path is
 * taken off instead of the path being cut at dots.
 * @param {any[]} fields parents before children
 */
function labelled(fields) {
  /** @type {string[]} */
  const parents = [];
  return fields.map((field) => {
    const isBelow = (/** @type {string} */ parent) => (field.elements ? field.path === parent : field.path.startsWith(`${parent}.`));
    while (0 < parents.length && !isBelow(/** @type {string} */ (parents.at(-1)))) parents.pop();
    const above = parents.at(-1);
    const level = parents.length;
    if (field.elements) return { field, level, label: '[ ]' };
    parents.push(field.path);
    return { field, level, label: above === undefined ? field.path : field.path.slice(above.length + 1) };
  });
}

/** @param {Cx} cx @param {any} field @param {string} label @param {number} level @param {number} longest */
function row(cx, field, label, level, longest) {
  const { t, percent, count } = cx.speech;
  const share = field.of === 0 ? 1 : field.count / field.of;
  const { distinct } = field;
  return h(
    'tr',
    { class: field.elements ? 'elements' : '' },
    h('th', { scope: 'row', class: `level-${Math.min(level, 8)}`, title: field.path }, h('bdi', {}, label || '""')),
    h('td.presence', {}, !field.elements && [bar([{ share, name: share === 1 ? 'full' : 'part' }]), h('span', {}, percent(share))]),
    h('td.types', {}, types(cx, field)),
    h('td.distinct.number', {}, distinct && `${distinct.exact ? '' : '≈ '}${count(distinct.count)}`),
    h('td.details', {}, details(cx, field, longest), field.elementsPerMonth !== undefined && h('span.grows', {}, t('profile.growth', { n: field.elementsPerMonth }))),
  );
}

/** @param {Cx} cx @param {any} field */
function types(cx, field) {
  const { percent } = cx.speech;
  const total = Math.max(1, field.count);
  /** @type {[string, number][]} */
  const found = field.types;
  if (found.length === 1) return h('span.type', { class: family(found[0][0]) }, found[0][0]);
  return [
    bar(found.map(([name, count]) => ({ share: count / total, name: family(name) }))),
    ...found.flatMap(([name, count]) => [h('span.type', { class: family(name) }, name, ' ', h('span.muted', {}, percent(count / total))), ' ']),
  ];
}

/** @param {string} type */
const family = (type) => `type-${FAMILIES[type] ?? 'other'}`;

/** @param {Cx} cx @param {any} field @param {number} longest */
function details(cx, field, longest) {
  const { t, count, percent, bytes } = cx.speech;
  /** @type {any[]} */
  const parts = [];
  if (field.arrayLengths) {
    const { median, p99, max } = field.arrayLengths;
    const words = t('profile.length', { median, p99, max });
    parts.push(h('span.range', { title: words }, range(field.arrayLengths, longest), h('span', {}, `${count(median)} / ${count(p99)} / ${count(max)}`), h('span.hidden', {}, words)));
  }
  const strings = field.types.find((/** @type {[string, number]} */ [name]) => name === 'string')?.[1] ?? 0;
  for (const [shape, found] of field.shapes ?? []) {
    if (strings <= 2 * found) parts.push(h('span.shape', {}, `${shape}${found === strings ? '' : ` ${percent(found / strings)}`}`));
  }
  if (field.distinctNames) parts.push(h('span.shape', {}, t('profile.names', { n: field.distinctNames.count })));
  if (field.stringLengths && 64 <= field.stringLengths.max) parts.push(h('span.muted', {}, `≤ ${bytes(field.stringLengths.max)}`));
  if (field.numbers) parts.push(h('span.muted', {}, `${count(field.numbers[0])} … ${count(field.numbers[1])}`));
  if (field.dates) parts.push(h('span.muted', {}, `${field.dates[0]} … ${field.dates[1]}`));
  if (field.values) parts.push(h('span.muted', {}, field.values.slice(0, 5).join(', ')));
  return parts;
}

/** A bar of shares. @param {{share: number, name: string}[]} shares */
function bar(shares) {
  let x = 0;
  const parts = shares.map(({ share, name }) => {
    const part = svg('rect', { x, y: 0, width: Math.max(0, 100 * share - (1 < shares.length ? 1 : 0)), height: 6, class: name });
    x += 100 * share;
    return part;
  });
  return svg('svg', { viewBox: '0 0 100 6', class: 'bar', 'aria-hidden': 'true', preserveAspectRatio: 'none' }, svg('rect', { x: 0, y: 0, width: 100, height: 6, class: 'track' }), ...parts);
}

/**
 * Where lengths lie, on a logarithmic scale that all arrays of a collection share: the span, thicker up to the 99th
 * percentile, with a mark at the median.
 * @param {Lengths} lengths
 * @param {number} longest
 */
function range({ min, median, p99, max }, longest) {
  const at = (/** @type {number} */ length) => (98 * Math.log1p(length)) / Math.log1p(longest);
  const line = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ name) => svg('line', { x1: at(from), x2: Math.max(at(to), at(from) + 0.8), y1: 6, y2: 6, class: name });
  return svg(
    'svg',
    { viewBox: '0 0 100 12', class: 'lengths', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
    svg('line', { x1: 0, x2: 100, y1: 6, y2: 6, class: 'track' }),
    line(min, max, 'span'),
    line(min, p99, 'most'),
    svg('line', { x1: at(median) + 0.4, x2: at(median) + 0.4, y1: 1, y2: 11, class: 'median' }),
  );
}
