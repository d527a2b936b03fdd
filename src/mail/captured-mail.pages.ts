import { escapeHtml } from './templates/escape-html.js';
import type { MailContent } from './transport/mail-transport.js';

/** A mail as the capture keeps it. */
export interface CapturedMail extends MailContent {
  /** The id of its job. */
  readonly id: string;
  readonly to: string;
  /** ISO 8601. */
  readonly sentAt: string;
}

const STYLES = `:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem; background: #fcf9f3; color: #0c2222; }
a { color: #005e50; }
h1 { font-size: 1.6rem; line-height: 1.2; }
li, dl { margin: 0 0 1rem; }
dt { float: left; clear: left; width: 5rem; color: #495b5a; }
dd { margin: 0 0 0 5rem; overflow-wrap: anywhere; }
time, small { color: #495b5a; }
pre, iframe { width: 100%; box-sizing: border-box; border: 1px solid #dbd6cd; border-radius: 10px; background: #fffefb; }
pre { padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
iframe { height: 54rem; }
@media (prefers-color-scheme: dark) {
body { background: #0d1a1a; color: #eeede4; }
a { color: #64d6b5; }
dt, time, small { color: #abb6ad; }
pre, iframe { background: #142222; border-color: #2b3a3a; }
}`;

/** The list of captured mails, in the order given. */
export function renderCapturedList(mails: readonly CapturedMail[]): string {
  const items = mails.map(
    ({ id, to, subject, sentAt }) =>
      `<li><a href="/dev/mail/${escapeHtml(id)}">${escapeHtml(subject)}</a><br>` +
      `<small>to ${escapeHtml(to)}, ${renderTime(sentAt)}</small></li>`,
  );
  const list = items.length > 0 ? `<ol reversed>${items.join('\n')}</ol>` : '<p>None yet.</p>';
  return renderPage('Captured mails', `<p>Kept here instead of being sent.</p>\n${list}`);
}

/** One captured mail: its text with links to follow, and its HTML in a frame. */
export function renderCapturedMail({ id, to, subject, sentAt, text }: CapturedMail): string {
  return renderPage(
    subject,
    `<p><a href="/dev/mail">All captured mails</a></p>
<dl><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd>${renderTime(sentAt)}</dd></dl>
<h2>Text</h2>
<pre>${linkify(text)}</pre>
<h2>HTML</h2>
<iframe src="/dev/mail/${escapeHtml(id)}/html" title="The mail as HTML" sandbox="allow-top-navigation-by-user-activation"></iframe>`,
  );
}

/** The HTML of a mail, its links told to lead the whole window on. */
export function toFramedHtml({ html }: CapturedMail): string {
  return html.replace('<head>', '<head>\n<base target="_top">');
}

function renderTime(iso: string): string {
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(iso.replace('T', ' ').replace(/\..*$/, ' UTC'))}</time>`;
}

function linkify(text: string): string {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/);
  return parts
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('');
}

function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLES}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}
