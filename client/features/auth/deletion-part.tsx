import { useState } from 'react';
import { flushSync } from 'react-dom';
import { DELETION_WORDS } from '../../../src/shared/limits.js';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { ApiError } from '../../lib/api-errors.js';
import { useAuthClient } from '../../lib/session.js';
import { AccountForm, type FormAnswer } from './account-form.js';
import { AccountPart } from './account-part.js';
import type { CredentialValues } from './credentials-rules.js';
import { SecretField } from './fields.js';
import { OwnerField } from './owner-field.js';
import { useIsSecured } from './use-is-secured.js';
import { useFailureWords, useOwnApi, type Owner } from './own-account-api.js';

interface DeletionPartProps {
  readonly owner: Owner;
  readonly onDeleted: () => void;
}

/** The end of the account, for whoever types the words and shows that they are there. */
export function DeletionPart(props: DeletionPartProps) {
  // Null before it was opened: the button is there anew, and has the focus, once the form was closed.
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  return (
    <AccountPart id="account-deletion" title="Delete your account">
      <p className="quiet">
        Your account, your sign-ins and your second factors are deleted for good, and so are the messages that came from
        your address, if we know that you read its mail. Otherwise, ask us to delete them. Posts stay, under the name of
        their author.
      </p>
      {isOpen ? (
        <DeletionForm {...props} onCancel={() => setIsOpen(false)} />
      ) : (
        <p>
          <Button kind="line" autoFocus={isOpen === false} onClick={() => setIsOpen(true)}>
            Delete my account
          </Button>
        </p>
      )}
    </AccountPart>
  );
}

/** The field that a refusal is about. */
const FIELD_OF: Readonly<Record<string, 'confirmation' | 'password'>> = {
  validation_failed: 'confirmation',
  current_password_required: 'password',
  current_password_invalid: 'password',
};

function DeletionForm({ owner, onDeleted, onCancel }: DeletionPartProps & { readonly onCancel: () => void }) {
  const getApi = useOwnApi(owner);
  const getClient = useAuthClient();
  const describe = useFailureWords();
  // No password is asked for then, unless the server says so: the factor may have been added in this very session.
  const isSecured = useIsSecured();
  const [isPasswordAsked, setIsPasswordAsked] = useState(false);

  const handleSend = async ({ confirmation, password }: CredentialValues): Promise<FormAnswer | null> => {
    try {
      const api = await getApi();
      await api.post(paths.api.accountDeletion, { confirmation, password }, { isBackground: true });
    } catch (error) {
      const text = await describe(error);
      const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
      // The field has to be there before its problem gets the focus.
      if (field === 'password') flushSync(() => setIsPasswordAsked(true));
      return { kind: 'error', text, ...(field === undefined ? {} : { problems: { [field]: text } }) };
    }
    onDeleted();
    await (await getClient()).signOut({ scope: 'local' });
    return null;
  };

  return (
    <AccountForm
      contract="deletion"
      action={paths.account}
      submitLabel="Delete it for good"
      busyLabel="Deleting..."
      onSend={handleSend}
      aside={
        <Button kind="line" onClick={onCancel}>
          Keep it
        </Button>
      }
    >
      {(problems) => (
        <>
          <OwnerField email={owner.email} />
          <InputField
            label={
              <>
                {/* Translated, they would be refused. */}
                Type: <span translate="no">{DELETION_WORDS}</span>
              </>
            }
            name="confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            error={problems.confirmation}
          />
          {isSecured && !isPasswordAsked ? null : <SecretField problems={problems} />}
        </>
      )}
    </AccountForm>
  );
}
