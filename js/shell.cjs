// @ts-check
/**
 * The command `vet` of mongosh, over what the host of this file lends: the WebAssembly and the rule pages.
 *
 * The shell's values come from another realm, so they are told apart by their marks and never by `instanceof`.
 * In here shell calls return promises (only the shell's own code is rewritten to wait for them).
 */
'use strict';

const { createCore, instantiate } = require('#built/core.cjs');

/**
 * @typedef {import('./core.js').Source} Source
 * @typedef {import('./core.js').Outcome} Outcome
 * @typedef {import('./index.d.ts').Options} Options
 */

/**
 * @typedef {import('./core.js').Wanted} Wanted
 *
 * What a live server is asked for.
 * @typedef {object} LiveOptions
 * @property {number} [sample] documents read of each collection
 * @property {number} [maxTimeMS] time that the server may spend on one question
 * @property {boolean} [execute] whether a cursor's query may run, for the figures of its execution
 * @property {any} [against] the database or collection of the server that a script or an explain output is judged with
 * @property {boolean} [pairs] whether the targets of sampled references and the children of sampled parents are fetched
 *
 * @typedef {Options & LiveOptions} VetOptions
 * @typedef {{ sample: number, maxTimeMS: number }} Live
 *
 * What an evidence bundle holds.
 * @typedef {object} Kept
 * @property {boolean} [withDocuments] the sampled documents, too
 * @property {boolean} [values] false for types and lengths only
 */

/** mongosh marks its own objects with their kind, prints an object by this method, and awaits marked promises. */
const KIND = Symbol.for('@@mongosh.shellApiType');
const PRINT = Symbol.for('@@mongosh.asPrintable');
const AWAIT = Symbol.for('@@mongosh.syntheticPromise');

/** What is read from the server. @type {(string | undefined)[]} */
const LIVE = ['Database', 'Collection'];
/** Cursors of queries, whose plan the server tells. @type {(string | undefined)[]} */
const CURSORS = ['Cursor', 'AggregationCursor'];

const SAMPLE = 1000;
const MAX_TIME = 30_000;
/** Bytes of one collection's sample; documents of 16 MiB must not fill the shell's memory. */
const SAMPLE_BYTES = 64 << 20;

const USAGE = `vet(documents)    an array of documents, or one
vet("text")       documents, getIndexes(), a validator, as text
vet(db.orders)    a collection of the server: a sample, its indexes, validator and statistics
vet(db)           all collections of a database
vet(db.orders.find(…).sort(…))  the plan of a query, which does not run unless {execute: true}; an explain output does too
vet.pipeline(db.orders, […])    a pipeline, with its collection; it does not run
vet.script("file.js")            mongosh scripts and code of applications; {against: db} judges them with the server's evidence
vet.collect(db)   evidence as text, to keep or to paste elsewhere; no documents unless {withDocuments: true}, no values with {values: false}
vet.advise(…)     the same subjects: embed or reference, with the numbers
vet.inputs([{name: "shop.orders.json", data: "…"}, …])  several texts or files at once
vet.explain(rule) the page of a rule
vet.rules()       the table of all rules
Options come second: {sample: 1000, maxTimeMS: 30000, pairs: true, collection: "db.name", select: [], ignore: [], lang: "es"}.
The result is data (r.findings) that prints as text; r.render("concise") draws it otherwise.
Where the shell does not wait by itself (inside functions of modules), write await vet(…).
Nothing is ever written to the database.`;

/**
 * @param {object} host
 * @param {() => Uint8Array} host.wasm
 * @param {(language: string) => string} host.page
 * @param {(path: string) => string} host.read the text of a file
 */
exports.createShell = ({ wasm, page, read }) => {
  /** @type {WebAssembly.Module | undefined} */
  let module_;
  const core = createCore({
    instantiate() {
      if (typeof WebAssembly !== 'object') throw new Error('mongovet needs WebAssembly, which this shell does not allow');
      return instantiate((module_ ??= new WebAssembly.Module(/** @type {BufferSource} */ (wasm()))));
    },
    page,
  });

  /**
   * @param {unknown} subject
   * @param {VetOptions} options
   * @returns {Promise<Outcome>}
   */
  async function run(subject, { sample = SAMPLE, maxTimeMS = MAX_TIME, pairs = true, execute = false, against, ...options }) {
    const kind = kindOf(subject);
    const live = { sample, maxTimeMS, pairs };
    if (CURSORS.includes(kind)) return runTexts(await planInputs(subject, execute), { ...live, against, ...options });
    if (kind === undefined) return runTexts(localInputs(subject, options), { ...live, against, ...options });
    if (!LIVE.includes(kind)) throw new TypeError(`vet takes documents, text, a collection or a database, not a ${kind}; see vet.help()`);
    return runTexts([], { ...live, against: subject, ...options });
  }

  /**
   * Texts, with the server's evidence where there is one to judge them by.
   * @param {Source[]} inputs
   * @param {VetOptions} options
   */
  async function runTexts(inputs, { sample = SAMPLE, maxTimeMS = MAX_TIME, pairs = true, execute: _, against, ...options }) {
    if (against === undefined) return core.run(inputs, options);
    const evidence = await evidenceOf(against, { sample, maxTimeMS });
    const database = kindOf(against) === 'Database' ? against : await against.getDB();
    const fetch = pairs ? (/** @type {Wanted} */ wanted) => fetched(database, wanted, maxTimeMS) : undefined;
    return core.run([...inputs, ...evidence], options, fetch);
  }

  /** @param {Outcome} outcome @param {Options} options */
  const findings = (outcome, { lang }) => shown(outcome.report, outcome, outcome.render('text', { lang }));
  /** @param {Outcome} outcome @param {Options} options */
  const advice = (outcome, { lang }) => shown(outcome.report.recommendations, outcome, outcome.advice('text', { lang }));

  /**
   * @param {unknown} [subject]
   * @param {VetOptions} [options]
   */
  const vet = (subject, options = {}) => {
    if (subject === undefined) return printed({}, USAGE);
    return awaited(run(subject, options).then((outcome) => findings(outcome, options)));
  };

  return Object.assign(vet, {
    /** @param {unknown} subject @param {VetOptions} [options] */
    advise: (subject, options = {}) => awaited(run(subject, options).then((outcome) => advice(outcome, options))),
    /** @param {import('./core.js').Input[]} inputs @param {Options} [options] */
    inputs: (inputs, options = {}) => awaited(core.run(inputs, options).then((outcome) => findings(outcome, options))),
    /**
     * @param {any} collection
     * @param {unknown[]} pipeline
     * @param {VetOptions} [options]
     */
    pipeline: (collection, pipeline, options = {}) => awaited((async () => {
      if (kindOf(collection) !== 'Collection' || !Array.isArray(pipeline)) throw new TypeError('vet.pipeline takes a collection and an array of stages; see vet.help()');
      const call = `${await reference(collection)}.aggregate(${literal(pipeline)})`;
      const input = { name: 'pipeline.mongodb.js', data: call };
      return findings(await runTexts([input], { against: collection, ...options }), options);
    })()),
    /** @param {string} path @param {VetOptions} [options] */
    script: (path, options = {}) => awaited((async () => {
      if (typeof path !== 'string') throw new TypeError('vet.script takes the path of a file; see vet.help()');
      return findings(await runTexts([{ name: path.replaceAll('\\', '/'), data: read(path) }], options), options);
    })()),
    /**
     * @param {unknown} subject
     * @param {VetOptions & Kept} [options]
     */
    collect: (subject, { withDocuments = false, values = true, ...options } = {}) => awaited((async () => {
      if (!LIVE.includes(kindOf(subject))) throw new TypeError('vet.collect takes a collection or a database; see vet.help()');
      const kept = { countsOnly: true, withDocuments: withDocuments && values, withoutValues: !values };
      const outcome = await run(subject, /** @type {VetOptions} */ ({ ...options, ...kept }));
      return bundle(outcome, { withDocuments: kept.withDocuments, values });
    })()),
    /** @param {string} rule @param {string} [language] */
    explain: (rule, language) => printed({ rule }, core.explain(rule, language)),
    rules: () => core.rules(),
    version: () => core.version(),
    help: () => printed({}, USAGE),
  });
};

/**
 * What `vet` returns: plain data that the shell prints as text, and that can be drawn in the other formats.
 * @template {object} T
 * @param {T} object
 * @param {Outcome} outcome
 * @param {string} text
 */
function shown(object, outcome, text) {
  Object.defineProperty(object, 'render', {
    value: (/** @type {string} */ format) => (format === 'json' ? outcome.json : outcome.render(format)),
  });
  return printed(object, text);
}

/**
 * An evidence bundle: text that any host of mongovet reads.
 * @param {Outcome} outcome
 * @param {Required<Kept>} kept
 */
function bundle(outcome, { withDocuments, values }) {
  const { inputs } = outcome.report;
  const collections = new Set(inputs.flatMap(({ collection }) => collection ?? [])).size;
  const problems = inputs.flatMap(({ problems }) => problems.map(({ message }) => message));
  const holds = withDocuments ? 'with sampled documents' : `no documents${values ? '' : ', types and lengths only'}`;
  const text = `mongovet evidence of ${collections} ${collections === 1 ? 'collection' : 'collections'}, ${holds}: keep or paste both lines\n${outcome.bundle()}\n`;
  return printed({ collections, withDocuments, values, problems, text }, text);
}

/** @param {any} value */
const kindOf = (value) => (typeof value === 'object' || typeof value === 'function' ? value?.[KIND] : undefined);

/**
 * @template {object} T
 * @param {T} object
 * @param {string} text what the shell shows of it
 * @returns {T}
 */
function printed(object, text) {
  Object.defineProperty(object, PRINT, { value: () => text });
  return object;
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function awaited(promise) {
  Object.defineProperty(promise, AWAIT, { value: true });
  return promise;
}

/**
 * @param {unknown} subject
 * @param {Options} options
 * @returns {Source[]}
 */
function localInputs(subject, { collection }) {
  if (typeof subject === 'string') return [{ name: 'pasted', data: subject }];
  if (typeof subject !== 'object' || subject === null) {
    throw new TypeError(`vet takes documents, text, a collection or a database, not a ${typeof subject}; see vet.help()`);
  }
  const documents = Array.isArray(subject) ? subject : [subject];
  return [{ name: `${collection ?? 'documents'}.json`, data: lines(documents) }];
}

/**
 * The plan of a cursor's query, which the server makes without running it.
 * @param {any} cursor
 * @param {boolean} execute
 * @returns {Promise<Source[]>}
 */
async function planInputs(cursor, execute) {
  const { value, inputs } = await asked('explain.json', () => cursor.explain(execute ? 'executionStats' : 'queryPlanner'));
  return value === undefined ? inputs : [{ name: 'explain.json', data: toExtendedJson(value) }];
}

/**
 * @param {any} subject a database or a collection of the server, or nothing
 * @param {Live} live
 * @returns {Promise<Source[]>}
 */
async function evidenceOf(subject, live) {
  if (subject === undefined) return [];
  const kind = kindOf(subject);
  if (kind === 'Database') return databaseInputs(subject, live);
  if (kind === 'Collection') return [...(await collectionInputs(subject, live)), ...(await versionInputs(await subject.getDB()))];
  throw new TypeError('the option against takes a database or a collection');
}

/**
 * How a script names a collection.
 * @param {any} collection
 */
async function reference(collection) {
  const database = await collection.getDB();
  return `db.getSiblingDB(${JSON.stringify(database.getName())}).getCollection(${JSON.stringify(collection.getName())})`;
}

/**
 * @param {any} database
 * @param {Live} live
 */
async function databaseInputs(database, live) {
  const { value: names, inputs } = await asked(`${database.getName()}.getCollectionInfos`, async () => {
    /** @type {{ name: string, type?: string }[]} */
    const infos = await database.getCollectionInfos();
    return infos.filter(({ name, type }) => type !== 'view' && !name.startsWith('system.')).map(({ name }) => name);
  });
  for (const name of names ?? []) {
    inputs.push(...(await collectionInputs(database.getCollection(name), live)));
  }
  return [...inputs, ...(await versionInputs(database))];
}

/**
 * What a collection's server can tell, each question by itself: one that is refused leaves the others standing.
 * @param {any} collection
 * @param {Live} live
 */
async function collectionInputs(collection, { sample, maxTimeMS }) {
  const ns = collection.getFullName();
  const database = await collection.getDB();
  const name = collection.getName();
  /** @type {[string, () => Promise<unknown>][]} */
  const questions = [
    ['options', () => database.getCollectionInfos({ name })],
    ['indexes', () => collection.getIndexes()],
    ['stats', () => database.runCommand({ collStats: name, maxTimeMS })],
    ['indexstats', async () => drained(await collection.aggregate([{ $indexStats: {} }], { maxTimeMS }))],
  ];
  /** @type {Source[]} */
  const inputs = [];
  for (const [question, ask] of questions) {
    const { value, inputs: refusals } = await asked(`${ns}.${question}.json`, ask);
    inputs.push(...refusals);
    if (value !== undefined) inputs.push({ name: `${ns}.${question}.json`, data: toExtendedJson(value), options: { collection: ns } });
  }
  const { value: documents, inputs: refusals } = await asked(`${ns}.sample`, () => sampled(collection, sample, maxTimeMS));
  return [...inputs, ...refusals, ...(documents ? [{ ...documents, options: { collection: ns } }] : [])];
}

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} ask
 * @returns {Promise<{ value?: T, inputs: Source[] }>} the answer, or an input that tells of the refusal
 */
async function asked(name, ask) {
  try {
    return { value: await ask(), inputs: [] };
  } catch (error) {
    return { inputs: [{ name, data: '', lost: { reason: 'refused', detail: String(/** @type {any} */ (error)?.message ?? error) } }] };
  }
}

/**
 * Raw documents are four times faster than decoded ones, and keep a Double 5 apart from an Int 5.
 * @param {any} collection
 * @param {number} size
 * @param {number} maxTimeMS
 * @returns {Promise<Source>}
 */
async function sampled(collection, size, maxTimeMS) {
  const ns = collection.getFullName();
  const count = await collection.estimatedDocumentCount();
  const options = { raw: true, maxTimeMS };
  const cursor = count <= size ? await collection.find({}, {}, options) : await collection.aggregate([{ $sample: { size } }], options);
  const { source } = await collected(cursor, SAMPLE_BYTES);
  // Not named .bson: a dump that was read to its end counts as all there is.
  return { ...source, name: source.data === undefined ? `${ns}.sample` : `${ns}.sample.json` };
}

/**
 * What the core wants to see beside the samples; a refusal leaves all else standing.
 * @param {any} database
 * @param {Wanted} wanted
 * @param {number} maxTimeMS
 * @returns {Promise<Source>}
 */
async function fetched(database, { name, namespace, command, bytes }, maxTimeMS) {
  const { find, filter, limit, hint } = command;
  const { value, inputs } = await asked(name, async () => {
    const options = { raw: true, maxTimeMS, limit, ...(hint === undefined ? {} : { hint }) };
    const values = (await extendedJson(database)).parse(JSON.stringify(filter), { relaxed: false });
    return collected(await database.getCollection(find).find(values, {}, options), bytes);
  });
  if (value === undefined) return inputs[0];
  const { source, whole } = value;
  return { ...source, name, options: { collection: namespace, pairs: { filter, limit, whole } } };
}

/**
 * The shell's own reader of Extended JSON, whose values its driver can send: a global for scripts, not for modules.
 * @param {any} database
 */
async function extendedJson(database) {
  const global = /** @type {any} */ (globalThis).EJSON;
  if (global !== undefined) return global;
  const connection = await database.getMongo();
  const { EJSON } = connection?._serviceProvider?.bsonLibrary ?? {};
  if (EJSON === undefined) throw new Error('this shell lends no reader of Extended JSON to modules; load() the single file instead');
  return EJSON;
}

/**
 * The documents of a cursor up to so many bytes, and whether these are all.
 * @param {any} cursor
 * @param {number} most
 * @returns {Promise<{ source: Pick<Source, 'data' | 'read'>, whole: boolean }>}
 */
async function collected(cursor, most) {
  /** @type {Uint8Array[]} */
  const raw = [];
  /** @type {unknown[]} */
  const decoded = [];
  let bytes = 0;
  for await (const document of cursor) {
    if (ArrayBuffer.isView(document)) {
      raw.push(/** @type {Uint8Array} */ (document));
      bytes += document.byteLength;
      if (most <= bytes) break;
    } else {
      decoded.push(document);
    }
  }
  await cursor.close();
  return { source: 0 < decoded.length ? { data: lines(decoded) } : { read: () => raw }, whole: bytes < most };
}

/**
 * The version of the server, in the form in which a dump tells it.
 * @param {any} database
 * @returns {Promise<Source[]>}
 */
async function versionInputs(database) {
  const { value, inputs } = await asked('prelude.json', () => database.version());
  return value === undefined ? inputs : [{ name: 'prelude.json', data: JSON.stringify({ ServerVersion: value, ToolVersion: '' }) }];
}

/** @param {any} cursor */
async function drained(cursor) {
  const all = [];
  for await (const document of cursor) all.push(document);
  return all;
}

/**
 * A value as a script writes it, for places of findings that a reader recognises: one line for each stage.
 * @param {unknown[]} pipeline
 */
const literal = (pipeline) => `[\n${pipeline.map((stage) => `  ${written(stage)},\n`).join('')}]`;

/** @param {any} value @returns {string} */
function written(value) {
  if (typeof value === 'bigint') return `Long(${JSON.stringify(String(value))})`;
  if (value === undefined || typeof value === 'number') return String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Date]') return `ISODate(${JSON.stringify(value.toISOString())})`;
  if (tag === '[object RegExp]') return String(value);
  switch (value._bsontype) {
    case undefined:
      return `{ ${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${written(item)}`).join(', ')} }`;
    case 'ObjectId':
      return `ObjectId(${JSON.stringify(value.toHexString())})`;
    case 'Int32':
    case 'Double':
      return `${value._bsontype}(${Number(value.valueOf())})`;
    case 'Long':
    case 'Decimal128':
      return `${value._bsontype}(${JSON.stringify(value.toString())})`;
    case 'Binary':
      return `BinData(${value.sub_type}, ${JSON.stringify(value.toString('base64'))})`;
    case 'MinKey':
    case 'MaxKey':
      return `${value._bsontype}()`;
    default:
      return JSON.stringify(value.toExtendedJSON({ relaxed: false, legacy: false }));
  }
}

/** @param {unknown[]} documents */
const lines = (documents) => documents.map((document) => `${toExtendedJson(document)}\n`).join('');

/**
 * Extended JSON that hides nothing of what the shell knows: BSON types as canonical wrappers, plain numbers as
 * plain numbers, since the shell has already lost whether the server held an Int 5 or a Double 5.
 * @param {unknown} value
 * @returns {string}
 */
function toExtendedJson(value) {
  return JSON.stringify(plain(value));
}

/**
 * @param {any} value
 * @returns {unknown}
 */
function plain(value) {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : { $numberDouble: String(value) };
    case 'bigint':
      return { $numberLong: String(value) };
    case 'undefined':
      return { $undefined: true };
    case 'object':
      return value === null ? null : plainObject(value);
    case 'string':
    case 'boolean':
      return value;
    default:
      throw new TypeError(`a document cannot hold a ${typeof value}`);
  }
}

/** @param {any} value */
function plainObject(value) {
  if (Array.isArray(value)) return value.map(plain);
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Date]') return { $date: { $numberLong: String(value.getTime()) } };
  if (tag === '[object RegExp]') return { $regularExpression: { pattern: value.source, options: regexOptions(value.flags) } };
  if (value._bsontype !== undefined) return value.toExtendedJSON({ relaxed: false, legacy: false });
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { $binary: { base64: bytes.toString('base64'), subType: '00' } };
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/**
 * MongoDB knows i, m, s and x, in this order.
 * @param {string} flags
 */
const regexOptions = (flags) => [...flags].filter((flag) => 'ims'.includes(flag)).sort().join('');
