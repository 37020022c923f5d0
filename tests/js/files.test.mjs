// @ts-check
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { findConfig, findFiles, reader } from '../../js/files.mjs';
import { folder } from './folders.mjs';

test('a folder is entered but for node_modules, dot folders and what git ignores', async (t) => {
  const path = folder(t, {
    '.git/HEAD': '',
    '.gitignore': 'out/\n*.log\n!keep.log\n',
    '.vscode/settings.json': '{}',
    'a.json': '',
    'deep/.gitignore': 'b.json\n!c.log\n',
    'deep/b.json': '',
    'deep/c.log': '',
    'deep/er/b.json': '',
    'deep/er/d.json': '',
    'keep.log': '',
    'node_modules/x/index.json': '',
    'out/e.json': '',
    'x.log': '',
  });
  const { files } = await findFiles(['.'], path);
  assert.deepEqual(files.map(({ name }) => name), ['a.json', 'deep/c.log', 'deep/er/d.json', 'keep.log']);
});

test('a folder that is named is read even where git ignores it', async (t) => {
  const path = folder(t, { '.git/HEAD': '', '.gitignore': 'dump\n', 'dump/shop/a.bson': '', 'dump/.gitignore': 'b*\n', 'dump/b.bson': '' });
  const { files, named } = await findFiles(['dump'], path);
  assert.deepEqual(files.map(({ name }) => name), ['dump/shop/a.bson']);
  assert.deepEqual(named, ['dump']);
});

test('the rules above a folder hold within it', async (t) => {
  const path = folder(t, { '.git/HEAD': '', '.gitignore': '*.tmp\n', 'data/a.bson': '', 'data/b.tmp': '' });
  const { files } = await findFiles(['data'], path);
  assert.deepEqual(files.map(({ name }) => name), ['data/a.bson']);
});

test('a file comes once, links below a folder are not followed', async (t) => {
  const path = folder(t, { 'data/a.bson': '' });
  symlinkSync(join(path, 'data'), join(path, 'data', 'loop'));
  const { files } = await findFiles(['data', 'data/a.bson', './data'], path);
  assert.deepEqual(files.map(({ name }) => name), ['data/a.bson']);
});

test('a path that does not exist is named with its neighbour', async (t) => {
  const path = folder(t, { 'orders.json': '' });
  await assert.rejects(findFiles(['order.json'], path), (/** @type {any} */ error) => {
    assert.equal(error.message, 'there is no order.json');
    assert.equal(error.hint, 'did you mean orders.json?');
    return true;
  });
});

test('the configuration is that of the root, else the nearest above in the repository', async (t) => {
  const path = folder(t, { '.git/HEAD': '', 'mongovet.json': '{}', 'a/mongovet.json': '{}', 'a/x.json': '', 'b/c/x.json': '' });
  const config = async (/** @type {string[]} */ ...operands) => {
    const { configs } = await findFiles(operands, path);
    return findConfig(operands, configs, path);
  };
  assert.equal(await config('a'), join(path, 'a/mongovet.json'));
  assert.equal(await config('a/x.json'), join(path, 'a/mongovet.json'));
  assert.equal(await config('b/c'), join(path, 'mongovet.json'));
  assert.equal(await config('-'), join(path, 'mongovet.json'));
  await assert.rejects(config('.'), /a\/mongovet\.json lies below the root/);
  await assert.rejects(config('a', 'b'), /different configurations/);
});

test('outside a repository nothing above the paths counts', async (t) => {
  const path = folder(t, { 'mongovet.json': '{}', 'a/x.json': '' });
  assert.equal(findConfig(['a'], [], path), undefined);
});

test('a reader starts anew at each call, and in the middle where told so', (t) => {
  const path = folder(t, { 'x.bin': new Uint8Array(600_000).fill(7) });
  const sizes = (/** @type {Iterable<Uint8Array>} */ chunks) => [...chunks].reduce((sum, chunk) => sum + chunk.length, 0);
  const read = reader(join(path, 'x.bin'));
  assert.equal(sizes(read()), 600_000);
  assert.equal(sizes(read()), 600_000);
  assert.equal(sizes(reader(join(path, 'x.bin'), { range: { start: 599_000, end: 600_000 } })()), 1000);
});
