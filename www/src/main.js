// @ts-check
/** The playground: what is given on the left, what the core says of it on the right. */

import { fill, h, icon, svg } from './dom.js';
import { decisionsView } from './decisions.js';
import { createEditor } from './editor.js';
import { Engine, EngineError, Superseded } from './engine.js';
import { editorKey, Evidence, evidenceView, PANES } from './evidence.js';
import { EXAMPLES, exampleState } from './examples.js';
import { dropped } from './files.js';
import { findingsChoice, findingsView } from './findings.js';
import { exampleAsState } from './page.js';
import { profileView } from './profile.js';
import { openRulePage, rulePage } from './rules.js';
import { decodeState, encodeState, LINK_LIMIT } from './share.js';
import { copyButton, nothing } from './text.js';
import { textsView } from './texts.js';
import { LANGUAGES, speak } from './words.js';

/**
 * What the views need of the page.
 * @typedef {object} Cx
 * @property {import('./words.js').Speech} speech
 * @property {(rule: string) => void} openRule
 * @property {(input: string) => boolean} isPane whether an input is text in an editor here
 * @property {(input: string) => string} titleOf
 * @property {(finding: any) => (() => void) | null} placeOf
 * @property {(input: string, place: {line: number | null, column: number | null}) => (() => void) | null} positionOf
 */

const TABS = ['findings', 'decisions', 'profile', 'schema', 'output'];
const THEMES = ['auto', 'light', 'dark'];
const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' };
/** How long typing must rest before a check, in milliseconds. */
const REST = 150;

const settings = {
  lang: /** @type {import('./words.js').Lang} */ (remembered('lang', LANGUAGES.map(([lang]) => lang)) ?? (navigator.language.startsWith('es') ? 'es' : 'en')),
  theme: remembered('theme', THEMES) ?? 'auto',
};
let speech = speak(settings.lang);
const evidence = new Evidence();
const engine = new Engine();
const editor = createEditor({ changed: (text) => list.edited(text) });
const list = evidenceView({ evidence, editor, speech: () => speech, changed });

/** The last check. @type {{report: any, json: string, milliseconds: number, origins: ReturnType<Evidence['inputs']>['origins']} | null} */
let checked = null;
/** @type {{kind: string | null, message: string, hint?: any, place?: any} | null} */
let failure = null;
let waiting = false;
let tab = 'findings';
const forms = { schema: 'jsonschema', output: 'text' };
let choice = findingsChoice();
/** Counts the drawings, so that one that waited for the worker does not overwrite a later one. */
let drawing = 0;

const view = h('div.view', { role: 'tabpanel', id: 'view', tabindex: '0' });
const tabs = h('div.tabs', { role: 'tablist' });
const status = h('p.status', { role: 'status' });
const facts = h('p.facts');
const app = /** @type {HTMLElement} */ (document.getElementById('app'));

/** @type {Cx} */
const cx = {
  get speech() {
    return speech;
  },
  openRule: (rule) => openRulePage(rule, speech, tryExample),
  isPane: (input) => checked?.origins.has(input) ?? false,
  titleOf(input) {
    const origin = checked?.origins.get(input);
    if (!origin?.block) return origin ? speech.t(origin.pane) : input;
    return `${origin.block.name.trim() || speech.t('collection.unnamed')}: ${speech.t(origin.pane)}`;
  },
  placeOf(finding) {
    const origin = finding.location && checked?.origins.get(finding.location.file);
    if (origin && finding.location.start) return () => reveal(origin, () => editor.go(finding.location.start.line, finding.location.start.column));
    const block = evidence.blocks.find(({ name }) => name.trim() === finding.collection) ?? (evidence.blocks.length === 1 ? evidence.blocks[0] : undefined);
    if (!block) return null;
    const pane = finding.index !== null ? 'indexes' : finding.rule.startsWith('validation/') && block.validator !== '' ? 'validator' : 'documents';
    if (block[pane].trim() === '') return null;
    const names = finding.index !== null ? [finding.index] : (finding.path ?? '').split('.').filter((/** @type {string} */ name) => name !== '' && !/^[<[]/.test(name));
    return () => reveal({ block, pane }, () => selectNames(block[pane], names));
  },
  positionOf(input, { line, column }) {
    const origin = checked?.origins.get(input);
    if (!origin || line === null) return null;
    return () => reveal(origin, () => editor.go(line, column ?? 1));
  },
};

/** @param {import('./evidence.js').Origin} origin @param {() => void} then */
async function reveal(origin, then) {
  showSide('evidence');
  await list.reveal(origin);
  then();
}

/** Selects the first place where the names follow each other. @param {string} text @param {string[]} names */
function selectNames(text, names) {
  let from = 0;
  let to = 0;
  let search = 0;
  for (const name of names) {
    const at = nameIn(text, name, search);
    if (at < 0) break;
    from = at;
    to = at + name.length;
    search = to;
  }
  editor.select(from, to);
}

/** @param {string} text @param {string} name @param {number} start */
function nameIn(text, name, start) {
  for (let at = text.indexOf(name, start); 0 <= at; at = text.indexOf(name, at + 1)) {
    const isWhole = !/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + name.length] ?? '');
    if (isWhole) return at;
  }
  return -1;
}

/* Checking. */

let timer = 0;
/** Counts the checks, so that the answer to an old question is not shown for a new one. */
let checks = 0;

/** The evidence is another one. @param {boolean} [now] */
function changed(now = false) {
  clearTimeout(timer);
  document.body.classList.add('pending');
  timer = window.setTimeout(check, now ? 0 : REST);
}

async function check() {
  clearTimeout(timer);
  timer = 0;
  checks += 1;
  const ticket = checks;
  if (evidence.isEmpty()) {
    checked = null;
    failure = null;
    list.tally(new Map());
    editor.mark(new Map());
    settle();
    return;
  }
  const { inputs, origins } = evidence.inputs();
  waiting = true;
  drawStatus();
  // Before the first report there is nothing to keep on the page meanwhile.
  if (!checked) drawView();
  try {
    const { report: json, milliseconds } = await engine.check(inputs, { ...evidence.options(), lang: settings.lang, today: new Date().toISOString().slice(0, 10) }, (bytes) => drawStatus(bytes));
    if (ticket !== checks) return;
    const report = JSON.parse(json);
    checked = { report, json, milliseconds, origins };
    failure = null;
    list.tally(tallies(report));
    editor.mark(marks(report, origins));
  } catch (error) {
    if (error instanceof Superseded || ticket !== checks) return;
    failure = error instanceof EngineError ? error : { kind: 'crash', message: String(error) };
    checked = null;
    list.tally(new Map());
  }
  settle();
}

/** Shows what the last check came to. */
async function settle() {
  waiting = false;
  drawStatus();
  drawTabs();
  await drawView();
  // A later change has a check of its own coming.
  if (!timer && !waiting) document.body.classList.remove('pending');
}

/** @param {any} report */
function tallies(report) {
  /** @type {Map<string, Record<string, number>>} */
  const tallies = new Map();
  for (const { collection, severity } of report.findings) {
    const tally = tallies.get(collection ?? '') ?? { error: 0, warning: 0, info: 0 };
    tally[severity] += 1;
    tallies.set(collection ?? '', tally);
  }
  return tallies;
}

/**
 * The findings that stand in a text on this page, by the editor's key of that text.
 * @param {any} report
 * @param {ReturnType<Evidence['inputs']>['origins']} origins
 */
function marks(report, origins) {
  /** @type {Map<string, import('./editor.js').Mark[]>} */
  const marks = new Map();
  for (const { location, severity, message } of report.findings) {
    const origin = location && origins.get(location.file);
    if (!origin || !location.start) continue;
    const key = editorKey(origin);
    marks.set(key, [...(marks.get(key) ?? []), { start: location.start, end: location.end, severity, message }]);
  }
  return marks;
}

/* Drawing. */

function drawReport() {
  drawStatus();
  drawTabs();
  drawView();
}

function drawTabs() {
  const { t, count } = speech;
  /** @type {Record<string, number | undefined>} */
  const numbers = { findings: checked?.report.findings.length, decisions: checked?.report.recommendations.length };
  const one = (/** @type {string} */ id) =>
    h(
      'button',
      { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-selected': String(id === tab), 'aria-controls': 'view', tabindex: id === tab ? '0' : '-1', onclick: () => choose(id) },
      t(id),
      numbers[id] !== undefined && h('span.number', {}, count(numbers[id] ?? 0)),
    );
  const choose = (/** @type {string} */ id) => {
    tab = id;
    drawTabs();
    drawView();
    view.scrollTop = 0;
    document.getElementById(`tab-${id}`)?.focus();
  };
  tabs.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]);
  };
  tabs.setAttribute('aria-label', t('report'));
  view.setAttribute('aria-labelledby', `tab-${tab}`);
  fill(tabs, ...TABS.map(one));
}

async function drawView() {
  drawing += 1;
  const ticket = drawing;
  const content = await viewContent();
  if (ticket !== drawing) return;
  const { scrollTop } = view;
  view.dataset.tab = checked ? tab : 'welcome';
  fill(view, ...content);
  view.scrollTop = scrollTop;
}

async function viewContent() {
  const { t } = speech;
  if (failure) return [failureView(failure)];
  if (!checked) return waiting ? [nothing(t('checking'))] : [welcome()];
  try {
    switch (tab) {
      case 'decisions':
        return decisionsView(cx, checked.report);
      case 'profile':
        return profileView(cx, await engine.draw('profile', 'json'));
      case 'schema':
        return await textsView(cx, {
          label: t('schema.form'),
          none: t('schema.none'),
          chosen: forms.schema,
          choose: (id) => chooseForm('schema', id),
          forms: [
            { id: 'jsonschema', title: t('schema.jsonschema'), file: 'validator.json', isCode: true, draw: () => engine.draw('schema', 'json') },
            { id: 'typescript', title: t('schema.typescript'), file: 'model.d.ts', isCode: true, draw: () => engine.draw('schema', 'typescript') },
            { id: 'mermaid', title: t('schema.mermaid'), file: 'model.mmd', draw: () => engine.draw('schema', 'mermaid') },
          ],
        });
      case 'output': {
        const json = checked.json;
        return await textsView(cx, {
          label: t('output.form'),
          none: t('findings.none'),
          chosen: forms.output,
          choose: (id) => chooseForm('output', id),
          forms: [
            { id: 'text', title: t('output'), file: 'mongovet.txt', draw: () => engine.draw('render', 'text', { color: false, width: 100, showInfo: true }) },
            { id: 'concise', title: 'Concise', file: 'mongovet.txt', draw: () => engine.draw('render', 'concise', {}) },
            { id: 'json', title: 'JSON', file: 'mongovet.json', isCode: true, draw: async () => json },
          ],
        });
      }
      default:
        return findingsView(cx, checked.report, choice, drawView);
    }
  } catch (error) {
    return [failureView(error instanceof EngineError ? error : { kind: 'crash', message: String(error) })];
  }
}

/** @param {'schema' | 'output'} which @param {string} id */
async function chooseForm(which, id) {
  forms[which] = id;
  await drawView();
  /** @type {HTMLElement | null} */ (view.querySelector('.segments input:checked'))?.focus();
}

/** @param {{kind: string | null, message: string, hint?: any, place?: any}} fault */
function failureView({ kind, message, hint, place }) {
  const { t, time } = speech;
  if (kind === 'load') return h('div.failure', { role: 'alert' }, h('p.headline', {}, t('failed.load')), h('p', {}, t('failed.load.more')), h('pre', {}, message));
  if (kind === 'slow') return h('div.failure', { role: 'alert' }, h('p.headline', {}, t('failed.slow', { time: time(Number(message)) })), again());
  if (kind === 'crash') {
    return h('div.failure', { role: 'alert' }, h('p.headline', {}, t('failed.crash')), h('p', {}, t('failed.crash.more')), h('pre', {}, message), again());
  }
  if (kind === 'link') return h('div.failure', { role: 'alert' }, h('p.headline', {}, message));
  const where = typeof place === 'string' ? place : place && JSON.stringify(place);
  return h('div.failure', { role: 'alert' }, h('p.headline', {}, t('failed.mistake')), h('p', {}, message), where && h('p', {}, h('code', {}, where)), hint && h('p', {}, hint));
}

const again = () => h('button', { type: 'button', onclick: check }, speech.t('again'));

function welcome() {
  const { t } = speech;
  return h(
    'div.welcome',
    {},
    h('h3', {}, t('welcome')),
    h('p', {}, t('welcome.lead')),
    h('p.private', {}, t('welcome.private')),
    h('h4', {}, t('welcome.examples')),
    h('ul.cards', {}, ...EXAMPLES.map((example) => h('li', {}, h('button', { type: 'button', onclick: () => load(example) }, h('b', {}, example.title[settings.lang]), h('span', {}, example.about[settings.lang]))))),
  );
}

/** @param {number} [seen] bytes read so far */
function drawStatus(seen) {
  const { t, bytes, time } = speech;
  document.body.classList.toggle('busy', waiting);
  if (waiting) {
    fill(status, seen === undefined ? t('checking') : t('checking.bytes', { size: bytes(seen) }));
  } else if (!checked) {
    fill(status, t('status.none'));
  } else {
    const { report, milliseconds } = checked;
    const documents = report.inputs.reduce((/** @type {number} */ sum, /** @type {any} */ input) => sum + (input.documents ?? 0), 0);
    const size = report.inputs.reduce((/** @type {number} */ sum, /** @type {any} */ input) => sum + input.bytes, 0);
    fill(status, t('status', { documents: t('profile.documents', { n: documents }), size: bytes(size), time: time(milliseconds) }));
  }
  const from = checked?.report.serverVersionFrom;
  const source = from && speech.has(`from.${from}`) ? t(`from.${from}`) : from;
  fill(
    facts,
    checked && h('span', {}, t('status.server', { version: checked.report.serverVersion, from: source })),
    checked && h('span', {}, `mongovet ${checked.report.version}`),
    h('span.private', {}, t('status.private')),
  );
}

function drawPage() {
  const { t } = speech;
  document.documentElement.lang = settings.lang;
  if (settings.theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
  fill(
    app,
    h('a.skip', { href: '#view', onclick: skip }, t('skip')),
    header(),
    h(
      'main',
      {},
      h('section.evidence', { 'aria-label': t('evidence') }, h('h2.hidden', {}, t('evidence')), list.root),
      splitter(),
      h('section.report', { 'aria-label': t('report') }, h('h2.hidden', {}, t('report')), tabs, view),
    ),
    h('footer', {}, status, facts),
    sides(),
  );
  list.draw();
  drawReport();
}

/** The hash is for shared links, so the skip link moves the focus itself. @param {Event} event */
function skip(event) {
  event.preventDefault();
  showSide('report');
  view.focus();
}

function header() {
  const { t } = speech;
  const language = h(
    'select',
    { 'aria-label': t('language'), onchange: () => setLanguage(language.value) },
    ...LANGUAGES.map(([lang, name]) => h('option', { value: lang, lang, selected: lang === settings.lang }, name)),
  );
  const nextTheme = THEMES[(THEMES.indexOf(settings.theme) + 1) % THEMES.length];
  const theme = h(
    'button.quiet.theme',
    { type: 'button', 'aria-label': `${t('theme')}: ${t(`theme.${settings.theme}`)}`, title: `${t('theme')}: ${t(`theme.${settings.theme}`)}`, onclick: () => setTheme(nextTheme) },
    icon(THEME_ICONS[/** @type {keyof typeof THEME_ICONS} */ (settings.theme)]),
  );
  return h(
    'header.top',
    {},
    h('h1', {}, mark(), 'mongovet'),
    h('p.tagline', {}, t('tagline')),
    h('span.space'),
    examplesMenu(),
    h('button.quiet', { type: 'button', 'aria-label': t('share'), onclick: share }, icon('link'), h('span.wide', {}, t('share'))),
    h('a.quiet.wide', { href: settings.lang === 'es' ? './rules/es/' : './rules/' }, t('rules')),
    language,
    theme,
  );
}

/** The same drawing as icon.svg; an image would be asked for anew whenever the page is drawn. */
function mark() {
  return svg(
    'svg',
    { viewBox: '0 0 32 32', width: 22, height: 22, class: 'mark', 'aria-hidden': 'true' },
    svg('rect', { width: 32, height: 32, rx: 8 }),
    svg('path', { d: 'M7.5 15.5 14 22.5C15.6 16.4 19 11.6 24.5 8.5' }),
  );
}

function examplesMenu() {
  const { t } = speech;
  const close = () => menu.removeAttribute('open');
  const entry = (/** @type {import('./examples.js').Example} */ example) =>
    h('li', {}, h('button', { type: 'button', onclick: () => (close(), load(example)) }, h('b', {}, example.title[settings.lang]), h('span', {}, example.about[settings.lang])));
  const menu = h(
    'details.menu',
    {
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === 'Escape') {
          close();
          menu.querySelector('summary').focus();
        }
      },
      onfocusout: (/** @type {FocusEvent} */ event) => {
        if (event.relatedTarget && !menu.contains(/** @type {Node} */ (event.relatedTarget))) close();
      },
    },
    h('summary.quiet', {}, t('examples'), icon('chevron', 'down')),
    h('ul', {}, ...EXAMPLES.map(entry), h('li', {}, h('button', { type: 'button', onclick: () => (close(), clear()) }, h('b', {}, t('clear'))))),
  );
  document.addEventListener('pointerdown', (event) => {
    if (!menu.contains(/** @type {Node} */ (event.target))) close();
  });
  return menu;
}

/** Below a width only one side is shown; this switch chooses which. */
function sides() {
  const { t } = speech;
  const one = (/** @type {string} */ side) =>
    h('button', { type: 'button', 'data-side': side, 'aria-pressed': String(document.body.dataset.side === side), onclick: () => showSide(side) }, t(side));
  return h('nav.sides', { 'aria-label': `${t('evidence')} / ${t('report')}` }, one('evidence'), one('report'));
}

/** @param {string} side */
function showSide(side) {
  document.body.dataset.side = side;
  for (const button of document.querySelectorAll('.sides button')) button.setAttribute('aria-pressed', String(/** @type {HTMLElement} */ (button).dataset.side === side));
}

function splitter() {
  const handle = h('div.splitter', { role: 'separator', tabindex: '0', 'aria-orientation': 'vertical', 'aria-label': speech.t('resize'), 'aria-valuemin': '25', 'aria-valuemax': '70', 'aria-valuenow': '40' });
  const set = (/** @type {number} */ percent) => {
    const value = Math.round(Math.min(70, Math.max(25, percent)));
    handle.setAttribute('aria-valuenow', String(value));
    app.style.setProperty('--split', `${value}%`);
  };
  handle.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (step !== undefined) set(Number(handle.getAttribute('aria-valuenow')) + step);
  });
  handle.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (/** @type {PointerEvent} */ move) => set((100 * move.clientX) / window.innerWidth);
    handle.onpointerup = () => (handle.onpointermove = null);
  });
  return handle;
}

/* What a person does. */

/** @param {import('./examples.js').Example} example */
function load(example) {
  take(exampleState(example));
  history.replaceState(null, '', `#example=${example.id}`);
}

/** @param {import('../../js/pages.mjs').PageExample} example */
function tryExample(example) {
  const { state, files } = exampleAsState(example);
  take(state);
  if (files.length === 0) return;
  evidence.addFiles(files.map(({ name, text }) => ({ name, file: new Blob([text]) })));
  list.draw();
}

function clear() {
  take({ blocks: [] });
  history.replaceState(null, '', location.pathname + location.search);
  showSide('evidence');
}

/** @param {import('./share.js').SharedState} state */
function take(state) {
  evidence.replace(state);
  editor.forgetAll();
  choice = findingsChoice();
  tab = 'findings';
  showSide(evidence.isEmpty() ? 'evidence' : 'report');
  list.draw();
  changed(true);
}

/** @param {string} lang */
function setLanguage(lang) {
  settings.lang = /** @type {import('./words.js').Lang} */ (lang);
  remember('lang', lang);
  speech = speak(settings.lang);
  drawPage();
  changed(true);
  /** @type {HTMLElement | null} */ (document.querySelector('header select'))?.focus();
}

/** @param {string} theme */
function setTheme(theme) {
  settings.theme = theme;
  remember('theme', theme);
  drawPage();
  /** @type {HTMLElement | null} */ (document.querySelector('.theme'))?.focus();
}

async function share() {
  const { t, bytes } = speech;
  const dialog = h('dialog.sheet', { 'aria-label': t('share.title') });
  const close = h('button.quiet.small.bare', { type: 'button', 'aria-label': t('close'), onclick: () => dialog.close() }, icon('close'));
  const hash = await encodeState(evidence.shared());
  const link = new URL(hash, location.href).href;
  const isEmpty = evidence.shared().blocks.length === 0 && evidence.script === '' && evidence.plans === '' && evidence.config === '';
  const isLarge = LINK_LIMIT < link.length;
  const field = h('input', { type: 'text', readonly: true, value: link, 'aria-label': t('share.link'), onfocus: () => field.select() });
  fill(
    dialog,
    h('header', {}, h('h2', {}, t('share.title')), close),
    isEmpty && h('p', {}, t('share.empty')),
    !isEmpty && isLarge && h('p.warning', {}, t('share.large', { size: bytes(link.length), limit: bytes(LINK_LIMIT) })),
    !isEmpty && !isLarge && h('p', {}, t('share.lead')),
    !isEmpty && !isLarge && h('div.line', {}, field, copyButton(speech, link)),
    !isEmpty && !isLarge && h('p.aside', {}, t('share.size', { size: bytes(link.length), limit: bytes(LINK_LIMIT) })),
    0 < evidence.files.length && h('p.aside', {}, t('share.files', { n: evidence.files.length })),
  );
  if (!isEmpty && !isLarge) history.replaceState(null, '', hash);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (/** @type {Event} */ event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

/* What the browser remembers: the language and the theme, never anything that was pasted. */

/** @param {string} name @param {string[]} known */
function remembered(name, known) {
  try {
    const value = localStorage.getItem(`mongovet.${name}`);
    return value !== null && known.includes(value) ? value : null;
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
function remember(name, value) {
  try {
    localStorage.setItem(`mongovet.${name}`, value);
  } catch {
    // A browser that keeps nothing still shows the page.
  }
}

/* Start. */

async function takeHash() {
  const example = EXAMPLES.find(({ id }) => location.hash === `#example=${id}`);
  if (example) {
    take(exampleState(example));
    return;
  }
  const [, rule, number] = /^#rule=([\w/-]+):(\d+)$/.exec(location.hash) ?? [];
  if (rule) {
    const page = await rulePage(rule, settings.lang);
    if (page?.examples[Number(number)]) tryExample(page.examples[Number(number)]);
    return;
  }
  try {
    const state = await decodeState(location.hash);
    if (state) take(state);
  } catch {
    failure = { kind: 'link', message: speech.t('share.broken') };
    drawReport();
  }
}

document.addEventListener('dragover', (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  document.body.classList.add('dropping');
  document.body.dataset.drop = speech.t('files.release');
});
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) document.body.classList.remove('dropping');
});
document.addEventListener('drop', async (event) => {
  document.body.classList.remove('dropping');
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  evidence.addFiles(await dropped(event.dataTransfer));
  list.draw();
  changed(true);
});
window.addEventListener('hashchange', takeHash);

document.body.dataset.side = 'evidence';
drawPage();
takeHash();
engine.facts().catch((error) => {
  failure = error;
  drawReport();
});

/**
 * For tests and for the console: the report on inputs, as the same text that every other host gives.
 * @param {import('../../js/worker.mjs').WorkerInput[]} inputs
 * @param {Record<string, unknown>} [options]
 */
const reportOn = async (inputs, options = {}) => (await engine.check(inputs, options)).report;
Object.assign(window, { mongovet: { check: reportOn } });
