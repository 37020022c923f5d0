// @ts-check
/**
 * Bytes in, report out: drives the WebAssembly core in the same way on every host.
 *
 * Nothing here knows a host. Work is written once, as generators that yield whatever may have to be
 * waited for; `runSync` and `runAsync` drive them.
 */

/**
 * @typedef {import('./index.d.ts').Input} PublicInput
 * @typedef {import('./index.d.ts').Options} Options
 * @typedef {import('./index.d.ts').Rule} Rule
 * @typedef {import('./index.d.ts').RenderOptions} RenderOptions
 * @typedef {string | Uint8Array} Chunk
 * @typedef {Iterable<Chunk> | AsyncIterable<Chunk>} Chunks
 */

/**
 * One input as the hosts hand it over: what `Input` says, or `read`, which opens it anew each time.
 * @typedef {object} Source
 * @property {string} name
 * @property {Chunk | Chunks} [data]
 * @property {() => Chunks} [read]
 * @property {{ collection?: string, range?: Part, pairs?: Reply }} [options]
 * @property {Loss} [lost] why there is nothing to read
 */

/**
 * A part of a file. What is read begins at `start` and may go on behind `end`; `head` is the beginning of the whole
 * file, which tells what it is.
 * @typedef {{ start: number, end: number, head: Uint8Array }} Part
 */

/**
 * What the core wants to be asked of a live server, and how much of the reply is read.
 * @typedef {object} Wanted
 * @property {string} name of the input that the reply becomes
 * @property {string} namespace the collection, as inputs name it
 * @property {string | null} database
 * @property {{ find: string, filter: object, limit: number, hint?: string }} command the filter is canonical Extended JSON
 * @property {number} bytes
 */

/**
 * Which command an input answers, and whether the reply came to its end: such documents count for pairs alone.
 * @typedef {{ filter: object, limit: number, whole: boolean }} Reply
 */

/**
 * Why an input could not be read; the report tells it as a problem of the input.
 * @typedef {{ reason: 'trap' | 'unrepeatable' | 'unreadable' | 'refused', detail?: string }} Loss
 */

/**
 * What wasm-bindgen made of the core; one object is one instance with its own memory.
 * @typedef {object} Glue
 * @property {new (options: object) => Vet} Vet
 * @property {() => string} version
 * @property {() => string} rules
 * @property {() => void} [trap] only in debug builds
 */

/**
 * @typedef {object} Vet
 * @property {(name: string, options: object) => void} open
 * @property {(bytes: Uint8Array) => boolean | void} write
 * @property {() => ArrayLike<number> | undefined} close
 * @property {(name: string, reason: string, detail?: string) => void} lose
 * @property {() => Uint8Array} partial to be merged in the same run
 * @property {() => Uint8Array} save to be kept
 * @property {() => string} bundle to be pasted
 * @property {(bytes: Uint8Array) => void} merge
 * @property {(limits?: object) => string} wanted
 * @property {() => string[]} questions
 * @property {() => Uint8Array} asked the questions, for other threads
 * @property {(asked: Uint8Array) => void} ask
 * @property {() => string} finish
 * @property {(format: string, options: object) => string} render
 * @property {(format: string, width?: number) => string} profile
 * @property {(format: string) => string} schema
 * @property {(format: string, options: object) => string} advice
 * @property {() => string} initial
 * @property {() => string} fixScript
 * @property {() => void} free
 */

/**
 * Reads inputs in other threads for the questions of the second pass; answers with those that it read and with what
 * was counted, or with nothing.
 * @typedef {(names: Set<string>, asked: Uint8Array) =>
 *   Promise<{ names: Set<string>, answers: Uint8Array[] } | undefined>} Sharing
 */

/** @typedef {PublicInput | Source} Input what the hosts of ours hand over may know more than what users do */

/** A long string crosses the boundary in pieces of so many UTF-16 units. */
const STRING_PIECE = 1 << 18;
/** Bytes in pieces of so many: the core copies what it is given, and what is small stays in the processor's cache. */
const BYTE_PIECE = 1 << 18;

/** The core broke down outside any input, so there is nothing to leave out and try again. */
export class CoreFailure extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`mongovet broke down while it drew its conclusions (${message}); this is a bug in mongovet, please report it`, {
      cause,
    });
    this.name = 'CoreFailure';
  }
}

/** What the core threw without naming a mistake of the user: its instance is done for. */
class Trap {
  /** @param {unknown} cause */
  constructor(cause) {
    this.cause = cause;
  }
}

/**
 * Calls into the core; a user's mistake carries the kind that the core gave it, all else is a trap.
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
function guarded(call) {
  try {
    return call();
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'kind' in error) throw error;
    throw new Trap(error);
  }
}

/**
 * The same, where no input is to blame.
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
function concluded(call) {
  try {
    return guarded(call);
  } catch (error) {
    throw error instanceof Trap ? new CoreFailure(error.cause) : error;
  }
}

/**
 * @template T
 * @param {Generator<unknown, T, any>} work
 * @returns {Promise<T>}
 */
export async function runAsync(work) {
  let step = work.next();
  while (!step.done) {
    // A value that is ready is not waited for: awaiting every chunk of a file would cost more than reading it.
    const isPromise = typeof (/** @type {any} */ (step.value)?.then) === 'function';
    if (!isPromise) {
      step = work.next(step.value);
      continue;
    }
    let value;
    try {
      value = await step.value;
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(value);
  }
  return step.value;
}

/**
 * @template T
 * @param {Generator<unknown, T, any>} work
 * @returns {T}
 */
export function runSync(work) {
  let step = work.next();
  while (!step.done) {
    if (typeof (/** @type {any} */ (step.value)?.then) === 'function') {
      step = work.throw(new TypeError('this input can only be read asynchronously: use the function without Sync'));
    } else {
      step = work.next(step.value);
    }
  }
  return step.value;
}

/**
 * One run over some inputs, which outlives traps of the WebAssembly instance.
 *
 * After a trap the instance's memory cannot be trusted: a new one replays everything that can be read
 * again, without the input at which it happened, and the report says what was lost.
 */
export class Session {
  #instantiate;
  #options;
  /** @type {Source[]} */
  #fed = [];
  /** @type {Uint8Array[]} */
  #merged = [];
  /** Names that are left out, with the reason. @type {Map<string, Loss['reason']>} */
  #lost = new Map();
  /** @type {Vet} */
  #vet;

  /**
   * @param {() => Glue} instantiate makes a fresh instance of the core
   * @param {object} options as the core takes them
   */
  constructor(instantiate, options) {
    this.#instantiate = instantiate;
    this.#options = defined(options);
    this.#vet = this.#start();
  }

  /**
   * Reads one input.
   * @param {Source} source
   * @returns {Generator<unknown, ArrayLike<number> | undefined, any>} of a part, where it began and ended in truth
   */
  *feed(source) {
    this.#fed.push(source);
    try {
      return yield* this.#read(source);
    } catch (error) {
      if (!(error instanceof Trap)) throw error;
      yield* this.#recover(source);
      return undefined;
    }
  }

  /**
   * Takes over what another session learned (`partial`).
   * @param {Uint8Array} bytes
   */
  merge(bytes) {
    concluded(() => this.#vet.merge(bytes));
    this.#merged.push(bytes);
  }

  /** What was left out, with the reason; it does not travel in `partial`. */
  get lost() {
    return new Map(this.#lost);
  }

  /**
   * Takes over that another session had to leave something out.
   * @param {string} name
   * @param {Loss['reason']} reason
   */
  lose(name, reason) {
    this.#lost.set(name, reason);
    concluded(() => this.#vet.lose(name, reason));
  }

  /** Everything learned so far, to be merged elsewhere. */
  partial() {
    return concluded(() => this.#vet.partial());
  }

  /**
   * What a live server should be asked for, once its samples were fed.
   * @returns {Wanted[]}
   */
  wanted() {
    return JSON.parse(concluded(() => this.#vet.wanted()));
  }

  /**
   * The second pass: reads again what the core has questions about.
   * @param {Source[]} sources everything that was fed here or elsewhere
   * @param {Sharing} [share] lets others read some of it
   * @returns {Generator<unknown, void, any>}
   */
  *answer(sources, share) {
    for (;;) {
      const again = new Set(concluded(() => this.#vet.questions()).filter((name) => !this.#lost.has(name)));
      const shared = share && (yield share(again, concluded(() => this.#vet.asked())));
      for (const bytes of shared?.answers ?? []) concluded(() => this.#vet.merge(bytes));
      // After a trap everything is read here.
      share = undefined;
      const left = sources.filter(({ name }) => again.has(name) && !shared?.names.has(name)).filter(canReread);
      /** @type {Source | undefined} */
      let current;
      try {
        for (current of left) yield* this.#read(current);
        return;
      } catch (error) {
        if (!(error instanceof Trap)) throw error;
        yield* this.#recover(/** @type {Source} */ (current));
      }
    }
  }

  /**
   * Takes part in the second pass of another session, which asked these questions.
   * @param {Uint8Array} asked
   */
  ask(asked) {
    concluded(() => this.#vet.ask(asked));
  }

  /**
   * Reads an input for these questions. Who asked them must do without an input that traps here.
   * @param {Source} source
   */
  *reread(source) {
    try {
      return yield* this.#read(source);
    } catch (error) {
      throw error instanceof Trap ? new CoreFailure(error.cause) : error;
    }
  }

  /** Draws the conclusions. */
  finish() {
    const vet = this.#vet;
    return new Outcome(
      vet,
      concluded(() => vet.finish()),
    );
  }

  #start() {
    return concluded(() => new (this.#instantiate().Vet)(this.#options));
  }

  /**
   * @param {Source} source
   * @returns {Generator<unknown, ArrayLike<number> | undefined, any>}
   */
  *#read(source) {
    const vet = this.#vet;
    const { lost } = source;
    if (lost !== undefined) {
      guarded(() => vet.lose(source.name, lost.reason, lost.detail));
      return undefined;
    }
    guarded(() => vet.open(source.name, defined(source.options ?? {})));
    for (const piece of pieces(source)) {
      const chunk = yield piece;
      if (chunk === END) break;
      // The core knows after a few bytes that a picture is no evidence.
      if (!guarded(() => writeAll(vet, toBytes(chunk)))) break;
    }
    return guarded(() => vet.close());
  }

  /**
   * @param {Source} offender
   * @returns {Generator<unknown, void, any>}
   */
  *#recover(offender) {
    this.#lost.set(offender.name, 'trap');
    for (;;) {
      this.#vet = this.#start();
      for (const bytes of this.#merged) concluded(() => this.#vet.merge(bytes));
      const trapped = yield* this.#replay();
      if (trapped === undefined) break;
      this.#lost.set(trapped.name, 'trap');
    }
    for (const [name, reason] of this.#lost) concluded(() => this.#vet.lose(name, reason));
  }

  /**
   * @returns {Generator<unknown, Source | undefined, any>} the input at which the new instance trapped, too
   */
  *#replay() {
    for (const source of this.#fed) {
      if (this.#lost.has(source.name)) continue;
      if (!canReread(source)) {
        this.#lost.set(source.name, 'unrepeatable');
        continue;
      }
      try {
        yield* this.#read(source);
      } catch (error) {
        if (error instanceof Trap) return source;
        throw error;
      }
    }
    return undefined;
  }
}

/** A finished run; every output is drawn from the same conclusions. */
export class Outcome {
  #vet;

  /**
   * @param {Vet} vet
   * @param {string} json the report, schema 1
   */
  constructor(vet, json) {
    this.#vet = vet;
    /** The report as JSON text, the same bytes on every host. */
    this.json = json;
  }

  /** The report as an object. @returns {import('./index.d.ts').Report} */
  get report() {
    return JSON.parse(this.json);
  }

  /**
   * @param {string} format
   * @param {RenderOptions} [options]
   */
  render(format, options = {}) {
    return concluded(() => this.#vet.render(format, defined(options)));
  }

  /**
   * @param {string} format
   * @param {number} [width] columns of the text
   */
  profile(format, width) {
    return concluded(() => this.#vet.profile(format, width));
  }

  /** @param {string} format */
  schema(format) {
    return concluded(() => this.#vet.schema(format));
  }

  /**
   * The recommendations as `text` or `markdown`.
   * @param {string} format
   * @param {RenderOptions} [options]
   */
  advice(format, options = {}) {
    return concluded(() => this.#vet.advice(format, defined(options)));
  }

  /** A configuration to start from. */
  initial() {
    return concluded(() => this.#vet.initial());
  }

  /** The remedies of all findings as one script for mongosh. */
  fixScript() {
    return concluded(() => this.#vet.fixScript());
  }

  /** What was learned, to be kept and merged into a later run. */
  save() {
    return concluded(() => this.#vet.save());
  }

  /** The same as a line of text, to be pasted where mongovet reads. */
  bundle() {
    return concluded(() => this.#vet.bundle());
  }
}

/**
 * What a host lends to the library.
 * @typedef {object} Host
 * @property {() => Glue} instantiate makes a fresh instance of the core
 * @property {(language: string) => string} [page] the rule pages of a language, as JSON text
 */

/**
 * The library's functions on one host.
 * @param {Host} host
 */
export function createCore({ instantiate, page }) {
  /**
   * @param {Input[]} inputs
   * @param {Options} [options]
   * @param {(wanted: Wanted) => Source | Promise<Source>} [fetch] asks a live server for what belongs to its samples
   */
  function* run(inputs, options = {}, fetch = undefined) {
    const sources = sorted(inputs);
    const names = sources.map(({ name }) => name);
    // What a program hands over is meant, as what a person names is.
    const session = new Session(instantiate, { named: names, names, ...coreOptions(options) });
    for (const source of sources) yield* session.feed(source);
    if (fetch !== undefined) {
      for (const wanted of session.wanted()) yield* session.feed(/** @type {Source} */ (yield fetch(wanted)));
    }
    yield* session.answer(sources);
    return session.finish();
  }

  /**
   * One function for streams and one for what lies in memory.
   * @template T
   * @param {(outcome: Outcome) => T} draw
   * @param {{ countsOnly?: boolean }} [wanted]
   * @returns {[(inputs: Input[], options?: Options, fetch?: (wanted: Wanted) => Promise<Source>) => Promise<T>, (inputs: Input[], options?: Options) => T]}
   */
  const both = (draw, wanted) => [
    async (inputs, options, fetch) => draw(await runAsync(run(inputs, { ...options, ...wanted }, fetch))),
    (inputs, options) => draw(runSync(run(inputs, { ...options, ...wanted }))),
  ];

  const [runAll, runAllSync] = both((outcome) => outcome);
  const [check, checkSync] = both((outcome) => outcome.report);
  const [profile, profileSync] = both((outcome) => JSON.parse(outcome.profile('json')), { countsOnly: true });
  const [advise, adviseSync] = both((outcome) => outcome.report.recommendations);
  const [schema, schemaSync] = both((outcome) => JSON.parse(outcome.schema('json')), { countsOnly: true });

  /** The rule pages that were read, by language. @type {Record<string, Record<string, string>>} */
  const read = {};

  /** @returns {Rule[]} */
  const rules = () => JSON.parse(instantiate().rules());

  /**
   * The page of one rule, as Markdown.
   * @param {string} rule
   * @param {string} [language]
   * @returns {string}
   */
  function explain(rule, language = 'en') {
    if (page === undefined) throw new Error('this host has no rule pages');
    /** @type {Record<string, string>} */
    const pages = (read[language] ??= JSON.parse(page(language)));
    if (Object.hasOwn(pages, rule)) return pages[rule];
    throw new RangeError(`there is no rule "${rule}"`);
  }

  return {
    run: runAll,
    runSync: runAllSync,
    check,
    checkSync,
    profile,
    profileSync,
    advise,
    adviseSync,
    schema,
    schemaSync,
    explain,
    rules,
    version: () => instantiate().version(),
    /** @param {object} options as the core takes them */
    session: (options) => new Session(instantiate, options),
  };
}

/**
 * Sorts by name and checks the shape, so that the order of the caller's list never matters.
 * @param {Input[]} inputs
 * @returns {Source[]}
 */
export function sorted(inputs) {
  if (!Array.isArray(inputs)) throw new TypeError('inputs must be an array of { name, data }');
  for (const input of inputs) {
    if (typeof input?.name !== 'string') throw new TypeError('each input needs a name: { name, data }');
  }
  const copy = [...inputs];
  copy.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const twice = copy.find((input, at) => at > 0 && copy[at - 1].name === input.name);
  if (twice) throw new TypeError(`two inputs are named "${twice.name}"`);
  return copy.map(({ name, ...rest }) => ({ ...rest, name: name.replaceAll('\\', '/') }));
}

/**
 * The library takes the configuration as an object too; the core takes the text of a file.
 * @param {Options} options
 */
export function coreOptions({ config, ...rest }) {
  for (const name of /** @type {const} */ (['select', 'ignore'])) {
    if (rest[name] !== undefined && !Array.isArray(rest[name])) throw new TypeError(`${name} must be an array of rules`);
  }
  if (config === undefined) return rest;
  return { ...rest, config: typeof config === 'string' ? config : JSON.stringify(config) };
}

/** @param {Source} source */
const canReread = ({ read, data, lost }) => lost !== undefined || read !== undefined || typeof data === 'string' || isBytes(data);

/**
 * The core tells a value that is absent from one that is of the wrong type, such as undefined.
 * @param {object} options
 */
const defined = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

const END = Symbol('end');
const encoder = new TextEncoder();

/**
 * Bytes by shape, since a shell's buffers come from another realm.
 * @param {unknown} value
 * @returns {value is Uint8Array}
 */
const isBytes = (value) => ArrayBuffer.isView(value);

/** @param {Chunk} chunk */
function toBytes(chunk) {
  if (typeof chunk === 'string') return encoder.encode(chunk);
  if (isBytes(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new TypeError('an input is a string, bytes, or a stream of these');
}

/**
 * @param {Vet} vet
 * @param {Uint8Array} bytes
 * @returns {boolean} whether more may follow
 */
function writeAll(vet, bytes) {
  for (let start = 0; start < bytes.length; start += BYTE_PIECE) {
    if (vet.write(bytes.subarray(start, start + BYTE_PIECE)) === false) return false;
  }
  return true;
}

/**
 * The next chunk of an input, over and over; each may be a promise.
 * @param {Source} source
 * @returns {Generator<unknown, void, void>}
 */
function* pieces({ name, data, read }) {
  const whole = read === undefined ? data : read();
  if (typeof whole === 'string') {
    yield* stringPieces(whole);
  } else if (isBytes(whole)) {
    yield whole;
  } else if (whole !== null && typeof whole === 'object' && Symbol.iterator in whole) {
    yield* whole;
  } else if (whole !== null && typeof whole === 'object' && Symbol.asyncIterator in whole) {
    yield* awaitedPieces(/** @type {AsyncIterable<Chunk>} */ (whole)[Symbol.asyncIterator]());
  } else {
    throw new TypeError(`the data of "${name}" must be a string, bytes, or a stream of these`);
  }
}

/**
 * Promises of the chunks, the last of END; a stream that is left early is told so.
 * @param {AsyncIterator<Chunk>} iterator
 * @returns {Generator<unknown, void, void>}
 */
function* awaitedPieces(iterator) {
  let isOpen = true;
  const next = async () => {
    const { done, value } = await iterator.next();
    if (done) isOpen = false;
    return done ? END : value;
  };
  try {
    for (;;) yield next();
  } finally {
    // Nobody waits for it: what the stream says to being left changes nothing in the report.
    if (isOpen) iterator.return?.()?.catch(() => {});
  }
}

/**
 * Cuts between characters, never inside a surrogate pair: half a pair has no UTF-8 form.
 * @param {string} text
 */
function* stringPieces(text) {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + STRING_PIECE, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}
