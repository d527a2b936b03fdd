import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { describeOwnError } from './describe-own-error.js';
import { SecondCodeForm, type SecondCode, type SecondCodeFormProps } from './second-code-form.js';
import { useAttempt } from './use-attempt.js';

interface PhoneCodeFormProps extends SecondCodeFormProps {
  readonly factorId: string;
  /** Names the phone in a sentence. */
  readonly to: string;
  /** The challenge whose message is on its way; without it, the form asks for one first. */
  readonly begun?: string;
}

/** Sends a code to a phone, at most one a minute, asks for it, and raises the session with it. */
export function PhoneCodeForm({ factorId, to, begun, children, aside, onGone, ...form }: PhoneCodeFormProps) {
  const getClient = useAuthClient();
  const [challengeId, setChallengeId] = useState(begun ?? null);
  const [hasSentAgain, setHasSentAgain] = useState(false);
  const ask = async () => {
    setHasSentAgain(false);
    const auth = await getClient();
    const { data, error } = await auth.mfa.challenge({ factorId, channel: 'sms' });
    if (error) return error.code === 'mfa_factor_not_found' ? await onGone() : await describeOwnError(auth, error);
    setHasSentAgain(challengeId !== null);
    setChallengeId(data.id);
    return null;
  };
  const { isBusy, problem, attempt } = useAttempt(ask, 'The message could not be sent:');

  if (challengeId === null) {
    return (
      <div className="form">
        {children}
        <p>A message with a code goes to {to}, at most one a minute.</p>
        <div role="alert">
          {problem ? (
            <Notice kind="error">
              <p>{problem}</p>
            </Notice>
          ) : null}
        </div>
        <div className="row">
          <Button autoFocus aria-disabled={isBusy} onClick={attempt}>
            {isBusy ? 'Sending...' : 'Send the code'}
          </Button>
          {aside}
        </div>
      </div>
    );
  }

  const code: SecondCode = {
    check: (typed) => (/^\d{6,10}$/.test(typed) ? null : accountMessages.phoneCodeForm),
    show: (auth, typed) => auth.mfa.verify({ factorId, challengeId, code: typed }),
    refusals: {
      mfa_verification_failed: accountMessages.wrongPhoneCode,
      mfa_challenge_expired: accountMessages.phoneCodeOld,
      mfa_ip_address_mismatch: accountMessages.phoneCodeOld,
    },
  };
  return (
    <div className="stack">
      <SecondCodeForm
        {...form}
        aside={aside}
        onGone={onGone}
        code={code}
        field={{
          label: 'Code of the message',
          inputMode: 'numeric',
          autoComplete: 'one-time-code',
          maxLength: 12,
          hint: `It was sent to ${to}, and is good for five minutes.`,
        }}
      >
        {children}
      </SecondCodeForm>
      <div className="form-end">
        <div>
          <button type="button" className="link account-alternative" aria-disabled={isBusy} onClick={attempt}>
            {isBusy ? 'Sending...' : 'Send another code'}
          </button>
          <p className="small quiet">There is at most one a minute.</p>
        </div>
        <div role="status">
          {problem ? <Notice kind="error">{problem}</Notice> : null}
          {hasSentAgain ? <Notice kind="success">{accountMessages.phoneCodeSent}</Notice> : null}
        </div>
      </div>
    </div>
  );
}
