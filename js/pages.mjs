// @ts-check
/**
 * The pages of rules for readers: blocks of Markdown, and examples that can be opened. Runs in Node and in browsers.
 *
 * src/rules/README.md says what each placeholder of an example gives; the tests of the rules fill them in the same way
 * (tests/rules/template.rs), and tests/rules/template.json holds both to the same text.
 */

import { parsePage } from './markdown.mjs';

/** @typedef {import('./markdown.mjs').Part} Part */
/** @typedef {{kind: 'part', part: Part} | {kind: 'fence', name: string, repeat: number, text: string} | {kind: 'expect', lines: string[]} | {kind: 'open', number: number}} Block */

/** @typedef {{from: number, step: number}} Series times of one file's documents, in milliseconds */
/** @typedef {{name: string, text: string, repeat: number, series: Series}} ExampleFile */
/** @typedef {{files: ExampleFile[], isComplete: boolean, expected: string[]}} PageExample `expected`: what is found, a line each */

/** The sections that only the English page has. */
const EXAMPLES = /^(Bad|Good)$/;
const REFERENCES = /^References$/;
/** 2026-01-01, one hour apart. */
const SERIES = { from: 1_767_225_600_000, step: 3_600_000 };
/** @type {Record<string, number>} */
const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LOREM = 'lorem ipsum dolor sit amet ';
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * The blocks of a page and its examples. In translated pages, which hold no examples, those of the English page stand
 * before the first section.
 * @param {string} page
 * @param {string} [english]
 * @returns {{summary: string, blocks: Block[], examples: PageExample[]}}
 */
export function readPage(page, english = page) {
  const own = parsePage(page);
  const firstSection = own.findIndex((part) => typeof part !== 'string' && part.tag === 'h2');
  const parts = page === english ? own : own.toSpliced(firstSection < 0 ? own.length : firstSection, 0, ...sections(english, EXAMPLES));
  if (page !== english) parts.push(...sections(english, REFERENCES));
  /** @type {Block[]} */
  const blocks = [];
  /** @type {PageExample[]} */
  const examples = [];
  /** @type {PageExample | null} */
  let current = null;
  const finish = () => {
    // A dump would have to be encoded; the page takes text.
    if (current && current.files.every(({ name }) => !name.endsWith('.bson'))) {
      blocks.push({ kind: 'open', number: examples.length });
      examples.push(current);
    }
    current = null;
  };
  for (const part of parts) {
    if (typeof part === 'string' || part.tag !== 'pre') {
      if (typeof part !== 'string' && /^h[123]$/.test(part.tag)) finish();
      blocks.push({ kind: 'part', part });
      continue;
    }
    const text = String(part.children[0]);
    const { language, file, isComplete } = parseFence(part.attributes?.info ?? '');
    if (language === 'expect') {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      blocks.push({ kind: 'expect', lines });
      current?.expected.push(...lines);
    } else {
      blocks.push({ kind: 'fence', name: file?.name ?? '', repeat: file?.repeat ?? 1, text });
      if (file) {
        current ??= { files: [], isComplete: false, expected: [] };
        current.files.push({ ...file, text: `${text}\n` });
        current.isComplete ||= isComplete;
      }
    }
  }
  finish();
  const [first] = own;
  return { summary: first === undefined ? '' : plain(first), blocks, examples };
}

/** The sections of a page with such a title. @param {string} page @param {RegExp} title */
function sections(page, title) {
  let isInside = false;
  return parsePage(page).filter((part) => {
    if (typeof part !== 'string' && part.tag === 'h2') isInside = title.test(plain(part));
    return isInside;
  });
}

/** @param {Part} part @returns {string} */
const plain = (part) => (typeof part === 'string' ? part : part.children.map(plain).join(''));

/**
 * What the first line of a fence says.
 * @param {string} info
 * @returns {{language: string, file: ExampleFile | null, isComplete: boolean}}
 */
export function parseFence(info) {
  const [language = '', ...attributes] = info.split(/\s+/);
  const file = { name: '', text: '', repeat: 1, series: { ...SERIES } };
  let isComplete = false;
  for (const attribute of attributes) {
    const [name, value = ''] = attribute.split(/=(.*)/s);
    if (name === 'file') file.name = value;
    if (name === 'repeat') file.repeat = Number(value);
    if (name === 'from') file.series.from = Date.parse(value);
    if (name === 'step') file.series.step = Number.parseInt(value, 10) * UNITS[value.at(-1) ?? 'h'];
    if (name === 'complete') isComplete = true;
  }
  return { language, file: file.name === '' ? null : file, isComplete };
}

/**
 * The texts of an example's files.
 * @param {PageExample} example
 * @returns {{name: string, text: string}[]}
 */
export function fillExample({ files }) {
  const series = new Map(files.map(({ name, series }) => [shortName(name), series]));
  return files.map(({ name, text, repeat }) => ({ name, text: fill(text, shortName(name), series, repeat) }));
}

/** The collection of a file name, as ids refer to it. @param {string} name */
export function shortName(name) {
  const base = name.split('/').at(-1) ?? name;
  const stem = base.includes('.') ? base.slice(0, base.lastIndexOf('.')) : base;
  return stem.split('.').at(-1) ?? stem;
}

/**
 * The text once for each repetition, filled in.
 * @param {string} text
 * @param {string} name
 * @param {Map<string, Series>} series
 * @param {number} repeat
 * @param {{most: number, more: (rest: number) => string}} [cut] for readers: repetitions, runs of a loop, and what
 *   stands for the rest
 */
export function fill(text, name, series, repeat, cut) {
  let out = '';
  for (let number = 0; number < Math.min(repeat, cut?.most ?? repeat); number += 1) {
    out += new Filler(name, series, repeat, number, cut).text(text);
    if (!out.endsWith('\n')) out += '\n';
  }
  return cut && cut.most < repeat ? `${out}// ${cut.more(repeat - cut.most)}\n` : out;
}

class Filler {
  /** @type {number[]} */
  #loops = [];

  /**
   * @param {string} name
   * @param {Map<string, Series>} series
   * @param {number} count
   * @param {number} number
   * @param {{most: number, more: (rest: number) => string}} [cut]
   */
  constructor(name, series, count, number, cut) {
    this.cut = cut;
    this.name = name;
    this.series = series;
    this.count = count;
    this.number = number;
  }

  /** @param {string} text @returns {string} */
  text(text) {
    let out = '';
    let rest = text;
    for (let at = rest.indexOf('{{'); 0 <= at; at = rest.indexOf('{{')) {
      // In `{{{`, the first brace is a document's.
      while (rest[at + 2] === '{') at += 1;
      const end = closing(rest, at);
      out += rest.slice(0, at) + this.#placeholder(rest.slice(at + 2, end).trim());
      rest = rest.slice(end + 2);
    }
    return out + rest;
  }

  /** @param {string} inner @returns {string} */
  #placeholder(inner) {
    const [, word, rest] = /** @type {RegExpExecArray} */ (/^(\S*)\s*([\s\S]*)$/.exec(inner));
    const own = () => (rest === '' ? this.number : this.value(rest));
    switch (word) {
      case 'times':
        return this.#times(rest);
      case 'if':
        return this.#if(rest);
      case 'oid': {
        // A variable has one letter, a collection more.
        const [, number, name] = /^(.*) ([A-Za-z]\w+)$/.exec(rest) ?? [];
        return name === undefined ? this.#oid(own(), this.name) : this.#oid(this.value(number), name);
      }
      case 'date':
        return this.#date(own());
      case 'day':
        return this.#date(own()).slice(0, 10);
      case 'hash':
        return hex(scattered(own())) + hex(scattered(own() + 0x5bd1));
      case 'rand': {
        const [below, number] = rest.split(/ (.*)/s);
        return String(scattered(number ? this.value(number) : this.number) % Math.max(1, this.value(below)));
      }
      case 'pad': {
        const [width, number] = rest.split(/ (.*)/s);
        return String(this.value(number)).padStart(this.value(width), '0');
      }
      case 'text': {
        return this.#filler(this.value(rest), (length) => LOREM.repeat(Math.ceil(length / LOREM.length)).slice(0, length));
      }
      case 'base64':
        return this.#filler(this.value(rest), (length) => Array.from({ length }, (_, at) => DIGITS[scattered(at) % 62]).join(''));
      default:
        return String(this.value(inner));
    }
  }

  /** @param {string} rest */
  #times(rest) {
    const [head, body] = headed(rest);
    const count = this.value(head);
    const parts = [];
    const most = Math.min(count, this.cut?.most ?? count);
    for (let number = 0; number < most; number += 1) {
      this.#loops.push(number);
      parts.push(this.text(body.trim()));
      this.#loops.pop();
    }
    if (this.cut && most < count) parts.push(`/* ${this.cut.more(count - most)} */`);
    return parts.join(', ');
  }

  /** Letters, of which a reader needs few. @param {number} length @param {(length: number) => string} make */
  #filler(length, make) {
    return this.cut && 40 < length ? `${make(40)}…` : make(length);
  }

  /** @param {string} rest */
  #if(rest) {
    const [head, body] = headed(rest);
    const [then, other] = splitElse(body);
    const chosen = this.#holds(head) ? then : other;
    return chosen === undefined ? '' : this.text(chosen.trim());
  }

  /** @param {string} condition */
  #holds(condition) {
    const [left, operator, right] = condition.split(/(==|!=|<=|>=|<|>)/);
    const [a, b] = [this.value(left), this.value(right)];
    return { '==': a === b, '!=': a !== b, '<=': a <= b, '>=': b <= a, '<': a < b, '>': b < a }[operator];
  }

  /** @param {number} number @param {string} name */
  #oid(number, name) {
    // A collection that is not in the example keeps the time of the file that refers to it.
    const { from, step } = /** @type {Series} */ (this.series.get(name) ?? this.series.get(this.name));
    const seconds = Math.floor((from + step * number) / 1000) >>> 0;
    // FNV-1a, so that each file has a source of its own.
    const bytes = new TextEncoder().encode(name);
    const source = bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x0100_0193), 0x811c_9dc5) >>> 0;
    return `${hex(seconds)}${hex(source)}00${(number & 0xff_ffff).toString(16).padStart(6, '0')}`;
  }

  /** @param {number} number */
  #date(number) {
    const { from, step } = /** @type {Series} */ (this.series.get(this.name));
    return new Date(from + step * number).toISOString();
  }

  /** Integer arithmetic with `i`, `n`, `j`, `k`, `l`. @param {string} text @returns {number} */
  value(text) {
    const tokens = text.match(/\d+|[-+*/%()a-z]/g) ?? [];
    let at = 0;
    const sum = () => {
      let value = product();
      while (tokens[at] === '+' || tokens[at] === '-') value = tokens[at++] === '+' ? value + product() : value - product();
      return value;
    };
    const product = () => {
      let value = atom();
      while (tokens[at] === '*' || tokens[at] === '/' || tokens[at] === '%') {
        const operator = tokens[at++];
        const right = atom();
        value = operator === '*' ? value * right : operator === '/' ? Math.trunc(value / right) : value % right;
      }
      return value;
    };
    /** @returns {number} */
    const atom = () => {
      const token = tokens[at++];
      if (token === '(') {
        const value = sum();
        return tokens[at++] === ')' ? value : Number.NaN;
      }
      const named = { i: this.number, n: this.count, j: this.#loops[0], k: this.#loops[1], l: this.#loops[2] }[token];
      return named ?? Number(token);
    };
    const value = sum();
    if (at < tokens.length || !Number.isInteger(value)) throw new Error(`no number: ${text}`);
    return value;
  }
}

/** Where the `}}` of the `{{` at a place stands: braces of the body and placeholders inside are passed over. @param {string} text @param {number} start */
function closing(text, start) {
  const open = [true];
  for (let at = start + 2; at < text.length; ) {
    if (text.startsWith('{{', at) && text[at + 2] !== '{') {
      open.push(true);
      at += 2;
    } else if (text[at] === '{') {
      open.push(false);
      at += 1;
    } else if (text[at] === '}') {
      const isDouble = open.pop();
      if (isDouble && text[at + 1] !== '}') break;
      if (isDouble && open.length === 0) return at;
      at += isDouble ? 2 : 1;
    } else {
      at += 1;
    }
  }
  throw new Error(`not closed: ${text.slice(start)}`);
}

/** The parts before and behind an `else:` of this `if`, not of one inside. @param {string} body @returns {[string, string | undefined]} */
function splitElse(body) {
  for (let at = body.indexOf('else:'); 0 <= at; at = body.indexOf('else:', at + 5)) {
    const before = body.slice(0, at);
    if (before.split('{{').length === before.split('}}').length) return [before, body.slice(at + 5)];
  }
  return [body, undefined];
}

/** Head and body of a placeholder that repeats or chooses. @param {string} rest @returns {[string, string]} */
function headed(rest) {
  const colon = rest.indexOf(':');
  if (colon < 0) throw new Error(`no colon: ${rest}`);
  return [rest.slice(0, colon), rest.slice(colon + 1)];
}

/** A number that shows nothing of the order of its argument: the finish of MurmurHash3. @param {number} number */
function scattered(number) {
  let hash = (number + 0x9e37_79b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Eight digits. @param {number} number */
const hex = (number) => number.toString(16).padStart(8, '0');
