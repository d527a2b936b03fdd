import { Children, type ReactNode } from 'react';

/** Quiet facts in one line, with points between them in the text: they are told apart also by ear, and where the line is pasted. */
export function FactLine({ children }: { readonly children: ReactNode }) {
  return (
    <p className="row-meta row-meta-line">
      {Children.toArray(children).flatMap((fact, index) => (index === 0 ? [fact] : ['\u00a0· ', fact]))}
    </p>
  );
}
