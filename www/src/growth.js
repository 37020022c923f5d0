// @ts-check
/** Growth of arrays and collections over the next years, on a logarithmic scale beside the numbers at which it hurts. */

import { h, svg } from './dom.js';
import { figure } from './text.js';

/** @typedef {import('./main.js').Cx} Cx */
/** @typedef {[number, number][]} Points years from now, and how many */

const PLOT = { width: 420, height: 190, left: 54, right: 14, top: 12, bottom: 26 };
const YEARS = [0, 1, 3, 5];
/** Elements at which an array is large, very large, and out of all proportion. */
const LIMITS = [100, 1_000, 10_000];

/** @typedef {{ name: string, points: Points }} Series */

/**
 * The curves of one array; nothing where no time tells its growth.
 * @param {Cx} cx
 * @param {any} recommendation
 */
export function arrayGrowth(cx, { subject, criteria }) {
  const evidence = criteria.find((/** @type {any} */ { name }) => name === 'growth')?.evidence;
  if (evidence === undefined) return undefined;
  const series = [
    { name: 'p99', points: along(evidence, 'p99', evidence.p99) },
    { name: 'longest', points: along(evidence, 'longest', evidence.max) },
  ];
  return plot(cx, cx.speech.t('growth.label', { subject }), series, LIMITS);
}

/**
 * The curve of a collection.
 * @param {Cx} cx
 * @param {any} collection
 */
export function collectionGrowth(cx, { collection, documents, growth }) {
  /** @type {Points} */
  const points = [[0, documents], ...(growth?.years ?? []).map((/** @type {number[]} */ [year, count]) => [year, count])];
  return plot(cx, cx.speech.t('growth.documents.label', { collection }), [{ name: 'documents', points }], []);
}

/**
 * @param {Cx} cx
 * @param {string} label
 * @param {Series[]} all those that do not tell of every year are left out
 * @param {number[]} limits
 */
function plot(cx, label, all, limits) {
  const series = all.filter(({ points }) => points.length === YEARS.length);
  if (series.length === 0) return undefined;
  const { speech } = cx;
  const { t } = speech;
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const highest = Math.max(1, Math.ceil(Math.log10(Math.max(10, ...values))));
  const lowest = Math.min(highest - 1, Math.floor(Math.log10(Math.max(1, Math.min(...values)))));
  const x = (/** @type {number} */ year) => PLOT.left + (year / 5) * (PLOT.width - PLOT.left - PLOT.right);
  const y = (/** @type {number} */ value) => {
    const share = (Math.log10(Math.max(1, value)) - lowest) / (highest - lowest);
    return PLOT.height - PLOT.bottom - Math.max(0, share) * (PLOT.height - PLOT.top - PLOT.bottom);
  };
  const grid = Array.from({ length: highest - lowest + 1 }, (_, at) => 10 ** (lowest + at)).map((value) =>
    svg(
      'g',
      { class: limits.includes(value) ? 'line limit' : 'line' },
      svg('line', { x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y(value), y2: y(value) }),
      svg('text', { x: PLOT.left - 6, y: y(value) + 4, class: 'value' }, figure(speech, value)),
    ),
  );
  const curves = series.map(({ name, points }) =>
    svg(
      'g',
      { class: `curve ${name}` },
      svg('polyline', { points: points.map(([year, value]) => `${x(year)},${y(value)}`).join(' ') }),
      ...points.map(([year, value]) => svg('circle', { cx: x(year), cy: y(value), r: 3 }, svg('title', {}, `${t(`growth.${name}`)}, ${when(cx, year)}: ${figure(speech, value)}`))),
    ),
  );
  const years = YEARS.map((year) => svg('text', { x: x(year), y: PLOT.height - 8, class: year === 5 ? 'year last' : 'year' }, when(cx, year)));
  const cells = (/** @type {Points} */ points) => points.map(([year, value]) => h('td', {}, `${when(cx, year)}: ${figure(speech, value)}`));
  return h(
    'section.growth',
    {},
    h('h4', {}, t('growth')),
    svg('svg', { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, width: PLOT.width, height: PLOT.height, class: 'plot', role: 'img', 'aria-label': label }, ...grid, ...years, ...curves),
    h('p.keys', {}, ...series.map(({ name }) => h('span', { class: `key ${name}` }, t(`growth.${name}`), ' '))),
    h('table.hidden', {}, ...series.map(({ name, points }) => h('tr', {}, h('th', {}, t(`growth.${name}`)), ...cells(points)))),
  );
}

/** @param {Cx} cx @param {number} year */
const when = (cx, year) => cx.speech.t(year === 0 ? 'growth.today' : year === 1 ? 'growth.year' : 'growth.years', { n: year });

/** @param {Record<string, any>} evidence @param {string} name @param {unknown} today @returns {Points} */
function along(evidence, name, today) {
  const values = [today, ...[1, 3, 5].map((years) => evidence[`${name}In${years}Year${years === 1 ? '' : 's'}`])];
  return values.every((value) => typeof value === 'number') ? /** @type {Points} */ (values.map((value, at) => [YEARS[at], value])) : [];
}
