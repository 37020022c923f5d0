// @ts-check
/** Folders for tests, which go when the test is over. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string | Uint8Array>} [files]
 */
export function folder(t, files = {}) {
  const path = mkdtempSync(join(tmpdir(), 'mongovet-test-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}
