// @ts-check
/** What may stand on the command line: one table, from which parsing, checking and `--help` follow. */
import { parseArgs } from 'node:util';

/** A mistake on the command line or in what it names. */
export class UsageError extends Error {
  /**
   * @param {string} message
   * @param {string} [hint]
   */
  constructor(message, hint) {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
  }
}

/** @typedef {{ summary: string, operands: string, formats?: string[] }} Command */

/** @type {Record<string, Command>} */
export const COMMANDS = {
  check: {
    summary: 'read all evidence under the paths, run all rules (default)',
    operands: 'PATH…',
    formats: ['text', 'concise', 'json', 'jsonl', 'sarif', 'github', 'gitlab', 'junit', 'markdown', 'html'],
  },
  profile: {
    summary: 'tell what documents hold: fields, types, presence, lengths',
    operands: 'PATH…',
    formats: ['text', 'json', 'html'],
  },
  advise: {
    summary: 'answer design questions: embed or reference, with the numbers',
    operands: 'PATH…',
    formats: ['text', 'json'],
  },
  schema: {
    summary: 'write a validator, TypeScript types or an entity diagram',
    operands: 'PATH…',
    formats: ['json', 'typescript', 'mermaid'],
  },
  explain: { summary: 'print the page of one rule', operands: 'RULE', formats: ['text', 'json'] },
  rules: { summary: 'list all rules', operands: '', formats: ['text', 'json'] },
};

const READING = ['check', 'profile', 'advise', 'schema'];
const TELLING = ['check', 'advise'];

/**
 * @typedef {object} Option
 * @property {string} group heading in `--help`
 * @property {string} [value] name of the value in `--help`; a switch has none
 * @property {string[]} [choices] the values it takes
 * @property {boolean} [repeatable]
 * @property {string} [short]
 * @property {string[]} [commands] where it means something; everywhere, if absent
 * @property {string} help
 */

/** @type {Record<string, Option>} */
export const OPTIONS = {
  select: {
    group: 'Rules',
    value: 'RULE',
    repeatable: true,
    commands: TELLING,
    help: 'only these: an id, a group or a glob (document/*)',
  },
  ignore: {
    group: 'Rules',
    value: 'RULE',
    repeatable: true,
    commands: TELLING,
    help: 'not these rules; wins over --select',
  },
  format: { group: 'Output', value: 'FORMAT', repeatable: true, short: 'f', help: 'form of the output' },
  'output-file': {
    group: 'Output',
    value: 'FILE',
    repeatable: true,
    short: 'o',
    help: 'where the --format before it is written',
  },
  'max-findings': {
    group: 'Output',
    value: 'N',
    commands: ['check'],
    help: 'so many at most (50 in text); changes no exit code',
  },
  'show-info': { group: 'Output', commands: TELLING, help: 'every finding of severity info, not one line each' },
  'show-values': { group: 'Output', commands: READING, help: 'values of the documents may appear' },
  statistics: { group: 'Output', commands: ['check'], help: 'what was read, and counts by rule' },
  quiet: { group: 'Output', short: 'q', help: 'errors and warnings and their number, nothing else' },
  lang: { group: 'Output', value: 'LANG', choices: ['en', 'es'], help: 'language of what is told' },
  color: { group: 'Output', value: 'WHEN', choices: ['auto', 'always', 'never'], help: 'colour; NO_COLOR is heeded' },
  'fail-on': {
    group: 'Failing',
    value: 'LEVEL',
    choices: ['error', 'warning', 'info', 'problem'],
    commands: ['check'],
    help: 'exit with 1 from this severity on (default error)',
  },
  'max-warnings': { group: 'Failing', value: 'N', commands: ['check'], help: 'exit with 1 above so many warnings' },
  'strict-input': { group: 'Failing', commands: READING, help: 'exit with 2 when any input has a problem' },
  collection: { group: 'Input', value: 'DB.COLL', commands: READING, help: 'the collection of the documents' },
  complete: { group: 'Input', commands: READING, help: 'the documents are all there are, not a sample' },
  'stdin-name': { group: 'Input', value: 'NAME', commands: READING, help: 'name of what comes through -' },
  config: { group: 'Setting', value: 'FILE', commands: READING, help: 'instead of the nearest mongovet.json' },
  'print-config': { group: 'Setting', commands: READING, help: 'print the settings in force and stop' },
  'server-version': { group: 'Setting', value: 'X.Y', commands: READING, help: 'version of the server' },
  now: { group: 'Setting', value: 'ISO-DATE', commands: READING, help: 'the time to reckon from' },
  jobs: { group: 'Setting', value: 'N', commands: READING, help: 'threads that read (default: one a core)' },
  save: {
    group: 'Setting',
    value: 'FILE.mvprofile',
    commands: ['profile'],
    help: 'save the profile; it can be a PATH of later runs',
  },
  'with-documents': { group: 'Setting', commands: ['profile'], help: 'the saved profile holds sampled documents' },
  help: { group: 'Setting', short: 'h', help: 'this text' },
  version: { group: 'Setting', short: 'V', help: 'version of mongovet' },
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
      throw new UsageError(`\`${chosen}\` knows no option --${name}`, `it belongs to ${commands.join(', ')}`);
    }
  }
  // By this ending alone later runs know it for what it is.
  if (options.save !== undefined && !String(options.save).endsWith('.mvprofile')) {
    throw new UsageError(`--save takes a file that ends in .mvprofile, not "${options.save}"`);
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
  if (!/^\d{1,9}$/.test(String(text))) throw new UsageError(`--${name} takes a whole number, not "${text}"`);
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
 */
export function didYouMean(wrong, names) {
  const name = nearest(wrong, names);
  return name === undefined ? undefined : `did you mean ${name}?`;
}

/** @param {{ name: string, rawName: string, value?: string }} token */
function optionValue({ name, rawName, value }) {
  if (!Object.hasOwn(OPTIONS, name)) {
    const hint = didYouMean(rawName, Object.keys(OPTIONS).map((known) => `--${known}`));
    throw new UsageError(`there is no option ${rawName}`, hint ?? 'see --help');
  }
  const { value: wanted, choices } = OPTIONS[name];
  if (!wanted) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return true;
  }
  if (value === undefined || value === '') throw new UsageError(`${rawName} needs a value: ${rawName} ${wanted}`);
  if (choices && !choices.includes(value)) {
    throw new UsageError(`${rawName} takes ${choices.join(', ')}, not "${value}"`, didYouMean(value, choices));
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
 * A file that no --format stands before is written in the form that its name promises.
 * @param {string} file
 */
function formatOf(file) {
  const formats = { json: 'json', html: 'html', ts: 'typescript', mmd: 'mermaid', md: 'markdown', sarif: 'sarif' };
  const extension = file.slice(file.lastIndexOf('.') + 1);
  return /** @type {Record<string, string>} */ (formats)[extension] ?? 'text';
}

/**
 * @param {string} command
 * @param {{ format: string, file?: string }[]} outputs
 */
function checkOutputs(command, outputs) {
  const formats = COMMANDS[command].formats ?? [];
  for (const { format } of outputs) {
    if (formats.includes(format)) continue;
    const hint = didYouMean(format, formats) ?? `it has ${formats.join(', ')}`;
    throw new UsageError(`\`${command}\` has no format "${format}"`, hint);
  }
  if (outputs.filter(({ file }) => file === undefined).length > 1) {
    throw new UsageError('only one --format can go to the terminal', 'give the others an --output-file');
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
