// @ts-check
/** Outputs that are text already: the schema in its forms, the report as other hosts print it. */

import { h, icon } from './dom.js';
import { coloured, copyButton, nothing } from './text.js';

/** @typedef {import('./main.js').Cx} Cx */
/** @typedef {{id: string, title: string, file: string, isCode?: boolean, draw: () => Promise<string | null>}} Form */

/**
 * One text out of several forms, with copy and download.
 * @param {Cx} cx
 * @param {{label: string, none: string, forms: Form[], chosen: string, choose: (id: string) => void}} options
 */
export async function textsView(cx, { label, none, forms, chosen, choose }) {
  const { t } = cx.speech;
  const form = forms.find(({ id }) => id === chosen) ?? forms[0];
  const text = await form.draw();
  if (!text) return [nothing(none)];
  const save = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = h('a', { href: url, download: form.file });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  const radio = (/** @type {Form} */ { id, title }) => {
    const input = h('input', { type: 'radio', name: `form-${label}`, value: id, checked: id === form.id, onchange: () => choose(id) });
    return h('label', {}, input, h('span', {}, title));
  };
  return [
    h(
      'div.toolbar',
      {},
      h('div.segments', { role: 'radiogroup', 'aria-label': label }, ...forms.map(radio)),
      h('span.space'),
      copyButton(cx.speech, text),
      h('button.quiet.small', { type: 'button', onclick: save }, icon('download'), t('download')),
    ),
    h('pre.output', { tabindex: '0', role: 'group', 'aria-label': form.title }, h('code', {}, ...(form.isCode ? coloured(text) : [text]))),
  ];
}
