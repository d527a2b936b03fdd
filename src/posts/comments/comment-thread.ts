import { toDisplayDate } from '../../shared/dates.js';
import type { PostComments } from '../../shared/contracts/posts.js';
import { escapeAttribute, escapeText } from '../content/markup-tree.js';

/** A comment that readers see. */
export interface ShownComment {
  readonly sourceId: string;
  readonly parentId: string | null;
  readonly author: string;
  readonly authorUrl: string | null;
  readonly writtenAt: Date;
  readonly html: string;
  readonly isRemoved: boolean;
}

/** Answers to answers are moved to the right so often; those further down say whom they answer. */
const MAX_DEPTH = 4;

/**
 * Lays comments out, the oldest first, answers below what they answer. An answer to one that is not there is below what that
 * one answered, or stands for itself.
 * @returns null without any
 */
export function toThread(comments: readonly ShownComment[], timeZone: string): PostComments | null {
  const shown = comments.filter(({ isRemoved }) => !isRemoved);
  if (shown.length === 0) return null;
  const answers = collectAnswers(comments);
  const written = new Set<ShownComment>();
  const write = (comment: ShownComment, depth: number): string => {
    written.add(comment);
    const below = unwritten(answers.get(comment.sourceId), written);
    if (depth < MAX_DEPTH - 1) return item(comment, timeZone, list(below.map((answer) => write(answer, depth + 1))));
    return item(comment, timeZone, list(flatten(comment, answers, written, timeZone)));
  };
  // Who answers in a circle is below nobody.
  const all = [...(answers.get(null) ?? []), ...shown];
  const html = list(all.map((comment) => (written.has(comment) ? '' : write(comment, 1))));
  return { count: shown.length, html };
}

/** Everything below a comment in one list; an answer to an answer names whom it answers. */
function flatten(
  top: ShownComment,
  answers: ReadonlyMap<string | null, readonly ShownComment[]>,
  written: Set<ShownComment>,
  timeZone: string,
): string[] {
  const items: string[] = [];
  // Threads may be deeper than functions can call each other.
  const left = unwritten(answers.get(top.sourceId), written)
    .reverse()
    .map((comment) => ({ comment, answered: top, isDirect: true }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { comment, answered, isDirect } = next;
    if (written.has(comment)) continue;
    written.add(comment);
    items.push(item(comment, timeZone, '', isDirect ? null : answered.author));
    const below = unwritten(answers.get(comment.sourceId), written).reverse();
    for (const answer of below) left.push({ comment: answer, answered: comment, isDirect: false });
  }
  return items;
}

function unwritten(comments: readonly ShownComment[] = [], written: ReadonlySet<ShownComment>): ShownComment[] {
  return comments.filter((comment) => !written.has(comment));
}

/** The comments that readers see, by the id of the one that each stands below. */
function collectAnswers(comments: readonly ShownComment[]): Map<string | null, ShownComment[]> {
  const byId = new Map(comments.map((comment) => [comment.sourceId, comment]));
  const answers = new Map<string | null, ShownComment[]>();
  for (const comment of comments.filter(({ isRemoved }) => !isRemoved)) {
    const parent = parentOf(comment, byId);
    const others = answers.get(parent);
    if (others === undefined) answers.set(parent, [comment]);
    else others.push(comment);
  }
  return answers;
}

/** The id of the nearest one above that is there. */
function parentOf(comment: ShownComment, byId: ReadonlyMap<string, ShownComment>): string | null {
  const seen = new Set<string>();
  for (let id = comment.parentId; id !== null && !seen.has(id);) {
    seen.add(id);
    const parent = byId.get(id);
    if (parent === undefined) return null;
    if (!parent.isRemoved) return id;
    id = parent.parentId;
  }
  return null;
}

function list(items: readonly string[]): string {
  return items.every((html) => html === '') ? '' : `<ol role="list">${items.join('')}</ol>`;
}

function item(
  { author, authorUrl, writtenAt, html }: ShownComment,
  timeZone: string,
  answers: string,
  answered: string | null = null,
): string {
  const { iso, long } = toDisplayDate(writtenAt, timeZone);
  const name =
    authorUrl === null
      ? escapeText(author)
      : `<a href="${escapeAttribute(authorUrl)}" rel="nofollow ugc noopener noreferrer">${escapeText(author)}</a>`;
  const to = answered === null ? '' : ` <span class="comment-to">to ${escapeText(answered)}</span>`;
  return (
    `<li class="comment"><p class="comment-by small quiet"><b>${name}</b>${to} · <time datetime="${iso}">${long}</time></p>` +
    `<div class="prose" dir="auto">${html.replaceAll('<pre>', '<pre tabindex="0">')}</div>${answers}</li>`
  );
}
