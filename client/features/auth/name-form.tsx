import { useEffect, useRef, useState, type ComponentProps, type ReactNode, type SubmitEvent } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';

interface NameFormProps {
  readonly label: string;
  readonly suggestedName?: string;
  /** Replaces attributes of the field, where it asks for something else than a name. */
  readonly input?: Partial<ComponentProps<typeof InputField>>;
  readonly submitLabel: string;
  readonly busyLabel: string;
  /** Goes on with the name. Returns the problem, or null. */
  readonly onSend: (name: string) => Promise<string | null>;
  /** Content beside the button. */
  readonly aside: ReactNode;
}

/** Asks for the name, or the number, of a way to sign in that is to be added. */
export function NameForm({ label, suggestedName = '', input, submitLabel, busyLabel, onSend, aside }: NameFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const focusField = () => form.current?.querySelector<HTMLElement>('[name=name]')?.focus();
  useEffect(focusField, []);

  const send = async (name: string) => {
    setIsBusy(true);
    try {
      const found = await onSend(name);
      if (found === null) return;
      setProblem(found);
    } catch (error) {
      logError('It could not be added:', error);
      setProblem(accountMessages.unreachable);
    } finally {
      setIsBusy(false);
    }
    focusField();
  };

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get('name');
    if (!isBusy && typeof name === 'string') void send(name.trim() || suggestedName);
  };

  return (
    <form ref={form} className="form" method="post" action={paths.account} noValidate onSubmit={handleSubmit}>
      <InputField
        label={label}
        name="name"
        defaultValue={suggestedName}
        maxLength={100}
        autoComplete="off"
        hint="To tell it apart, if you add another one."
        {...input}
        error={problem ?? undefined}
      />
      <div className="row">
        <Button type="submit" aria-disabled={isBusy}>
          {isBusy ? busyLabel : submitLabel}
        </Button>
        {aside}
      </div>
    </form>
  );
}

/** Suggests a name that none of them has: names are unique within an account. */
export function suggestName(word: string, taken: readonly string[]): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? word : `${word} ${count}`;
    if (!taken.includes(name)) return name;
  }
}
