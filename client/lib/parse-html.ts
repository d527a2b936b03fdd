import { trustHtml } from './trusted-html.js';

/** Reads HTML into elements that belong to no page: nothing in them runs or loads. */
export function parseHtml(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = trustHtml(html);
  return template.content;
}

/** Reads a whole document, as it stands on a clipboard: nothing in it runs or loads. */
export function parseDocument(html: string): Document {
  return new DOMParser().parseFromString(trustHtml(html), 'text/html');
}
