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

/** The page of an account, for its owner. */
export function AccountParts({ owner, onDeleted }: AccountPartsProps) {
  const { hasPasskeys } = useSite().accounts;
  return (
    <>
      <FactorNeeded />
      <NamePart />
      <EmailPart owner={owner} />
      <LinkedIdentities />
      <SecondFactors />
      {hasPasskeys ? <Passkeys /> : null}
      <Devices owner={owner} />
      <DataPart owner={owner} />
      <DeletionPart owner={owner} onDeleted={onDeleted} />
    </>
  );
}
