import { EMPTY_FORM, type AdminPost, type PostForm } from '../../../../../src/shared/contracts/admin-posts.js';
import { startSaving, type Answer, type Saving, type SavingEvent } from '../saving-state.js';
import { advance } from '../saving.js';

let ids = 0;
const newId = () => `id-${(ids += 1)}`;

/** The form of a post of which only the title matters. */
export function text(title: string): PostForm {
  return { ...EMPTY_FORM, title };
}

/** A draft as the server describes it. */
export function makePost(overrides: Partial<AdminPost> = {}): AdminPost {
  return {
    id: 'post',
    version: 3,
    state: 'draft',
    title: 'first',
    slug: 'first',
    excerpt: null,
    author: '',
    category: null,
    tags: null,
    is_published: false,
    published: { iso: '2025-01-05T00:00:00.000Z', short: 'Jan 5, 2025', long: 'January 5, 2025' },
    scheduled_at: null,
    deleted_at: null,
    has_unsaved_changes: false,
    created_at: '2025-01-05T00:00:00.000Z',
    updated_at: '2025-01-05T14:02:00.000Z',
    published_date: null,
    saved: text('first'),
    working_copy: null,
    first_published_at: null,
    live_since: null,
    picture: null,
    saved_by: null,
    deleted_by: null,
    owner: null,
    save_id: null,
    ...overrides,
  };
}

/** The post as a release describes it that does not know captions. */
export function withoutCaption(post: AdminPost): AdminPost {
  const { image_caption: _unknown, ...saved } = post.saved;
  return { ...post, saved: saved as PostForm };
}

/** Runs events at their times, in milliseconds from {@link T0}, each once the one before was dealt with. */
export function run(
  events: readonly (readonly [at: number, event: SavingEvent])[],
  start = startSaving(makePost(), EMPTY_FORM, true),
) {
  return events.reduce<Saving>((state, [now, event]) => advance(state, event, { now: T0 + now, newId }), start);
}

export const T0 = 1_700_000_000_000;
export const edit = (title: string): SavingEvent => ({ type: 'edit', fields: text(title) });
export const answer = (given: Answer): SavingEvent => ({ type: 'answer', answer: given });
export const published = makePost({ version: 7, is_published: true, state: 'published' });
export const wake: SavingEvent = { type: 'wake' };
export const save: SavingEvent = { type: 'save' };
export const done = (title: string, version: number) =>
  answer({ kind: 'done', post: makePost({ version, saved: text(title) }) });
