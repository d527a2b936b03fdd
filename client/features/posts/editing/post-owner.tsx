import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { GivenPost, PostOwner } from '../../../../src/shared/contracts/admin-posts.js';
import type { Person } from '../../../../src/shared/contracts/people.js';
import { adminPaths } from '../../../../src/shared/admin-paths.js';
import { editorMessages } from '../../../content/post-editor.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { describeError, isAccessDenied } from '../../../lib/api-errors.js';
import { showToast } from '../../../lib/toast.js';

interface PostOwnerFieldProps {
  readonly postId: string;
  readonly owner: PostOwner | null;
}

/** Says whose a post is, and gives it to somebody else at once: an owner is no part of what is saved. */
export function PostOwnerField({ postId, owner }: PostOwnerFieldProps) {
  const id = useId();
  const api = useAdminApi();
  const [given, setGiven] = useState<GivenPost>({ owner });
  const [isBusy, setIsBusy] = useState(false);
  const people = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => api.get<Person[]>(adminPaths.people, { signal, isBackground: true }),
    staleTime: 60_000,
  });
  const choices = people.data ?? [];
  const isListed = given.owner === null || choices.some((person) => person.id === given.owner?.id);

  const give = async (userId: string | null) => {
    setIsBusy(true);
    try {
      setGiven(await api.put<GivenPost>(adminPaths.owner(postId), { user_id: userId }));
      showToast({ kind: 'success', title: editorMessages.given });
    } catch (error) {
      if (!isAccessDenied(error)) showToast({ kind: 'error', title: 'Error', text: describeError(error) });
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <div className="field">
      <label htmlFor={id}>Belongs to</label>
      <select
        id={id}
        value={given.owner?.id ?? ''}
        aria-disabled={isBusy}
        onChange={({ target }) => {
          if (!isBusy) void give(target.value === '' ? null : target.value);
        }}
      >
        <option value="">Nobody</option>
        {isListed ? null : <option value={given.owner.id}>{given.owner.email ?? 'Somebody'}</option>}
        {choices.map((person) => (
          <option key={person.id} value={person.id}>
            {person.email ?? person.id}
          </option>
        ))}
      </select>
    </div>
  );
}
