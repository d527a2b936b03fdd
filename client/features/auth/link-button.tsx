import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages, linkTexts } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { needsCode, useAuthClient } from '../../lib/session.js';
import { useSite } from '../../lib/site-context.js';
import { showToast } from '../../lib/toast.js';
import { describeAuthError } from './describe-auth-error.js';
import { followLink } from './follow-link.js';
import type { LinkOutcome, MailLink } from './mail-link.js';

interface LinkButtonProps {
  readonly link: MailLink;
  readonly onEnd: (outcome: LinkOutcome) => void;
  /** Called with the address in another application where the visitor goes on. */
  readonly onLeave: (url: string) => void;
}

/** Spends a link from a mail, when it is pressed and not before. */
export function LinkButton({ link, onEnd, onLeave }: LinkButtonProps) {
  const getClient = useAuthClient();
  const { accounts } = useSite();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const texts = linkTexts[link.type];

  const tellFailure = (text: string) => {
    setFailure(text);
    showToast({ kind: 'error', title: accountMessages.failed, text });
  };

  /** The outcome, or null after a failure that another press may overcome. */
  const spend = async (): Promise<LinkOutcome | null> => {
    const auth = await getClient();
    const { data, error } = await auth.verifyOtp({ token_hash: link.tokenHash, type: link.type });
    if (error?.code === 'otp_expired') return 'expired';
    if (error) {
      tellFailure(describeAuthError(error));
      return null;
    }
    if (!data.session) return 'half-done';
    if (link.type === 'magiclink' && needsCode(data.session)) return 'needs-code';
    return ['recovery', 'invite', 'magiclink'].includes(link.type) ? 'leads-on' : 'done';
  };

  const handlePress = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    try {
      if (link.application !== null) {
        const followed = await followLink(accounts.url, link);
        return 'url' in followed ? onLeave(followed.url) : tellFailure(followed.failure);
      }
      const outcome = await spend();
      if (outcome) onEnd(outcome);
    } catch (error) {
      logError('The link failed:', error);
      tellFailure(accountMessages.unreachable);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <div className="stack">
      <Button aria-disabled={isBusy} onClick={() => void handlePress()}>
        {isBusy ? texts.busy : texts.button}
      </Button>
      <div role="status">
        {failure ? (
          <Notice kind="error">
            <p>{failure}</p>
          </Notice>
        ) : null}
      </div>
    </div>
  );
}
