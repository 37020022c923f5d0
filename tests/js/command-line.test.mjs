// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { COMMANDS, nearest, OPTIONS, parseCommandLine } from '../../js/command-line.mjs';
import { help } from '../../js/help.mjs';
import { languageOf, SENTENCES } from '../../js/words.mjs';

const LANGUAGES = /** @type {const} */ (['en', 'es']);
const parse = (/** @type {string} */ line) => parseCommandLine(line.split(' '));

test('check is the command when none is named', () => {
  assert.equal(parse('dump').command, 'check');
  assert.deepEqual(parse('check dump').operands, ['dump']);
  assert.deepEqual(parse('advise dump').command, 'advise');
});

test('lists are given by commas or by repetition', () => {
  assert.deepEqual(parse('dump --select a/*,b --select c').options.select, ['a/*', 'b', 'c']);
});

test('each output file belongs to the format before it', () => {
  assert.deepEqual(parse('dump --format json -o a.json --format text').outputs, [
    { format: 'json', file: 'a.json' },
    { format: 'text' },
  ]);
  assert.deepEqual(parse('dump -o report.json').outputs, [{ format: 'json', file: 'report.json' }]);
  assert.throws(() => parse('dump --format json --format text'), /only one --format can go to the terminal/);
});

test('a mistake is named in one sentence, with the nearest right name', () => {
  /** @type {[string, RegExp, RegExp][]} */
  const mistakes = [
    ['dump --selct a', /^there is no option --selct$/, /did you mean --select/],
    ['dump --zzz', /^there is no option --zzz$/, /--help/],
    ['dump --format jsn', /`check` has no format "jsn"/, /did you mean json/],
    ['dump --fail-on warn', /--fail-on takes error, warning, info, problem, not "warn"/, /did you mean warning/],
    ['dump --select', /--select needs a value/, /.*/],
    ['dump --quiet=yes', /--quiet takes no value/, /.*/],
    ['schema dump --fail-on error', /`schema` knows no option --fail-on/, /belongs to check/],
  ];
  for (const [line, message, hint] of mistakes) {
    assert.throws(
      () => parse(line),
      (/** @type {any} */ error) => {
        assert.equal(error.name, 'UsageError');
        assert.match(error.message, message);
        assert.match(error.hint ?? '', hint);
        return true;
      },
    );
  }
});

test('a name that is far from all others has no nearest', () => {
  assert.equal(nearest('chekc', Object.keys(COMMANDS)), 'check');
  assert.equal(nearest('xylophone', Object.keys(COMMANDS)), undefined);
});

test('--help tells every command and every option, within 80 columns', () => {
  const text = help('');
  for (const name of Object.keys(COMMANDS)) assert.match(text, new RegExp(`^  ${name} `, 'm'));
  for (const name of Object.keys(OPTIONS)) assert.ok(text.includes(`--${name}`), name);
  for (const command of ['', ...Object.keys(COMMANDS)]) {
    for (const language of LANGUAGES) {
      for (const line of help(command, language).split('\n')) assert.ok(line.length <= 80, line);
    }
  }
});

test('each command has examples of its own, and they are command lines', () => {
  const all = Object.entries(COMMANDS).flatMap(([name, { examples }]) => examples.map(([line]) => /** @type {const} */ ([name, line])));
  assert.equal(new Set(all.map(([, line]) => line)).size, all.length);
  for (const [name, line] of all) {
    const args = line.replace(/^.*\bmongovet /, '').split(' ');
    assert.equal(parseCommandLine(args).command, name, line);
    assert.ok(help(name).includes(line), line);
  }
});

test('both languages have the same sentences with the same blanks', () => {
  const blanks = (/** @type {string} */ text) => (text.match(/\{\w+\}/g) ?? []).sort();
  assert.deepEqual(Object.keys(SENTENCES.es).sort(), Object.keys(SENTENCES.en).sort());
  for (const [key, english] of Object.entries(SENTENCES.en)) {
    const spanish = /** @type {Record<string, string>} */ (SENTENCES.es)[key];
    assert.deepEqual([...new Set(blanks(spanish))], [...new Set(blanks(english))], key);
    assert.notEqual(spanish, english, key);
  }
  for (const { help: words } of Object.values(OPTIONS)) assert.ok(words.es !== words.en && words.es !== '', words.en);
  assert.doesNotMatch(help('', 'es'), /\b(the|of|what|Usage|Rules|Setting)\b/);
});

test('the language holds for mistakes, wherever it stands', () => {
  assert.deepEqual(['--lang es dump', 'dump --lang=es', '--selct --lang es', 'dump', '--lang fr'].map((line) => languageOf(line.split(' '))), ['es', 'es', 'es', 'en', 'en']);
  assert.throws(
    () => parse('dump --selct a --lang es'),
    (/** @type {any} */ error) => {
      assert.equal(error.in('es'), 'no existe la opción --selct; ¿querías decir --select?');
      assert.equal(error.in('en'), 'there is no option --selct; did you mean --select?');
      return true;
    },
  );
});

test('the help of every command names its formats, within 80 columns', () => {
  for (const [name, { formats }] of Object.entries(COMMANDS)) {
    const text = help(name);
    assert.ok((formats ?? []).every((format) => text.includes(format)), name);
    for (const line of text.split('\n')) assert.ok(line.length <= 80, line);
  }
});
