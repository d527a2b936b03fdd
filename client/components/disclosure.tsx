import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import { signs } from './signs.js';

interface DisclosureProps {
  readonly summary: ReactNode;
  readonly children: ReactNode;
}

/** A question that opens its answer. The browser does the work, so it needs no script. */
export function Disclosure({ summary, children }: DisclosureProps) {
  return (
    <details className="disclosure">
      <summary>
        {summary}
        <Icon shape={signs.chevron} />
      </summary>
      <div className="disclosure-body">{children}</div>
    </details>
  );
}
