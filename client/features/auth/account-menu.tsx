import { useEffect, useState, type MouseEvent, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { DropDown } from '../../components/drop-down.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { accountMessages } from '../../content/accounts.js';
import { closeDialog } from '../../lib/close-dialog.js';
import { focusPage } from '../../lib/focus-page.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient, useSession } from '../../lib/session.js';
import { showToast } from '../../lib/toast.js';
import { describeAuthError } from './describe-auth-error.js';
import { fetchIsAdmin } from './fetch-me.js';
import { readLinkAnswer } from './link-answer.js';

/** Wide screens have the header, small ones the side menu. */
export type AccountPlace = 'header' | 'side-menu';

export interface AccountMenuProps {
  readonly place: AccountPlace;
  /** Called when somebody has signed out here, where the page cannot stay as it is. */
  readonly onSignedOut?: () => void;
}

/** The menu of somebody who is signed in, in the header or in the menu of small screens. */
export function AccountMenu({ place, onSignedOut }: AccountMenuProps) {
  const session = useSession();
  useLinkAnswer(place === 'header');
  if (session.status !== 'signed-in' && session.status !== 'needs-code') return null;
  if (place === 'side-menu')
    return (
      <section className="account-side" aria-label="Account">
        <AccountItems {...session} onSignedOut={onSignedOut} />
      </section>
    );
  const label = (
    <>
      <Icon shape={signs.person} />
      <span className="visually-hidden">Account</span>
    </>
  );
  return (
    <DropDown id="account-menu" label={label} edge="end" className="nav-link account-button">
      <AccountItems {...session} onSignedOut={onSignedOut} />
    </DropDown>
  );
}

/** An answer that a server's own link left in the address is told by the page for such links. */
function useLinkAnswer(isInCharge: boolean): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const answer = readLinkAnswer(hash);
  useEffect(() => {
    if (isInCharge && answer) void navigate(paths.authConfirm, { replace: true, state: { answer } });
  }, [isInCharge, answer, navigate]);
}

function useIsAdmin(userId: string): boolean {
  const getClient = useAuthClient();
  // The next page asks again where the last one was not told.
  const { pathname } = useLocation();
  const [admin, setAdmin] = useState<string | null>(null);
  useEffect(() => {
    getClient()
      .then((auth) => fetchIsAdmin(auth, userId))
      .then(
        (isAdmin) => setAdmin(isAdmin ? userId : null),
        (error: unknown) => logError('The role could not be read:', error),
      );
  }, [getClient, userId, pathname]);
  return admin === userId;
}

interface AccountItemsProps {
  readonly status: 'signed-in' | 'needs-code';
  readonly userId: string;
  readonly email: string;
  readonly onSignedOut: (() => void) | undefined;
}

function AccountItems({ status, userId, email, onSignedOut }: AccountItemsProps) {
  const { failure, signOut } = useSignOut(onSignedOut);
  const isComplete = status === 'signed-in';
  return (
    <>
      <p className="account-name">
        {isComplete ? 'Signed in as' : 'Not signed in yet:'} <b>{email}</b>
      </p>
      <ul role="list" className="account-items">
        {isComplete ? <AccountLinks userId={userId} /> : <AccountLink to={paths.auth}>Finish signing in</AccountLink>}
        <li>
          <button type="button" className="nav-link" onClick={(event) => void signOut('local', event)}>
            Sign out
          </button>
        </li>
        <li>
          <button type="button" className="nav-link" onClick={(event) => void signOut('global', event)}>
            Sign out everywhere
          </button>
        </li>
      </ul>
      <p role="alert" className="account-failure">
        {failure}
      </p>
    </>
  );
}

function AccountLinks({ userId }: { readonly userId: string }) {
  const isAdmin = useIsAdmin(userId);
  return (
    <>
      {isAdmin ? <AccountLink to={paths.admin.blogs}>Admin</AccountLink> : null}
      <AccountLink to={paths.account}>Your account</AccountLink>
      <AccountLink to={paths.authNewPassword}>Change password</AccountLink>
    </>
  );
}

function AccountLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <li>
      <a className="nav-link" href={to}>
        {children}
      </a>
    </li>
  );
}

function useSignOut(onSignedOut: (() => void) | undefined) {
  const getClient = useAuthClient();
  const [failure, setFailure] = useState<string | null>(null);

  const signOut = async (scope: 'local' | 'global', { currentTarget }: MouseEvent) => {
    // Gone from the page by the time the answer is here.
    const sideMenu = currentTarget.closest('dialog');
    setFailure(null);
    const { error } = await (await getClient()).signOut({ scope });
    if (error) {
      const text = describeAuthError(error);
      setFailure(text);
      showToast({ kind: 'error', title: accountMessages.signOutFailed, text });
      return;
    }
    closeDialog(sideMenu);
    showToast({
      kind: 'success',
      ...(scope === 'local' ? accountMessages.signedOut : accountMessages.signedOutEverywhere),
    });
    // The button that had the focus is gone.
    focusPage();
    onSignedOut?.();
  };

  return { failure, signOut };
}
