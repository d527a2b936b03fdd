import { describe, expect, it } from '@jest/globals';
import { EMPTY_FORM } from '../../../../src/shared/contracts/admin-posts.js';
import { findContestedBase } from './contested-base.js';
import type { LocalCopy } from './local-copies.js';
import { makePost } from './testing/saving-steps.js';

const [ANN, BOB] = ['ann@example.com', 'bob@example.com'];
const copy = { key: 'a', postId: 'p', version: 2, at: '', reason: 'unsent', fields: EMPTY_FORM } as const;
const base = { ...EMPTY_FORM, title: 'As it was' };

/** Asks about versions, the newest first, one on each page. */
function find(versions: readonly (readonly [number, string | null])[], of: LocalCopy = copy, saved_by = ANN) {
  const api = {
    listRevisions: (_id: string, cursor: string | null) => {
      const at = Number(cursor ?? 0);
      const [version, author] = versions[at] ?? [];
      const items = version === undefined ? [] : [{ id: `${version}`, version, author }];
      return Promise.resolve({ items, next_cursor: at + 1 < versions.length ? `${at + 1}` : null } as never);
    },
    findRevision: (_id: string, id: string) =>
      id === '1' ? Promise.resolve({ fields: base } as never) : Promise.reject(new Error(id)),
  };
  return findContestedBase(api, { server: makePost({ saved_by }), version: 5 }, of, ANN);
}

describe('the text from which a copy of this device began', () => {
  it('is found where somebody else changed the post since', async () => {
    expect(
      await find([
        [5, ANN],
        [4, BOB],
        [1, ANN],
      ]),
    ).toEqual(base);
    expect(
      await find([
        [3, null],
        [1, BOB],
      ]),
    ).toEqual(base);
  });

  it('does not matter where nobody did, or where the copy is not older', async () => {
    expect(
      await find([
        [5, ANN],
        [1, BOB],
      ]),
    ).toBeNull();
    expect(await find([])).toBeNull();
    expect(
      await find(
        [
          [4, BOB],
          [1, ANN],
        ],
        { ...copy, version: 5 },
      ),
    ).toBeNull();
    expect(
      await find(
        [
          [4, BOB],
          [1, ANN],
        ],
        { ...copy, reason: 'mine' },
      ),
    ).toBeNull();
  });

  it('is empty where it is gone, or nobody can be asked, so that all of it is compared', async () => {
    expect(await find([[4, BOB]])).toEqual(EMPTY_FORM);
    const unreachable = [
      [4, BOB],
      [2, ANN],
    ] as const;
    expect(await find(unreachable, copy, BOB)).toEqual(EMPTY_FORM);
    expect(await find(unreachable)).toBeNull();
  });
});
