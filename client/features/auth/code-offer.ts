import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import type { CodePurpose } from '../../content/accounts.js';
import type { FormAnswer } from './account-form.js';

/** A mail that was asked for in this tab. Its address stands in the state of the navigation, and in no URL. */
export interface BegunCode {
  readonly purpose: CodePurpose;
  readonly email: string;
}

/** Returns true when the state of a navigation holds such a mail. */
export function isBegunCode(state: unknown): state is { readonly begun: BegunCode } {
  return typeof state === 'object' && state !== null && 'begun' in state;
}

/** Offers the page for the code of a mail that is announced. */
export function useCodeOffer(): (begun: BegunCode) => NonNullable<FormAnswer['action']> {
  const navigate = useNavigate();
  return useCallback(
    (begun) => ({
      label: 'Type in the code',
      run: () => {
        void navigate(paths.authCode, { state: { begun } });
        return null;
      },
    }),
    [navigate],
  );
}
