import { useQuery } from '@tanstack/react-query';
import type { TermLists } from '../../../../src/shared/contracts/terms.js';
import { adminPaths } from '../../../../src/shared/admin-paths.js';
import { useAdminApi } from '../../../lib/admin-context.js';

/** Fields that are completed from those of other posts. */
export type CompletedField = 'author' | 'category' | 'tags';

/** The names that posts have, for completing while somebody types; none until they are there. */
export function useUsedNames(): TermLists {
  const api = useAdminApi();
  const { data } = useQuery({
    queryKey: ['terms'],
    queryFn: ({ signal }) => api.get<TermLists>(adminPaths.terms, { signal, isBackground: true }),
  });
  return data ?? { authors: [], categories: [], tags: [] };
}

/** Returns the values that a field can be completed to: of tags, what was typed with one more behind the last comma. */
export function toCompletions(
  field: CompletedField,
  value: string,
  { authors, categories, tags }: TermLists,
): string[] {
  if (field === 'author') return authors.map(({ name }) => name);
  if (field === 'category') return categories.map(({ name }) => name);
  const typed = value.split(',').map((tag) => tag.trim());
  const before = typed.slice(0, -1).filter(Boolean);
  const free = tags.map(({ name }) => name).filter((name) => !before.includes(name));
  return free.map((name) => [...before, name].join(', '));
}
