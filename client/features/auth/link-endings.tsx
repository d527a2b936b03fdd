import { useEffect } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import type { LinkType } from '../../content/accounts.js';
import { useAuthClient, useSession } from '../../lib/session.js';
import { AccountForm } from './account-form.js';
import { EmailField } from './fields.js';
import { useResendConfirmation } from './use-sign-in.js';

/** The link was good and is spent, or its code was. The session that it began may lack the second factor still. */
export function LinkConfirmed({ type, next }: { readonly type: LinkType; readonly next: string }) {
  const { status } = useSession();
  const what = type === 'email_change' ? 'Your new email address is confirmed.' : 'Your email address is confirmed.';
  return (
    <div className="stack">
      <Notice kind="success">
        <p>
          {what}
          {status === 'signed-in' ? ' You are signed in.' : null}
          {status === 'needs-code' ? ' Your account asks for a second proof that it is you.' : null}
        </p>
      </Notice>
      {status === 'needs-code' ? (
        <ButtonLink to={paths.auth}>Finish signing in</ButtonLink>
      ) : (
        <ButtonLink to={next}>Continue</ButtonLink>
      )}
    </div>
  );
}

/** The first of the two confirmations that a new address needs. */
export function LinkHalfDone() {
  return (
    <Notice kind="success">
      <p>Thank you. Now open the link that we sent to your other address; both have to agree to the change.</p>
    </Notice>
  );
}

/** The link belongs to another application, which has the session and says how it went. */
export function LinkLeadsAway({ url }: { readonly url: string }) {
  useEffect(() => {
    // Not assigned: the way back must not lead to a spent link.
    location.replace(url);
  }, [url]);
  return (
    <div className="stack">
      <p>
        You go on in the application that asked for this email. If nothing opens,{' '}
        <a className="link" href={url}>
          open it yourself
        </a>
        .
      </p>
      <p className="quiet small">You can close this page once you are there.</p>
    </div>
  );
}

/** The link was spent before, is too old, or never was one. */
export function LinkFailed({ type }: { readonly type: LinkType | null }) {
  return (
    <>
      <Notice kind="error">
        <p>Each link works once and only for a while, so this one was used already or is too old.</p>
      </Notice>
      {type === 'invite' ? (
        <p>Ask whoever invited you to send the invitation again: it is one press for them, in the list of people.</p>
      ) : type === 'recovery' ? (
        <p>
          <ButtonLink to={paths.authRecover}>Send me a new link</ButtonLink>
        </p>
      ) : type === 'email_change' ? (
        <>
          <p>Your account shows which address it has now. New links come when you ask for the change again there.</p>
          <p>
            <ButtonLink to={paths.account}>Go to your account</ButtonLink>
          </p>
        </>
      ) : (
        <NewLink type={type} />
      )}
    </>
  );
}

function NewLink({ type }: { readonly type: LinkType | null }) {
  const isForSignUp = type === 'signup' || type === 'email';
  return (
    <>
      {/* Links that sign in go to addresses that are confirmed: nobody would get another one. */}
      {type === 'magiclink' ? null : (
        <>
          <ConfirmationForm />
          <p className="quiet small">If your address is confirmed already, you can simply sign in.</p>
        </>
      )}
      <div className="row">
        <ButtonLink kind="line" to={paths.auth}>
          Sign in
        </ButtonLink>
        {isForSignUp ? null : (
          <ButtonLink kind="line" to={paths.authRecover}>
            Choose a new password
          </ButtonLink>
        )}
      </div>
    </>
  );
}

function ConfirmationForm() {
  const getClient = useAuthClient();
  const resendConfirmation = useResendConfirmation();
  return (
    <AccountForm
      contract="address"
      action={paths.authConfirm}
      submitLabel="Send a new link"
      busyLabel="Sending..."
      onSend={async ({ email }) => resendConfirmation(await getClient(), email)}
    >
      {(problems) => <EmailField problems={problems} />}
    </AccountForm>
  );
}

/** Somebody came here without a link, or with a part of one. */
export function LinkMissing() {
  return (
    <div className="stack">
      <p>
        This page opens from the links in our emails. If you came from one, part of the link was lost: copy all of it
        into the address bar, or type in the code that the email has beside it.
      </p>
      <div className="row">
        <ButtonLink to={paths.authCode}>Type in the code</ButtonLink>
        <ButtonLink kind="line" to={paths.auth}>
          Sign in
        </ButtonLink>
        <ButtonLink kind="line" to={paths.home}>
          Return to Home
        </ButtonLink>
      </div>
    </div>
  );
}
