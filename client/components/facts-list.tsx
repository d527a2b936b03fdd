import type { ReactNode } from 'react';
import { toTelephoneUri } from '../../src/shared/phone.js';

interface FactsListProps {
  readonly facts: readonly { readonly label: string; readonly value: ReactNode }[];
}

/** Names and values between hairlines: contact data, hours, areas. */
export function FactsList({ facts }: FactsListProps) {
  if (facts.length === 0) return null;
  return (
    <dl className="facts-list">
      {facts.map(({ label, value }, index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A telephone number that can be called by pressing it. */
export function PhoneLink({ phone, className }: { readonly phone: string; readonly className?: string }) {
  return (
    <a href={toTelephoneUri(phone)} className={className}>
      {phone}
    </a>
  );
}
