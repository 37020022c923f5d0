// @ts-check
/** The evidence: a list of collections, files and settings of which one lies open. */

import { fill, h, icon } from './dom.js';
import { dotted } from './text.js';

/** @typedef {import('./words.js').Speech} Speech */
/** @typedef {import('../../js/worker.mjs').WorkerInput} WorkerInput */
/** @typedef {'documents' | 'indexes' | 'validator'} Pane */
/** @typedef {{id: number, name: string, pane: Pane, documents: string, indexes: string, validator: string}} Block */
/** @typedef {{name: string, file: Blob}} GivenFile */
/** A text that belongs to no collection. @typedef {'script' | 'plans'} Text */
/** Where the text of an input stands: a pane of a collection, or a text of its own. @typedef {{block: Block, pane: Pane} | {block: null, pane: Text}} Origin */

/** @type {Pane[]} */
export const PANES = ['documents', 'indexes', 'validator'];
/** Texts of their own: code, and what servers say of its work; each with the name that its input has. @type {[Text, string, string][]} */
export const TEXTS = [
  ['script', 'script', '.mongodb.js'],
  ['plans', 'plans', '.json'],
];
export const VERSIONS = ['8.2', '8.0', '7.0', '6.0', '5.0', '4.4'];

/** Everything that was given, and which part of it lies open. */
export class Evidence {
  /** @type {Block[]} */
  blocks = [];
  /** @type {GivenFile[]} */
  files = [];
  script = '';
  /** Explain outputs, log lines, profiler entries. */
  plans = '';
  config = '';
  serverVersion = '';
  complete = false;
  showValues = false;
  /** `block:3`, `script`, `plans`, `files` or `settings`. */
  open = '';
  #nextId = 1;

  constructor() {
    this.open = `block:${this.addBlock().id}`;
  }

  /** @param {Partial<Block>} [block] */
  addBlock({ name = '', documents = '', indexes = '', validator = '' } = {}) {
    const pane = documents !== '' || (indexes === '' && validator === '') ? 'documents' : indexes === '' ? 'validator' : 'indexes';
    /** @type {Block} */
    const block = { id: this.#nextId, name, pane, documents, indexes, validator };
    this.#nextId += 1;
    this.blocks.push(block);
    return block;
  }

  /** @param {import('./share.js').SharedState} shared */
  replace({ blocks, script = '', plans = '', config = '', serverVersion = '', complete = false, showValues = false }) {
    Object.assign(this, { blocks: [], files: [], script, plans, config, serverVersion, complete, showValues });
    for (const block of blocks) this.addBlock(block);
    this.open = (this.blocks.length === 0 && TEXTS.map(([text]) => text).find((text) => this[text] !== '')) || '';
    if (this.blocks.length === 0) this.addBlock();
    this.open ||= `block:${this.blocks[0].id}`;
  }

  /** @returns {import('./share.js').SharedState} */
  shared() {
    const { script, plans, config, serverVersion, complete, showValues } = this;
    const blocks = this.blocks.filter((block) => block.name !== '' || PANES.some((pane) => block[pane].trim() !== ''));
    return { blocks, script, plans, config, serverVersion, complete, showValues };
  }

  isEmpty() {
    return this.files.length === 0 && TEXTS.every(([text]) => this[text].trim() === '') && this.blocks.every((block) => PANES.every((pane) => block[pane].trim() === ''));
  }

  /**
   * The inputs of a check, each with the pane that it came from.
   * @returns {{inputs: WorkerInput[], origins: Map<string, Origin>}}
   */
  inputs() {
    /** @type {WorkerInput[]} */
    const inputs = [];
    /** @type {Map<string, Origin>} */
    const origins = new Map();
    const taken = new Set(this.files.map(({ name }) => name));
    for (const block of this.blocks) {
      const collection = block.name.trim();
      for (const pane of PANES) {
        if (block[pane].trim() === '') continue;
        const kind = pane === 'documents' ? '' : `.${pane}`;
        const name = unused(taken, collection || 'pasted', `${kind}.json`);
        inputs.push({ name, data: block[pane], ...(collection && { collection }) });
        origins.set(name, { block, pane });
      }
    }
    for (const [text, stem, ending] of TEXTS) {
      if (this[text].trim() === '') continue;
      const name = unused(taken, stem, ending);
      inputs.push({ name, data: this[text] });
      origins.set(name, { block: null, pane: text });
    }
    for (const { name, file } of this.files) inputs.push({ name, data: file });
    return { inputs, origins };
  }

  options() {
    return {
      ...(this.config.trim() && { config: this.config, configName: 'mongovet.json' }),
      ...(this.serverVersion && { serverVersion: this.serverVersion }),
      ...(this.complete && { complete: true }),
      ...(this.showValues && { showValues: true }),
    };
  }

  /** Adds files; one of the same name takes the older one's place. @param {GivenFile[]} files */
  addFiles(files) {
    const names = new Set(files.map(({ name }) => name));
    this.files = [...this.files.filter(({ name }) => !names.has(name)), ...files];
    this.open = 'files';
  }
}

/** The editor's key of the text that an origin names. @param {Origin} origin */
export const editorKey = (origin) => (origin.block ? `block:${origin.block.id}:${origin.pane}` : origin.pane);

/** @param {Set<string>} taken @param {string} stem @param {string} ending */
function unused(taken, stem, ending) {
  let name = stem + ending;
  for (let n = 2; taken.has(name); n += 1) name = `${stem}-${n}${ending}`;
  taken.add(name);
  return name;
}

/**
 * The list on the page. `changed` hears that the evidence is another one; `editor` is moved into what lies open.
 * @param {{evidence: Evidence, editor: import('./editor.js').Editor, speech: () => Speech, changed: (now?: boolean) => void}} parts
 */
export function evidenceView({ evidence, editor, speech, changed }) {
  const root = h('div.stack');
  /** Counts of findings by collection, from the last report. @type {Map<string, Record<string, number>>} */
  let tallies = new Map();
  /** @type {(text: string) => void} */
  let edited = () => {};

  const open = (/** @type {string} */ key) => {
    evidence.open = key;
    draw();
  };

  function draw() {
    const { t } = speech();
    fill(
      root,
      ...evidence.blocks.map(blockSection),
      h('div.add', {}, h('button.quiet', { type: 'button', onclick: add }, icon('plus'), t('collection.add'))),
      ...TEXTS.map(([text]) => textSection(text)),
      filesSection(),
      settingsSection(),
    );
  }

  function add() {
    const last = evidence.blocks.at(-1)?.name ?? '';
    const database = last.includes('.') ? `${last.split('.')[0]}.` : '';
    open(`block:${evidence.addBlock({ name: database }).id}`);
    /** @type {HTMLInputElement | null} */ (root.querySelector('.name'))?.focus();
  }

  /**
   * @param {string} key
   * @param {{title: Node | string, facts: (Node | string)[], body: () => Node, mark: string}} parts
   */
  function section(key, { title, facts, body, mark }) {
    const isOpen = evidence.open === key;
    const id = `part-${key.replace(':', '-')}`;
    const toggle = () => {
      open(isOpen ? '' : key);
      /** @type {HTMLElement | null} */ (root.querySelector(`[aria-controls="${id}"]`))?.focus();
    };
    return h(
      'section.part',
      { class: isOpen ? 'open' : '', 'data-part': key },
      h(
        'h3',
        {},
        h(
          'button',
          { type: 'button', 'aria-expanded': String(isOpen), 'aria-controls': id, onclick: toggle },
          icon(mark, mark === 'chevron' ? 'turn' : ''),
          h('span.title', {}, title),
          h('span.facts', {}, ...facts),
        ),
      ),
      h('div.content', { id }, isOpen && body()),
    );
  }

  /** @param {Block} block */
  function blockSection(block) {
    const { t } = speech();
    const key = `block:${block.id}`;
    return section(key, { mark: 'chevron', title: titleOf(block), facts: blockFacts(block), body });

    function body() {
      const tab = (/** @type {Pane} */ pane) => {
        const input = h('input', { type: 'radio', name: 'pane', value: pane, checked: pane === block.pane, onchange: () => show(pane) });
        const size = h('span.size', { 'data-size': pane }, sizeOf(block[pane]));
        return h('label', {}, input, h('span', {}, t(pane), ' ', size));
      };
      const name = h('input.name', {
        type: 'text',
        value: block.name,
        placeholder: t('collection.hint'),
        'aria-label': t('collection.name'),
        spellcheck: 'false',
        autocomplete: 'off',
        autocapitalize: 'off',
        oninput: () => {
          block.name = name.value;
          refresh(block);
          changed();
        },
      });
      const removable = 1 < evidence.blocks.length || PANES.some((pane) => block[pane] !== '');
      queueMicrotask(() => show(block.pane));
      return h(
        'div.pane',
        {},
        h(
          'div.toolbar',
          {},
          name,
          h('div.segments', { role: 'radiogroup', 'aria-label': t('pane') }, ...PANES.map(tab)),
          removable &&
            h('button.quiet.small.bare', { type: 'button', 'aria-label': t('collection.remove', { name: block.name || t('collection.unnamed') }), onclick: remove }, icon('close')),
        ),
        editor.host,
      );
    }

    /** @param {Pane} pane */
    function show(pane) {
      block.pane = pane;
      edited = (text) => {
        block[pane] = text;
        refresh(block);
        changed();
      };
      editor.describe({ label: `${block.name || t('collection.unnamed')}: ${t(pane)}`, placeholder: t(`${pane}.hint`) });
      editor.show(`${key}:${pane}`, block[pane]);
    }

    function remove() {
      for (const pane of PANES) editor.forget(`${key}:${pane}`);
      evidence.blocks = evidence.blocks.filter((other) => other !== block);
      if (evidence.blocks.length === 0) evidence.addBlock();
      open(`block:${evidence.blocks[0].id}`);
      /** @type {HTMLInputElement | null} */ (root.querySelector('.name'))?.focus();
      changed(true);
    }
  }

  /** @param {Block} block */
  const titleOf = (block) => (block.name.trim() === '' ? h('i', {}, speech().t('collection.unnamed')) : dotted(block.name.trim()));

  /** @param {Block} block */
  function blockFacts(block) {
    const { t } = speech();
    const tally = tallies.get(block.name.trim());
    const given = PANES.filter((pane) => block[pane].trim() !== '').map((pane) => t(pane).toLowerCase());
    return [
      h('span.given', {}, given.length === 0 ? t('empty') : given.join(' · ')),
      ...(tally ? ['error', 'warning', 'info'].filter((severity) => 0 < tally[severity]).map((severity) => h(`span.tally.${severity}`, { title: t(severity, { n: tally[severity] }) }, icon(severity), String(tally[severity]))) : []),
    ];
  }

  /** Redraws what a collection says of itself without touching what is being typed in. @param {Block} block */
  function refresh(block) {
    const part = root.querySelector(`[data-part="block:${block.id}"]`);
    if (!part) return;
    fill(/** @type {Element} */ (part.querySelector('.title')), titleOf(block));
    fill(/** @type {Element} */ (part.querySelector('.facts')), ...blockFacts(block));
    for (const pane of PANES) {
      const size = part.querySelector(`[data-size="${pane}"]`);
      if (size) fill(size, sizeOf(block[pane]));
    }
  }

  /** @param {string} text */
  const sizeOf = (text) => (text.trim() === '' ? '' : speech().bytes(text.length));

  /** @param {Text} name */
  function textSection(name) {
    const { t } = speech();
    const facts = () => h('span.given', {}, sizeOf(evidence[name]) || t('empty'));
    const body = () => {
      queueMicrotask(() => {
        edited = (text) => {
          evidence[name] = text;
          fill(/** @type {Element} */ (root.querySelector(`[data-part=${name}] .facts`)), facts());
          changed();
        };
        editor.describe({ label: t(name), placeholder: t(`${name}.hint`) });
        editor.show(name, evidence[name]);
      });
      return h('div.pane', {}, editor.host);
    };
    return section(name, { mark: name === 'script' ? 'script' : 'plan', title: t(name), facts: [facts()], body });
  }

  function filesSection() {
    const { t, bytes } = speech();
    const { files } = evidence;
    const total = files.reduce((sum, { file }) => sum + file.size, 0);
    const picker = h('input.hidden', { type: 'file', multiple: true, id: 'picker', 'aria-label': t('files.open'), tabindex: '-1', onchange: pick });
    function pick() {
      evidence.addFiles([...picker.files].map((file) => ({ name: file.name, file })));
      draw();
      changed(true);
    }
    const remove = (/** @type {GivenFile} */ gone) => {
      evidence.files = files.filter((file) => file !== gone);
      draw();
      changed(true);
    };
    const body = () =>
      h(
        'div.pane.padded',
        {},
        h('p.aside', {}, t('files.drop')),
        h('ul.files', {}, ...files.map((given) =>
          h('li', {}, icon('file'), h('bdi.file', {}, given.name), h('span.size', {}, bytes(given.file.size)),
            h('button.quiet.small.bare', { type: 'button', 'aria-label': t('files.remove', { name: given.name }), onclick: () => remove(given) }, icon('close'))))),
        h('div', {}, h('button', { type: 'button', onclick: () => picker.click() }, t('files.open')), picker),
      );
    const facts = files.length === 0 ? t('empty') : `${t('files.count', { n: files.length })} · ${bytes(total)}`;
    return section('files', { mark: 'file', title: t('files'), facts: [h('span.given', {}, facts)], body });
  }

  function settingsSection() {
    const { t } = speech();
    const isDefault = evidence.config.trim() === '' && evidence.serverVersion === '' && !evidence.complete && !evidence.showValues;
    const flag = (/** @type {'complete' | 'showValues'} */ name, /** @type {string} */ label) => {
      const input = h('input', { type: 'checkbox', checked: evidence[name], onchange: () => ((evidence[name] = input.checked), changed(true)) });
      return h('label.check', {}, input, label);
    };
    const version = h(
      'select',
      { id: 'version', onchange: () => ((evidence.serverVersion = version.value), changed(true)) },
      h('option', { value: '' }, t('settings.version.auto')),
      ...VERSIONS.map((text) => h('option', { value: text, selected: text === evidence.serverVersion }, text)),
    );
    const body = () => {
      queueMicrotask(() => {
        edited = (text) => {
          evidence.config = text;
          changed();
        };
        editor.describe({ label: t('settings.config'), placeholder: t('settings.config.hint') });
        editor.show('settings', evidence.config);
      });
      return h(
        'div.pane',
        {},
        h('div.padded', {}, h('label.line', { for: 'version' }, h('span', {}, t('settings.version')), version), flag('complete', t('settings.complete')), flag('showValues', t('settings.values')), h('p.caption', {}, t('settings.config'))),
        editor.host,
      );
    };
    return section('settings', { mark: 'gear', title: t('settings'), facts: [h('span.given', {}, t(isDefault ? 'settings.none' : 'settings.some'))], body });
  }

  return {
    root,
    draw,
    open,
    /** What the editor hands over. @param {string} text */
    edited: (text) => edited(text),
    /** Opens what an origin names and shows its text. @param {Origin} origin */
    async reveal(origin) {
      if (origin.block) origin.block.pane = origin.pane;
      open(origin.block ? `block:${origin.block.id}` : origin.pane);
      // The editor takes its text in a microtask of its own.
      await Promise.resolve();
    },
    /** @param {Map<string, Record<string, number>>} next */
    tally(next) {
      tallies = next;
      evidence.blocks.forEach(refresh);
    },
  };
}
