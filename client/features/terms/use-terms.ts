import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RenamedTerm, RenameTermInput, TermLists } from '../../../src/shared/contracts/terms.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import type { Outcome } from '../../components/outcome.js';
import { countPosts, termMessages as messages } from '../../content/terms.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { ApiError, describeError, isAccessDenied } from '../../lib/api-errors.js';

const TERMS_KEY = ['terms'] as const;

/** All categories and tags. */
export function useTerms() {
  const api = useAdminApi();
  return useQuery({
    queryKey: TERMS_KEY,
    queryFn: ({ signal }) => api.get<TermLists>(adminPaths.terms, { signal, isBackground: true }),
  });
}

/** Renames a term; tells how it ended, and reads everything anew that shows terms. */
export function useRenaming() {
  const api = useAdminApi();
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  /** Returns true once the term has its new name. */
  const rename = async (input: RenameTermInput): Promise<boolean> => {
    setIsBusy(true);
    setOutcome(null);
    try {
      const { name, changed, is_merged } = await api.post<RenamedTerm>(adminPaths.renameTerm, input);
      const title = is_merged ? messages.merged : messages.renamed;
      const text = `“${input.from}” is “${name}” now in ${countPosts(changed)}.`;
      setOutcome({ kind: 'success', title, text, takesFocus: true });
      return true;
    } catch (error) {
      // Its row leaves the page with the form in it.
      const takesFocus = error instanceof ApiError && 'from' in error.fields;
      if (!isAccessDenied(error))
        setOutcome({ kind: 'error', title: messages.failed, text: describeError(error), takesFocus });
      return false;
    } finally {
      setIsBusy(false);
      // Posts and the values of their filters too.
      void queries.invalidateQueries();
    }
  };

  return { rename, isBusy, outcome, dismiss: () => setOutcome(null) };
}
