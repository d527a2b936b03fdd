import { useId, useState } from 'react';
import type { StartStep } from '../../../src/shared/contracts/overview.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { overviewMessages as messages, startSteps } from '../../content/overview.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { focusPage } from '../../lib/focus-page.js';

const keyOf = (userId: string) => `good-start-hidden:${userId}`;

/** The list of steps that a new installation lacks. It goes when all are done, and whoever does not want it hides it. */
export function GoodStart({ steps }: { readonly steps: readonly StartStep[] }) {
  const id = useId();
  const { userId } = useAdminApi().person;
  const [isHidden, setIsHidden] = useState(() => readIsHidden(userId));
  if (isHidden || steps.length === 0) return null;
  const hide = () => {
    setIsHidden(true);
    rememberIsHidden(userId);
    // The button is gone.
    focusPage();
  };
  return (
    <section className="panel overview-start" aria-labelledby={id}>
      <div className="overview-head">
        <h2 id={id}>
          {messages.start.title}{' '}
          <span className="quiet numeric">
            {steps.filter(({ is_done: isDone }) => isDone).length} of {steps.length}
          </span>
        </h2>
        <Button isSmall kind="line" onClick={hide}>
          {messages.start.hide}
        </Button>
      </div>
      <ul role="list" className="overview-list">
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ul>
    </section>
  );
}

function Step({ step: { name, is_done: isDone } }: { readonly step: StartStep }) {
  const { title, link, command } = startSteps[name];
  return (
    <li>
      <p className="overview-line">
        <span>
          {title} {!isDone && link ? <a href={link.to}>{link.label}</a> : null}
        </span>
        <Badge kind={isDone ? 'quiet' : 'accent'}>{isDone ? messages.start.done : messages.start.open}</Badge>
      </p>
      {!isDone && command ? (
        <p className="quiet small">
          {messages.command} <code>{command}</code>
        </p>
      ) : null}
    </li>
  );
}

function readIsHidden(userId: string): boolean {
  try {
    return localStorage.getItem(keyOf(userId)) !== null;
  } catch {
    return false;
  }
}

function rememberIsHidden(userId: string): void {
  try {
    localStorage.setItem(keyOf(userId), 'yes');
  } catch {
    // Storage may be forbidden: it is hidden as long as the page is open.
  }
}
