import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import { signs } from './signs.js';

interface DisclosureProps {
  readonly summary: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** A question that opens its answer. The browser does the work, so it needs no script. */
export function Disclosure({ summary, isOpen = false, children }: DisclosureProps) {
  return (
    <details className="disclosure" open={isOpen}>
      <summary>
        {summary}
        <Icon shape={signs.chevron} />
      </summary>
      <div className="disclosure-body">{children}</div>
    </details>
  );
}
