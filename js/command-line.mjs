// @ts-check
/** What may stand on the command line: one table, from which parsing, checking and `--help` follow. */
import { parseArgs } from 'node:util';

import { UsageError } from './words.mjs';

/** @typedef {import('./words.mjs').Language} Language */
/** @typedef {Record<Language, string>} Words the same in each language */

/**
 * @typedef {object} Command
 * @property {Words} summary
 * @property {string} operands
 * @property {string[]} [formats]
 * @property {[string, Words][]} examples a command line and what it is for
 */

/** @type {Record<string, Command>} */
export const COMMANDS = {
  check: {
    summary: {
      en: 'read all evidence under the paths, run all rules (default)',
      es: 'leer toda la evidencia de las rutas y aplicar las reglas',
    },
    operands: 'PATH…',
    formats: ['text', 'concise', 'json', 'jsonl', 'sarif', 'github', 'gitlab', 'junit', 'markdown', 'html'],
    examples: [
      ['mongovet dump/shop', { en: 'what a mongodump folder tells', es: 'lo que dice un mongodump' }],
      ['mongovet . --select index/* --fail-on warning', { en: 'in CI, on indexes alone', es: 'en CI, solo los índices' }],
      ['mongovet orders.json --collection shop.orders', { en: 'an export', es: 'una exportación' }],
      ['mongoexport … | mongovet - --collection a.b', { en: 'what comes in', es: 'lo que llega' }],
      ['mongovet dump -f sarif -o vet.sarif -f text', { en: 'two outputs', es: 'dos salidas' }],
    ],
  },
  profile: {
    summary: {
      en: 'tell what documents hold: fields, types, presence, lengths',
      es: 'decir qué hay: campos, tipos, presencia, longitudes',
    },
    operands: 'PATH…',
    formats: ['text', 'json', 'html'],
    examples: [
      ['mongovet profile dump/shop', { en: 'every field of every collection', es: 'cada campo de cada colección' }],
      ['mongovet profile dump/shop -o shop.html', { en: 'as a page', es: 'como página' }],
      ['mongovet profile dump --save a.mvprofile', { en: 'to be a PATH later', es: 'para ser un PATH luego' }],
    ],
  },
  advise: {
    summary: {
      en: 'answer design questions: embed or reference, with the numbers',
      es: 'decidir el diseño: incrustar o referenciar, con los números',
    },
    operands: 'PATH…',
    formats: ['text', 'markdown', 'json'],
    examples: [
      ['mongovet advise dump/shop', { en: 'every decision and its scripts', es: 'cada decisión y sus guiones' }],
      ['mongovet advise dump --now 2027-01-31', { en: 'as of that day', es: 'en esa fecha' }],
      ['mongovet advise dump -o advice.md', { en: 'for a review', es: 'para una revisión' }],
      ['mongovet advise dump -f json', { en: 'the figures for a program', es: 'las cifras, para un programa' }],
    ],
  },
  schema: {
    summary: {
      en: 'write a validator, TypeScript types or an entity diagram',
      es: 'escribir un validador, tipos TypeScript o un diagrama',
    },
    operands: 'PATH…',
    formats: ['json', 'typescript', 'mermaid'],
    examples: [
      ['mongovet schema dump/shop', { en: 'a $jsonSchema for each collection', es: 'un $jsonSchema por colección' }],
      ['mongovet schema dump -o types.ts', { en: 'types as the driver gives them', es: 'tipos como los da el driver' }],
      ['mongovet schema dump -f mermaid', { en: 'a diagram for Markdown', es: 'un diagrama para Markdown' }],
    ],
  },
  init: {
    summary: {
      en: 'write a mongovet.json to start from, with what was inferred',
      es: 'escribir un mongovet.json inicial con lo que se infirió',
    },
    operands: 'PATH…',
    formats: ['json'],
    examples: [
      ['mongovet init dump/shop', { en: 'writes mongovet.json here', es: 'escribe mongovet.json aquí' }],
      ['mongovet init dump src -o draft.json', { en: 'writes it elsewhere', es: 'lo escribe en otro sitio' }],
      ['mongovet init dump -o -', { en: 'to the terminal', es: 'en la terminal' }],
    ],
  },
  explain: {
    summary: { en: 'print the page of one rule', es: 'mostrar la página de una regla' },
    operands: 'RULE',
    formats: ['text', 'json'],
    examples: [
      ['mongovet explain document/unbounded-array', { en: 'by its id', es: 'por su id' }],
      ['mongovet explain index/unused --lang es', { en: 'in Spanish', es: 'en español' }],
    ],
  },
  rules: {
    summary: { en: 'list all rules', es: 'listar todas las reglas' },
    operands: '',
    formats: ['text', 'json'],
    examples: [
      ['mongovet rules', { en: 'id, severity and summary of each', es: 'id, gravedad y resumen de cada una' }],
      ['mongovet rules -f json', { en: 'the table for a program', es: 'la tabla, para un programa' }],
    ],
  },
};

const READING = ['check', 'profile', 'advise', 'schema', 'init'];
const TELLING = ['check', 'advise'];

/**
 * @typedef {object} Option
 * @property {Group} group heading in `--help`
 * @property {string} [value] name of the value in `--help`; a switch has none
 * @property {string[]} [choices] the values it takes
 * @property {boolean} [repeatable]
 * @property {string} [short]
 * @property {string[]} [commands] where it means something; everywhere, if absent
 * @property {Words} help
 */

/** @typedef {keyof typeof GROUPS} Group */
export const GROUPS = {
  rules: { en: 'Rules', es: 'Reglas' },
  output: { en: 'Output', es: 'Salida' },
  failing: { en: 'Failing', es: 'Fallo' },
  input: { en: 'Input', es: 'Entrada' },
  setting: { en: 'Setting', es: 'Ajustes' },
};

/** @type {Record<string, Option>} */
export const OPTIONS = {
  select: {
    group: 'rules',
    value: 'RULE',
    repeatable: true,
    commands: TELLING,
    help: { en: 'only these: an id, a group or a glob (document/*)', es: 'solo estas: un id, un grupo o un glob (document/*)' },
  },
  ignore: {
    group: 'rules',
    value: 'RULE',
    repeatable: true,
    commands: TELLING,
    help: { en: 'not these rules; wins over --select', es: 'estas reglas no; gana a --select' },
  },
  format: { group: 'output', value: 'FORMAT', repeatable: true, short: 'f', help: { en: 'form of the output', es: 'forma de la salida' } },
  'output-file': {
    group: 'output',
    value: 'FILE',
    repeatable: true,
    short: 'o',
    help: { en: 'where the --format before it is written', es: 'dónde se escribe el --format anterior' },
  },
  'max-findings': {
    group: 'output',
    value: 'N',
    commands: ['check'],
    help: { en: 'so many at most (50 in text); changes no exit code', es: 'tantos como mucho (50 en text); no cambia el código' },
  },
  'show-info': { group: 'output', commands: TELLING, help: { en: 'every finding of severity info, not one line each', es: 'cada hallazgo info entero, no en una línea' } },
  'show-values': { group: 'output', commands: READING, help: { en: 'values of the documents may appear', es: 'pueden aparecer valores de los documentos' } },
  statistics: { group: 'output', commands: ['check'], help: { en: 'what was read, and counts by rule', es: 'lo que se leyó, y cuentas por regla' } },
  quiet: { group: 'output', short: 'q', help: { en: 'errors and warnings and their number, nothing else', es: 'errores y avisos y su número, nada más' } },
  'fix-script': {
    group: 'output',
    value: 'FILE',
    commands: ['check'],
    help: { en: 'write the remedies as one mongosh script', es: 'escribir los remedios como un script de mongosh' },
  },
  lang: { group: 'output', value: 'LANG', choices: ['en', 'es'], help: { en: 'language of what is told', es: 'idioma de lo que se dice' } },
  color: { group: 'output', value: 'WHEN', choices: ['auto', 'always', 'never'], help: { en: 'colour; NO_COLOR is heeded', es: 'color; se respeta NO_COLOR' } },
  'fail-on': {
    group: 'failing',
    value: 'LEVEL',
    choices: ['error', 'warning', 'info', 'problem'],
    commands: ['check'],
    help: { en: 'exit with 1 from this severity on (default error)', es: 'salir con 1 desde esta gravedad (si falta, error)' },
  },
  'max-warnings': { group: 'failing', value: 'N', commands: ['check'], help: { en: 'exit with 1 above so many warnings', es: 'salir con 1 por encima de tantos avisos' } },
  'strict-input': { group: 'failing', commands: READING, help: { en: 'exit with 2 when any input has a problem', es: 'salir con 2 si alguna entrada tiene un problema' } },
  collection: { group: 'input', value: 'DB.COLL', commands: READING, help: { en: 'the collection of the documents', es: 'la colección de los documentos' } },
  complete: { group: 'input', commands: READING, help: { en: 'the documents are all there are, not a sample', es: 'los documentos son todos, no una muestra' } },
  'stdin-name': { group: 'input', value: 'NAME', commands: READING, help: { en: 'name of what comes through -', es: 'nombre de lo que llega por -' } },
  config: { group: 'setting', value: 'FILE', commands: READING, help: { en: 'instead of the nearest mongovet.json', es: 'en lugar del mongovet.json más cercano' } },
  'print-config': { group: 'setting', commands: READING, help: { en: 'print the settings in force and stop', es: 'mostrar los ajustes vigentes y terminar' } },
  'server-version': { group: 'setting', value: 'X.Y', commands: READING, help: { en: 'version of the server', es: 'versión del servidor' } },
  now: { group: 'setting', value: 'ISO-DATE', commands: READING, help: { en: 'the time to reckon from', es: 'la fecha desde la que se cuenta' } },
  jobs: { group: 'setting', value: 'N', commands: READING, help: { en: 'threads that read (default: one a core)', es: 'hilos que leen (si falta, uno por núcleo)' } },
  save: {
    group: 'setting',
    value: 'FILE.mvprofile',
    commands: ['profile'],
    help: { en: 'save the profile; it can be a PATH of later runs', es: 'guardar el perfil; puede ser un PATH más tarde' },
  },
  'with-documents': { group: 'setting', commands: ['profile'], help: { en: 'the saved profile holds sampled documents', es: 'el perfil guardado lleva documentos de la muestra' } },
  help: { group: 'setting', short: 'h', help: { en: 'this text', es: 'este texto' } },
  version: { group: 'setting', short: 'V', help: { en: 'version of mongovet', es: 'versión de mongovet' } },
};

/**
 * @typedef {object} CommandLine
 * @property {string} command
 * @property {'help' | 'version'} [show]
 * @property {string[]} operands
 * @property {Record<string, string | boolean | string[] | undefined>} options
 * @property {{ format: string, file?: string }[]} outputs
 */

/**
 * @param {string[]} args
 * @returns {CommandLine}
 */
export function parseCommandLine(args) {
  const { tokens } = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(OPTIONS).map(([name, { value, short }]) => [
        name,
        { type: value ? 'string' : 'boolean', ...(short && { short }) },
      ]),
    ),
  });
  /** @type {string[]} */
  const operands = [];
  /** @type {CommandLine['options']} */
  const options = {};
  /** @type {{ format: string, file?: string }[]} */
  const outputs = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const value = optionValue(token);
    if (token.name === 'format') outputs.push({ format: String(value) });
    else if (token.name === 'output-file') sendTo(outputs, String(value));
    else if (OPTIONS[token.name].repeatable) (/** @type {string[]} */ (options[token.name] ??= [])).push(.../** @type {string} */ (value).split(','));
    else options[token.name] = value;
  }
  const command = takeCommand(operands);
  if (options.version || options.help) {
    return { command: command ?? 'check', show: options.version ? 'version' : 'help', operands, options, outputs };
  }
  if (command === undefined && operands.length === 0) {
    return { command: '', show: 'help', operands, options, outputs };
  }
  const chosen = command ?? 'check';
  for (const name of Object.keys(options)) {
    const { commands } = OPTIONS[name];
    if (commands && !commands.includes(chosen)) {
      throw new UsageError(
        { key: 'optionElsewhere', values: { command: chosen, option: name } },
        { key: 'belongsTo', values: { commands: commands.join(', ') } },
      );
    }
  }
  // By this ending alone later runs know it for what it is.
  if (options.save !== undefined && !String(options.save).endsWith('.mvprofile')) {
    throw new UsageError({ key: 'saveEnding', values: { file: options.save } });
  }
  return { command: chosen, operands, options, outputs: checkOutputs(chosen, outputs) };
}

/**
 * A whole number from an option.
 * @param {CommandLine} line
 * @param {string} name
 * @returns {number | undefined}
 */
export function wholeNumber({ options }, name) {
  const text = options[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(String(text))) {
    throw new UsageError({ key: 'takesWholeNumber', values: { option: name, given: text } });
  }
  return Number(text);
}

/**
 * The nearest of the names, when it is near enough to be meant.
 * @param {string} wrong
 * @param {Iterable<string>} names
 */
export function nearest(wrong, names) {
  const given = wrong.toLowerCase();
  let best;
  let least = Math.floor(Math.max(given.length, 3) / 3) + 1;
  for (const name of names) {
    const known = name.toLowerCase();
    const far = 3 <= given.length && known.startsWith(given) ? 0.5 : distance(given, known);
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

/**
 * @param {string} wrong
 * @param {Iterable<string>} names
 * @returns {import('./words.mjs').Sentence | undefined}
 */
export function didYouMean(wrong, names) {
  const name = nearest(wrong, names);
  return name === undefined ? undefined : { key: 'didYouMean', values: { name } };
}

/** @param {{ name: string, rawName: string, value?: string }} token */
function optionValue({ name, rawName, value }) {
  if (!Object.hasOwn(OPTIONS, name)) {
    const hint = didYouMean(rawName, Object.keys(OPTIONS).map((known) => `--${known}`));
    throw new UsageError({ key: 'noOption', values: { option: rawName } }, hint ?? { key: 'seeHelp' });
  }
  const { value: wanted, choices } = OPTIONS[name];
  if (!wanted) {
    if (value !== undefined) throw new UsageError({ key: 'takesNoValue', values: { option: rawName } });
    return true;
  }
  if (value === undefined || value === '') {
    throw new UsageError({ key: 'needsValue', values: { option: rawName, value: wanted } });
  }
  if (choices && !choices.includes(value)) {
    const values = { option: rawName, choices: choices.join(', '), given: value };
    throw new UsageError({ key: 'takesOneOf', values }, didYouMean(value, choices));
  }
  return value;
}

/**
 * @param {{ format: string, file?: string }[]} outputs
 * @param {string} file
 */
function sendTo(outputs, file) {
  const last = outputs.at(-1);
  if (last !== undefined && last.file === undefined) last.file = file;
  else outputs.push({ format: formatOf(file), file });
}

/**
 * A file that no --format stands before is written in the form that its name promises; empty where it promises none.
 * @param {string} file
 */
function formatOf(file) {
  const formats = { json: 'json', html: 'html', ts: 'typescript', mmd: 'mermaid', md: 'markdown', sarif: 'sarif' };
  const extension = file.slice(file.lastIndexOf('.') + 1);
  return /** @type {Record<string, string>} */ (formats)[extension] ?? '';
}

/**
 * @param {string} command
 * @param {{ format: string, file?: string }[]} outputs
 */
function checkOutputs(command, outputs) {
  const formats = COMMANDS[command].formats ?? [];
  for (const output of outputs) output.format ||= formats[0];
  for (const { format } of outputs) {
    if (formats.includes(format)) continue;
    /** @type {import('./words.mjs').Sentence} */
    const hint = didYouMean(format, formats) ?? { key: 'itHas', values: { names: formats.join(', ') } };
    throw new UsageError({ key: 'noFormat', values: { command, format } }, hint);
  }
  if (outputs.filter(({ file }) => file === undefined).length > 1) {
    throw new UsageError({ key: 'oneTerminal' }, { key: 'outputFiles' });
  }
  return outputs.length === 0 ? [{ format: formats[0] }] : outputs;
}

/**
 * The first word is a command if it is one; a word that is nearly one and no file is a slip.
 * @param {string[]} operands
 */
function takeCommand(operands) {
  if (operands.length > 0 && Object.hasOwn(COMMANDS, operands[0])) return operands.shift();
  return undefined;
}

/**
 * Levenshtein's distance, where two neighbours that changed places count as one slip.
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  /** @type {number[]} */
  let before = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
      const isSwapped = 1 < i && 1 < j && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}
