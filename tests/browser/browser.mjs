// @ts-check
/** A real Chromium and a server for www/dist on loopback, for the tests and for looking at the page. */

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { chromium } from 'playwright-core';

export const dist = fileURLToPath(new URL('../../www/dist/', import.meta.url));

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Why the browser tests cannot run here, or nothing. */
export function missing() {
  if (!PLACES.some((place) => existsSync(place))) return 'no Chromium is installed (apt-get install chromium)';
  if (!existsSync(join(dist, 'index.html'))) return 'www/dist is not built (npm run www)';
  return undefined;
}

/**
 * Serves the built page; counts what is asked for and what it weighs gzipped.
 * @param {string} [folder]
 */
export async function serve(folder = dist) {
  /** @type {{path: string, gzipped: number}[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://page').pathname);
    const file = join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path));
    if (!file.startsWith(folder) || !existsSync(file)) {
      requests.push({ path, gzipped: 0 });
      response.writeHead(404).end();
      return;
    }
    const body = readFileSync(file);
    requests.push({ path, gzipped: gzipSync(body, { level: 9 }).length });
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/`, requests, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** A browser with a fresh profile, which goes with it. */
export const launch = () =>
  chromium.launch({ executablePath: PLACES.find((place) => existsSync(place)), headless: true, args: FLAGS });
