import { useLocation } from 'react-router-dom';
import { isLedHere } from '../../lib/led-here.js';
import { useSite } from '../../lib/site-context.js';
import { DataPart } from './data-part.js';
import { DeletionPart } from './deletion-part.js';
import { Devices } from './devices.js';
import { EmailPart } from './email-part.js';
import { FactorNeeded } from './factor-needed.js';
import { LinkedIdentities } from './linked-identities.js';
import { NamePart } from './name-part.js';
import type { Owner } from './own-account-api.js';
import { Passkeys } from './passkeys.js';
import { SecondFactors } from './second-factors.js';

export interface AccountPartsProps {
  readonly owner: Owner;
  readonly onDeleted: () => void;
}

/** The page of an account, for its owner. Whoever was led here for a second factor finds those first. */
export function AccountParts({ owner, onDeleted }: AccountPartsProps) {
  const { hasPasskeys } = useSite().accounts;
  const { state } = useLocation() as { readonly state: unknown };
  const isLed = isLedHere(state);
  return (
    <>
      <FactorNeeded />
      {isLed ? <SecondFactors /> : null}
      <NamePart />
      <EmailPart owner={owner} />
      <LinkedIdentities />
      {isLed ? null : <SecondFactors />}
      {hasPasskeys ? <Passkeys /> : null}
      <Devices owner={owner} />
      <DataPart owner={owner} />
      <DeletionPart owner={owner} onDeleted={onDeleted} />
    </>
  );
}
