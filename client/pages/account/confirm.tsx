import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { AccountPage } from '../../features/auth/account-page.js';
import { readLink, type LinkOutcome, type MailLink } from '../../features/auth/mail-link.js';
import { LinkButton } from '../../features/auth/link-button.js';
import {
  LinkConfirmed,
  LinkFailed,
  LinkHalfDone,
  LinkLeadsAway,
  LinkMissing,
} from '../../features/auth/link-endings.js';
import { LinkNeedsCode } from '../../features/auth/link-needs-code.js';
import { NoScriptNote } from '../../features/auth/no-script-note.js';
import { isLinkAnswer } from '../../features/auth/link-answer.js';
import { applicationFollows, linkTexts } from '../../content/accounts.js';
import { useIsHydrated } from '../../lib/use-is-hydrated.js';

const titles = {
  ready: 'One press to go',
  done: 'Confirmed',
  'half-done': 'Halfway there',
  expired: 'This link no longer works',
  refused: 'This link did not work',
  missing: 'Confirm a link',
  away: 'On your way',
} as const;

const DESCRIPTION = 'Confirm a link from one of our emails.';

/**
 * The page to which mailed links lead. Nothing happens until the button is pressed, because programs that scan mail
 * open every link, and each works only once. Links of other applications lead on to these (decision 64).
 */
export function Component() {
  return (
    <>
      {/* Its address holds a token. */}
      <meta name="referrer" content="no-referrer" />
      <Confirmation />
    </>
  );
}

function Confirmation() {
  const { search, state } = useLocation() as { readonly search: string; readonly state: unknown };
  const navigate = useNavigate();
  const isHydrated = useIsHydrated();
  const [away, setAway] = useState<string | null>(null);
  const [ended, setEnded] = useState<{ readonly outcome: LinkOutcome; readonly link: MailLink } | null>(null);
  // The server's page is the same for every link, so the link is only looked at from here on.
  const link = isHydrated ? readLink(search, location.origin) : null;
  const told = isHydrated && isLinkAnswer(state) ? state.answer : null;
  const outcome = ended?.outcome ?? told;

  const handleEnd = (reached: LinkOutcome, spent: MailLink) => {
    if (reached === 'leads-on') return void navigate(spent.next, { replace: true, state: spent.state });
    setEnded({ outcome: reached, link: spent });
    // The spent token has no business in the history. The focus goes to the heading, which is another one now.
    void navigate(paths.authConfirm, { replace: true });
  };

  const handleLeave = (url: string) => {
    setAway(url);
    void navigate(paths.authConfirm, { replace: true });
  };

  if (!isHydrated)
    return (
      <AccountPage title={titles.ready} description={DESCRIPTION}>
        <NoScriptNote />
      </AccountPage>
    );
  if (away !== null)
    return (
      <AccountPage title={titles.away} description={DESCRIPTION} isAnswer>
        <LinkLeadsAway url={away} />
      </AccountPage>
    );
  if (outcome === 'done' && ended)
    return (
      <AccountPage title={titles.done} description={DESCRIPTION} isAnswer>
        <LinkConfirmed {...ended.link} />
      </AccountPage>
    );
  if (outcome === 'needs-code' && ended) return <LinkNeedsCode next={ended.link.next} />;
  if (outcome === 'half-done')
    return (
      <AccountPage title={titles['half-done']} description={DESCRIPTION} isAnswer>
        <LinkHalfDone />
      </AccountPage>
    );
  if (outcome === 'expired' || outcome === 'refused')
    return (
      <AccountPage title={titles[outcome]} description={DESCRIPTION} isAnswer>
        <LinkFailed type={ended?.link.type ?? null} />
      </AccountPage>
    );
  if (!link)
    return (
      <AccountPage title={titles.missing} description={DESCRIPTION}>
        <LinkMissing />
      </AccountPage>
    );
  const { lede, here } = linkTexts[link.type];
  const follows = link.application === null ? here : applicationFollows;
  return (
    <AccountPage title={titles.ready} lede={`${lede} ${follows}`.trim()} description={DESCRIPTION}>
      <LinkButton link={link} onEnd={(reached) => handleEnd(reached, link)} onLeave={handleLeave} />
    </AccountPage>
  );
}
