import { useState } from 'react';
import { flushSync } from 'react-dom';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { AccountForm, type FormAnswer } from './account-form.js';
import { AccountPart } from './account-part.js';
import { useCodeOffer } from './code-offer.js';
import type { CredentialValues } from './credentials-rules.js';
import { forgetEnded } from './describe-own-error.js';
import { CurrentPasswordField } from './fields.js';
import type { Owner } from './own-account-api.js';
import { OwnerField } from './owner-field.js';
import { refuse } from './use-sign-in.js';

/** The address of the account, and the change of it, which mails confirm. */
export function EmailPart({ owner }: { readonly owner: Owner }) {
  // Null before the first change: the button is there anew, and has the focus, once the form was closed.
  const [isChanging, setIsChanging] = useState<boolean | null>(null);
  return (
    <AccountPart id="account-email" title="Email and password">
      <p>{owner.email}</p>
      {isChanging ? (
        <NewAddress owner={owner} onCancel={() => setIsChanging(false)} />
      ) : (
        <div className="row">
          <Button kind="line" autoFocus={isChanging === false} onClick={() => setIsChanging(true)}>
            Change email
          </Button>
          <a className="link" href={paths.authNewPassword}>
            Change password
          </a>
        </div>
      )}
    </AccountPart>
  );
}

function NewAddress({ owner, onCancel }: { readonly owner: Owner; readonly onCancel: () => void }) {
  const getClient = useAuthClient();
  const offerCode = useCodeOffer();
  // Asked for when the server says so (AUTH_ADDRESS_PROOF_REQUIRED).
  const [isCurrentAsked, setIsCurrentAsked] = useState(false);

  const handleSend = async ({ email, current }: CredentialValues): Promise<FormAnswer> => {
    if (email.toLowerCase() === owner.email) {
      return { kind: 'error', text: accountMessages.sameEmail, problems: { email: accountMessages.sameEmail } };
    }
    const emailRedirectTo = new URL(paths.account, location.origin).href;
    const auth = await getClient();
    const { data, error } = await auth.updateUser(
      { email, ...(isCurrentAsked ? { current_password: current } : {}) },
      { emailRedirectTo },
    );
    if (error?.code === 'current_password_required' || error?.code === 'current_password_invalid') {
      // The field has to be there before its problem gets the focus.
      flushSync(() => setIsCurrentAsked(true));
      const isWrong = error.code === 'current_password_invalid';
      const text = isWrong ? accountMessages.currentWrong : accountMessages.currentAsked;
      return { kind: 'error', text, problems: { current: text } };
    }
    if (error) {
      await forgetEnded(auth, error);
      const answer = refuse(accountMessages.failed, error);
      return error.code === 'email_exists' ? { ...answer, problems: { email: answer.text } } : answer;
    }
    // Where nothing has to be confirmed, it counts already.
    if (!data.user.new_email) return { kind: 'success', text: accountMessages.emailChanged };
    return {
      kind: 'success',
      text: accountMessages.emailAsked,
      action: offerCode({ purpose: 'email_change', email: email.toLowerCase() }),
    };
  };

  return (
    <AccountForm
      contract="address"
      action={paths.account}
      submitLabel="Change the email"
      busyLabel="One moment..."
      onSend={handleSend}
      aside={
        <Button kind="line" onClick={onCancel}>
          Close
        </Button>
      }
    >
      {(problems) => (
        <>
          <InputField
            label="New email"
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            hint="It counts when both addresses have agreed, by the link or the code that we mail to them."
            error={problems.email}
          />
          {isCurrentAsked ? (
            <>
              <OwnerField email={owner.email} />
              <CurrentPasswordField problems={problems} />
            </>
          ) : null}
        </>
      )}
    </AccountForm>
  );
}
