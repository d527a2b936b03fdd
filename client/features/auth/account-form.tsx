import { useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { LOST_PART, LostPartError, RELOAD } from '../../lib/lost-part.js';
import { rulesInTime } from '../../lib/patience.js';
import { showToast } from '../../lib/toast.js';
import { useIsHydrated } from '../../lib/use-is-hydrated.js';
import type { CredentialContract, CredentialField, CredentialProblems, CredentialValues } from './credentials-rules.js';
import { NoScriptNote } from './no-script-note.js';

/** How sending ended, in words that stay on the page: a toast is never the only carrier. */
export interface FormAnswer {
  readonly kind: 'success' | 'error';
  readonly text: string;
  /** Problems that belong to a field. */
  readonly problems?: CredentialProblems;
  /** An action that may help now. */
  readonly action?: { readonly label: string; readonly run: () => Promise<FormAnswer | null> | null };
}

interface AccountFormProps {
  readonly contract: CredentialContract;
  /** Address of the page, where the form would be sent without scripts; nothing listens there. */
  readonly action: string;
  readonly submitLabel: string;
  readonly busyLabel: string;
  /** Called with valid values. Null says nothing, because another screen follows. */
  readonly onSend: (values: CredentialValues) => Promise<FormAnswer | null>;
  /** The fields, given their problems. */
  readonly children: (problems: CredentialProblems) => ReactNode;
  /** Content beside the button. */
  readonly aside?: ReactNode;
  /** Something else to do with the form; `contract` states the values that it needs, null for none. */
  readonly second?:
    | {
        readonly label: string;
        readonly contract: CredentialContract | null;
        readonly run: (values: CredentialValues) => Promise<FormAnswer | null>;
      }
    | undefined;
}

const FIELDS: readonly CredentialField[] = ['name', 'email', 'confirmation', 'current', 'password', 'code'];

/** Sending again would not help. */
const lost: FormAnswer = {
  kind: 'error',
  text: LOST_PART,
  action: {
    label: RELOAD,
    run: () => {
      location.reload();
      return null;
    },
  },
};
const failure: FormAnswer = { kind: 'error', text: accountMessages.unreachable };

function readValues(form: HTMLFormElement): CredentialValues {
  const data = new FormData(form);
  const read = (field: CredentialField) => {
    const value = data.get(field);
    return typeof value === 'string' ? value : '';
  };
  return {
    name: read('name'),
    email: read('email'),
    confirmation: read('confirmation'),
    current: read('current'),
    password: read('password'),
    code: read('code'),
  };
}

/**
 * The frame of every account form. The contract's class checks the values, not the browser, because its messages go into
 * a toast (product.md 8.2); they also stand at their fields, and the focus goes to the first.
 */
export function AccountForm(props: AccountFormProps) {
  const { contract, action, submitLabel, busyLabel, onSend, children, aside, second } = props;
  const formRef = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problems, setProblems] = useState<CredentialProblems>({});
  const [answer, setAnswer] = useState<FormAnswer | null>(null);
  // A password typed before the scripts are there must not be sent the old way.
  const isHydrated = useIsHydrated();

  const showProblems = (found: CredentialProblems) => {
    // The messages have to be there before the focus, which makes a screen reader read them.
    flushSync(() => setProblems(found));
    const first = FIELDS.find((field) => found[field]);
    if (first) formRef.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    return first && found[first];
  };

  const work = async (task: () => Promise<FormAnswer | null> | null) => {
    setIsBusy(true);
    setAnswer(null);
    setProblems({});
    try {
      const ending = await task();
      setAnswer(ending);
      if (ending?.problems) showProblems(ending.problems);
    } catch (error) {
      logError('The form could not be sent:', error);
      setAnswer(error instanceof LostPartError ? lost : failure);
    } finally {
      setIsBusy(false);
    }
  };

  const send = async (
    form: HTMLFormElement,
    { contract, run }: Pick<NonNullable<typeof second>, 'contract' | 'run'>,
  ): Promise<FormAnswer | null> => {
    const values = readValues(form);
    const rules = contract && (await rulesInTime(import('./credentials-rules.js')));
    if (contract === null || rules === null) return run({ ...values, email: values.email.trim() });
    const checked = rules.checkCredentials(contract, values);
    if (!checked.problems) return run(checked.values);
    const first = showProblems(checked.problems);
    showToast({ kind: 'error', title: accountMessages.validation, text: first });
    return null;
  };

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!isBusy) void work(() => send(form, { contract, run: onSend }));
  };

  const handleSecond = () => {
    const form = formRef.current;
    if (form && second && !isBusy) void work(() => send(form, second));
  };

  return (
    <form ref={formRef} className="form" method="post" action={action} noValidate onSubmit={handleSubmit}>
      <NoScriptNote />
      {children(problems)}
      <div className="form-end">
        <div className="row">
          <Button type="submit" disabled={!isHydrated} aria-disabled={isHydrated ? isBusy : undefined}>
            {isBusy ? busyLabel : submitLabel}
          </Button>
          {second ? (
            <Button
              kind="line"
              disabled={!isHydrated}
              aria-disabled={isHydrated ? isBusy : undefined}
              onClick={handleSecond}
            >
              {second.label}
            </Button>
          ) : null}
          {aside}
        </div>
        <div role="status">{answer ? <Answer answer={answer} onAct={(run) => void work(run)} /> : null}</div>
      </div>
    </form>
  );
}

interface AnswerProps {
  readonly answer: FormAnswer;
  readonly onAct: (run: NonNullable<FormAnswer['action']>['run']) => void;
}

function Answer({ answer: { kind, text, action }, onAct }: AnswerProps) {
  return (
    <Notice kind={kind}>
      <p>{text}</p>
      {action ? (
        <p>
          <Button kind="line" isSmall onClick={() => onAct(action.run)}>
            {action.label}
          </Button>
        </p>
      ) : null}
    </Notice>
  );
}
