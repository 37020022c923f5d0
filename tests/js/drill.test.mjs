// @ts-check
/** The drills of patterns run on a test server as they are, whatever the names of the collections that they are for. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { ObjectId, serialize } from 'bson';

import { advise } from '../../js/node.mjs';
import { startServer } from '../server/server.mjs';
import { folder } from './folders.mjs';
import { mongosh } from './run.mjs';

/** @typedef {Record<string, any>} Doc */

/** @param {number} number @param {number} [day] */
const id = (number, day = 0) =>
  new ObjectId((1_700_000_000 + day * 86_400).toString(16).padStart(8, '0') + number.toString(16).padStart(16, '0'));

/** @param {number} length @param {(number: number) => Doc} make */
const list = (length, make) => Array.from({ length }, (_, number) => make(number));

/**
 * Collections by name, with names that would be code if they were pasted into it.
 * @returns {Record<string, Doc[]>}
 */
function collections() {
  const hostile = 'it`s {1}"';
  const reviews = list(400, (number) => ({
    _id: id(number + 1000, number),
    hotelId: id(number % 40),
    stars: (number % 5) + 1,
    at: new Date(1_700_000_000_000 + number * 3_600_000),
  }));
  const newest = (/** @type {number} */ hotel) => reviews.filter((review) => review.hotelId.equals(id(hotel))).slice(-3).reverse();
  return {
    hotels: list(40, (number) => ({
      _id: id(number),
      name: `hotel ${number}`,
      reviewCount: 10,
      latestReviews: newest(number).map(({ _id, stars, at }) => ({ _id, stars, at })),
    })).map((hotel, number) => (number < 20 ? { ...hotel, reviewCount: 10 + (number % 3) } : hotel)),
    reviews,
    [hostile]: list(60, (number) => ({
      _id: id(number),
      'the "items"': list((number % 6) + 1, (place) => ({ price: place + 2, qty: (number % 3) + 1 })),
      'items`Count': (number % 6) + 1,
      total: list((number % 6) + 1, (place) => ({ amount: (place + 2) * ((number % 3) + 1) })).reduce((sum, one) => sum + one.amount, 0),
    })),
    units: list(80, (number) => ({ _id: id(number), name: `unit ${number}`, parentId: number === 0 ? null : id(Math.floor((number - 1) / 3)) })),
    specs: list(60, (number) => ({
      _id: id(number),
      name: `thing ${number}`,
      specs: ['ram', 'disk', 'colour', 'size'].slice(0, 2 + (number % 3)).map((k, place) => ({ k, v: number + place })),
    })),
  };
}

test('drills hold on a test server and leave nothing behind', async (t) => {
  const server = await startServer();
  if ('missing' in server) return t.skip(server.missing);
  t.after(() => server.stop());
  const inputs = Object.entries(collections()).map(([name, documents]) => ({
    name: `shop/${name}.bson`,
    data: Buffer.concat(documents.map((document) => serialize(document))),
  }));
  /** @type {any[]} */
  const recommendations = await advise(inputs);
  const drills = recommendations
    .filter((one) => one.kind === 'pattern')
    .flatMap((one) => one.scripts.map((/** @type {any} */ script) => ({ pattern: one.decision, subject: one.subject, script: script.script })));
  const found = new Set(drills.map((one) => one.pattern));
  for (const pattern of ['subset', 'computed', 'tree', 'attribute']) assert.ok(found.has(pattern), `${pattern} in ${[...found]}`);

  const home = folder(t, {
    'drills.js': `const printjson = (value) => print('ANSWER ' + JSON.stringify(value));
      ${drills.map((one) => one.script).join('\n')}
      print('LEFT ' + JSON.stringify(db.adminCommand({ listDatabases: 1 }).databases.map((one) => one.name)));`,
  });
  const { stdout, stderr } = await mongosh([server.uri, join(home, 'drills.js')], { cwd: home, env: { HOME: home } });
  const answers = stdout.split('\n').filter((line) => line.startsWith('ANSWER ')).map((line) => JSON.parse(line.slice(7)));
  assert.equal(answers.length, drills.length, stderr);
  for (const answer of answers) {
    assert.deepEqual(answer.failed, [], answer.drill);
    assert.ok(answer.held >= 5, answer.drill);
  }
  const left = stdout.split('\n').find((line) => line.startsWith('LEFT '));
  assert.ok(left !== undefined && !JSON.parse(left.slice(5)).includes('mongovet_drill'), left);

  // Where the database holds anything, a drill touches nothing.
  const full = folder(t, {
    'full.js': `db.getSiblingDB('mongovet_drill').mine.insertOne({ _id: 1 });
      try { ${drills[0].script} } catch (error) { print('REFUSED ' + error.message); }
      print('KEPT ' + db.getSiblingDB('mongovet_drill').mine.countDocuments({}));
      db.getSiblingDB('mongovet_drill').dropDatabase();`,
  });
  const refused = await mongosh([server.uri, join(full, 'full.js')], { cwd: full, env: { HOME: full } });
  assert.match(refused.stdout, /REFUSED mongovet_drill holds collections/);
  assert.match(refused.stdout, /KEPT 1/);
});
