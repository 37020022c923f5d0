// @ts-check
/** The state as text behind the `#` of a link, which browsers never send to a server. Runs in Node too (rule pages). */

/** Longest link that is offered: beyond it chats, issue trackers and some browsers cut links. */
export const LINK_LIMIT = 65_536;
/** Most that a link may unpack to; what holds more is not ours. */
const UNPACKED_LIMIT = 16 * 1024 * 1024;
const PREFIX = '#s=';

/** @typedef {{name: string, documents: string, indexes: string, validator: string}} SharedBlock */
/** @typedef {{blocks: SharedBlock[], script?: string, plans?: string, config?: string, serverVersion?: string, complete?: boolean, showValues?: boolean}} SharedState */

/**
 * The state as a hash, `#s=…`.
 * @param {SharedState} state
 */
export async function encodeState(state) {
  const compact = {
    b: state.blocks.map(({ name, documents, indexes, validator }) => [name, documents, indexes, validator]),
    ...(state.script && { j: state.script }),
    ...(state.plans && { p: state.plans }),
    ...(state.config && { c: state.config }),
    ...(state.serverVersion && { v: state.serverVersion }),
    ...(state.complete && { a: 1 }),
    ...(state.showValues && { s: 1 }),
  };
  const packed = await through(new TextEncoder().encode(JSON.stringify(compact)), new CompressionStream('deflate-raw'), Infinity);
  return PREFIX + toBase64Url(packed);
}

/**
 * The state that a hash holds, or nothing where it holds none.
 * @param {string} hash
 * @returns {Promise<SharedState | null>}
 */
export async function decodeState(hash) {
  if (!hash.startsWith(PREFIX)) return null;
  const bytes = await through(fromBase64Url(hash.slice(PREFIX.length)), new DecompressionStream('deflate-raw'), UNPACKED_LIMIT);
  const compact = JSON.parse(new TextDecoder().decode(bytes));
  const text = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : '');
  return {
    blocks: (Array.isArray(compact.b) ? compact.b : []).map((/** @type {unknown[]} */ block) => ({
      name: text(block?.[0]),
      documents: text(block?.[1]),
      indexes: text(block?.[2]),
      validator: text(block?.[3]),
    })),
    script: text(compact.j),
    plans: text(compact.p),
    config: text(compact.c),
    serverVersion: text(compact.v),
    complete: compact.a === 1,
    showValues: compact.s === 1,
  };
}

/**
 * @param {Uint8Array} bytes
 * @param {CompressionStream | DecompressionStream} transform
 * @param {number} limit
 */
async function through(bytes, transform, limit) {
  const writer = transform.writable.getWriter();
  // A broken stream rejects here as well as on the reading side, which is where it is handled.
  writer.write(/** @type {any} */ (bytes)).catch(() => {});
  writer.close().catch(() => {});
  /** @type {Uint8Array[]} */
  const chunks = [];
  let length = 0;
  const reader = transform.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (limit < length) throw new Error('the link unpacks to more than a link may hold');
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** @param {Uint8Array} bytes */
function toBase64Url(bytes) {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 8192) binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} text */
function fromBase64Url(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
