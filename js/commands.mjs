// @ts-check
/** What each command does: reads, asks the core, prints, and answers with the exit code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { COMMANDS, didYouMean, nearest, wholeNumber } from './command-line.mjs';
import { CONFIG_NAME, findConfig, findFiles, nameOf, reader } from './files.mjs';
import { runAsync } from './core.js';
import { compiled, core } from './node.mjs';
import { progress } from './progress.mjs';
import { say, UsageError } from './words.mjs';

/**
 * @typedef {import('./command-line.mjs').CommandLine} CommandLine
 * @typedef {import('./core.js').Outcome} Outcome
 * @typedef {import('./core.js').Source} Source
 * @typedef {import('./index.d.ts').Report} Report
 */

/**
 * What the commands may know of the process around them.
 * @typedef {object} Environment
 * @property {string} folder
 * @property {boolean} color
 * @property {number} [width]
 * @property {() => string} today
 * @property {number} threads how many can run at once
 * @property {AsyncIterable<Uint8Array>} stdin
 * @property {(text: string) => void} print
 * @property {(text: string) => void} warn
 * @property {{ write: (text: string) => unknown }} [progress]
 */

/** Kinds of inputs that tell nothing. */
const NO_EVIDENCE = ['empty', 'other'];
/** Kinds of inputs that tell by their documents alone. */
const DOCUMENTS = ['bson-dump', 'archive', 'extended-json', 'literals', 'saved-profile'];
/** Commands that tell what was counted: rules, advice and their questions are not asked for. */
const COUNTS_ONLY = ['profile', 'schema'];
/** A thread for less than this costs more to start than it saves. */
const PER_THREAD = 8 << 20;
/** So much of stdin is kept, so that the second pass can read it again. */
const KEPT_OF_STDIN = 64 << 20;

/**
 * @param {CommandLine} line
 * @param {Environment} environment
 * @returns {Promise<number>} the exit code
 */
export async function run(line, environment) {
  if (line.command === 'rules') return rules(line, environment);
  if (line.command === 'explain') return explain(line, environment);

  const gathered = await gather(line, environment);
  if (line.options['print-config']) return printConfig(line, gathered, environment);
  const outcome = await read(line, gathered, environment);
  const report = outcome.report;
  if (line.command === 'init') return initialise(line, outcome, gathered, environment);
  for (const output of line.outputs) {
    const toTerminal = output.file === undefined;
    deliver(output, draw(line, outcome, output.format, { toTerminal, environment }), environment);
  }
  const { save, 'fix-script': fixScript } = line.options;
  if (save !== undefined) write(String(save), outcome.save(), environment);
  if (fixScript !== undefined) write(String(fixScript), outcome.fixScript(), environment);
  return exitCode(line, report, gathered, environment);
}

/**
 * Writes a configuration to start from; one that is there holds what somebody decided, and stays.
 * @param {CommandLine} line
 * @param {Outcome} outcome
 * @param {Gathered} gathered
 * @param {Environment} environment
 */
function initialise(line, outcome, gathered, environment) {
  const code = exitCode(line, outcome.report, gathered, environment);
  if (code !== 0) return code;
  const [{ file = CONFIG_NAME }] = line.outputs;
  if (file === '-') {
    environment.print(outcome.initial());
    return 0;
  }
  if (existsSync(resolve(environment.folder, file))) throw new UsageError({ key: 'isThere', values: { file } }, { key: 'elsewhere' });
  write(file, outcome.initial(), environment);
  environment.print(`${say(languageIn(line.options), { key: 'written', values: { file } })}\n`);
  return 0;
}

/**
 * The one place that decides how the process ends.
 * @param {CommandLine} line
 * @param {Report} report
 * @param {Gathered} gathered
 * @param {Environment} environment
 */
function exitCode({ command, options, ...line }, report, { named, configFile }, environment) {
  // The declared model is evidence, too.
  const declared = configFile === undefined ? [] : [nameOf(configFile, environment.folder)];
  const evidence = [...report.inputs.filter(isEvidence).map(({ name }) => name), ...declared];
  const empty = named.find((name) => !evidence.some((file) => liesIn(file, name)));
  if (empty !== undefined) {
    warn(environment, options, { key: 'noEvidence', values: { name: empty } });
    return 2;
  }
  const { summary } = report;
  if (options['strict-input'] && 0 < summary.problems) {
    const key = summary.problems === 1 ? 'oneProblem' : 'problems';
    warn(environment, options, { key, values: { count: summary.problems } });
    return 2;
  }
  if (command !== 'check') return 0;
  const level = String(options['fail-on'] ?? 'error');
  const counted = { error: summary.error, warning: summary.error + summary.warning, info: summary.error + summary.warning + summary.info, problem: summary.error + summary.problems };
  const failing = /** @type {Record<string, number>} */ (counted)[level];
  const budget = wholeNumber({ command, options, ...line }, 'max-warnings');
  const isOverBudget = budget !== undefined && budget < summary.warning;
  return 0 < failing || isOverBudget ? 1 : 0;
}

/**
 * @param {Environment} environment
 * @param {CommandLine['options']} options
 * @param {import('./words.mjs').Sentence} sentence
 */
function warn(environment, options, sentence) {
  environment.warn(`mongovet: ${say(languageIn(options), sentence)}\n`);
}

/**
 * @param {CommandLine['options']} options
 * @returns {import('./words.mjs').Language}
 */
const languageIn = ({ lang }) => (lang === 'es' ? lang : 'en');

/**
 * An empty dump tells of an empty collection; a broken one of which nothing could be read tells nothing.
 * @param {Report['inputs'][number]} input
 */
const isEvidence = ({ kind, documents, problems }) =>
  !NO_EVIDENCE.includes(kind) && !(DOCUMENTS.includes(kind) && documents === 0 && 0 < problems.length);

/**
 * A file that was named must hold evidence; a folder must hold some that does.
 * @param {string} file
 * @param {string} named
 */
const liesIn = (file, named) => file === named || named === '.' || file.startsWith(named.endsWith('/') ? named : `${named}/`);

/**
 * @typedef {object} Gathered
 * @property {import('./files.mjs').Found[]} files
 * @property {Source} [stdin]
 * @property {string[]} named names that were given, which must give evidence
 * @property {string} [configFile]
 * @property {object} options as the core takes them
 */

/**
 * @param {CommandLine} line
 * @param {Environment} environment
 * @returns {Promise<Gathered>}
 */
async function gather(line, environment) {
  const { command, operands, options } = line;
  if (operands.length === 0 && !options['print-config']) {
    throw new UsageError({ key: 'needsPath', values: { command } }, { key: 'pathIs' });
  }
  if (operands.includes('')) throw new UsageError({ key: 'emptyPath' }, { key: 'currentFolder' });
  refuseSlip(operands, environment.folder);
  const { files, named, configs } = await findFiles(operands, environment.folder);
  const configFile =
    options.config === undefined
      ? findConfig(operands, configs, environment.folder)
      : resolve(environment.folder, String(options.config));
  /** @type {Source | undefined} */
  let stdin;
  if (operands.includes('-')) {
    stdin = rewindable(String(options['stdin-name'] ?? 'stdin'), environment.stdin);
    named.push(stdin.name);
  }
  const config = configFile === undefined ? undefined : readConfig(configFile, environment.folder);
  const coreOptions = {
    ...(config !== undefined && { config, configName: nameOf(/** @type {string} */ (configFile), environment.folder) }),
    select: options.select,
    ignore: options.ignore,
    collection: options.collection,
    complete: options.complete,
    showValues: options['show-values'],
    serverVersion: options['server-version'],
    now: options.now,
    today: options.now ?? environment.today(),
    lang: options.lang,
    withDocuments: options['with-documents'],
    countsOnly: COUNTS_ONLY.includes(command) || undefined,
    named,
    names: [...files, ...(stdin ? [stdin] : [])].map(({ name }) => name),
  };
  return { stdin, files, named, configFile, options: coreOptions };
}

/**
 * @param {CommandLine} line
 * @param {Gathered} gathered
 * @param {Environment} environment
 * @returns {Promise<Outcome>}
 */
async function read(line, gathered, environment) {
  const { files, options } = gathered;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const drawn = progress(line.options.quiet ? undefined : environment.progress, total, languageIn(line.options));
  const sources = files.map((file) => sourceOf(file, drawn.advance));
  if (gathered.stdin) sources.push(gathered.stdin);
  sources.sort((a, b) => (a.name < b.name ? -1 : 1));

  const session = core.session(options);
  const shared = files.filter(({ isStream, unreadable }) => !isStream && !unreadable);
  const threads = Math.min(wholeNumber(line, 'jobs') ?? environment.threads, Math.ceil(total / PER_THREAD));
  const outcome =
    threads < 2
      ? await runAsync(conclude(session, { unread: sources, again: sources }))
      : await readInThreads(session, { sources, shared, total, threads, options, onRead: drawn.advance });
  drawn.done();
  return outcome;
}

/**
 * @param {import('./core.js').Session} session
 * @param {object} reading
 * @param {Source[]} reading.sources
 * @param {import('./files.mjs').Found[]} reading.shared what the threads can read
 * @param {number} reading.total bytes
 * @param {number} reading.threads
 * @param {object} reading.options as the core takes them
 * @param {(bytes: number) => void} reading.onRead
 * @returns {Promise<Outcome>}
 */
async function readInThreads(session, { sources, shared, total, threads, options, onRead }) {
  const { partOf, Readers, tasksOf } = await import('./parallel.mjs');
  const readers = new Readers({ own: core.session(options), module: compiled(), options, threads });
  try {
    const tasks = tasksOf(shared, partOf(total, threads));
    const learned = await readers.read(tasks, onRead);
    for (const { partial, lost } of learned ?? []) {
      session.merge(partial);
      for (const [name, reason] of lost) session.lose(name, reason);
    }
    const read = new Set(learned && shared.map(({ name }) => name));
    const unread = sources.filter(({ name }) => !read.has(name));
    /** @type {import('./core.js').Sharing} */
    const share = async (names, asked) => {
      const mine = tasks.filter(({ name }) => read.has(name) && names.has(name));
      if (mine.reduce((sum, { size }) => sum + size, 0) < PER_THREAD) return undefined;
      const answers = await readers.answer(mine, asked);
      return answers && { answers, names: new Set(mine.map(({ name }) => name)) };
    };
    return await runAsync(conclude(session, { unread, again: sources, share }));
  } finally {
    readers.close();
  }
}

/**
 * @param {import('./files.mjs').Found} file
 * @param {(bytes: number) => void} onRead
 * @returns {Source}
 */
function sourceOf({ name, path, isStream, unreadable }, onRead) {
  if (unreadable) return { name, lost: { reason: 'unreadable', detail: unreadable } };
  const read = reader(path, { onRead });
  return isStream ? { name, data: read() } : { name, read };
}

/**
 * @param {import('./core.js').Session} session
 * @param {object} reading
 * @param {Source[]} reading.unread
 * @param {Source[]} reading.again what may be read a second time
 * @param {import('./core.js').Sharing} [reading.share]
 * @returns {Generator<unknown, Outcome, any>}
 */
function* conclude(session, { unread, again, share }) {
  for (const source of unread) yield* session.feed(source);
  yield* session.answer(again, share);
  return session.finish();
}

/**
 * @param {CommandLine} line
 * @param {Outcome} outcome
 * @param {string} format
 * @param {{ toTerminal: boolean, environment: Environment }} place
 * @returns {string}
 */
function draw(line, outcome, format, { toTerminal, environment }) {
  const { command, options } = line;
  const color = options.color === 'always' || (options.color !== 'never' && toTerminal && environment.color);
  const rendering = {
    lang: /** @type {string | undefined} */ (options.lang),
    color,
    width: toTerminal ? environment.width : undefined,
    showInfo: isGiven(options['show-info']),
    maxFindings: wholeNumber(line, 'max-findings'),
    statistics: isGiven(options.statistics),
    quiet: isGiven(options.quiet),
  };
  if (command === 'profile') return outcome.profile(format, rendering.width);
  if (command === 'schema') return outcome.schema(format);
  if (command === 'advise' && format !== 'json') return outcome.advice(format, rendering);
  return format === 'json' ? outcome.json : outcome.render(format, rendering);
}

/**
 * @param {{ file?: string }} output
 * @param {string} text
 * @param {Environment} environment
 */
function deliver({ file }, text, environment) {
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  if (file === undefined) {
    environment.print(whole);
    return;
  }
  write(file, whole, environment);
}

/**
 * @param {string} file
 * @param {string | Uint8Array} content
 * @param {Environment} environment
 */
function write(file, content, environment) {
  try {
    writeFileSync(resolve(environment.folder, file), content);
  } catch (error) {
    throw new UsageError({ key: 'unwritable', values: { file } }, /** @type {Error} */ (error).message);
  }
}

/**
 * @param {CommandLine} line
 * @param {Environment} environment
 */
function rules({ operands, outputs, options }, environment) {
  if (0 < operands.length) throw new UsageError({ key: 'rulesTakesNo', values: { operand: operands[0] } }, { key: 'oneRule' });
  const language = languageIn(options);
  // Below its heading a page opens with its summary, one sentence on one line.
  const summaryOf = (/** @type {string} */ page) => page.split('\n').find((text) => text !== '' && !text.startsWith('#'));
  const table = core.rules().map((rule) => ({ ...rule, summary: summaryOf(core.explain(rule.id, language)) }));
  const width = Math.max(...table.map(({ id }) => id.length));
  const lines = table.map(({ id, severity, summary }) => `${id.padEnd(width)}  ${severity.padEnd(7)}  ${summary}`);
  for (const output of outputs) {
    deliver(output, output.format === 'json' ? JSON.stringify(table, null, 2) : lines.join('\n'), environment);
  }
  return 0;
}

/**
 * @param {CommandLine} line
 * @param {Environment} environment
 */
function explain({ operands, outputs, options }, environment) {
  if (operands.length !== 1) throw new UsageError({ key: 'explainTakesOne' }, { key: 'explainAs' });
  const [rule] = operands;
  const ids = core.rules().map(({ id }) => id);
  if (!ids.includes(rule)) {
    const full = ids.find((id) => id.endsWith(`/${rule}`));
    const hint = full === undefined ? didYouMean(rule, ids) : didYouMean(full, [full]);
    throw new UsageError({ key: 'noRule', values: { rule } }, hint ?? { key: 'seeRules' });
  }
  const page = core.explain(rule, languageIn(options));
  for (const output of outputs) {
    deliver(output, output.format === 'json' ? JSON.stringify({ rule, page }, null, 2) : page, environment);
  }
  return 0;
}

/**
 * @param {CommandLine} line
 * @param {Gathered} gathered
 * @param {Environment} environment
 */
function printConfig(line, { configFile, options }, environment) {
  // A session refuses what is wrong in them.
  core.session(options);
  const { named, names, countsOnly, config, ...rest } = /** @type {Record<string, any>} */ (options);
  const settings = { ...rest, configName: configFile && nameOf(configFile, environment.folder), config: parsed(config) };
  environment.print(`${JSON.stringify(settings, null, 2)}\n`);
  return 0;
}

/**
 * The core takes more than JSON (comments, shell literals), which is shown as it is.
 * @param {string | undefined} config
 */
function parsed(config) {
  try {
    return config && JSON.parse(config);
  } catch {
    return config;
  }
}

/**
 * `mongovet chekc dump`: nothing has that name, and it is nearly a command.
 * @param {string[]} operands
 * @param {string} folder
 */
function refuseSlip([first], folder) {
  if (first === undefined || first === '-' || /[./\\]/.test(first)) return;
  const command = nearest(first, Object.keys(COMMANDS));
  if (command === undefined || existsSync(resolve(folder, first))) return;
  throw new UsageError({ key: 'noCommandNorFile', values: { name: first } }, didYouMean(first, [command]));
}

/**
 * @param {string} file
 * @param {string} folder
 */
function readConfig(file, folder) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(
      { key: 'unreadable', values: { path: nameOf(file, folder) } },
      { key: 'configTakes', values: { file: CONFIG_NAME } },
    );
  }
}

/**
 * Standard input comes once; what is kept of it can be read again.
 * @param {string} name
 * @param {AsyncIterable<Uint8Array>} stream
 * @returns {Source}
 */
function rewindable(name, stream) {
  /** @type {Source} */
  const source = { name };
  source.data = (async function* () {
    /** @type {Uint8Array[] | undefined} */
    let kept = [];
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      if (KEPT_OF_STDIN < size) kept = undefined;
      kept?.push(chunk);
      yield chunk;
    }
    const whole = kept;
    if (whole !== undefined) source.read = () => whole;
  })();
  return source;
}

/** @param {unknown} option a switch */
const isGiven = (option) => option === true;
