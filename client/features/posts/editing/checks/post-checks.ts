import type { PostForm } from '../../../../../src/shared/contracts/admin-posts.js';
import { imageFields, postFields } from '../../../../../src/shared/contracts/post-fields.js';
import { toInnerPlace, type LinkState } from '../../../../../src/shared/link-state.js';
import { Anchors, hasAnchor } from '../../../../../src/shared/heading-anchors.js';
import { MEDIA_PATH } from '../../../../../src/shared/media.js';
import { parseUrl } from '../../../../../src/shared/parse-url.js';
import type { TextPlace } from '../../editor/editor-contract.js';
import type { ProblemField } from '../post-problems.js';

/** Something that readers or search engines trip over, and what to do about it. Nothing of it holds a publication back. */
export interface PostCheck {
  readonly problem: string;
  readonly remedy: string;
  /** The field in which it is put right. */
  readonly field: ProblemField;
  /** Place of the finding in the text; absent where the field says enough. */
  readonly place?: 'picture' | TextPlace;
}

/** Characters of a title, and of the text below it, that search engines show. */
export const SEARCH_TITLE_SHOWN = 60;
export const SEARCH_TEXT_SHOWN = 160;
/** More columns than a phone can show beside each other. */
const PHONE_COLUMNS = 4;
/** Characters of a heading or a link that are quoted. */
const QUOTED = 40;

/**
 * Looks through a post before it goes live.
 * @param states what the links within this site lead to, by path; those that are not known yet are passed over
 * @param siteUrl the address of this site, without a slash at the end
 */
export function checkBeforeLive(
  fields: PostForm,
  states: Readonly<Record<string, LinkState>>,
  siteUrl: string,
): PostCheck[] {
  return [
    ...checkPictures(fields),
    ...checkStored(fields, states, siteUrl),
    ...checkHeadings(fields.content),
    ...checkLinks(fields.content, states, siteUrl),
    ...checkPlaces(fields.content),
    ...checkTables(fields.content),
    ...checkSearchTexts(fields),
  ];
}

/** The paths of this site to which a post links, with the places on their pages, and of the pictures that it shows, each once. */
export function findInnerPaths(fields: PostForm, siteUrl: string): string[] {
  const links = findLinks(fields.content, siteUrl).map(({ path }) => path);
  return [...new Set([...findStored(fields, siteUrl).map(({ path }) => path), ...links])];
}

/** Pictures that this site stores. */
function findStored(fields: PostForm, siteUrl: string) {
  const inText = [...fields.content.matchAll(/<img\b[^>]*? src="([^"]*)"/g)].map(([, src = '']) => ({
    src,
    field: 'content' as const,
  }));
  const others = imageFields.map((field) => ({ src: fields[field], field }));
  return [...inText, ...others].flatMap(({ src, field }) => {
    const url = parseUrl(src.replaceAll('&amp;', '&'), `${siteUrl}/`);
    const isOurs = src !== '' && url?.origin === new URL(siteUrl).origin && url.pathname.startsWith(MEDIA_PATH);
    return isOurs ? { path: url.pathname, field } : [];
  });
}

function checkStored(fields: PostForm, states: Readonly<Record<string, LinkState>>, siteUrl: string): PostCheck[] {
  const gone = findStored(fields, siteUrl).filter(({ path }) => states[path] === 'missing');
  const inText = gone.filter(({ field }) => field === 'content').length;
  const remedy = 'Put it in again, or take it out.';
  const checks: PostCheck[] = gone.flatMap(({ field }) => {
    if (field === 'content') return [];
    return { problem: `The ${postFields[field].label.toLowerCase()} is no longer stored.`, remedy, field };
  });
  if (inText === 0) return checks;
  const problem = inText === 1 ? 'A picture is no longer stored.' : `${inText} pictures are no longer stored.`;
  return [{ problem, remedy, field: 'content' }, ...checks];
}

function checkPictures({ content, image_url, image_alt }: PostForm): PostCheck[] {
  const images = content.match(/<img\b[^>]*>/g) ?? [];
  const count = images.filter((image) => !/ alt="[^"]+"| role="presentation"/.test(image)).length;
  const remedy = 'Describe what it shows, or mark it as decorative.';
  const checks: PostCheck[] = [];
  if (count > 0) {
    const subject = count === 1 ? 'A picture has' : `${count} pictures have`;
    checks.push({ problem: `${subject} no alternative text.`, remedy, field: 'content', place: 'picture' });
  }
  if (image_url !== '' && image_alt === null)
    checks.push({ problem: 'The featured image has no alternative text.', remedy, field: 'image_alt' });
  return checks;
}

function checkHeadings(html: string): PostCheck[] {
  let before = 1;
  return [...html.matchAll(/<h([1-6])\b[^>]*>(.*?)<\/h\1>/gs)].flatMap(([, digit, inner = '']) => {
    const level = Number(digit);
    const [last, allowed] = [before, before + 1];
    before = level;
    if (level <= allowed) return [];
    const place = last === 1 ? 'is the first one' : `follows a heading ${last}`;
    return {
      problem: `The heading ${quote(inner)} has level ${level} and ${place}.`,
      remedy: `Make it a heading ${allowed}: screen readers and search engines read the levels as an outline.`,
      field: 'content' as const,
      place: { line: toWords(inner) },
    };
  });
}

const linkProblems: Readonly<Record<LinkState, readonly [words: string, remedy: string] | null>> = {
  found: null,
  missing: ['leads to a page of this site that does not exist', 'Correct its address, or take the link away.'],
  draft: ['leads to a draft, which readers cannot open', 'Publish that post first, or take the link away.'],
  'no-anchor': ['names a place that its page does not have', 'Link to a place that is there, or to the page.'],
  scheduled: ['leads to a post that is not live yet', 'It works once that post is published.'],
};

function checkLinks(html: string, states: Readonly<Record<string, LinkState>>, siteUrl: string): PostCheck[] {
  // One link is told of once, however often the text has it.
  const links = new Map(findLinks(html, siteUrl).map((link) => [`${link.path} ${link.text}`, link]));
  return [...links.values()].flatMap(({ path, text, link }) => {
    const found = linkProblems[states[path] ?? 'found'];
    if (found === null) return [];
    const [words, remedy] = found;
    const problem = `The link ${quote(text)} ${words}: ${path}.`;
    return { problem, remedy, field: 'content' as const, place: { link } };
  });
}

/** Links to places in the text itself: headings and footnotes. */
function checkPlaces(html: string): PostCheck[] {
  const links = [...html.matchAll(/<a\b[^>]* href="(#[^"]*)"[^>]*>(.*?)<\/a>/gs)];
  if (links.length === 0) return [];
  const places = findPlaces(html);
  if (places === null) return [];
  const lost = links.flatMap(([, address = '', text = '']) => {
    const link = address.replaceAll('&amp;', '&');
    return hasAnchor(places, link) ? [] : { link, text };
  });
  return [...new Map(lost.map((found) => [`${found.link} ${found.text}`, found])).values()].map(({ link, text }) => ({
    problem: `The link ${quote(text)} names a place that this text does not have: ${link}.`,
    remedy: 'Places are headings, by their words with hyphens between, and footnotes.',
    field: 'content' as const,
    place: { link },
  }));
}

const INSIDE = /[^<]|<(?!\/?span\b)/.source;
/** A footnote, with colors and sizes in it: spans in spans, as deep as the editor writes them. */
const FOOTNOTE = new RegExp(
  `<span class="ql-footnote">(?:${INSIDE}|<span\\b[^>]*>(?:${INSIDE}|<span\\b[^>]*>(?:${INSIDE})*</span>)*</span>)*</span>`,
  'g',
);

/** The places of a text as the server names them; null when a heading has a formula, which is drawn only there. */
function findPlaces(html: string): ReadonlySet<string> | null {
  const anchors = new Anchors();
  const places = new Set<string>();
  for (const [, , inner = ''] of html.matchAll(/<h([2-6])\b[^>]*>(.*?)<\/h\1>/gs)) {
    if (inner.includes('ql-formula')) return null;
    const words = toWords(inner.replace(FOOTNOTE, ''));
    if (words !== '') places.add(anchors.take(words));
  }
  const notes = html.split('<span class="ql-footnote"').length - 1;
  for (let note = 1; note <= notes; note += 1) places.add(`note-${note}`).add(`note-${note}-place`);
  return places;
}

function checkTables(html: string): PostCheck[] {
  return [...html.matchAll(/<table\b.*?<\/table>/gs)].flatMap(([table], index) => {
    const rows = table.match(/<tr\b.*?<\/tr>/gs) ?? [];
    const columns = Math.max(0, ...rows.map(countColumns));
    if (columns <= PHONE_COLUMNS) return [];
    return {
      problem: `A table has ${columns} columns, of which phones show two or three at a time.`,
      remedy: 'Split it, turn it around, or say the important thing in the text as well.',
      field: 'content' as const,
      place: { table: index },
    };
  });
}

/** Joined cells count as often as they are wide. */
function countColumns(row: string): number {
  const cells = row.match(/<t[dh]\b[^>]*>/g) ?? [];
  return cells.reduce((sum, cell) => sum + Number(/ colspan="(\d+)"/.exec(cell)?.[1] ?? 1), 0);
}

function checkSearchTexts({ title, excerpt, seo_title, seo_description }: PostForm): PostCheck[] {
  const shownTitle = seo_title.trim() || title.trim();
  const shownText = seo_description.trim() || excerpt.trim();
  const checks: PostCheck[] = [];
  if ([...shownTitle].length > SEARCH_TITLE_SHOWN)
    checks.push({
      problem: `The title has ${[...shownTitle].length} characters; search results show about ${SEARCH_TITLE_SHOWN}.`,
      remedy: 'Write a shorter one for search results.',
      field: 'seo_title',
    });
  if (excerpt.trim() === '')
    checks.push({
      problem: 'There is no excerpt.',
      remedy: 'Say in a sentence or two what the post is about: the list of posts and search results show it.',
      field: 'excerpt',
    });
  if ([...shownText].length > SEARCH_TEXT_SHOWN)
    checks.push({
      problem: `The text for search results has ${[...shownText].length} characters; about ${SEARCH_TEXT_SHOWN} are shown.`,
      remedy: 'Write a shorter description for search results.',
      field: 'seo_description',
    });
  return checks;
}

interface InnerLink {
  readonly path: string;
  readonly text: string;
  /** As the text has it. */
  readonly link: string;
}

/** Links to pages of this site; those to its files and its API are none. */
function findLinks(html: string, siteUrl: string): InnerLink[] {
  return [...html.matchAll(/<a\b[^>]* href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].flatMap(([, address = '', text = '']) => {
    const link = address.replaceAll('&amp;', '&');
    const path = toInnerPlace(link, siteUrl);
    return path === null ? [] : { path, text, link };
  });
}

function quote(html: string): string {
  const characters = [...toWords(html)];
  return `‘${characters.slice(0, QUOTED).join('')}${characters.length > QUOTED ? '…' : ''}’`;
}

function toWords(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
