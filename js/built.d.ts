/** What build.mjs generates, for the type checker: it must not depend on a build. */

declare module '#built/glue.js' {
  export const folder: URL;
  export function instantiate(module: WebAssembly.Module): import('./core.js').Glue;
}

declare module '#built/core.cjs' {
  export const folder: string;
  export function instantiate(module: WebAssembly.Module): import('./core.js').Glue;
  export const createCore: typeof import('./core.js').createCore;
  export const runAsync: typeof import('./core.js').runAsync;
  export const Session: typeof import('./core.js').Session;
}

declare module '#built/version.js' {
  export const version: string;
}
