import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { isForAuthors } from '../../../src/shared/author-screens.js';
import type { Role } from '../../../src/shared/contracts/roles.js';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import type { AdminApi, Person } from '../../lib/admin-api.js';
import { AdminApiProvider } from '../../lib/admin-context.js';
import { createAdminQueries } from '../../lib/admin-queries.js';
import type { SessionPrompt } from '../../lib/session-prompt.js';
import { useSession } from '../../lib/session.js';
import { START_PATH } from '../../../src/shared/start-path.js';
import { AdminHead, ScreenHead } from './screen.js';
import { useStanding } from './use-standing.js';

interface AdminGateProps {
  /** Called when somebody turns out to have no role (any more). */
  readonly onDenied: () => void;
  /** Asks for the password when the session ends. */
  readonly PasswordDialog: ComponentType<{ readonly person: Person; readonly prompt: SessionPrompt }>;
  /** Called with the role of who is let in. */
  readonly onAdmitted: (role: Role) => void;
  readonly children: ReactNode;
}

/**
 * Shows its children to administrators, and to authors where these have something to do. On the server, and until the
 * user is known, everybody gets the same.
 */
export function AdminGate({ onDenied, onAdmitted, PasswordDialog, children }: AdminGateProps) {
  const standing = useStanding(onDenied);
  const { pathname } = useLocation();
  const role = standing.kind === 'admitted' ? standing.api.person.role : null;
  useEffect(() => {
    if (role !== null) onAdmitted(role);
  }, [role, onAdmitted]);
  if (standing.kind === 'failed') return <Failed reason={standing.reason} retry={standing.retry} />;
  if (standing.kind === 'checking') return <Checking />;
  const { api, prompt } = standing;
  return (
    <Admitted key={api.person.userId} api={api}>
      <SessionNotice person={api.person} prompt={prompt} />
      {role === 'admin' || isForAuthors(pathname) ? children : <NotForAuthors />}
      <PasswordDialog person={api.person} prompt={prompt} />
    </Admitted>
  );
}

function Admitted({ api, children }: { readonly api: AdminApi; readonly children: ReactNode }) {
  const [queries] = useState(createAdminQueries);
  return (
    <QueryClientProvider client={queries}>
      <AdminApiProvider api={api}>{children}</AdminApiProvider>
    </QueryClientProvider>
  );
}

/** Stands in for the screens of administrators: none of their calls is made. */
function NotForAuthors() {
  return (
    <div className="stack">
      <ScreenHead title="For administrators" />
      <p>This part of the admin area is for administrators. Your posts are where they were.</p>
      <p>
        <a className="link" href={START_PATH}>
          Go to the start page
        </a>
      </p>
    </div>
  );
}

function Checking() {
  return (
    <>
      <AdminHead title="Admin" />
      <p className="admin-waiting quiet">One moment...</p>
      <noscript>
        <Notice>The admin area needs JavaScript.</Notice>
      </noscript>
    </>
  );
}

function Failed({ reason, retry }: { readonly reason: string; readonly retry: () => void }) {
  return (
    <div className="admin-waiting stack">
      <AdminHead title="Admin" />
      <h1>Admin</h1>
      <div role="alert">
        <Notice kind="error">{reason}</Notice>
      </div>
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}

/** Warns when the session has ended, or somebody else has signed in meanwhile. The page itself stays, because it may hold unsaved work. */
function SessionNotice({ person, prompt }: { readonly person: Person; readonly prompt: SessionPrompt }) {
  const session = useSession();
  const isOther = session.status === 'signed-in' && session.userId !== person.userId;
  const hasEnded = useSyncExternalStore(prompt.subscribe, prompt.hasEnded, () => false);
  const isAway = hasEnded || session.status === 'signed-out' || session.status === 'needs-code' || isOther;
  useReloadAfter(isAway);
  return (
    <div role="status" className="session-notice">
      {isAway ? (
        <Notice kind="error">
          <p>
            {isOther
              ? `This page belongs to ${person.email}, but ${session.email} has signed in in this browser.`
              : 'You have been signed out. What you see here is kept, but nothing can be saved.'}
          </p>
          <div className="row">
            <Button isSmall onClick={() => void prompt.ask()}>
              Sign in as {person.email}
            </Button>
            {isOther ? (
              // A page load: everything is read anew, as the other person.
              <a className="link" href={paths.admin.blogs} data-full-load>
                Go on as {session.email}
              </a>
            ) : null}
          </div>
        </Notice>
      ) : null}
    </div>
  );
}

/** Reads everything anew that is shown, when the person is back: it may have failed to load meanwhile. */
function useReloadAfter(isAway: boolean): void {
  const queries = useQueryClient();
  const wasAway = useRef(isAway);
  useEffect(() => {
    if (wasAway.current && !isAway) void queries.invalidateQueries();
    wasAway.current = isAway;
  }, [isAway, queries]);
}
