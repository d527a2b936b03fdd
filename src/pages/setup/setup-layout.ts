import { html, type Html } from './html.js';

/** The parts of a page of the setup beside its content. */
export interface PageFrame {
  /** Addresses of the site's style sheets. */
  readonly styles: readonly string[];
  readonly title: string;
}

/** Writes a page without scripts and without anything of the company, of which nothing is known yet. */
export function setupPage({ styles, title }: PageFrame, content: Html): string {
  const links = styles.map((href) => html`<link rel="stylesheet" href="${href}" />`);
  const page = html`<!doctype html>
    <html lang="en-US">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${links}
      </head>
      <body>
        <main class="section account-section"><div class="wrap wrap-narrow account-panel">${content}</div></main>
      </body>
    </html> `;
  return page.text;
}

/** A field of a form, and what is wrong with it. */
export interface SetupField {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'tel' | 'password';
  readonly autocomplete: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly limit?: number;
  /** True for a value that stands and cannot be changed. */
  readonly isFixed?: boolean;
  readonly isFirst?: boolean;
}

/** Writes a field as the forms of the site have it. */
export function fieldOf(field: SetupField): Html {
  const { name, label, value = '', type = 'text', autocomplete, hint, problem, limit, isFixed, isFirst } = field;
  const notes = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(' ');
  const attributes = [
    notes && html` aria-describedby="${notes}"`,
    problem && html` aria-invalid="true"`,
    limit !== undefined && html` maxlength="${limit}"`,
    isFixed ? html` readonly` : html` required`,
    (isFirst === true || problem !== undefined) && html` autofocus`,
    type !== 'text' && html` autocapitalize="none" spellcheck="false"`,
  ].filter((part) => typeof part === 'object');
  return html`<div class="field">
    <label for="${name}">${label}${!isFixed && html`<span class="field-mark" aria-hidden="true"> *</span>`}</label>
    <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" ${attributes} />
    ${problem && html`<p class="field-error" id="${name}-problem">${problem}</p>`}
    ${hint && html`<p class="field-hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}

/** A message that stands out of the page. */
export function noticeOf(kind: 'info' | 'error' | 'success', text: string): Html {
  const role = kind === 'error' ? 'alert' : 'status';
  return html`<div class="${kind === 'info' ? 'notice' : `notice notice-${kind}`}" role="${role}"><p>${text}</p></div>`;
}
