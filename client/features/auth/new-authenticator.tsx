import type { GoTrueClient } from '@supabase/auth-js';
import { useState } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { AuthenticatorCodeForm } from './authenticator-code-form.js';
import { describeAuthError } from './describe-auth-error.js';
import { NameForm } from './name-form.js';
import { removeUnfinishedFactors } from './use-factors.js';

/** A factor that is to be verified, shown this once. */
interface Enrollment {
  readonly name: string;
  readonly factorId: string;
  /** An address with the picture. */
  readonly qrCode: string;
  /** Base32. */
  readonly secret: string;
}

interface NewAuthenticatorProps {
  readonly suggestedName: string;
  /** Takes its name. */
  readonly onAdded: (name: string) => void;
  readonly onCancel: () => void;
}

/** Adds an authenticator app in two steps: its name, then its QR code and a code that it shows. */
export function NewAuthenticator({ suggestedName, onAdded, onCancel }: NewAuthenticatorProps) {
  const getClient = useAuthClient();
  const [enrollment, setEnrollment] = useState<Enrollment | null>(null);
  const cancel = (
    <Button kind="line" onClick={onCancel}>
      Cancel
    </Button>
  );
  const enroll = async (name: string) => {
    const answer = await enrollApp(await getClient(), name);
    if (typeof answer === 'string') return answer;
    setEnrollment(answer);
    return null;
  };
  if (!enrollment) {
    return (
      <NameForm
        label="Name of the app or phone"
        suggestedName={suggestedName}
        submitLabel="Show the QR code"
        busyLabel="One moment..."
        onSend={enroll}
        aside={cancel}
      />
    );
  }
  const { name, factorId, qrCode, secret } = enrollment;
  return (
    <AuthenticatorCodeForm
      factorId={factorId}
      action={paths.account}
      submitLabel="Verify"
      onVerified={() => onAdded(name)}
      onGone={() => Promise.resolve(accountMessages.appBegunAnew)}
      aside={cancel}
    >
      <p>Scan this with your authenticator app, such as Google Authenticator or a password manager.</p>
      <img className="account-qr" src={qrCode} width="200" height="200" alt="QR code with the key below" />
      <p>
        On this phone, or nothing to scan with? Enter this key in the app:{' '}
        <code className="account-key" translate="no">
          {secret.replaceAll(/.{4}(?=.)/g, '$& ')}
        </code>
      </p>
      <p className="quiet small">
        Both are shown only now. Whoever loses the phone needs another app or the key: keep it in a safe place.
      </p>
    </AuthenticatorCodeForm>
  );
}

/** Adds an app that is to be verified, instead of any that was begun and left. Returns it, or the problem. */
async function enrollApp(auth: GoTrueClient, friendlyName: string): Promise<Enrollment | string> {
  await removeUnfinishedFactors(auth);
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) return describeAuthError(error);
  return { name: friendlyName, factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret };
}
