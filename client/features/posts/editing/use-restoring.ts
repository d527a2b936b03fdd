import { useCallback, useRef, useState } from 'react';
import type { PostForm, Revision } from '../../../../src/shared/contracts/admin-posts.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { findContestedBase } from './contested-base.js';
import { useLeftCopies } from './copies-panel.js';
import type { Restored } from './editor-notices.js';
import type { LocalCopies, LocalCopy } from './local-copies.js';
import type { PostApi } from './post-api.js';
import type { Replacement, Saver, SaverState } from './saver.js';

interface RestoringParts {
  readonly postId: string;
  readonly isNew: boolean;
  readonly saver: Saver;
  readonly state: SaverState;
  readonly copies: LocalCopies;
  readonly api: PostApi;
}

/** Puts texts of this device and earlier versions into the form, and takes that back. */
export function useRestoring({ postId, isNew, saver, state, copies, api }: RestoringParts) {
  const { person } = useAdminApi();
  const [restored, setRestored] = useState<Restored | null>(null);
  const [inForm, setInForm] = useState<ReadonlySet<string>>(new Set());
  const isThere = useRef(new Map<string, Promise<boolean>>());
  const isAsking = useRef(false);
  const findCopies = useCallback(
    async (store: LocalCopies) => {
      if (!isNew) return store.ofPost(postId);
      // The editor of a post that is gone cannot be opened any more: whoever begins another one is offered its text.
      const known = store.ofKnownPosts();
      const askOnce = (id: string) => {
        const asked = isThere.current.get(id) ?? api.isThere(id);
        isThere.current.set(id, asked);
        return asked;
      };
      const states = await Promise.all(known.map(({ postId: id }) => askOnce(id)));
      return [...store.ofNewPosts(), ...known.filter((_copy, index) => states[index] === false)];
    },
    [api, isNew, postId],
  );
  const { left, refresh } = useLeftCopies(copies, findCopies, state, inForm);

  const restore = (what: string, next: PostForm, from: Replacement) => {
    // Somebody may have written on since this was asked for.
    const before = saver.getState().fields;
    const aside = saver.replace(next, from);
    setRestored({ what, before, aside, copy: from.copy ?? null });
    if (from.copy) setInForm(new Set([...inForm, from.copy.key]));
    void refresh();
  };

  /** The dialog of a conflict shows both. */
  const contest = (copy: LocalCopy, base: PostForm) => {
    saver.replace(copy.fields, { copy, base });
    setRestored(null);
    setInForm(new Set([...inForm, copy.key]));
    void refresh();
  };

  return {
    left,
    refresh,
    restored,
    restoreCopy: async (copy: LocalCopy) => {
      // Whoever presses twice wants it once, and undo to bring back what was there before.
      if (isAsking.current) return;
      isAsking.current = true;
      const base = await findContestedBase(api, saver.getState(), copy, person.email).finally(() => {
        isAsking.current = false;
      });
      if (base === null) restore('The text of this device', copy.fields, { copy });
      else contest(copy, base);
    },
    restoreRevision: ({ id, fields }: Revision) => restore('An earlier version', fields, { revisionId: id }),
    undo: ({ before, aside, copy }: Restored) => {
      saver.replace(before, aside ? { copy: aside } : {});
      setRestored(null);
      // What was in the form lies on this device again, and the other way round.
      setInForm(new Set([...inForm, aside?.key ?? ''].filter((key) => key !== copy?.key)));
      void refresh();
    },
    discardCopy: (copy: LocalCopy) => {
      copies.remove(copy.key);
      void refresh();
    },
  };
}
