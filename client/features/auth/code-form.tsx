import { useId, useRef, useState } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { accountMessages, codePurposes, type CodePurpose } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { useSite } from '../../lib/site-context.js';
import { AccountForm, type FormAnswer } from './account-form.js';
import type { BegunCode } from './code-offer.js';
import type { CredentialValues } from './credentials-rules.js';
import { CodeField, EmailField } from './fields.js';
import { isResendable, resendCode, tryCode, type CodeOutcome } from './mailed-code.js';

interface CodeFormProps {
  /** The mail that was asked for in this tab; null asks for address and purpose. */
  readonly begun: BegunCode | null;
  /** Chosen at first where the form asks. */
  readonly purpose: CodePurpose;
  readonly onEnd: (outcome: Exclude<CodeOutcome, FormAnswer | 'expired'>, purpose: CodePurpose) => Promise<void>;
  /** Called when the address is another one than that of the mail that was asked for. */
  readonly onOtherAddress: (purpose: CodePurpose) => void;
}

/** Takes the code of a mail, for those who read their mail elsewhere than where they began. */
export function CodeForm({ begun, purpose: first, onEnd, onOtherAddress }: CodeFormProps) {
  const getClient = useAuthClient();
  const [purpose, setPurpose] = useState(begun?.purpose ?? first);
  const { describeFailure, forget } = useFailures();

  const handleSend = async (values: CredentialValues): Promise<FormAnswer | null> => {
    const outcome = await tryCode(await getClient(), purpose, values);
    if (outcome === 'expired') {
      const text = describeFailure(values.email);
      return { kind: 'error', text, problems: { code: text } };
    }
    if (typeof outcome === 'object') return outcome;
    await onEnd(outcome, purpose);
    return null;
  };

  const handleResend = async ({ email }: CredentialValues) => {
    const answer = await resendCode(await getClient(), purpose, email);
    if (answer.kind === 'success') forget();
    return answer;
  };

  return (
    <AccountForm
      contract="code"
      action={paths.authCode}
      submitLabel="Continue"
      busyLabel="Checking..."
      onSend={handleSend}
      second={isResendable(purpose) ? { label: 'Send a new code', contract: 'address', run: handleResend } : undefined}
    >
      {(problems) => (
        <>
          {begun ? (
            <BegunAddress email={begun.email} onOtherAddress={() => onOtherAddress(purpose)} />
          ) : (
            <>
              <PurposeField purpose={purpose} onChoose={setPurpose} />
              <EmailField problems={problems} />
            </>
          )}
          <CodeField problems={problems} />
        </>
      )}
    </AccountForm>
  );
}

/** Counts wrong tries, as the server answers to a code that is dead what it answers to a wrong one. */
function useFailures() {
  const { codeTries } = useSite().accounts;
  const failures = useRef(new Map<string, number>());
  return {
    /** The answer to one more wrong code for this address. */
    describeFailure: (email: string) => {
      const count = (failures.current.get(email) ?? 0) + 1;
      failures.current.set(email, count);
      return codeTries > 0 && count >= codeTries ? accountMessages.codeDead : accountMessages.codeWrong;
    },
    forget: () => failures.current.clear(),
  };
}

interface BegunAddressProps {
  readonly email: string;
  readonly onOtherAddress: () => void;
}

function BegunAddress({ email, onOtherAddress }: BegunAddressProps) {
  return (
    <div className="code-address">
      <p>
        For the email to <b>{email}</b>.
      </p>
      <input type="hidden" name="email" value={email} />
      <Button kind="line" isSmall onClick={onOtherAddress}>
        Another address
      </Button>
    </div>
  );
}

interface PurposeFieldProps {
  readonly purpose: CodePurpose;
  readonly onChoose: (purpose: CodePurpose) => void;
}

function PurposeField({ purpose, onChoose }: PurposeFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>What is the code for?</label>
      <select id={id} value={purpose} onChange={({ target }) => onChoose(target.value as CodePurpose)}>
        {Object.entries(codePurposes).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
