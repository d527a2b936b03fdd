import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { canUseKeys, describeKeyError } from './describe-key-error.js';

interface SecurityKeyFormProps {
  readonly factorId: string;
  /** Content above the button. */
  readonly children?: ReactNode;
  /** Content beside the button. */
  readonly aside: ReactNode;
}

/** Asks for a security key, and raises the session with it; the components that watch the session go on. */
export function SecurityKeyForm({ factorId, children, aside }: SecurityKeyFormProps) {
  const getClient = useAuthClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const ask = async (): Promise<string | null> => {
    if (!canUseKeys()) return accountMessages.keysUnknown;
    const auth = await getClient();
    const { error } = await auth.mfa.webauthn.authenticate({ factorId });
    return error ? describeKeyError(error) : null;
  };

  const handleUse = () => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(null);
    ask()
      .catch((error: unknown) => {
        logError('The security key could not be asked for:', error);
        return accountMessages.unreachable;
      })
      .then((found) => {
        setProblem(found);
        setIsBusy(false);
      })
      .catch((error: unknown) => logError('The page could not go on:', error));
  };

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
        <Button autoFocus aria-disabled={isBusy} onClick={handleUse}>
          {isBusy ? 'Touch your key...' : 'Use the security key'}
        </Button>
        {aside}
      </div>
    </div>
  );
}
