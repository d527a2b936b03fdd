import { useRef, useState, type FocusEvent, type MouseEvent } from 'react';
import { useLocation } from 'react-router-dom';
import { Icon } from '../../components/icon.js';
import { useIsHydrated } from '../../lib/use-is-hydrated.js';
import { NavItems } from './nav-link.js';
import { toAriaCurrent, whyGroup, whyLinks } from './navigation.js';

const PANEL_ID = 'why-menu';

/** The group's own page first, under a name that tells it from the group. */
const panelLinks = [{ to: whyGroup.to, label: 'Six reasons, in short' }, ...whyLinks];

/**
 * The drop-down of the header. It is a native popover: opening, Escape, a click outside and the return of the focus
 * are the browser's, so it works before (and without) any script.
 */
export function WhyMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const isHydrated = useIsHydrated();
  const { pathname } = useLocation();
  const panel = useRef<HTMLDivElement>(null);

  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // An open panel must not hide what the keyboard moved on to.
    if (relatedTarget && !currentTarget.contains(relatedTarget)) panel.current?.hidePopover();
  };
  const handleClick = ({ target }: MouseEvent) => {
    if ((target as Element).closest('a')) panel.current?.hidePopover();
  };

  return (
    <div className="why-menu" onBlur={handleBlur}>
      <button
        type="button"
        className="nav-link"
        popoverTarget={PANEL_ID}
        aria-controls={PANEL_ID}
        // Without scripts nobody would keep it true; browsers then say it themselves.
        aria-expanded={isHydrated ? isOpen : undefined}
        data-current={toAriaCurrent(whyGroup.to, pathname)}
      >
        {whyGroup.label}
        <Icon name="chevron" />
      </button>
      <div
        id={PANEL_ID}
        ref={panel}
        className="why-panel"
        popover="auto"
        onToggle={(event) => setIsOpen(event.newState === 'open')}
        onClick={handleClick}
      >
        <ul role="list" className="lamp-links">
          <NavItems links={panelLinks} />
        </ul>
      </div>
    </div>
  );
}
