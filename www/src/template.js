// @ts-check
/**
 * The examples of rule pages, filled in as the tests of the rules do it: src/rules/README.md says what each
 * placeholder gives, tests/rules/template.rs is the model that this follows.
 */

/** @typedef {{from: number, step: number}} Series times of one file's documents, in milliseconds */
/** @typedef {{name: string, text: string, repeat: number, series: Series}} ExampleFile */
/** @typedef {{files: ExampleFile[], isComplete: boolean}} PageExample */

/** 2026-01-01, one hour apart. */
const SERIES = { from: 1_767_225_600_000, step: 3_600_000 };
/** @type {Record<string, number>} */
const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LOREM = 'lorem ipsum dolor sit amet ';
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

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
function shortName(name) {
  const base = name.split('/').at(-1) ?? name;
  const stem = base.includes('.') ? base.slice(0, base.lastIndexOf('.')) : base;
  return stem.split('.').at(-1) ?? stem;
}

/** @param {string} text @param {string} name @param {Map<string, Series>} series @param {number} repeat */
function fill(text, name, series, repeat) {
  let out = '';
  for (let number = 0; number < repeat; number += 1) {
    out += new Filler(name, series, repeat, number).text(text);
    if (!out.endsWith('\n')) out += '\n';
  }
  return out;
}

class Filler {
  /** @type {number[]} */
  #loops = [];

  /** @param {string} name @param {Map<string, Series>} series @param {number} count @param {number} number */
  constructor(name, series, count, number) {
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
        const [, number, name] = /^(.*) (\S+)$/.exec(rest) ?? [];
        return this.series.has(name) ? this.#oid(this.value(number), name) : this.#oid(own(), this.name);
      }
      case 'date':
        return this.#date(own());
      case 'day':
        return this.#date(own()).slice(0, 10);
      case 'hash':
        return scattered(own()).toString(16).padStart(16, '0');
      case 'rand': {
        const [below, number] = rest.split(/ (.*)/s);
        return String(scattered(number ? this.value(number) : this.number) % BigInt(Math.max(1, this.value(below))));
      }
      case 'pad': {
        const [width, number] = rest.split(/ (.*)/s);
        return String(this.value(number)).padStart(this.value(width), '0');
      }
      case 'text': {
        const length = this.value(rest);
        return LOREM.repeat(Math.ceil(length / LOREM.length)).slice(0, length);
      }
      case 'base64':
        return Array.from({ length: this.value(rest) }, (_, at) => DIGITS[Number(scattered(at) % 62n)]).join('');
      default:
        return String(this.value(inner));
    }
  }

  /** @param {string} rest */
  #times(rest) {
    const colon = rest.indexOf(':');
    const count = this.value(rest.slice(0, colon));
    const body = rest.slice(colon + 1).trim();
    const parts = [];
    for (let number = 0; number < count; number += 1) {
      this.#loops.push(number);
      parts.push(this.text(body));
      this.#loops.pop();
    }
    return parts.join(', ');
  }

  /** @param {string} rest */
  #if(rest) {
    const colon = rest.indexOf(':');
    const [then, other] = splitElse(rest.slice(colon + 1));
    const chosen = this.#holds(rest.slice(0, colon)) ? then : other;
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
    const { from, step } = /** @type {Series} */ (this.series.get(name));
    const seconds = Math.floor((from + step * number) / 1000) >>> 0;
    let source = 0n;
    for (const character of name) source = scattered(Number(source & 0xffffffn) + /** @type {number} */ (character.codePointAt(0)));
    const hex = (/** @type {number | bigint} */ value, /** @type {number} */ width) => value.toString(16).padStart(width, '0');
    return hex(seconds, 8) + hex(source & 0xff_ffff_ffffn, 10) + hex(number & 0xff_ffff, 6);
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
        at += 1;
        return value;
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
    if (text.startsWith('{{', at)) {
      open.push(true);
      at += 2;
    } else if (text[at] === '{') {
      open.push(false);
      at += 1;
    } else if (text[at] === '}') {
      const isDouble = open.pop();
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

/** XXH3 of a 64-bit number, so that the figures here are those of the tests. @param {number} number */
function scattered(number) {
  const mask = 0xffff_ffff_ffff_ffffn;
  const rotated = (/** @type {bigint} */ value, /** @type {bigint} */ by) => ((value << by) | (value >> (64n - by))) & mask;
  const input = BigInt.asUintN(64, BigInt(number));
  const swapped = ((input & 0xffff_ffffn) << 32n) | (input >> 32n);
  let hash = swapped ^ 0x1cad_21f7_2c81_017cn ^ 0xdb97_9083_e96d_d4den;
  hash ^= rotated(hash, 49n) ^ rotated(hash, 24n);
  hash = (hash * 0x9fb2_1c65_1e98_df25n) & mask;
  hash ^= (hash >> 35n) + 8n;
  hash = (hash * 0x9fb2_1c65_1e98_df25n) & mask;
  return hash ^ (hash >> 28n);
}
