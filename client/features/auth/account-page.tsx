import { useEffect, type ReactNode } from 'react';
import { PhoneLink } from '../../components/facts-list.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { accountDrawing } from '../../content/drawings/account.js';
import { focusPage } from '../../lib/focus-page.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';

interface AccountPageProps {
  readonly title: string;
  readonly lede?: string;
  readonly description: string;
  /** True when the page answers an action on the page before it, at the same address. */
  readonly isAnswer?: boolean;
  /** True where somebody got in. */
  readonly isSignedIn?: boolean;
  readonly children: ReactNode;
}

/** The frame of every account screen: a panel to act in, and help beside it. Search engines leave them out. */
export function AccountPage({
  title,
  lede,
  description,
  isAnswer = false,
  isSignedIn = false,
  children,
}: AccountPageProps) {
  useEffect(() => {
    if (isAnswer) focusPage();
  }, [isAnswer, title]);
  return (
    <>
      <Head title={title} description={description} isHidden />
      <PageHeader drawing={accountDrawing} title={title} lede={lede} />
      <Section className="account-section">
        <div className="account-columns">
          <div className="panel account-panel">{children}</div>
          <Help isSignedIn={isSignedIn} />
        </div>
      </Section>
    </>
  );
}

function Help({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const { phone, hours } = useSite();
  return (
    <aside className="account-help" aria-labelledby="account-help">
      <h2 id="account-help">{isSignedIn ? 'Need a hand?' : 'Locked out?'}</h2>
      <p className="quiet">Call us and a person will sort it out with you. We never ask for your password.</p>
      <PhoneLink phone={phone} className="link" />
      <p className="quiet small">{hours}</p>
    </aside>
  );
}
