import type { ReactNode } from 'react';

interface TicksProps {
  readonly items: readonly ReactNode[];
  readonly isLarge?: boolean;
}

/** A list whose marks are ticks. The order of its items never changes. */
export function Ticks({ items, isLarge = false }: TicksProps) {
  return (
    // role="list": Safari drops the list from the accessibility tree once its marks are gone.
    <ul role="list" className={isLarge ? 'ticks ticks-large' : 'ticks'}>
      {items.map((item, index) => (
        <li key={index}>
          <span>{item}</span>
        </li>
      ))}
    </ul>
  );
}
