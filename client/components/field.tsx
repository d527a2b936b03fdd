import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { Icon } from './icon.js';
import { signs } from './signs.js';

interface FieldFrame {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The problem with the value, if there is one. */
  readonly error?: string | undefined;
}

type InputFieldProps = FieldFrame & ComponentProps<'input'>;
type TextAreaFieldProps = FieldFrame & ComponentProps<'textarea'>;

/** Ids and attributes that tie hint and error to their control. */
function useFieldTies(hint: ReactNode, error: string | undefined) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined;
  return {
    id,
    hintId,
    errorId,
    control: { id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined },
  };
}

interface FrameProps extends FieldFrame {
  readonly ties: ReturnType<typeof useFieldTies>;
  readonly isRequired: boolean | undefined;
  readonly children: ReactNode;
}

function Frame({ ties, label, hint, error, isRequired, children }: FrameProps) {
  return (
    <div className="field">
      <label htmlFor={ties.id}>
        {label}
        {isRequired ? (
          <span className="field-mark" aria-hidden="true">
            {' *'}
          </span>
        ) : null}
      </label>
      {children}
      {error ? (
        // Another element for another text: React could not write it anew where a browser translates the page.
        <p key={error} className="field-error" id={ties.errorId}>
          <Icon shape={signs.alert} />
          {error}
        </p>
      ) : null}
      {hint ? (
        <p className="field-hint" id={ties.hintId}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** A one-line input with its label, an asterisk when required, hint and error. */
export function InputField({ label, hint, error, ...input }: InputFieldProps) {
  const ties = useFieldTies(hint, error);
  return (
    <Frame ties={ties} label={label} hint={hint} error={error} isRequired={input.required}>
      <input {...input} {...ties.control} />
    </Frame>
  );
}

/**
 * A password with its label, and a button that shows what was typed. Pasting and password managers work as in any
 * input: give it the `autoComplete` that fits, `current-password` or `new-password`.
 */
export function PasswordField({ label, hint, error, ...input }: Omit<InputFieldProps, 'type'>) {
  const ties = useFieldTies(hint, error);
  const [isShown, setIsShown] = useState(false);
  return (
    <Frame ties={ties} label={label} hint={hint} error={error} isRequired={input.required}>
      <div className="password">
        <input
          {...input}
          {...ties.control}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
        <button type="button" className="password-toggle" onClick={() => setIsShown(!isShown)}>
          {/* An element: beside others, React could not write a text anew where a browser translates the page. */}
          <span>{isShown ? 'Hide' : 'Show'}</span>
          <span className="visually-hidden"> password</span>
        </button>
      </div>
    </Frame>
  );
}

/** A text area with its label, an asterisk when required, hint and error. */
export function TextAreaField({ label, hint, error, ...area }: TextAreaFieldProps) {
  const ties = useFieldTies(hint, error);
  return (
    <Frame ties={ties} label={label} hint={hint} error={error} isRequired={area.required}>
      <textarea {...area} {...ties.control} />
    </Frame>
  );
}
