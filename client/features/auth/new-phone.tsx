import type { GoTrueClient } from '@supabase/auth-js';
import { useState } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { describeAuthError } from './describe-auth-error.js';
import { NameForm, suggestName } from './name-form.js';
import { PhoneCodeForm } from './phone-code-form.js';
import { removeUnfinishedFactors } from './use-factors.js';

/** A phone that is to be verified by the code of a message. */
interface Enrollment {
  readonly name: string;
  readonly factorId: string;
  readonly phone: string;
  readonly challengeId: string;
}

interface NewPhoneProps {
  /** Names that other factors have. */
  readonly taken: readonly string[];
  /** Takes its name. */
  readonly onAdded: (name: string) => void;
  readonly onCancel: () => void;
}

/** Adds a phone in two steps: its number, then the code of a message to it. */
export function NewPhone({ taken, onAdded, onCancel }: NewPhoneProps) {
  const getClient = useAuthClient();
  const [enrollment, setEnrollment] = useState<Enrollment | null>(null);
  const cancel = (
    <Button kind="line" onClick={onCancel}>
      Cancel
    </Button>
  );
  const enroll = async (typed: string) => {
    const answer = await enrollPhone(await getClient(), typed, taken);
    if (typeof answer === 'string') return answer;
    setEnrollment(answer);
    return null;
  };
  if (!enrollment) {
    return (
      <NameForm
        label="Phone number"
        input={{ type: 'tel', autoComplete: 'tel', hint: 'With the code of its country, such as +1 555 010 0199.' }}
        submitLabel="Send the code"
        busyLabel="Sending..."
        onSend={enroll}
        aside={cancel}
      />
    );
  }
  return (
    <PhoneCodeForm
      factorId={enrollment.factorId}
      to={enrollment.phone}
      begun={enrollment.challengeId}
      action={paths.account}
      submitLabel="Verify"
      onVerified={() => onAdded(enrollment.name)}
      onGone={() => Promise.resolve(accountMessages.phoneBegunAnew)}
      aside={cancel}
    />
  );
}

/** Adds a phone that is to be verified, and has a code sent to it. Returns it, or the problem. */
async function enrollPhone(auth: GoTrueClient, typed: string, taken: readonly string[]): Promise<Enrollment | string> {
  const phone = typed.replaceAll(/[\s().-]/g, '');
  if (!/^\+[1-9]\d{6,14}$/.test(phone)) return accountMessages.phoneForm;
  await removeUnfinishedFactors(auth);
  const friendlyName = suggestName(`Phone ending in ${phone.slice(-3)}`, taken);
  const enrolled = await auth.mfa.enroll({ factorType: 'phone', phone, friendlyName });
  if (enrolled.error) return describeAuthError(enrolled.error);
  const { id: factorId } = enrolled.data;
  const challenge = await auth.mfa.challenge({ factorId, channel: 'sms' });
  if (challenge.error) return describeAuthError(challenge.error);
  return { name: friendlyName, factorId, phone, challengeId: challenge.data.id };
}
