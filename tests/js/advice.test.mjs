// @ts-check
/** The scripts of recommendations do what they say, and the figures are those of the documents that they make. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { Decimal128, Double, EJSON, Int32, Long, ObjectId, calculateObjectSize, serialize } from 'bson';

import { advise } from '../../js/node.mjs';
import { startServer } from '../server/server.mjs';
import { folder } from './folders.mjs';
import { mongosh } from './run.mjs';
import { Database, structure } from './store.mjs';

/** @typedef {Record<string, any>} Doc */

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);

/** @param {number} time @param {number} number */
const id = (time, number) => new ObjectId(Math.floor(time / 1000).toString(16).padStart(8, '0') + number.toString(16).padStart(16, '0'));

/**
 * Posts of two years whose comments grow with their age; values of types that a shell would change.
 * @param {{ ownId?: boolean, array?: string, text?: string }} [names]
 * @returns {Record<string, any>[]}
 */
function posts({ ownId = true, array = 'comments', text = 'text' } = {}) {
  const now = START + 730 * DAY;
  return Array.from({ length: 60 }, (_, number) => {
    const created = START + number * 12 * DAY;
    const count = Math.round(((now - created) / DAY / 30) * (number % 20 === 0 ? 8 : 1)) - (number % 7);
    const comments = Array.from({ length: Math.max(0, count) }, (_unused, place) => {
      const at = created + ((now - created) / count) * place;
      return {
        ...(ownId ? { _id: id(at, number * 1000 + place) } : {}),
        [text]: `text ${'x'.repeat((place * 7) % 40)}`,
        score: new Double(place),
        votes: Long.fromNumber(place),
        price: Decimal128.fromString('1.10'),
        at: new Date(Math.round(at)),
        ...(place % 3 === 0 ? { edited: null } : {}),
      };
    });
    return {
      _id: id(created, number),
      title: `post ${number}`,
      weight: new Double(5),
      ...(number % 11 === 3 && comments.length === 0 ? {} : { [array]: comments }),
    };
  });
}

/** @param {string} database @param {string} collection @param {Doc[]} documents */
async function recommend(database, collection, documents) {
  const data = Buffer.concat(documents.map((document) => serialize(document)));
  const recommendations = await advise([{ name: `${database}/${collection}.bson`, data }]);
  return recommendations;
}

/** @param {any} recommendation @param {string} name @returns {string} */
function script(recommendation, name) {
  const found = recommendation.scripts.find((/** @type {any} */ one) => one.name === name);
  assert.ok(found, `${recommendation.subject} has ${recommendation.scripts.map((/** @type {any} */ one) => one.name)}, not ${name}`);
  return found.script;
}

/** @param {any} recommendation @param {string} decision @returns {Doc} */
function figures(recommendation, decision) {
  const found = recommendation.alternatives.find((/** @type {any} */ one) => one.decision === decision);
  assert.ok(found, decision);
  return found.figures;
}

/** @param {string} name @param {string} collection @param {Doc[]} documents */
function filled(name, collection, documents) {
  const database = new Database(name);
  database.getCollection(collection).documents = structure(documents);
  return database;
}

/** @param {Database} database @param {string} collection */
const text = (database, collection) =>
  database.getCollection(collection).documents.map((document) => EJSON.stringify(document, { relaxed: false })).sort();

/** @param {Database} database @param {string[]} collections */
const stored = (database, collections) => {
  const sizes = collections.map((name) => database.getCollection(name).documents.map((document) => calculateObjectSize(document)));
  const all = sizes.flat();
  return { bytes: all.reduce((sum, bytes) => sum + bytes, 0), largest: Math.max(...all), parents: sizes[0] };
};

/** @param {number[]} numbers */
const mean = (numbers) => Math.round(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);

/**
 * Into the new form, checked, and back: exact documents, also when the way in is interrupted.
 * @param {any} recommendation
 * @param {Doc[]} documents
 * @param {{ prefix?: string, decision: string, collection: string, apart: string }} how
 */
function roundTrip(recommendation, documents, { prefix = '', decision, collection, apart }) {
  const [databaseName] = recommendation.collection.split('.');
  const database = filled(databaseName, collection, documents);
  const before = text(database, collection);
  const check = script(recommendation, `${prefix}check`);
  const untouched = database.run(check);
  assert.ok(untouched.total.children > 100);
  assert.equal(untouched.apart.children, 0);

  // Interrupted in the middle: the totals hold, and the next run goes on.
  database.failAt = database.ran + 2;
  assert.throws(() => database.run(script(recommendation, `${prefix}migrate`)), /the connection is gone/);
  database.failAt = 0;
  assert.deepEqual(database.run(check).total, untouched.total);
  const migrated = database.run(script(recommendation, `${prefix}migrate`));
  assert.deepEqual(migrated.differing, []);
  const done = database.run(check);
  assert.deepEqual(done.total, untouched.total);
  assert.notEqual(done.apart.children, 0);
  // Again: nothing is left to do.
  const after = text(database, collection);
  database.run(script(recommendation, `${prefix}migrate`));
  assert.deepEqual(text(database, collection), after);

  const measured = figures(recommendation, decision);
  const { bytes, largest, parents } = stored(database, [collection, apart]);
  assert.equal(bytes, measured.storedBytes, 'stored bytes');
  assert.equal(largest, measured.largestDocument, 'largest document');
  assert.equal(mean(parents), measured.bytesReadToShowParent, 'bytes of a parent');
  for (const parent of database.getCollection(collection).documents) assert.ok(calculateObjectSize(parent) <= measured.largestDocument);

  database.run(script(recommendation, `${prefix}back`));
  assert.deepEqual(text(database, collection), before);
  assert.deepEqual(database.run(check).total, untouched.total);
  return database;
}

test('comments move into a collection of their own and back', async () => {
  const documents = posts();
  const [recommendation] = await recommend('blog', 'posts', documents);
  assert.equal(recommendation.subject, 'blog.posts.comments');
  assert.equal(recommendation.decision, 'parent-reference');
  assert.equal(recommendation.alternatives[0].decision, 'embed');
  const today = stored(filled('blog', 'posts', documents), ['posts']);
  assert.equal(figures(recommendation, 'embed').storedBytes, today.bytes);
  assert.equal(figures(recommendation, 'embed').largestDocument, today.largest);
  assert.equal(figures(recommendation, 'embed').bytesReadToShowParent, mean(today.parents));
  const database = roundTrip(recommendation, documents, { decision: 'parent-reference', collection: 'posts', apart: 'comments' });
  assert.deepEqual(database.getCollection('comments').getIndexes().map((index) => index.key), [{ _id: 1 }, { postId: 1, at: -1 }]);
});

test('children without a key of their own get one and lose it on the way back', async () => {
  const documents = posts({ ownId: false });
  const [recommendation] = await recommend('blog', 'posts', documents);
  const how = { decision: 'parent-reference', collection: 'posts', apart: 'comments' };
  const database = roundTrip(recommendation, documents, how);
  assert.ok(database.getCollection('comments').documents.every((comment) => comment._id instanceof ObjectId));
});

test('a subset keeps the newest with their number', async () => {
  const documents = posts();
  const [recommendation] = await recommend('blog', 'posts', documents);
  roundTrip(recommendation, documents, { prefix: 'subset ', decision: 'subset', collection: 'posts', apart: 'comments' });
  const database = filled('blog', 'posts', documents);
  database.run(script(recommendation, 'subset migrate'));
  for (const [at, post] of database.getCollection('posts').documents.entries()) {
    const comments = documents[at].comments ?? [];
    if (!documents[at].comments) continue;
    assert.equal(Number(post.commentCount), comments.length);
    assert.deepEqual(post.recentComments.map((/** @type {Doc} */ one) => String(one._id)), comments.slice(-10).reverse().map((/** @type {Doc} */ one) => String(one._id)));
  }
});

test('copies are kept by the writes that are given, and what differs is found', async () => {
  const documents = posts();
  const [recommendation] = await recommend('blog', 'posts', documents);
  const database = filled('blog', 'posts', documents);
  database.run(script(recommendation, 'subset migrate'));
  const reconcile = script(recommendation, 'subset reconcile');
  const differing = () => database.run(reconcile).map((/** @type {Doc} */ parent) => String(parent._id));
  const missing = documents.filter((post) => !post.comments).map((post) => String(post._id));
  assert.deepEqual(differing(), []);
  const { added, changed, deleted } = database.run(script(recommendation, 'subset propagate'));
  const post = documents[20]._id;
  const newest = id(START + 900 * DAY, 1);
  added({ _id: newest, text: 'new', at: new Date(START + 900 * DAY), postId: post });
  assert.deepEqual(differing(), []);
  changed(post, newest, { text: 'changed' });
  assert.deepEqual(differing(), []);
  assert.equal(database.getCollection('posts').documents[20].recentComments[0].text, 'changed');
  deleted(post, newest);
  assert.deepEqual(differing(), []);
  database.getCollection('comments').updateOne({ _id: documents[20].comments.at(-1)._id }, { $set: { text: 'behind its back' } });
  assert.deepEqual(differing(), [String(post)]);
  assert.ok(!missing.includes(String(post)));
});

test('what changes during the migration stays where it is and is listed', async () => {
  const documents = posts();
  const [recommendation] = await recommend('blog', 'posts', documents);
  const database = filled('blog', 'posts', documents);
  // A comment of another post has the key of one of these.
  const clash = structure(documents[20]);
  clash._id = id(START - DAY, 7);
  clash.comments = clash.comments.slice(0, 2);
  clash.comments[1].text = 'another';
  database.getCollection('posts').documents.push(clash);
  const { differing } = database.run(script(recommendation, 'migrate'));
  assert.equal(differing.length, 1);
  const left = database.getCollection('posts').documents.filter((post) => post.comments?.length > 0);
  assert.deepEqual(left.map((post) => String(post._id)), differing.map(String));
});

test('hostile names stay names', async () => {
  const array = 'it\'s "the" `${array}`\n\u2028//';
  const collection = 'my "posts"; db.dropDatabase()';
  const documents = posts({ ownId: false, array, text: '</script>\\' });
  const data = Buffer.concat(documents.map((document) => serialize(document)));
  const recommendations = await advise([{ name: 'posts.bson', data }], { collection: `blog.${collection}` });
  const [recommendation] = recommendations;
  assert.equal(recommendation.subject, `blog.${collection}.${array}`);
  const [, apart] = recommendation.scripts[0].script.match(/children: "(.*)",/) ?? [];
  roundTrip({ ...recommendation, collection: 'blog.x' }, documents, { decision: 'parent-reference', collection, apart: JSON.parse(`"${apart}"`) });
});

test('few large workshops split, all others stay as they are', async () => {
  const documents = Array.from({ length: 300 }, (_, number) => ({
    _id: number % 2 ? new Int32(number) : `w${number}`,
    topic: `topic ${number}`,
    attendees: Array.from({ length: number === 100 ? 190 : number === 200 ? 150 : 3 + (number % 9) }, (_unused, place) => ({
      ticketNo: `T${number}-${place}`,
      seat: new Double(place),
    })),
  }));
  const [recommendation] = await recommend('events', 'workshops', documents);
  assert.equal(recommendation.decision, 'outlier');
  roundTrip(recommendation, documents, { decision: 'outlier', collection: 'workshops', apart: 'workshopAttendeesOverflow' });
});

test('figures hold where the sample had to cut', async () => {
  const documents = posts().slice(0, 5);
  for (const post of documents) post.comments = Array.from({ length: 1000 + Number(post.weight) * 10 }, (_, place) => ({ n: new Double(place), text: 'x'.repeat(place % 50) }));
  const [recommendation] = await recommend('blog', 'posts', documents);
  assert.equal(recommendation.decision, 'parent-reference');
  const size = recommendation.criteria.find((/** @type {any} */ one) => one.name === 'size')?.evidence;
  assert.deepEqual([size?.sampled, size?.cut], [5, 5]);
  const database = filled('blog', 'posts', documents);
  database.run(script(recommendation, 'migrate'));
  assert.equal(stored(database, ['posts', 'comments']).bytes, figures(recommendation, 'parent-reference').storedBytes);
});

test('shared courses are kept once, with their keys in the students', async () => {
  const courses = Array.from({ length: 40 }, (_, number) => ({ _id: id(START, number), code: `C${number}`, title: `course ${number}`, credits: new Double(6) }));
  const documents = Array.from({ length: 200 }, (_, number) => ({
    _id: id(START + number * DAY, number),
    name: `student ${number}`,
    courses: Array.from({ length: number % 6 }, (_unused, place) => courses[(number * 7 + place * 3) % 40]),
  }));
  const [recommendation] = await recommend('school', 'students', documents);
  assert.equal(recommendation.decision, 'child-references');
  const database = roundTrip(recommendation, documents, { decision: 'child-references', collection: 'students', apart: 'courses' });
  assert.equal(database.getCollection('courses').documents.length, 40);

  // One copy says something else: nobody but the team knows which is right.
  const drifted = structure(documents);
  drifted[50].courses[0].title = 'another title';
  const refused = filled('school', 'students', drifted);
  const { contradicting, moved } = refused.run(script(recommendation, 'migrate'));
  assert.deepEqual([contradicting.length, moved], [1, 0]);
  assert.deepEqual(text(refused, 'students'), drifted.map((one) => EJSON.stringify(one, { relaxed: false })).sort());
});

test('validators and indexes are commands that can be run', async () => {
  const documents = posts();
  const [recommendation] = await recommend('blog', 'posts', documents);
  const database = filled('blog', 'posts', documents);
  database.run(script(recommendation, 'subset indexes'));
  database.run(script(recommendation, 'subset validator'));
  const [parents, children] = database.commands;
  assert.equal(parents.collMod, 'posts');
  assert.equal(parents.validator.$jsonSchema.properties.recentComments.maxItems, 10);
  assert.deepEqual([...parents.validator.$jsonSchema.required], ['recentComments', 'commentCount']);
  assert.equal(children.collMod, 'comments');
  assert.equal(children.validator.$jsonSchema.properties.postId.bsonType, 'objectId');
});

/** Members with badges, and the page that joins them. */
function club() {
  const members = Array.from({ length: 60 }, (_, number) => ({ _id: id(START + number * DAY, number), name: `member ${number}`, town: `town ${number % 7}` }));
  const badges = members.flatMap((member, number) => Array.from({ length: 1 + (number % 3) }, (_unused, place) => ({
    _id: id(START + DAY, 1000 + number * 100 + place), level: new Double(place), member: member._id, title: `badge ${place}`,
  })));
  const page = "db.getSiblingDB('club').members.aggregate([{$match: {town: 'town 3'}}, {$lookup: {from: 'badges', localField: '_id', foreignField: 'member', as: 'badges'}}]);";
  return { members, badges, page };
}

/** @param {Record<string, Doc[]>} collections @param {string} name @param {string} script */
async function related(collections, name, script) {
  const dumps = Object.entries(collections).map(([collection, documents]) => ({
    name: `${name}/${collection}.bson`, data: Buffer.concat(documents.map((document) => serialize(document))),
  }));
  return advise([...dumps, { name: 'page.mongodb.js', data: Buffer.from(script) }]);
}

/** @param {string} name @param {Record<string, Doc[]>} collections */
function holding(name, collections) {
  const database = new Database(name);
  for (const [collection, documents] of Object.entries(collections)) database.getCollection(collection).documents = structure(documents);
  return database;
}

test('what is always read together comes together and goes back', async () => {
  const { members, badges, page } = club();
  const found = await related({ members, badges }, 'club', page);
  const recommendation = found.find((/** @type {any} */ one) => one.subject === 'club.badges.member');
  assert.equal(recommendation?.decision, 'embed');
  const database = holding('club', { members, badges });
  const before = [text(database, 'members'), text(database, 'badges')];
  const start = database.run(script(recommendation, 'check')).total;
  assert.equal(start.children, badges.length);
  const answer = database.run(script(recommendation, 'migrate'));
  assert.deepEqual([answer.moved, answer.differing, answer.orphans, answer.refused], [60, [], [], []]);
  assert.deepEqual(database.run(script(recommendation, 'check')).total, start);
  database.run(script(recommendation, 'finish'));
  assert.equal(database.getCollection('badges').documents.length, 0);
  assert.equal(stored(database, ['members']).bytes, figures(recommendation, 'embed').storedBytes);
  assert.deepEqual(database.run(script(recommendation, 'check')).total, start);
  database.run(script(recommendation, 'back'));
  assert.deepEqual([text(database, 'members'), text(database, 'badges')], before);
});

test('links of few become lists, and fields stand beside a reference', async () => {
  const books = Array.from({ length: 60 }, (_, number) => ({ _id: id(START, number), title: `b ${number}` }));
  const authors = Array.from({ length: 60 }, (_, number) => ({ _id: id(START, 5000 + number), name: `a ${number}` }));
  const writes = books.flatMap((book, number) => Array.from({ length: 1 + (number % 2) }, (_unused, place) => ({
    _id: id(START, 9000 + number * 10 + place), bookId: book._id, authorId: authors[(number + place * 7) % 60]._id,
  })));
  const lists = (await related({ books, authors, writes }, 'lib', '')).find((/** @type {any} */ one) => one.decision === 'child-references');
  const library = holding('lib', { books, authors, writes });
  const before = ['books', 'authors', 'writes'].map((name) => text(library, name));
  const total = library.run(script(lists, 'check')).total;
  assert.equal(library.run(script(lists, 'migrate')).moved, 60);
  assert.deepEqual(library.run(script(lists, 'check')).total, total);
  library.run(script(lists, 'back'));
  assert.deepEqual(['books', 'authors', 'writes'].map((name) => text(library, name)), before);

  const publishers = Array.from({ length: 30 }, (_, number) => ({ _id: id(START, number), name: `p ${number}`, about: 'history '.repeat(60) }));
  const published = publishers.flatMap((publisher, number) => Array.from({ length: 4 }, (_unused, place) => ({
    _id: id(START, 1000 + number * 10 + place), publisherId: publisher._id, title: `title ${number} ${place}`,
  })));
  const page = "db.getSiblingDB('lib').books.aggregate([{$match: {title: 'x'}}, {$lookup: {from: 'publishers', localField: 'publisherId', foreignField: '_id', as: 'publisher'}}, {$project: {title: 1, 'publisher.name': 1}}]);";
  const copies = (await related({ books: published, publishers }, 'lib', page)).find((/** @type {any} */ one) => one.decision === 'extended-reference');
  const shelf = holding('lib', { books: published, publishers });
  const bare = text(shelf, 'books');
  shelf.run(script(copies, 'migrate'));
  assert.deepEqual(shelf.getCollection('books').documents.map((book) => book.publisherName), published.map((_, number) => `p ${Math.floor(number / 4)}`));
  assert.deepEqual(shelf.run(script(copies, 'reconcile')), []);
  assert.equal(shelf.run(script(copies, 'check')).isEqual, true);
  shelf.run(script(copies, 'back'));
  assert.deepEqual(text(shelf, 'books'), bare);
});

test('mongosh understands every script', async (t) => {
  const courses = Array.from({ length: 20 }, (_, number) => ({ _id: id(START, number), code: `C${number}`, credits: 6 }));
  const students = Array.from({ length: 100 }, (_, number) => ({ _id: number, courses: courses.slice(number % 15, (number % 15) + (number % 4)) }));
  const workshops = Array.from({ length: 300 }, (_, number) => ({ _id: number, seats: Array.from({ length: number === 7 ? 190 : 3 }, (_unused, place) => ({ no: `${number}-${place}`, row: place })) }));
  const recommendations = [
    ...(await recommend('blog', 'posts', posts({ ownId: false, array: 'the "comments"' }))),
    ...(await recommend('school', 'students', students)),
    ...(await recommend('events', 'workshops', workshops)),
    ...(await related({ members: club().members, badges: club().badges }, 'club', club().page)),
  ];
  const scripts = recommendations.flatMap((recommendation) => recommendation.scripts.map((one) => one.script));
  assert.ok(scripts.length > 20);
  // The shell rewrites code before it runs it; none of these is run.
  const text = scripts.map((one, number) => `const never${number} = () => {\n${one}};\n`).join('');
  const home = folder(t, { 'scripts.js': `${text}print('understood');\n` });
  const { stdout, stderr } = await mongosh(['--nodb', join(home, 'scripts.js')], { cwd: home, env: { HOME: home } });
  assert.match(stdout, /understood/, stderr);
});

test('mongosh counts on a server what the engine in memory counts', async (t) => {
  const server = await startServer();
  if ('missing' in server) return t.skip(server.missing);
  t.after(() => server.stop());
  const documents = posts();
  const name = `mongovet_${process.pid}`;
  const [recommendation] = await recommend(name, 'posts', documents);
  const check = script(recommendation, 'check');
  // The shell reads a Double 5 as 5 and counts an int: in both forms alike, so the sums still compare.
  const text = EJSON.stringify(documents, { relaxed: false });
  const asRead = EJSON.parse(text.replaceAll(/"\$numberDouble":"(\d+)\.0"/g, '"$numberInt":"$1"'), { relaxed: false });
  const expected = filled(name, 'posts', asRead).run(check);
  // The server in memory lacks stages that the migration needs; a real one (MONGODB_URI) goes all the way and back.
  const steps = server.isReal ? ['check', 'migrate', 'check', 'back', 'check'] : ['check'];
  const home = folder(t, {
    'steps.js': `const database = db.getSiblingDB(${JSON.stringify(name)});
      database.posts.insertMany(EJSON.parse(${JSON.stringify(text)}, { relaxed: false }));
      const printjson = (value) => print('ANSWER ' + JSON.stringify(value));
      ${steps.map((step) => script(recommendation, step)).join('\n')}
      database.dropDatabase();`,
  });
  const { stdout, stderr } = await mongosh([server.uri, join(home, 'steps.js')], { cwd: home, env: { HOME: home } });
  const answers = stdout.split('\n').filter((line) => line.startsWith('ANSWER ')).map((line) => JSON.parse(line.slice(7)));
  const totals = answers.filter((answer) => answer.total).map((answer) => answer.total);
  assert.deepEqual(totals, steps.filter((step) => step === 'check').map(() => expected.total), stderr);
});

test('Spanish has its own words for all that English says', async () => {
  const data = Buffer.concat(posts().map((document) => serialize(document)));
  const [english] = await advise([{ name: 'blog/posts.bson', data }]);
  const [spanish] = await advise([{ name: 'blog/posts.bson', data }], { lang: 'es' });
  assert.deepEqual(spanish.criteria, english.criteria);
  const header = (/** @type {any} */ one) => one.script.match(/^(\/\/.*\n)+/)[0];
  const words = (/** @type {any} */ one) => [one.why, ...one.asks, ...one.scripts.map(header)];
  assert.equal(words(spanish).length, words(english).length);
  for (const [at, sentence] of words(english).entries()) {
    assert.notEqual(sentence, words(spanish)[at]);
    assert.doesNotMatch(sentence + words(spanish)[at], /\{\w+(\|\w+)?\}/);
  }
});
