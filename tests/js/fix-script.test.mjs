// @ts-check
/** The remedies of all findings, as one script, in the shell that people run it in. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { EJSON, ObjectId } from 'bson';

import { startServer } from '../server/server.mjs';
import { folder } from './folders.mjs';
import { mongosh, mongovet, root } from './run.mjs';

const cases = join(root, '..', 'shared', 'cases');

/** @param {number} number */
const id = (number) => new ObjectId((1_760_000_000 + number).toString(16).padStart(8, '0') + number.toString(16).padStart(16, '0'));

/** Two spellings of one field, empty placeholders, and an index too many. */
const trips = Array.from({ length: 80 }, (_, number) => ({
  _id: id(number),
  [number < 60 ? 'carrierId' : 'carrierID']: number % 7,
  remark: number % 2 === 0 ? '' : `word ${number}`,
  at: new Date(1_760_000_000_000 + number * 60_000),
}));

const SCRIPT = `db.trips.createIndex({ at: 1 });
db.trips.createIndex({ at: 1, carrierId: 1 });
`;

/** @param {string} script @param {string} choice */
const choosing = (script, choice) => script.replace('const apply = [];', `const apply = ${choice};`);

test('a fix script tells first, does once what was chosen, and changes nothing when it runs again', async (t) => {
  const server = await startServer();
  if ('missing' in server) return t.skip(server.missing);
  t.after(() => server.stop());
  const home = folder(t, {
    'fleet.trips.json': trips.map((trip) => EJSON.stringify(trip, { relaxed: false })).join('\n'),
    'fleet.trips.mongodb.js': SCRIPT,
  });
  const { stderr, status } = await mongovet(['check', '.', '--fix-script', 'fix.js', '--quiet'], { cwd: home });
  assert.notEqual(status, 2, stderr);
  const script = readFileSync(join(home, 'fix.js'), 'utf8');
  assert.match(script, /\$rename/);

  const state = `print('STATE ' + EJSON.stringify({
    documents: db.getSiblingDB('fleet').trips.find().sort({ _id: 1 }).toArray(),
    indexes: db.getSiblingDB('fleet').trips.getIndexes(),
  }));`;
  // Only what this server knows: it hides no index and converts nothing in pipelines.
  const known = script.replaceAll('collection.hideIndex(name)', 'collection.dropIndex(name)');
  const run = folder(t, {
    'run.js': `const trips = db.getSiblingDB('fleet').trips;
      trips.insertMany(EJSON.parse(${JSON.stringify(EJSON.stringify(trips, { relaxed: false }))}));
      trips.createIndex({ at: 1 });
      trips.createIndex({ at: 1, carrierId: 1 });
      ${state}
      ${known}
      ${state}
      ${choosing(known, "['safe', 'review']")}
      ${state}
      ${choosing(known, "['safe', 'review']")}
      ${state}`,
  });
  const said = await mongosh([server.uri, join(run, 'run.js')], { cwd: run, env: { HOME: run } });
  const states = said.stdout.split('\n').filter((line) => line.startsWith('STATE ')).map((line) => line.slice(6));
  assert.equal(states.length, 4, said.stdout + said.stderr);
  const [before, told, done, again] = states;
  assert.equal(told, before, 'nothing is written before it is chosen');
  assert.notEqual(done, before);
  assert.equal(again, done, 'the second run changes nothing');
  const { documents, indexes } = JSON.parse(/** @type {string} */ (done));
  assert.ok(documents.every((/** @type {object} */ trip) => 'carrierId' in trip && !('carrierID' in trip)));
  const names = indexes.map((/** @type {{ name: string }} */ index) => index.name);
  assert.ok(!names.includes('at_1'), names.join());
  assert.ok(names.includes('at_1_carrierId_1'), names.join());
});

test('the fix script of every labelled case is read by the shell', async (t) => {
  if (!existsSync(cases)) return t.skip('the labelled cases are not here');
  const home = folder(t);
  const names = readdirSync(cases).filter((name) => existsSync(join(cases, name, 'input')) && !name.endsWith('-clean'));
  const waiting = names.values();
  const worker = async () => {
    for (const name of waiting) {
      const { status } = await mongovet(['check', join(cases, name, 'input'), '--fix-script', `${name}.js`, '--quiet'], { cwd: home });
      assert.notEqual(status, 2, name);
    }
  };
  await Promise.all([worker(), worker()]);
  const scripts = names.map((name) => readFileSync(join(home, `${name}.js`), 'utf8'));
  const steps = scripts.join('').split("safety: '").length - 1;
  assert.ok(20 < steps, `${steps} steps`);
  const all = folder(t, { 'all.js': scripts.join('\n') });
  const said = await mongosh(['--nodb', join(all, 'all.js')], { cwd: all, env: { HOME: all } });
  assert.equal(said.status, 0, said.stderr);
  assert.equal(said.stdout.split('\n').filter((line) => line.startsWith('would run [')).length, steps);
});
