// @ts-check
/**
 * The Markdown of the rule pages as a tree, from which the page makes elements and the build makes HTML: front block,
 * headings, paragraphs, lists, tables, fences, code, emphasis, links. Nothing else occurs in them, and a test says so
 * when it does.
 */

/** @typedef {string | {tag: string, attributes?: Record<string, string>, children: Part[]}} Part */

/**
 * The blocks of a page without its front block.
 * @param {string} page
 * @returns {Part[]}
 */
export function parsePage(page) {
  return parseBlocks(page.replace(/^---\n[\s\S]*?\n---\n/, '').split('\n'));
}

/** @param {string[]} lines @returns {Part[]} */
function parseBlocks(lines) {
  /** @type {Part[]} */
  const parts = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const fence = /^(`{3,})(.*)$/.exec(line);
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    if (line.trim() === '') {
      at += 1;
    } else if (fence) {
      let end = at + 1;
      while (end < lines.length && lines[end] !== fence[1]) end += 1;
      parts.push({ tag: 'pre', attributes: { info: fence[2].trim() }, children: [lines.slice(at + 1, end).join('\n')] });
      at = end + 1;
    } else if (heading) {
      parts.push({ tag: `h${heading[1].length}`, children: parseInline(heading[2]) });
      at += 1;
    } else if (line.startsWith('|')) {
      const end = runEnd(lines, at, (next) => next.startsWith('|'));
      parts.push(table(lines.slice(at, end)));
      at = end;
    } else if (/^(- |\d+\. )/.test(line)) {
      const end = runEnd(lines, at, (next) => /^(- |\d+\. |\s+\S)/.test(next));
      parts.push(listOf(lines.slice(at, end)));
      at = end;
    } else {
      const end = runEnd(lines, at, (next) => next.trim() !== '' && !/^(`{3}|#{1,4} |- |\d+\. |\|)/.test(next));
      parts.push({ tag: 'p', children: parseInline(lines.slice(at, end).join(' ')) });
      at = end;
    }
  }
  return parts;
}

/** The line behind those that belong together; the first always does. @param {string[]} lines @param {number} at @param {(line: string) => boolean} belongs */
function runEnd(lines, at, belongs) {
  let end = at + 1;
  while (end < lines.length && belongs(lines[end])) end += 1;
  return end;
}

/** @param {string[]} lines @returns {Part} */
function listOf(lines) {
  /** @type {string[]} */
  const items = [];
  for (const line of lines) {
    const item = /^(?:- |\d+\. )(.*)$/.exec(line);
    if (item) items.push(item[1]);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return { tag: lines[0].startsWith('- ') ? 'ul' : 'ol', children: items.map((item) => ({ tag: 'li', children: parseInline(item) })) };
}

/** @param {string[]} lines @returns {Part} */
function table(lines) {
  const cells = (/** @type {string} */ line) => line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => cell.trim());
  const row = (/** @type {string} */ line, /** @type {string} */ tag) => ({
    tag: 'tr',
    children: cells(line).map((cell) => ({ tag, children: parseInline(cell) })),
  });
  const [head, , ...body] = lines;
  return {
    tag: 'table',
    children: [
      { tag: 'thead', children: [row(head, 'th')] },
      { tag: 'tbody', children: body.map((line) => row(line, 'td')) },
    ],
  };
}

const INLINE = /(`+)([\s\S]+?)\1|\*\*(.+?)\*\*|\*(.+?)\*|\[([^\]]+)\]\(([^)\s]+)\)|<(https?:[^>\s]+)>|(https?:\/\/[^\s)]+[^\s).,;])/;

/** @param {string} text @returns {Part[]} */
function parseInline(text) {
  /** @type {Part[]} */
  const parts = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    const [all, , code, strong, emphasis, label, target, plain, bare] = found;
    if (0 < found.index) parts.push(rest.slice(0, found.index));
    if (code !== undefined) parts.push({ tag: 'code', children: [code.length > 2 && code.startsWith(' ') && code.endsWith(' ') ? code.slice(1, -1) : code] });
    else if (strong !== undefined) parts.push({ tag: 'strong', children: parseInline(strong) });
    else if (emphasis !== undefined) parts.push({ tag: 'em', children: parseInline(emphasis) });
    else parts.push({ tag: 'a', attributes: { href: target ?? plain ?? bare }, children: label === undefined ? [plain ?? bare] : parseInline(label) });
    rest = rest.slice(found.index + all.length);
  }
  if (rest !== '') parts.push(rest);
  return parts;
}
