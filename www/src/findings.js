// @ts-check
/** What is wrong or risky: the report's findings, the most severe first, with problems before and gaps behind them. */

import { h, icon } from './dom.js';
import { dotted, figure, nothing, scriptBlock, sentence } from './text.js';

/** @typedef {import('./main.js').Cx} Cx */

const SEVERITIES = ['error', 'warning', 'info'];
/** Findings that are drawn at once; the rest waits behind a button. */
const PAGE = 100;

/**
 * What a person chose to see; kept between two reports.
 * @typedef {{hidden: Set<string>, collection: string, shown: number, toggled: Map<string, boolean>}} FindingsChoice
 */
/** @returns {FindingsChoice} */
export const findingsChoice = () => ({ hidden: new Set(), collection: '', shown: PAGE, toggled: new Map() });

/**
 * @param {Cx} cx
 * @param {any} report
 * @param {FindingsChoice} choice
 * @param {() => void} redraw
 */
export function findingsView(cx, report, choice, redraw) {
  const { t } = cx.speech;
  const collections = [...new Set(report.findings.map((/** @type {any} */ { collection }) => collection).filter(Boolean))];
  if (!collections.includes(choice.collection)) choice.collection = '';
  const chosen = report.findings
    .filter((/** @type {any} */ finding) => !choice.hidden.has(finding.severity))
    .filter((/** @type {any} */ finding) => choice.collection === '' || finding.collection === choice.collection)
    .toSorted((/** @type {any} */ a, /** @type {any} */ b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const hidden = report.findings.length - chosen.length;
  const rest = chosen.length - choice.shown;
  return [
    problems(cx, report),
    report.findings.length > 0 && filters(cx, report, collections, choice, redraw),
    report.findings.length === 0 && nothing(t('findings.none'), t('findings.none.more')),
    h('ol.findings', {}, ...chosen.slice(0, choice.shown).map((/** @type {any} */ finding) => card(cx, finding, choice))),
    0 < rest && h('button.quiet', { type: 'button', onclick: () => ((choice.shown += PAGE), redraw()) }, t('filter.more', { n: Math.min(rest, PAGE) })),
    0 < hidden && h('p.aside', {}, t('filter.hidden', { n: hidden })),
    gaps(cx, report),
    inputs(cx, report),
  ];
}

/** @param {Cx} cx @param {any} report @param {string[]} collections @param {FindingsChoice} choice @param {() => void} redraw */
function filters(cx, report, collections, choice, redraw) {
  const { t } = cx.speech;
  const chip = (/** @type {string} */ severity) => {
    const pressed = !choice.hidden.has(severity);
    const toggle = () => {
      if (pressed) choice.hidden.add(severity);
      else choice.hidden.delete(severity);
      redraw();
      /** @type {HTMLElement | null} */ (document.querySelector(`.chip.${severity}`))?.focus();
    };
    return h(
      `button.chip.${severity}`,
      { type: 'button', 'aria-pressed': String(pressed), onclick: toggle },
      icon(severity),
      t(severity, { n: report.summary[severity] }),
    );
  };
  const choose = (/** @type {Event} */ event) => {
    choice.collection = /** @type {HTMLSelectElement} */ (event.target).value;
    redraw();
    /** @type {HTMLElement | null} */ (document.querySelector('.filters select'))?.focus();
  };
  return h(
    'div.filters',
    { role: 'group', 'aria-label': t('filter') },
    ...SEVERITIES.filter((severity) => 0 < report.summary[severity]).map(chip),
    1 < collections.length &&
      h(
        'select',
        { 'aria-label': t('filter.collection'), onchange: choose },
        h('option', { value: '' }, t('filter.all')),
        ...collections.map((name) => h('option', { value: name, selected: name === choice.collection }, name)),
      ),
  );
}

/** @param {Cx} cx @param {any} finding @param {FindingsChoice} choice */
function card(cx, finding, choice) {
  const { speech } = cx;
  const { t } = speech;
  const key = finding.fingerprint;
  const open = choice.toggled.get(key) ?? finding.severity !== 'info';
  const figures = Object.entries(finding.evidence);
  const details = h(
    'details',
    { open, ontoggle: () => choice.toggled.set(key, details.open) },
    h(
      'summary',
      {},
      icon(finding.severity, `glyph`),
      h('span.hidden', {}, `${t(`severity.${finding.severity}`)}: `),
      h('span.message', {}, ...sentence(finding.message)),
    ),
    h(
      'div.body',
      {},
      h(
        'p.place',
        {},
        place(cx, finding),
        h('span.certainty', { title: t(`certainty.${finding.certainty}.why`) }, t(`certainty.${finding.certainty}`)),
        h(
          'button.rule',
          { type: 'button', 'aria-label': t('rule.open', { rule: finding.rule }), onclick: () => cx.openRule(finding.docs) },
          finding.rule,
        ),
      ),
      h('p.why', {}, ...sentence(finding.why)),
      h('p.help', {}, h('span.label', {}, t('help')), ' ', ...sentence(finding.help)),
      0 < figures.length &&
        h('dl.figures', { 'aria-label': t('figures') }, ...figures.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, figure(speech, value))))),
      finding.remedy && scriptBlock(speech, { title: t('script'), ...finding.remedy }),
    ),
  );
  return h(`li.finding.${finding.severity}`, { 'data-rule': finding.rule }, details);
}

/**
 * Where a finding is; the place is a button where the evidence holds it.
 * @param {Cx} cx
 * @param {any} finding
 */
function place(cx, finding) {
  const { collection, path, index, stage, location } = finding;
  const parts = [];
  if (collection) parts.push(h('span.collection', {}, dotted(collection)));
  if (path !== null) parts.push(h('span.path', {}, dotted(path)));
  if (index !== null) parts.push(h('span.index', {}, h('bdi', {}, index)));
  if (stage !== null) parts.push(h('span.stage', {}, `[${stage}]`));
  if (location && !cx.isPane(location.file)) {
    parts.push(h('span.file', {}, h('bdi', {}, location.file), location.start && `:${location.start.line}:${location.start.column}`));
  }
  if (parts.length === 0) return null;
  const go = cx.placeOf(finding);
  if (!go) return h('span.where', {}, ...parts);
  const name = [collection, path, index].filter(Boolean).join(' ');
  return h('button.where', { type: 'button', title: cx.speech.t('place.show', { place: name }), onclick: go }, ...parts);
}

/** @param {Cx} cx @param {any} report */
function problems(cx, report) {
  const { t } = cx.speech;
  const rows = report.inputs.flatMap((/** @type {any} */ input) => input.problems.map((/** @type {any} */ problem) => ({ input, problem })));
  if (rows.length === 0) return null;
  return h(
    'section.problems',
    {},
    h('h3', {}, icon('problem'), t('problems')),
    h('p.aside', {}, t('problems.why')),
    h('ul', {}, ...rows.slice(0, PAGE).map((/** @type {any} */ { input, problem }) => h('li', {}, problemPlace(cx, input, problem), ' ', ...sentence(problem.message)))),
  );
}

/** @param {Cx} cx @param {any} input @param {any} problem */
function problemPlace(cx, input, problem) {
  const { t } = cx.speech;
  const words = [cx.titleOf(input.name)];
  if (problem.document !== null) words.push(t('problem.document', { n: problem.document }));
  if (problem.line !== null) words.push(t('problem.line', { line: problem.line, column: problem.column ?? 1 }));
  else if (problem.offset !== null) words.push(t('problem.offset', { n: problem.offset }));
  const text = words.join(', ');
  const go = cx.positionOf(input.name, problem);
  return go ? h('button.where', { type: 'button', onclick: go }, text) : h('span.where', {}, text);
}

/** @param {Cx} cx @param {any} report */
function gaps(cx, report) {
  const { t } = cx.speech;
  if (report.missing.length === 0) return null;
  return h(
    'details.gaps',
    {},
    h('summary', {}, icon('chevron', 'turn'), t('missing')),
    h('p.aside', {}, t('missing.why')),
    h(
      'dl',
      {},
      ...report.missing.flatMap((/** @type {any} */ { evidence, wouldAnswer }) => [
        h('dt', {}, evidence),
        h('dd', {}, ...wouldAnswer.map((/** @type {string} */ rule) => h('button.rule', { type: 'button', onclick: () => cx.openRule(rule) }, rule))),
      ]),
    ),
  );
}

/** @param {Cx} cx @param {any} report */
function inputs(cx, report) {
  const { t, count, bytes } = cx.speech;
  if (report.inputs.length === 0) return null;
  return h(
    'details.gaps',
    {},
    h('summary', {}, icon('chevron', 'turn'), t('inputs')),
    h(
      'div.scroll',
      { tabindex: '0', role: 'group', 'aria-label': t('inputs') },
      h(
        'table',
        {},
        h('thead', {}, h('tr', {}, ...['name', 'kind', 'documents', 'bytes'].map((column) => h('th', { scope: 'col' }, t(`inputs.${column}`))))),
        h(
          'tbody',
          {},
          ...report.inputs.map((/** @type {any} */ input) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, h('bdi', {}, cx.titleOf(input.name))),
              h('td', {}, input.kind),
              h('td.number', {}, input.documents ? `${count(input.documents)} · ${t(input.complete ? 'inputs.complete' : 'inputs.sample')}` : '–'),
              h('td.number', {}, bytes(input.bytes)),
            ),
          ),
        ),
      ),
    ),
  );
}
