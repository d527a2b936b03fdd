import { useState } from 'react';
import { Button } from '../../components/button.js';
import { accountMessages } from '../../content/accounts.js';
import { formatDay } from '../../lib/format-moment.js';
import { useSite } from '../../lib/site-context.js';
import { NewPhone } from './new-phone.js';
import { OutcomePart, useOutcome, type Outcome } from './outcome-part.js';
import { RemovableRow } from './removable-row.js';
import { isLastBesideCodes, nameOf, phonesOf, useRemoveFactor, type Factors } from './use-factors.js';

const ID = 'account-phones';

/** The phones of the signed-in user. Where they are switched off, those that there are can be taken away. */
export function Phones({ factors, reload, names, noteName }: Factors) {
  const { hasPhoneFactors } = useSite().accounts;
  const { outcome, tell } = useOutcome(ID);
  const removeFactor = useRemoveFactor();
  const [isAdding, setIsAdding] = useState(false);
  const phones = phonesOf(factors ?? []);

  const handleChange = (change: Outcome) => {
    setIsAdding(false);
    tell(change);
    reload();
  };

  if (!hasPhoneFactors && phones.length === 0 && outcome === null) return null;
  return (
    <OutcomePart id={ID} title="Phones" outcome={outcome}>
      <p className="quiet">
        {phones.length > 0
          ? 'Signing in asks for your password, and for a code that goes to one of these phones.'
          : 'A code goes to your phone as a message. An app or a key is safer: messages can be read on their way.'}
      </p>
      {phones.length > 0 ? (
        <ul role="list" className="account-list">
          {phones.map((phone) => (
            <RemovableRow
              key={phone.id}
              name={nameOf(phone)}
              detail={`added ${formatDay(phone.created_at, undefined)}`}
              note={isLastBesideCodes(factors ?? []) ? accountMessages.codesGoWithKey : null}
              remove={() => removeFactor(phone.id)}
              onRemoved={() => handleChange(accountMessages.phoneRemoved)}
            />
          ))}
        </ul>
      ) : null}
      {isAdding ? (
        <NewPhone
          taken={names}
          onAdded={(name) => {
            noteName(name);
            handleChange(accountMessages.phoneAdded);
          }}
          onCancel={() => setIsAdding(false)}
        />
      ) : hasPhoneFactors && factors ? (
        <p>
          <Button kind="line" onClick={() => setIsAdding(true)}>
            Add a phone
          </Button>
        </p>
      ) : null}
    </OutcomePart>
  );
}
