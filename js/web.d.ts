/** The library in browsers: what Node has, the core being fetched at the first use or handed over by `init`. */

export * from './index.js';

/**
 * Makes the core ready. Without an argument it is fetched from beside the module; a page whose policy forbids that
 * passes the module, its bytes, a response or a URL.
 */
export function init(source?: WebAssembly.Module | BufferSource | Response | URL | string): Promise<void>;
/** The page of one rule, as Markdown; fetched at the first call. */
export function explain(rule: string, language?: 'en' | 'es'): Promise<string>;
