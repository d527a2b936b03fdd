import type { GoTrueClient } from '@supabase/auth-js';
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { AuthenticatorCodeForm } from './authenticator-code-form.js';
import { describeAuthError } from './describe-auth-error.js';

/** A factor that is to be verified, shown this once. */
interface Enrollment {
  readonly factorId: string;
  /** An address with the picture. */
  readonly qrCode: string;
  /** Base32. */
  readonly secret: string;
}

interface NewAuthenticatorProps {
  readonly suggestedName: string;
  readonly onAdded: () => void;
  readonly onCancel: () => void;
}

/** Adds an authenticator app in two steps: its name, then its QR code and a code that it shows. */
export function NewAuthenticator({ suggestedName, onAdded, onCancel }: NewAuthenticatorProps) {
  const [enrollment, setEnrollment] = useState<Enrollment | null>(null);
  const cancel = (
    <Button kind="line" onClick={onCancel}>
      Cancel
    </Button>
  );
  if (!enrollment) return <NameForm suggestedName={suggestedName} onEnrolled={setEnrollment} cancel={cancel} />;
  const { factorId, qrCode, secret } = enrollment;
  return (
    <AuthenticatorCodeForm
      factorId={factorId}
      action={paths.account}
      submitLabel="Verify"
      onVerified={onAdded}
      aside={cancel}
    >
      <p>Scan this with your authenticator app, such as Google Authenticator or a password manager.</p>
      <img className="account-qr" src={qrCode} width="200" height="200" alt="QR code with the key below" />
      <p>
        On this phone, or nothing to scan with? Enter this key in the app:{' '}
        <code className="account-key">{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
      </p>
      <p className="quiet small">
        Both are shown only now. Whoever loses the phone needs another app or the key: keep it in a safe place.
      </p>
    </AuthenticatorCodeForm>
  );
}

interface NameFormProps {
  readonly suggestedName: string;
  readonly onEnrolled: (enrollment: Enrollment) => void;
  readonly cancel: ReactNode;
}

function NameForm({ suggestedName, onEnrolled, cancel }: NameFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const getClient = useAuthClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const focusField = () => form.current?.querySelector<HTMLElement>('[name=name]')?.focus();
  useEffect(focusField, []);

  const enroll = async (name: string) => {
    setIsBusy(true);
    try {
      const answer = await enrollApp(await getClient(), name);
      if (typeof answer !== 'string') return onEnrolled(answer);
      setProblem(answer);
    } catch (error) {
      logError('The authenticator app could not be added:', error);
      setProblem(accountMessages.unreachable);
    } finally {
      setIsBusy(false);
    }
    focusField();
  };

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get('name');
    if (!isBusy && typeof name === 'string') void enroll(name.trim() || suggestedName);
  };

  return (
    <form ref={form} className="form" method="post" action={paths.account} noValidate onSubmit={handleSubmit}>
      <InputField
        label="Name of the app or phone"
        name="name"
        defaultValue={suggestedName}
        maxLength={100}
        autoComplete="off"
        hint="To tell it apart, if you add another one."
        error={problem ?? undefined}
      />
      <div className="row">
        <Button type="submit" aria-disabled={isBusy}>
          {isBusy ? 'One moment...' : 'Show the QR code'}
        </Button>
        {cancel}
      </div>
    </form>
  );
}

/** Adds an app that is to be verified, instead of any that was begun and left. Returns it, or the problem. */
async function enrollApp(auth: GoTrueClient, friendlyName: string): Promise<Enrollment | string> {
  const { data: known } = await auth.mfa.listFactors();
  for (const { id, status } of known?.all ?? []) if (status === 'unverified') await auth.mfa.unenroll({ factorId: id });
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) return describeAuthError(error);
  return { factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret };
}
