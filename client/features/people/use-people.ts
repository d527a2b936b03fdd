import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { InvitedPerson, Person, TakenBackRole } from '../../../src/shared/contracts/people.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { paths } from '../../../src/shared/paths.js';
import { START_PATH } from '../../../src/shared/start-path.js';
import type { Outcome } from '../../components/outcome.js';
import {
  describeInvitation,
  nameOf,
  peopleMessages as messages,
  rightWords,
  toRoleInput,
  type Right,
} from '../../content/people.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { describeError, isAccessDenied, isGone } from '../../lib/api-errors.js';
import { useSite } from '../../lib/site-context.js';
import { useTurns } from '../../lib/use-turns.js';

const PEOPLE_KEY = ['people'] as const;

/** Everybody who has a role. */
export function usePeople() {
  const api = useAdminApi();
  return useQuery({
    queryKey: PEOPLE_KEY,
    queryFn: ({ signal }) => api.get<Person[]>(adminPaths.people, { signal, isBackground: true }),
  });
}

/** Actions of the screen, one after another. The page tells how the last one ended. */
export function usePeopleActions() {
  const api = useAdminApi();
  const queries = useQueryClient();
  const { timeZone } = useSite();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const inTurn = useTurns();
  /** By what was shown when they were asked for: whoever chooses twice in a row is not overtaken by themselves. */
  const answers = useRef(new WeakMap<Person, Person>());
  /** Before the outcome is told: the list is read anew a moment later, or not at all. */
  const show = (id: string, now: Person | null) =>
    queries.setQueryData<Person[]>(PEOPLE_KEY, (people) =>
      people?.flatMap((person) => (person.id === id ? (now ?? []) : person)),
    );

  const attempt = async (failure: string, work: () => Promise<Outcome>): Promise<boolean> => {
    setIsBusy(true);
    setOutcome(null);
    try {
      setOutcome(await work());
      return true;
    } catch (error) {
      if (!isAccessDenied(error))
        setOutcome({ kind: 'error', title: failure, text: describeError(error), takesFocus: isGone(error) });
      return false;
    } finally {
      setIsBusy(false);
      void queries.invalidateQueries({ queryKey: PEOPLE_KEY });
    }
  };
  /** Returns true once it is done. */
  const run = (failure: string, work: () => Promise<Outcome>) => inTurn(() => attempt(failure, work));

  const invite = async (email: string, right: Right) => {
    // A second press is no second invitation.
    if (isBusy) return false;
    return await run(messages.inviteFailed, async () => {
      const input = { email, ...toRoleInput(right) };
      const invited = await api.post<InvitedPerson>(adminPaths.people, input);
      const title = invited.outcome === 'invited' ? 'Invited' : 'Done';
      return { kind: 'success', title, text: describeInvitation(invited, timeZone) };
    });
  };

  const isSelf = ({ id }: Person) => id === api.person.userId;

  const change = (person: Person, right: Right) =>
    run(messages.changeFailed, async () => {
      const { role: seen_role, may_publish: seen_may_publish } = answers.current.get(person) ?? person;
      const input = { ...toRoleInput(right), seen_role, seen_may_publish };
      const put = () => api.put<Person>(adminPaths.person(person.id), input);
      if (isSelf(person) && right !== 'admin') {
        await api.leave(put);
        return await goOnAt(START_PATH);
      }
      const changed = await put();
      answers.current.set(person, changed);
      show(person.id, changed);
      return { kind: 'success', title: nameOf(changed), text: rightWords[right] };
    });

  const takeBack = (person: Person) =>
    run(messages.takeBackFailed, async () => {
      const remove = () => api.delete<TakenBackRole>(adminPaths.person(person.id));
      if (isSelf(person)) {
        await api.leave(remove);
        return await goOnAt(paths.home);
      }
      const taken = await remove();
      const { drafts, drafts_to: to, is_withdrawn: isWithdrawn } = taken;
      show(person.id, null);
      const posts = drafts === 1 ? '1 unpublished post is' : `${drafts} unpublished posts are`;
      const text = drafts === 0 ? '' : `${posts} with ${to ?? 'nobody'} now.`;
      // Whoever has come meanwhile keeps their account.
      const title = isWithdrawn ? 'Invitation withdrawn' : `${nameOf(person)} has no role any more`;
      return { kind: 'success', title, takesFocus: true, ...(text ? { text } : {}) };
    });

  return { invite, change, takeBack, isBusy, outcome, dismiss: () => setOutcome(null) };
}

/** Loads another page as somebody who is no administrator any more: the next reading would be refused. */
async function goOnAt(path: string): Promise<never> {
  // Put aside as it is, this page would come back as one of an administrator who waits for an answer.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  location.assign(path);
  return await new Promise<never>(() => undefined);
}

/** See {@link usePeopleActions}. */
export type PeopleActions = ReturnType<typeof usePeopleActions>;
