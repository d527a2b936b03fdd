import { useId, type ReactNode } from 'react';
import { rightWords, type Right } from '../../content/people.js';

interface RightFieldProps {
  readonly label: ReactNode;
  readonly value: Right;
  readonly onChange: (right: Right) => void;
}

const RIGHTS = ['author', 'publisher', 'admin'] as const;

/** Chooses what somebody may do. */
export function RightField({ label, value, onChange }: RightFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          const chosen = RIGHTS.find((right) => right === target.value);
          if (chosen) onChange(chosen);
        }}
      >
        {RIGHTS.map((right) => (
          <option key={right} value={right}>
            {rightWords[right]}
          </option>
        ))}
      </select>
    </div>
  );
}
