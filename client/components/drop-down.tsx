import { useEffect, useRef, useState, type FocusEvent, type MouseEvent, type ReactNode } from 'react';
import { isOpenPopover } from '../lib/is-open-popover.js';
import { useIsHydrated } from '../lib/use-is-hydrated.js';

interface DropDownProps {
  /** Unique on the page: ties the button to its panel before any script runs. */
  readonly id: string;
  /** Content of the button. */
  readonly label: ReactNode;
  /** Marks the button when the current page belongs to the panel. */
  readonly current?: 'page' | 'true' | undefined;
  /** Which edge of the button the panel keeps to. */
  readonly edge?: 'start' | 'end';
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * A button of the header that opens a panel. It is a native popover: opening, Escape, a click outside and the return
 * of the focus are the browser's, so it works before (and without) any script.
 */
export function DropDown({ id, label, current, edge = 'start', className = 'nav-link', children }: DropDownProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isHydrated = useIsHydrated();
  const panel = useRef<HTMLDivElement>(null);

  // It may have been opened before scripts ran.
  useEffect(() => setIsOpen(isOpenPopover(panel.current)), []);

  // Browsers without popovers open it by styles alone.
  const close = () => (panel.current as Partial<HTMLElement> | null)?.hidePopover?.();
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // An open panel must not hide what the keyboard moved on to.
    if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
  };
  const handleClick = ({ target }: MouseEvent) => {
    if ((target as Element).closest('a')) close();
  };

  return (
    <div className="drop-down" onBlur={handleBlur}>
      <button
        type="button"
        className={className}
        popoverTarget={id}
        aria-controls={id}
        // Without scripts nobody would keep it true; browsers then say it themselves.
        aria-expanded={isHydrated ? isOpen : undefined}
        data-current={current}
      >
        {label}
      </button>
      <div
        id={id}
        ref={panel}
        className={edge === 'end' ? 'drop-down-panel drop-down-end' : 'drop-down-panel'}
        popover="auto"
        onToggle={(event) => setIsOpen(event.newState === 'open')}
        onClick={handleClick}
      >
        {children}
      </div>
    </div>
  );
}
