import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EMPTY_FORM } from '../../../../src/shared/contracts/admin-posts.js';
import { LocalCopies, type LocalCopy } from './local-copies.js';
import { FakeStorage } from './testing/fake-storage.js';

const LONG = '<p>Ten words of a post that somebody wrote long ago.</p>'.repeat(1_000);

function open(storage = new FakeStorage()) {
  const copies = new LocalCopies(storage, 'user');
  const key = copies.keyFor('post', 'editor');
  let count = 0;
  const put = (content: string, other: Partial<LocalCopy> = {}) => {
    const at = new Date((count += 1)).toISOString();
    return copies.put({
      key,
      postId: 'post',
      version: 1,
      at,
      reason: 'unsent',
      fields: { ...EMPTY_FORM, content },
      ...other,
    });
  };
  /** As a page finds it that opens later. */
  const find = () => new LocalCopies(storage, 'user').ofPost('post');
  return { storage, copies, key, put, find };
}

describe('the copy of a text', () => {
  it('is found as it was written last, whatever was typed', () => {
    const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 5_000 }), text: fc.string({ maxLength: 3_000 }) });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        const { put, find } = open();
        let content = LONG;
        for (const { at, removed, text } of edits) {
          const from = at % (content.length + 1);
          content = content.slice(0, from) + text + content.slice(from + removed);
          put(content, { version: removed });
          expect(find()).toMatchObject([{ version: removed, fields: { content } }]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is not written whole at every key', () => {
    const { storage, put, find } = open();
    put(LONG);
    const before = storage.written;
    let typed = '';
    for (let key = 0; key < 1_000; key += 1) {
      typed += 'x';
      put(LONG.slice(0, 20_000) + typed + LONG.slice(20_000));
    }
    expect(storage.written - before).toBeLessThan(LONG.length * 30);
    expect(find()[0]?.fields.content).toContain(typed);
  });

  it('is whole again in a storage that somebody emptied', () => {
    const { storage, put, find, key } = open();
    put(LONG);
    storage.removeItem(key);
    put(`${LONG}<p>And more.</p>`);
    expect(find()[0]?.fields.content).toBe(`${LONG}<p>And more.</p>`);
  });

  it('is the earlier one, never a mixture, when the page dies between two writings', () => {
    const { storage, put, find } = open();
    put('first');
    put('first, then');
    // The next one is written whole, and what belonged to the one before stays where it was.
    storage.removeItem = () => undefined;
    put(LONG);
    expect(find()).toMatchObject([{ fields: { content: LONG } }]);
  });

  it('goes with all that belongs to it', () => {
    const { storage, put, copies, key } = open();
    put(LONG);
    put(`${LONG}more`);
    copies.remove(key);
    expect(storage.length).toBe(0);
  });

  it('is refused where there is no room, and the one before stays', () => {
    const { storage, put, find } = open();
    expect(put('first')).toBe(true);
    storage.isFull = true;
    expect([put('second'), put(LONG)]).toEqual([false, false]);
    expect(find()).toMatchObject([{ fields: { content: 'first' } }]);
    expect(new LocalCopies(null, 'user').put(find()[0]!)).toBe(false);
    storage.isFull = false;
    expect(put('third')).toBe(true);
    expect(find()).toMatchObject([{ fields: { content: 'third' } }]);
  });

  it('of the release before is read without its switch, and can be removed', () => {
    const { storage, find, copies } = open();
    const draft = { fields: { ...EMPTY_FORM, title: 'Old' }, isPublished: true };
    const former = { postId: 'post', version: 3, at: '2026-11-21T10:00:00.000Z', reason: 'unsent', draft };
    storage.setItem('post-copy-1:user:post:other', JSON.stringify(former));
    storage.setItem('post-copy-1:somebody:post:other', JSON.stringify(former));
    const [copy, ...others] = find();
    const { draft: _, ...rest } = former;
    expect(copy).toEqual({ ...rest, key: 'post-copy-1:user:post:other', fields: draft.fields });
    expect(others).toEqual([]);
    copies.remove(copy!.key);
    expect(find()).toEqual([]);
  });

  it('of the release before has its date noted beside the text', () => {
    const { storage, find, key } = open();
    const fields = { ...EMPTY_FORM, title: 'Old', published_date: '2020-01-05T20:00:00.000Z' };
    const copy = { postId: 'post', version: 3, at: '2026-11-21T10:00:00.000Z', reason: 'unsent' };
    storage.setItem('post-copy-1:user:post:other', JSON.stringify({ ...copy, draft: { fields } }));
    storage.setItem(key, JSON.stringify({ ...copy, fields, base: '1' }));
    const change = { base: '1', version: 3, at: copy.at, content: { from: 0, to: 0, text: 'More' } };
    storage.setItem(`post-copy-2-change${key.slice(11)}`, JSON.stringify({ ...change, fields }));
    for (const { fields: read, unsavedDate } of find()) {
      expect(Object.keys(read).sort()).toEqual(Object.keys(EMPTY_FORM).sort());
      expect(unsavedDate).toEqual({ to: '2020-01-05T20:00:00.000Z' });
    }
    expect(find()).toHaveLength(2);
  });

  it('is no reason to stop when something else lies under its name', () => {
    const { storage, put, find, key } = open();
    put('text');
    const records = ['', 'null', '5', '{}', '{"base":', '{"postId":"post","at":5}'];
    for (const [index, record] of records.entries()) {
      storage.setItem(`${key}${index}`, record);
      storage.setItem(`post-copy-1:user:post:${index}`, record);
    }
    expect(find()).toMatchObject([{ key, fields: { content: 'text' } }]);
  });
});
