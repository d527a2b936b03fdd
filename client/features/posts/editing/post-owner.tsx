import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { GivenPost, PostOwner } from '../../../../src/shared/contracts/admin-posts.js';
import type { Person } from '../../../../src/shared/contracts/people.js';
import { adminPaths } from '../../../../src/shared/admin-paths.js';
import { Button } from '../../../components/button.js';
import { editorMessages } from '../../../content/post-editor.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { describeError, isAccessDenied } from '../../../lib/api-errors.js';
import { showToast } from '../../../lib/toast.js';

/** The choice of no owner. */
const NOBODY = '';

interface PostOwnerFieldProps {
  readonly postId: string;
  readonly owner: PostOwner | null;
}

/**
 * Says whose a post is, and gives it to somebody else: an owner is no part of what is saved. A choice alone does nothing, as
 * with the arrow keys each that is passed is one.
 */
export function PostOwnerField({ postId, owner }: PostOwnerFieldProps) {
  const id = useId();
  const api = useAdminApi();
  const [given, setGiven] = useState<GivenPost>({ owner });
  const [chosen, setChosen] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const people = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => api.get<Person[]>(adminPaths.people, { signal, isBackground: true }),
    staleTime: 60_000,
  });
  const choices = people.data ?? [];
  const isListed = given.owner === null || choices.some((person) => person.id === given.owner?.id);
  const ownerId = given.owner?.id ?? NOBODY;
  const receiver = chosen ?? ownerId;
  const isIdle = isBusy || receiver === ownerId;

  const give = async () => {
    if (isIdle) return;
    setIsBusy(true);
    try {
      const input = { user_id: receiver === NOBODY ? null : receiver };
      setGiven(await api.put<GivenPost>(adminPaths.owner(postId), input));
      // Whoever was chosen meanwhile is the next one.
      setChosen((latest) => (latest === receiver ? null : latest));
      showToast({ kind: 'success', title: editorMessages.given });
    } catch (error) {
      if (!isAccessDenied(error)) showToast({ kind: 'error', title: 'Error', text: describeError(error) });
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <div className="choice-field">
      <div className="field">
        <label htmlFor={id}>Belongs to</label>
        <select id={id} value={receiver} onChange={({ target }) => setChosen(target.value)}>
          <option value={NOBODY}>Nobody</option>
          {isListed ? null : <option value={given.owner.id}>{given.owner.email ?? 'Somebody'}</option>}
          {choices.map((person) => (
            <option key={person.id} value={person.id}>
              {person.email ?? person.id}
            </option>
          ))}
        </select>
      </div>
      <Button kind="line" aria-disabled={isIdle} onClick={() => void give()}>
        Give<span className="visually-hidden"> the post</span>
      </Button>
    </div>
  );
}
