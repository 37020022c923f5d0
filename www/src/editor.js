// @ts-check
/**
 * CodeMirror inside a shadow root. The page's policy refuses the style elements that it makes in a document; in a
 * shadow root it uses constructed sheets, which are allowed.
 */

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--gutter)', border: 'none', paddingLeft: '6px' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '22px', padding: '0 4px 0 0' },
  '.cm-foldGutter .cm-gutterElement': { color: 'var(--gutter)', width: '12px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': { backgroundColor: 'var(--line-active)' },
  '&.cm-focused .cm-activeLineGutter': { color: 'var(--muted)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selection)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--selection)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selection)', outline: 'none' },
  '.cm-placeholder': { color: 'var(--muted)', whiteSpace: 'pre-wrap' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--chip)', border: 'none', color: 'var(--muted)', padding: '0 6px' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)', borderColor: 'var(--rule)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--rule)' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '.cm-finding': { textDecoration: 'underline wavy var(--severity)', textDecorationSkipInk: 'none', textUnderlineOffset: '3px' },
  '.cm-finding.error': { '--severity': 'var(--error)' },
  '.cm-finding.warning': { '--severity': 'var(--warning)' },
  '.cm-finding.info': { '--severity': 'var(--info)' },
  '.cm-textfield': { backgroundColor: 'var(--paper)', border: '1px solid var(--rule)', borderRadius: '4px', color: 'var(--ink)', fontSize: '12px' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--chip)', border: '1px solid var(--rule)', borderRadius: '4px', color: 'var(--ink)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.keyword, tags.function(tags.variableName), tags.className, tags.typeName], color: 'var(--code-word)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.bracket, tags.separator], color: 'var(--code-mark)' },
]);

/** What is said of a part of the text; lines and columns from 1. @typedef {{start: Place, end: Place | null, severity: 'error' | 'warning' | 'info', message: string}} Mark */
/** @typedef {{line: number, column: number}} Place */

/** @type {import('@codemirror/state').StateEffectType<Mark[]>} */
const setMarks = StateEffect.define();

/** The marks, which move with the text until the next check sets them anew. */
const marked = StateField.define({
  create: () => Decoration.none,
  update(decorations, transaction) {
    const effect = transaction.effects.find((one) => one.is(setMarks));
    return effect ? drawn(transaction.state.doc, effect.value) : decorations.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** @param {import('@codemirror/state').Text} text @param {Mark[]} marks */
function drawn(text, marks) {
  const ranges = marks.flatMap(({ start, end, severity, message }) => {
    const from = offset(text, start);
    // A finding on a whole call of many lines is marked at its first one.
    const line = text.lineAt(from);
    const to = end ? Math.min(offset(text, end), line.to) : line.to;
    return to <= from ? [] : [Decoration.mark({ class: `cm-finding ${severity}`, attributes: { title: message } }).range(from, to)];
  });
  return Decoration.set(ranges, true);
}

/** @param {import('@codemirror/state').Text} text @param {Place} place */
function offset(text, { line, column }) {
  const at = text.line(Math.max(1, Math.min(line, text.lines)));
  return Math.min(at.from + Math.max(0, column - 1), at.to);
}

/**
 * @typedef {object} Editor
 * @property {HTMLElement} host the element to place; the editor lives in its shadow root
 * @property {EditorView} view
 * @property {(options: {label: string, placeholder?: string}) => void} describe
 * @property {(key: string, text: string) => void} show shows the text of a key; each key keeps its own history
 * @property {(marks: Map<string, Mark[]>) => void} mark what the last check says of the texts, by their keys
 * @property {(key: string) => void} forget
 * @property {() => void} forgetAll
 * @property {(from: number, to?: number) => void} select selects, scrolls there and takes the focus
 * @property {(line: number, column: number) => void} go the same for a place, both from 1
 */

/**
 * An editor; `changed` hears the text that a person typed or pasted.
 * @param {{readOnly?: boolean, changed?: (text: string) => void}} options
 * @returns {Editor}
 */
export function createEditor({ readOnly = false, changed }) {
  const host = document.createElement('div');
  host.className = 'editor-host';
  const root = host.attachShadow({ mode: 'open' });
  const words = new Compartment();
  let label = '';
  let hint = '';
  const describing = () => [EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }), hint ? placeholder(hint) : []];
  /** @param {string} text */
  const create = (text) =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search(),
        javascript({ typescript: true }),
        syntaxHighlighting(colours),
        theme,
        marked,
        words.of(describing()),
        EditorState.readOnly.of(readOnly),
        EditorView.editable.of(!readOnly),
        // Tab stays with the page, so that the keyboard can leave the editor.
        keymap.of([...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed?.(update.state.doc.toString());
        }),
      ],
    });
  const view = new EditorView({ state: create(''), parent: root, root });
  /** @type {Map<string, EditorState>} */
  const states = new Map();
  let current = '';
  /** @type {Map<string, Mark[]>} */
  let marks = new Map();
  /** @param {number} from @param {number} [to] */
  const select = (from, to = from) => {
    const end = view.state.doc.length;
    const selection = { anchor: Math.min(from, end), head: Math.min(to, end) };
    view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) });
    view.focus();
  };
  return {
    host,
    view,
    select,
    describe(options) {
      label = options.label;
      hint = options.placeholder ?? '';
      view.dispatch({ effects: words.reconfigure(describing()) });
    },
    show(key, text) {
      if (current !== '') states.set(current, view.state);
      const kept = states.get(key);
      current = key;
      view.setState(kept !== undefined && kept.doc.toString() === text ? kept : create(text));
      view.dispatch({ effects: [words.reconfigure(describing()), setMarks.of(marks.get(key) ?? [])] });
    },
    mark(next) {
      marks = next;
      view.dispatch({ effects: setMarks.of(marks.get(current) ?? []) });
    },
    forget(key) {
      states.delete(key);
      if (current === key) current = '';
    },
    forgetAll() {
      states.clear();
      current = '';
    },
    go(line, column) {
      select(offset(view.state.doc, { line, column }));
    },
  };
}
