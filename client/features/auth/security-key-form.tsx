import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { useAuthClient } from '../../lib/session.js';
import { describeKeyError } from './describe-key-error.js';
import { useKeyAttempt } from './use-attempt.js';

interface SecurityKeyFormProps {
  readonly factorId: string;
  /** Called when the account does not have the key any more. Returns the sentence about it. */
  readonly onGone: () => Promise<string>;
  /** Content above the button. */
  readonly children?: ReactNode;
  /** Content beside the button. */
  readonly aside: ReactNode;
}

/** Asks for a security key, and raises the session with it; the components that watch the session go on. */
export function SecurityKeyForm({ factorId, onGone, children, aside }: SecurityKeyFormProps) {
  const getClient = useAuthClient();
  const ask = async () => {
    const auth = await getClient();
    const { error } = await auth.mfa.webauthn.authenticate({ factorId });
    if (!error) return null;
    return error.code === 'mfa_factor_not_found' ? await onGone() : describeKeyError(error);
  };
  const { isBusy, problem, attempt } = useKeyAttempt(ask, 'The security key could not be asked for:');

  return (
    <div className="form">
      {children}
      <p>Plug in your security key, or have it at hand.</p>
      {problem ? (
        <div role="alert">
          <Notice kind="error">
            <p>{problem}</p>
          </Notice>
        </div>
      ) : null}
      <div className="row">
        <Button autoFocus aria-disabled={isBusy} onClick={attempt}>
          {isBusy ? 'Touch your key...' : 'Use the security key'}
        </Button>
        {aside}
      </div>
    </div>
  );
}
