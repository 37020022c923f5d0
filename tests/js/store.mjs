// @ts-check
/** Collections in memory behind the shell's API, over an engine that is not ours: what scripts do is seen there. */
import vm from 'node:vm';

import { EJSON, Int32, ObjectId } from 'bson';
import { Context, Query, aggregate, updateMany, updateOne } from 'mingo';
import { $lookup } from 'mingo/operators/pipeline';

/** @typedef {Record<string, any>} Doc */

class Collection {
  /**
   * @param {Database} database
   * @param {string} name
   */
  constructor(database, name) {
    this.database = database;
    this.name = name;
    /** @type {Doc[]} */
    this.documents = [];
    /** @type {{ name: string, key: Doc, unique?: boolean }[]} */
    this.indexes = [{ name: '_id_', key: { _id: 1 } }];
  }

  /** @param {Doc} [filter] @param {Doc} [projection] */
  find(filter = {}, projection = {}) {
    const cursor = new Query(filter, this.#options()).find(this.documents, projection);
    const shell = {
      sort: (/** @type {any} */ order) => (cursor.sort(order), shell),
      limit: (/** @type {number} */ count) => (cursor.limit(count), shell),
      toArray: () => structure(cursor.all()),
    };
    return shell;
  }

  /** @param {Doc} [filter] @param {Doc} [projection] */
  findOne(filter, projection) {
    return this.find(filter, projection).limit(1).toArray()[0] ?? null;
  }

  /** @param {Doc} filter */
  countDocuments(filter) {
    return this.find(filter).toArray().length;
  }

  /** @param {Doc[]} pipeline */
  aggregate(pipeline) {
    this.database.ran += 1;
    if (this.database.ran === this.database.failAt) throw new Error('the connection is gone');
    const merge = pipeline.at(-1)?.$merge;
    const stages = (merge ? pipeline.slice(0, -1) : pipeline).map((stage) => ('$lookup' in stage ? { $join: stage.$lookup } : stage));
    const result = aggregate(structure(this.documents), stages, this.#options());
    // The engine looks up what is there once; a server sees what this very pipeline has written.
    for (const round of merge ? rounds(result, [merge.on].flat()) : []) {
      aggregate(round, [{ $merge: merge }], this.#options());
      this.database.complete();
    }
    return { toArray: () => structure(merge ? [] : result) };
  }

  /** @param {Doc} key @param {{ unique?: boolean, name?: string }} [options] */
  createIndex(key, { unique = false, name = Object.entries(key).flat().join('_') } = {}) {
    if (!this.indexes.some((index) => index.name === name)) this.indexes.push({ name, key, unique });
    return name;
  }

  /** @param {string} name */
  dropIndex(name) {
    this.indexes = this.indexes.filter((index) => index.name !== name);
  }

  getIndexes() {
    return this.indexes;
  }

  /** @param {Doc} document */
  insertOne(document) {
    this.documents.push(structure(document));
    this.database.complete();
  }

  /** @param {Doc} filter */
  deleteOne(filter) {
    const found = new Query(filter, this.#options()).find(this.documents).all()[0];
    this.documents = this.documents.filter((document) => document !== found);
  }

  /** @param {Doc} filter */
  deleteMany(filter) {
    const found = new Set(new Query(filter, this.#options()).find(this.documents).all());
    this.documents = this.documents.filter((document) => !found.has(document));
  }

  /** @param {Doc} filter @param {Doc} change @param {{ arrayFilters?: Doc[] }} [options] */
  updateOne(filter, change, { arrayFilters = [] } = {}) {
    updateOne(this.documents, filter, change, { arrayFilters }, this.#options());
  }

  /** @param {Doc} filter @param {Doc} change @param {{ arrayFilters?: Doc[] }} [options] */
  updateMany(filter, change, { arrayFilters = [] } = {}) {
    updateMany(this.documents, filter, change, { arrayFilters }, this.#options());
  }

  #options() {
    const collectionResolver = (/** @type {string} */ name) => this.database.getCollection(name).documents;
    return { collectionResolver, context };
  }
}

export class Database {
  /** @param {string} [name] */
  constructor(name) {
    this.name = name;
    /** @type {Map<string, Collection>} */
    this.collections = new Map();
    /** Pipelines so far; the one of this number fails. */
    this.ran = 0;
    this.failAt = 0;
    /** @type {Doc[]} */
    this.commands = [];
  }

  /** @param {string} name */
  getSiblingDB(name) {
    if (name !== this.name) throw new Error(`there is no database ${name}`);
    return this;
  }

  /** @param {string} name */
  getCollection(name) {
    const known = this.collections.get(name) ?? new Collection(this, name);
    this.collections.set(name, known);
    return known;
  }

  getCollectionNames() {
    return [...this.collections.keys()];
  }

  /** @param {string} name */
  createCollection(name) {
    this.getCollection(name);
  }

  /** @param {Doc} command */
  runCommand(command) {
    this.commands.push(command);
    return { ok: 1 };
  }

  /** What the server does on its own after a write: ids, and the refusal of duplicates. */
  complete() {
    for (const collection of this.collections.values()) {
      collection.documents = collection.documents.map((document) => ('_id' in document ? document : { _id: new ObjectId(), ...document }));
      for (const { key } of collection.indexes.filter((index) => index.unique || index.name === '_id_')) {
        const seen = new Set();
        for (const document of collection.documents) {
          const value = EJSON.stringify(Object.keys(key).map((name) => document[name] ?? null), { relaxed: false });
          if (seen.has(value)) throw new Error(`E11000 duplicate key in ${collection.name}: ${value}`);
          seen.add(value);
        }
      }
    }
  }

  /**
   * Runs a script as mongosh does; what it prints as a document comes back.
   * @param {string} script
   * @returns {any}
   */
  run(script) {
    /** @type {any} */
    let printed;
    // The value of the last statement counts, as at the prompt.
    const run = vm.runInThisContext(`(db, EJSON, ObjectId, print, printjson) => eval(${JSON.stringify(script)})`);
    const result = run(this, EJSON, ObjectId, () => {}, (/** @type {any} */ value) => (printed = value));
    return printed ?? result;
  }
}

// The engine runs the pipeline of a lookup on all documents that it joins with; a server only on those that match.
const context = Context.init({ pipeline: { $join: join } });

/** @param {any} documents @param {Doc} lookup @param {any} options */
function join(documents, lookup, options) {
  const { localField, foreignField, from, ...rest } = lookup;
  if (!localField || !rest.pipeline) return $lookup(documents, /** @type {any} */ (lookup), options);
  /** @type {Map<string, Doc[]>} */
  const byKey = new Map();
  const foreign = options.collectionResolver(from);
  for (const document of foreign) {
    for (const key of keys(document, foreignField)) {
      if (!byKey.get(key)?.push(document)) byKey.set(key, [document]);
    }
  }
  return documents.map((/** @type {Doc} */ document) => {
    const inOrder = [...new Set(keys(document, localField).flatMap((key) => byKey.get(key) ?? []))];
    const within = /** @type {any} */ ({ ...rest, from: structure(inOrder) });
    return /** @type {any} */ ($lookup(/** @type {any} */ ([document]), within, options))[0];
  });
}

/** What a lookup compares: a value, and the elements of one that is an array; nothing counts as null. */
function keys(/** @type {Doc} */ document, /** @type {string} */ path) {
  /** @type {(value: any, names: string[]) => any[]} */
  const at = (value, names) =>
    names.length === 0 ? [value ?? null] : Array.isArray(value) ? value.flatMap((one) => at(one, names)) : at(value?.[names[0]], names.slice(1));
  const values = at(document, path.split('.')).flatMap((/** @type {any} */ value) => (Array.isArray(value) ? [value, ...value] : [value]));
  return [...new Set(values.map((/** @type {any} */ value) => EJSON.stringify(['Long', 'Double'].includes(value?._bsontype) ? Number(value) : value)))];
}

/** Parts in which no key repeats, in order. @param {Doc[]} documents @param {string[]} key */
function rounds(documents, key) {
  /** @type {Doc[][]} */
  const out = [];
  const times = new Map();
  for (const document of documents) {
    const value = EJSON.stringify(key.map((name) => document[name] ?? null), { relaxed: false });
    // What has no key yet is nobody's equal.
    const round = key.some((name) => name in document) ? times.get(value) ?? 0 : 0;
    times.set(value, round + 1);
    (out[round] ??= []).push(document);
  }
  return out;
}

/**
 * A copy that shares nothing, with the types kept. An int is a plain number, which the engine counts with; all other
 * numbers stay wrapped, so that it cannot mistake their type.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function structure(value) {
  return unwrapped(EJSON.deserialize(EJSON.serialize({ value }, { relaxed: false }), { relaxed: false })).value;
}

/** @param {any} value @returns {any} */
function unwrapped(value) {
  if (value instanceof Int32) return value.valueOf();
  if (Array.isArray(value)) return value.map(unwrapped);
  if (value === null || typeof value !== 'object' || value._bsontype || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unwrapped(inner)]));
}
