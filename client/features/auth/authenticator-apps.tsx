import { useState } from 'react';
import { Button } from '../../components/button.js';
import { accountMessages } from '../../content/accounts.js';
import { formatDay } from '../../lib/format-moment.js';
import { suggestName } from './name-form.js';
import { NewAuthenticator } from './new-authenticator.js';
import { OutcomePart, useOutcome, type Outcome } from './outcome-part.js';
import { RemovableRow } from './removable-row.js';
import { appsOf, isLastBesideCodes, nameOf, useRemoveFactor, type Factors } from './use-factors.js';

const ID = 'account-apps';

/** The authenticator apps of the signed-in user: adding them, and taking them away. */
export function AuthenticatorApps({ factors, hasFailed, reload, names, noteName }: Factors) {
  const removeFactor = useRemoveFactor();
  const { outcome, tell } = useOutcome(ID);
  const [isAdding, setIsAdding] = useState(false);
  const apps = appsOf(factors ?? []);

  const handleChange = (change: Outcome) => {
    setIsAdding(false);
    tell(change);
    reload();
  };

  return (
    <OutcomePart id={ID} title="Authenticator apps" outcome={outcome} onRetry={hasFailed ? reload : null}>
      <p className="quiet">
        {apps.length > 0
          ? 'Signing in asks for your password, and for the code that one of these apps shows.'
          : 'An app on your phone shows a code that changes every 30 seconds. With it, nobody gets in by your password alone.'}
      </p>
      {apps.length > 0 ? (
        <ul role="list" className="account-list">
          {apps.map((app) => (
            <RemovableRow
              key={app.id}
              name={nameOf(app)}
              detail={`added ${formatDay(app.created_at, undefined)}`}
              note={isLastBesideCodes(factors ?? []) ? accountMessages.codesGoToo : null}
              remove={() => removeFactor(app.id)}
              onRemoved={() => handleChange(accountMessages.appRemoved)}
            />
          ))}
        </ul>
      ) : null}
      {isAdding ? (
        <NewAuthenticator
          suggestedName={suggestName('Phone', names)}
          onAdded={(name) => {
            noteName(name);
            handleChange(accountMessages.appAdded);
          }}
          onCancel={() => setIsAdding(false)}
        />
      ) : (
        <p>
          <Button kind="line" disabled={!factors} onClick={() => setIsAdding(true)}>
            {apps.length > 0 ? 'Add another app' : 'Add an authenticator app'}
          </Button>
        </p>
      )}
    </OutcomePart>
  );
}
