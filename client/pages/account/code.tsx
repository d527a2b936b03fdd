import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { Notice } from '../../components/notice.js';
import { accountMessages, type CodePurpose } from '../../content/accounts.js';
import { AccountPage } from '../../features/auth/account-page.js';
import { CodeForm } from '../../features/auth/code-form.js';
import { isBegunCode } from '../../features/auth/code-offer.js';
import { findWorkplace } from '../../features/auth/fetch-me.js';
import { LinkConfirmed } from '../../features/auth/link-endings.js';
import { nextPage, nextState } from '../../features/auth/mail-link.js';
import { NoScriptNote } from '../../features/auth/no-script-note.js';
import { useAuthClient } from '../../lib/session.js';
import { useIsHydrated } from '../../lib/use-is-hydrated.js';

const TITLE = 'Type in your code';
const LEDE = 'Our emails have a code beside the link, for when you read them on another device.';
const DESCRIPTION = 'Type in the code from one of our emails.';

/** Takes a code where the mail was asked for, and ends where its link would have ended (product.md 2.11). */
export function Component() {
  const { state } = useLocation() as { readonly state: unknown };
  const navigate = useNavigate();
  const getClient = useAuthClient();
  const isHydrated = useIsHydrated();
  const [confirmed, setConfirmed] = useState<CodePurpose | null>(null);
  const [isHalfDone, setIsHalfDone] = useState(false);
  const [purpose, setPurpose] = useState<CodePurpose>('signup');
  // The server's page is the same for everybody.
  const begun = isHydrated && !isHalfDone && isBegunCode(state) ? state.begun : null;

  /** The form asks for address and purpose from here on. */
  const askAnew = (known: CodePurpose) => {
    setPurpose(known);
    void navigate(paths.authCode, { replace: true });
  };

  const handleEnd = async (outcome: 'done' | 'half-done' | 'leads-on' | 'needs-code', reached: CodePurpose) => {
    if (outcome === 'leads-on') {
      // A code has no target: the mail's link would have led there.
      const target = reached === 'invite' ? await findWorkplace(await getClient()) : null;
      const next = nextPage(reached, target, location.origin);
      return void navigate(next, { replace: true, state: nextState(reached, target, location.origin) });
    }
    // The page of the sign-in asks for the second factor.
    if (outcome === 'needs-code') return void navigate(paths.auth, { replace: true });
    if (outcome === 'half-done') setIsHalfDone(true);
    else setConfirmed(reached);
    askAnew(reached);
  };

  if (!isHydrated)
    return (
      <AccountPage title={TITLE} lede={LEDE} description={DESCRIPTION}>
        <NoScriptNote />
      </AccountPage>
    );
  if (confirmed)
    return (
      <AccountPage title="Confirmed" description={DESCRIPTION} isAnswer>
        <LinkConfirmed type={confirmed} next={paths.home} />
      </AccountPage>
    );
  return (
    <AccountPage
      title={isHalfDone ? 'Halfway there' : TITLE}
      lede={isHalfDone ? undefined : LEDE}
      description={DESCRIPTION}
      isAnswer={isHalfDone}
    >
      {isHalfDone ? (
        <Notice kind="success">
          <p>{accountMessages.codeHalf}</p>
        </Notice>
      ) : null}
      <CodeForm
        // Another address is another form: nothing that was typed or said for the former one stays.
        key={`${begun?.email} ${isHalfDone}`}
        begun={begun}
        purpose={purpose}
        onEnd={handleEnd}
        onOtherAddress={askAnew}
      />
    </AccountPage>
  );
}
