// @ts-check
/** Design questions answered: criteria on a scale between two sides, alternatives side by side, scripts. */

import { h, icon, svg } from './dom.js';
import { relationshipGraph } from './graph.js';
import { arrayGrowth } from './growth.js';
import { dotted, figure, nothing, scriptBlock, sentence } from './text.js';

/** @typedef {import('./main.js').Cx} Cx */

/** @param {Cx} cx @param {any} report */
export function decisionsView(cx, report) {
  const { t } = cx.speech;
  if (report.recommendations.length === 0) return [nothing(t('decisions.none'), t('decisions.none.more'))];
  return [relationshipGraph(cx, report), ...report.recommendations.map((/** @type {any} */ recommendation) => decision(cx, recommendation))];
}

/** @param {Cx} cx @param {any} recommendation */
function decision(cx, recommendation) {
  const { speech } = cx;
  const { t } = speech;
  const { subject, today, decision, certainty, why, criteria, alternatives, asks, scripts } = recommendation;
  const changes = decision !== 'keep' && decision !== today;
  return h(
    'article.decision',
    {},
    h(
      'header',
      {},
      h('h3', {}, dotted(subject)),
      h(
        'p.verdict',
        {},
        h('span.form', {}, h('span.label', {}, t('today')), ' ', h('b', {}, today)),
        changes && icon('arrow'),
        changes && h('span.form.chosen', {}, h('span.label', {}, t('decision')), ' ', h('b', {}, decision)),
        !changes && h('span.form.chosen', {}, icon('check'), h('b', {}, t('keep'))),
        h('span.certainty', { title: t(`certainty.${certainty}.why`) }, t(`certainty.${certainty}`)),
      ),
    ),
    why && h('p.why', {}, ...sentence(why)),
    arrayGrowth(cx, recommendation),
    0 < criteria.length && criteriaTable(cx, criteria),
    0 < alternatives.length && alternativesTable(cx, recommendation),
    0 < asks.length && h('section', {}, h('h4', {}, t('asks')), h('ul.asks', {}, ...asks.map((/** @type {string} */ ask) => h('li', {}, ...sentence(ask))))),
    0 < scripts.length &&
      h('section', {}, h('h4', {}, t('scripts')), ...scripts.map((/** @type {any} */ { name, safety, script }) => scriptBlock(speech, { title: name, safety, script }))),
  );
}

/** Figures of a criterion that are shown at once. */
const FIGURES = 5;

/** @param {Cx} cx @param {any[]} criteria */
function criteriaTable(cx, criteria) {
  const { t } = cx.speech;
  const heaviest = Math.max(1, ...criteria.map(({ weight }) => weight));
  // What nobody knows and nothing was measured on needs no row each.
  const isBlank = (/** @type {any} */ { answer, evidence }) => answer === 'unknown' && Object.keys(evidence).length === 0;
  const unknown = criteria.filter(isBlank).map(({ name }) => name);
  const row = (/** @type {any} */ { name, answer, favours, weight, evidence }) => {
    const known = favours === 'embedding' || favours === 'referencing';
    return h(
      'tr',
      { class: known ? favours : 'neither' },
      h('th', { scope: 'row' }, name),
      h('td.answer', {}, answer),
      h(
        'td.scale',
        {},
        balance(known ? favours : '', weight / heaviest),
        h('span.hidden', {}, known ? `${t('favours')} ${t(`favours.${favours}`)}` : favours || t('favours.none')),
      ),
      h('td.evidence', {}, ...figures(cx, evidence)),
    );
  };
  return h(
    'section',
    {},
    h('h4', {}, t('criteria')),
    h(
      'div.scroll',
      { tabindex: '0', role: 'group', 'aria-label': t('criteria') },
      h(
        'table.criteria',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, t('criterion')),
            h('th', { scope: 'col' }, t('answer')),
            h('th.scale', { scope: 'col' }, h('span.ends', {}, h('span', {}, t('favours.embedding')), h('span', {}, t('favours.referencing')))),
            h('th', { scope: 'col' }, t('figures')),
          ),
        ),
        h('tbody', {}, ...criteria.filter((criterion) => !isBlank(criterion)).map(row)),
      ),
    ),
    0 < unknown.length && h('p.aside', {}, h('b', {}, t('criteria.unknown')), ' ', unknown.join(', ')),
  );
}

/** @param {Cx} cx @param {Record<string, unknown>} evidence */
function figures(cx, evidence) {
  const all = Object.entries(evidence).map(([name, value]) => h('span.figure', {}, `${name} `, h('b', {}, figure(cx.speech, value)), ' '));
  if (all.length <= FIGURES + 1) return all;
  return [...all.slice(0, FIGURES), h('details', {}, h('summary', {}, cx.speech.t('filter.more', { n: all.length - FIGURES })), ...all.slice(FIGURES))];
}

/** A bar from the middle to the side that an answer favours. @param {string} side @param {number} share */
function balance(side, share) {
  const width = 48 * share;
  const bar = side === 'embedding' ? { x: 50 - width, width } : { x: 50, width };
  return svg(
    'svg',
    { viewBox: '0 0 100 10', class: 'balance', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
    svg('line', { x1: 0, x2: 100, y1: 5, y2: 5 }),
    side !== '' && svg('rect', { ...bar, y: 2, height: 6, rx: 1 }),
    svg('line', { x1: 50, x2: 50, y1: 0, y2: 10, class: 'middle' }),
  );
}

/** @param {Cx} cx @param {any} recommendation */
function alternativesTable(cx, { today, decision, alternatives }) {
  const { speech } = cx;
  const { t } = speech;
  const names = [...new Set(alternatives.flatMap((/** @type {any} */ { figures }) => Object.keys(figures)))];
  const chosen = decision === 'keep' ? today : decision;
  const row = (/** @type {string} */ name) => {
    const values = alternatives.map((/** @type {any} */ { figures }) => figures[name]);
    const largest = Math.max(...values.filter((/** @type {unknown} */ value) => typeof value === 'number'));
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, spaced(name)),
      ...values.map((/** @type {unknown} */ value, /** @type {number} */ at) =>
        h(
          'td.number',
          { class: alternatives[at].decision === chosen ? 'chosen' : '' },
          value === undefined ? '–' : figure(speech, value),
          typeof value === 'number' && 0 < largest && meter(value / largest),
        ),
      ),
    );
  };
  return h(
    'section',
    {},
    h('h4', {}, t('alternatives')),
    h(
      'div.scroll',
      { tabindex: '0', role: 'group', 'aria-label': t('alternatives') },
      h(
        'table.alternatives',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, h('span.hidden', {}, t('figure'))),
            ...alternatives.map((/** @type {any} */ alternative) =>
              h(
                'th',
                { scope: 'col', class: alternative.decision === chosen ? 'chosen' : '' },
                alternative.decision,
                alternative.decision === today && h('span.tag', {}, t('today')),
                alternative.decision === chosen && chosen !== today && h('span.tag.accent', {}, t('decision')),
                alternative.out && h('span.tag.out', { title: alternative.out }, t('out')),
              ),
            ),
          ),
        ),
        h('tbody', {}, ...names.map(row)),
      ),
    ),
    ...alternatives.filter((/** @type {any} */ { out }) => out).map((/** @type {any} */ { decision, out }) => h('p.aside', {}, h('b', {}, decision), ': ', ...sentence(out))),
  );
}

/** @param {number} share */
function meter(share) {
  return svg(
    'svg',
    { viewBox: '0 0 100 4', class: 'meter', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
    svg('rect', { x: 0, y: 0, width: 100, height: 4, class: 'track' }),
    svg('rect', { x: 0, y: 0, width: Math.max(1, 100 * share), height: 4, class: 'fill' }),
  );
}

/** `bytesReadIn3Years` as words. @param {string} name */
const spaced = (name) => name.replace(/(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z])/g, ' ').toLowerCase();
