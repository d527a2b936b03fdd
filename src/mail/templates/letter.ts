import { toAccentTokens, type AccentTokens } from '../../shared/accent.js';
import type { Site } from '../../shared/contracts/site.js';
import { toTelephoneUri } from '../../shared/phone.js';
import type { MailContent } from '../transport/mail-transport.js';
import { escapeHtml } from './escape-html.js';

/** A mail in parts, all of them plain text; how it looks is the same for all. */
export interface Letter {
  readonly subject: string;
  readonly title: string;
  /** A text that somebody wrote by hand, with its line breaks, before all else. */
  readonly words?: string;
  readonly paragraphs: readonly string[];
  /** Short facts, one to a line. */
  readonly facts?: readonly { readonly label: string; readonly value: string }[];
  /** The words of somebody else, with their line breaks. */
  readonly quote?: string;
  readonly button?: { readonly label: string; readonly href: string };
  readonly code?: { readonly label: string; readonly value: string };
  /** Small print: validity, and advice for somebody who did not ask for the mail. */
  readonly notes: readonly string[];
}

// The tokens of the site (client/styles/tokens.css) in the notation that mail programs know.
interface LetterColors {
  readonly primary: string;
  readonly soft: string;
}

const COLORS = { light: { primary: '#005e50', soft: '#d7f1e8' }, dark: { primary: '#64d6b5', soft: '#103630' } };

/** The colors of the company, or those that the site comes with. */
function colorsOf({ accent }: Site): typeof COLORS {
  if (accent === undefined) return COLORS;
  const { light, dark } = toAccentTokens(accent);
  const take = (tokens: AccentTokens) => ({ primary: tokens.primary, soft: tokens['primary-soft'] });
  return { light: take(light), dark: take(dark) };
}

const FONT = "font-family:'Instrument Sans',system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif";
const stylesOf = ({ primary, soft }: LetterColors) => ({
  paper: `margin:0;padding:0;background:#fcf9f3;color:#0c2222;${FONT};font-size:17px;line-height:1.6`,
  card: 'background:#fffefb;border:1px solid #dbd6cd;border-radius:14px',
  brand: 'font-weight:650;font-size:18px;letter-spacing:-0.01em;color:#0c2222',
  cable: `height:3px;line-height:3px;font-size:0;background:${primary};border-radius:3px`,
  lamp: 'width:9px;height:9px;line-height:9px;font-size:0;background:#f6a835;border-radius:9px',
  title: 'margin:0 0 16px;font-size:26px;line-height:1.2;letter-spacing:-0.02em;font-weight:650;color:#0c2222',
  text: 'margin:0 0 16px;color:#0c2222',
  button:
    `display:inline-block;padding:13px 24px;border-radius:10px;background:${primary};color:#f8fdfa;` +
    'font-weight:600;text-decoration:none',
  code:
    `display:inline-block;margin:4px 0 8px;padding:10px 18px;border-radius:10px;background:${soft};color:#0c2222;` +
    'font-size:28px;line-height:1.2;font-weight:650;letter-spacing:0.18em;font-variant-numeric:tabular-nums',
  quiet: 'margin:0 0 12px;font-size:15px;line-height:1.55;color:#495b5a',
  words:
    'margin:0 0 24px;color:#0c2222;text-align:start;white-space:pre-wrap;overflow-wrap:anywhere;word-break:break-word',
  quote:
    'margin:0 0 20px;padding:14px 18px;border-left:3px solid #dbd6cd;color:#0c2222;text-align:start;white-space:pre-wrap;' +
    'overflow-wrap:anywhere;word-break:break-word',
  link: `color:${primary};overflow-wrap:anywhere;word-break:break-word`,
});

type LetterStyles = ReturnType<typeof stylesOf>;

/** Programs that know of dark mode take these; the others show the light set. */
const darkStylesOf = ({ primary, soft }: LetterColors) => `@media (prefers-color-scheme: dark) {
.paper { background: #0d1a1a !important; color: #eeede4 !important; }
.card { background: #142222 !important; border-color: #2b3a3a !important; }
.quote { border-color: #2b3a3a !important; }
.ink { color: #eeede4 !important; }
.quiet { color: #abb6ad !important; }
.link { color: ${primary} !important; }
.cable { background: ${primary} !important; }
.lamp { background: #f9b64f !important; }
.button { background: ${primary} !important; color: #021d1a !important; }
.code { background: ${soft} !important; color: #eeede4 !important; }
}`;

/**
 * Writes a letter in the site's identity, as text and as HTML. What people wrote runs in the direction of its script, and
 * turns nothing around that stands beside it.
 */
export function writeLetter(letter: Letter, site: Site): MailContent {
  return { subject: oneLine(letter.subject), text: writeText(letter, site), html: writeHtml(letter, site) };
}

/** The beginning of what mail programs read as letters in another notation (RFC 2047), any control characters among them. */
const ENCODED_WORD = /=\?(?=[^\s?]+\?[bq]\?)/gi;

/** A line break in a subject would be the next header. What somebody typed stays what it is. */
function oneLine(text: string): string {
  return text
    .replace(/[\s\x00-\x1f\x7f]+/g, ' ')
    .replace(ENCODED_WORD, '= ?')
    .trim();
}

/** Everything that some program shows as the end of a line, so that no line begins without the mark. */
const LINE_BREAK = /\r\n|[\n\v\f\r\x85\u2028\u2029]/g;

/** Words of somebody else could end as our mails do, and go on as if they were ours. */
function quoteLines(text: string): string {
  return `> ${text.replace(LINE_BREAK, '$&> ')}`;
}

function writeText({ title, words, paragraphs, facts, quote, button, code, notes }: Letter, site: Site): string {
  return [
    title,
    ...(words === undefined ? [] : [words]),
    ...paragraphs,
    ...(facts ? [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(quote === undefined ? [] : [quoteLines(quote)]),
    ...(button ? [`${button.label}:\n${button.href}`] : []),
    ...(code ? [`${code.label} ${code.value}`] : []),
    ...notes,
    `-- \n${site.name}\n${site.phone}\n${site.email}\n${site.url}\n`,
  ].join('\n\n');
}

function writeHtml(letter: Letter, site: Site): string {
  const colors = colorsOf(site);
  const styles = stylesOf(colors.light);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(oneLine(letter.subject))}</title>
<style>${darkStylesOf(colors.dark)}</style>
</head>
<body class="paper" style="${styles.paper}">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" style="${styles.paper}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td style="padding:0 4px 12px">${writeBrand(site, styles)}</td></tr>
<tr><td class="card" style="${styles.card};padding:32px 28px 20px">${writeBody(letter, styles)}</td></tr>
<tr><td style="padding:20px 4px 0">${writeFooter(site, styles)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** The name over the cable with its lamp, the mark of the site. */
function writeBrand(site: Site, styles: LetterStyles): string {
  return `<p class="ink" style="margin:0 0 10px;${styles.brand}">${escapeHtml(site.name)}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>
<td><div class="cable" style="${styles.cable}">&nbsp;</div></td>
<td width="17" align="right"><div class="lamp" style="${styles.lamp}">&nbsp;</div></td>
</tr></table>`;
}

function writeBody(
  { title, words, paragraphs, facts = [], quote, button, code, notes }: Letter,
  styles: LetterStyles,
): string {
  const parts = [
    `<h1 class="ink" style="${styles.title}">${escapeHtml(title)}</h1>`,
    ...(words === undefined ? [] : [`<div class="ink" dir="auto" style="${styles.words}">${escapeHtml(words)}</div>`]),
    ...paragraphs.map((paragraph) => `<p class="ink" style="${styles.text}">${escapeHtml(paragraph)}</p>`),
  ];
  if (facts.length > 0) {
    const lines = facts.map(
      ({ label, value }) => `${escapeHtml(label)}: <strong dir="auto">${escapeHtml(value)}</strong>`,
    );
    parts.push(`<p class="ink" style="${styles.text}">${lines.join('<br>')}</p>`);
  }
  if (quote !== undefined) {
    parts.push(`<div class="ink quote" dir="auto" style="${styles.quote}">${escapeHtml(quote)}</div>`);
  }
  if (button) {
    const href = escapeHtml(button.href);
    const label = escapeHtml(button.label);
    parts.push(
      `<p style="margin:24px 0"><a class="button" href="${href}" style="${styles.button}">${label}</a></p>`,
      `<p class="quiet" style="${styles.quiet}">If the button does not work, open this address:<br>` +
        `<a class="link" href="${href}" style="${styles.link}">${href}</a></p>`,
    );
  }
  if (code) {
    parts.push(
      `<p class="quiet" style="margin:20px 0 0;font-size:15px;color:#495b5a">${escapeHtml(code.label)}</p>`,
      `<p style="margin:0 0 16px"><span class="code" style="${styles.code}">${escapeHtml(code.value)}</span></p>`,
    );
  }
  parts.push(...notes.map((note) => `<p class="quiet" style="${styles.quiet}">${escapeHtml(note)}</p>`));
  return parts.join('\n');
}

function writeFooter({ name, phone, email, url }: Site, styles: LetterStyles): string {
  const link = (href: string, label: string) =>
    `<a class="link" href="${escapeHtml(href)}" style="${styles.link}">${escapeHtml(label)}</a>`;
  const links = [link(toTelephoneUri(phone), phone), link(`mailto:${email}`, email), link(url, new URL(url).host)];
  return `<p class="quiet" style="${styles.quiet}">${escapeHtml(name)}<br>${links.join(' &middot; ')}</p>`;
}
