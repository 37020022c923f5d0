/** What www/vite.config.js provides: the text of the worker, and the addresses of the files beside the page. */
declare module 'virtual:worker' {
  const text: string;
  export default text;
}
declare module 'virtual:wasm' {
  const url: string;
  export default url;
}
declare module 'virtual:pages.en' {
  const url: string;
  export default url;
}
declare module 'virtual:pages.es' {
  const url: string;
  export default url;
}
