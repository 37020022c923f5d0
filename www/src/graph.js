// @ts-check
/** The relationships as a drawing: parents to the left of their children, what is embedded with a dashed frame. */

import { h, svg } from './dom.js';

/** @typedef {import('./main.js').Cx} Cx */
/** @typedef {{ name: string, label: string, isPart: boolean, column: number, row: number }} Box */
/** @typedef {{ from: string, to: string, today: string, decision: string, label: string }} Edge */

const BOX = { width: 190, height: 34, gapX: 90, gapY: 16, margin: 10 };
/** Letters of a name that fit into a box. */
const LETTERS = 26;
/** Relationships beyond which a drawing tells less than the list. */
const MOST = 40;

/** Forms in which the child lies inside its parent. */
const INSIDE = ['embed', 'subset', 'bucket', 'outlier'];

/** @param {Cx} cx @param {any} report */
export function relationshipGraph(cx, report) {
  const { t } = cx.speech;
  const edges = edgesOf(report);
  if (edges.length === 0 || MOST < edges.length) return undefined;
  const boxes = placed(edges);
  const columns = 1 + Math.max(...boxes.map(({ column }) => column));
  const rows = 1 + Math.max(...boxes.map(({ row }) => row));
  const width = 2 * BOX.margin + columns * BOX.width + (columns - 1) * BOX.gapX;
  const height = 2 * BOX.margin + rows * BOX.height + (rows - 1) * BOX.gapY;
  const drawing = svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, width, height, class: 'graph', role: 'img', 'aria-label': t('graph.label', { n: edges.length }) },
    ...edges.map((edge) => curve(edge, boxes)),
    ...boxes.map(box),
  );
  return h(
    'section.graph',
    {},
    h('h3', {}, t('graph')),
    h('div.scroll', { tabindex: '0', role: 'group', 'aria-label': t('graph') }, drawing),
    h('p.aside', {}, t('graph.legend')),
    h('details', {}, h('summary', {}, t('graph.list')), h('ul', {}, ...edges.map((edge) => h('li', {}, line(edge))))),
  );
}

/** @param {Edge} edge */
const changes = ({ today, decision }) => decision !== 'keep' && decision !== today;

/** @param {Edge} edge */
const line = (edge) => `${edge.from} → ${edge.to} (${edge.label}): ${edge.today}${changes(edge) ? ` → ${edge.decision}` : ''}`;

/** @param {any} report @returns {Edge[]} */
function edgesOf(report) {
  const known = [...report.inputs, ...report.recommendations].map(({ collection }) => collection).filter((name) => typeof name === 'string');
  const collections = [...new Set(known)].sort((a, b) => b.length - a.length);
  return report.recommendations
    .filter((/** @type {any} */ { kind }) => kind === 'relationship')
    .flatMap((/** @type {any} */ { subject, collection, today, decision }) => {
      const owner = collections.find((name) => subject.startsWith(`${name}.`));
      if (owner === undefined) return [];
      const label = subject.slice(owner.length + 1);
      const isInside = INSIDE.includes(today) || collection === owner;
      const [from, to] = isInside ? [owner, subject] : [collection, owner];
      return [{ from, to, today, decision, label }];
    });
}

/** Boxes in columns, by the longest way from a collection that has no parent. @param {Edge[]} edges @returns {Box[]} */
function placed(edges) {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  /** @type {Map<string, number>} */
  const columns = new Map(names.map((name) => [name, 0]));
  // A circle of references would push its members to the right for ever.
  for (let round = 0; round < names.length; round += 1) {
    for (const { from, to } of edges) {
      const wanted = Math.min(/** @type {number} */ (columns.get(from)) + 1, names.length - 1);
      if (from !== to && round < 6 && /** @type {number} */ (columns.get(to)) < wanted) columns.set(to, wanted);
    }
  }
  const used = [...new Set(columns.values())].sort((a, b) => a - b);
  /** @type {number[]} */
  const rows = [];
  return names.map((name) => {
    const column = used.indexOf(/** @type {number} */ (columns.get(name)));
    const row = rows[column] ?? 0;
    rows[column] = row + 1;
    const part = edges.find(({ from, to, label }) => to === name && to === `${from}.${label}`);
    return { name, label: part ? part.label : name, isPart: part !== undefined, column, row };
  });
}

/** @param {Box} box */
const corner = ({ column, row }) => ({
  x: BOX.margin + column * (BOX.width + BOX.gapX),
  y: BOX.margin + row * (BOX.height + BOX.gapY),
});

/** @param {Box} place */
function box(place) {
  const { x, y } = corner(place);
  const shown = place.label.length <= LETTERS ? place.label : `${place.label.slice(0, LETTERS - 1)}…`;
  return svg(
    'g',
    { class: place.isPart ? 'box part' : 'box' },
    svg('title', {}, place.name),
    svg('rect', { x, y, width: BOX.width, height: BOX.height, rx: 5 }),
    svg('text', { x: x + BOX.width / 2, y: y + BOX.height / 2 + 4 }, shown),
  );
}

/** @param {Edge} edge @param {Box[]} boxes */
function curve(edge, boxes) {
  const [from, to] = [edge.from, edge.to].map((name) => corner(/** @type {Box} */ (boxes.find((place) => place.name === name))));
  const middle = BOX.height / 2;
  const isForward = from.x < to.x;
  const start = { x: from.x + BOX.width, y: from.y + middle };
  const end = isForward ? { x: to.x, y: to.y + middle } : { x: to.x + BOX.width, y: to.y + middle };
  const bend = isForward ? (end.x - start.x) / 2 : BOX.gapX / 2;
  const path = `M${start.x} ${start.y} C${start.x + bend} ${start.y} ${isForward ? end.x - bend : end.x + bend} ${end.y} ${end.x} ${end.y}`;
  const tip = isForward ? `M${end.x - 7} ${end.y - 4}L${end.x} ${end.y}l-7 4` : `M${end.x + 7} ${end.y - 4}L${end.x} ${end.y}l7 4`;
  return svg('g', { class: changes(edge) ? 'edge changes' : 'edge' }, svg('title', {}, line(edge)), svg('path', { d: path }), svg('path', { d: tip }));
}
