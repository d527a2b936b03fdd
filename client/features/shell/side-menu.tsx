import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { ButtonLink, ExternalLink } from '../../components/button.js';
import { PhoneLink } from '../../components/facts-list.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { closeDialog } from '../../lib/close-dialog.js';
import { isOpenPopover } from '../../lib/is-open-popover.js';
import { useSite } from '../../lib/site-context.js';
import { Brand } from './brand.js';
import { NavItems } from './nav-link.js';
import { contactLink, mainLinks, toAriaCurrent, whyGroup, whyLinks } from './navigation.js';

const MENU_ID = 'side-menu';
const groupLinks = [whyGroup, ...whyLinks];

/**
 * The menu of small screens. With scripts it is a modal dialog, which keeps the focus inside and closes on Escape;
 * without them the same element is a popover that the same button opens. One that was opened before scripts ran stays a
 * popover until it is closed.
 * @param props.end content after the links
 */
export function SideMenu({ end }: { readonly end: ReactNode }) {
  const menu = useRef<HTMLDialogElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const close = () => closeDialog(menu.current);

  // Over the page that it was opened on, and no other: no link of it leads back.
  useEffect(() => {
    if (shown.current !== pathname) close();
    shown.current = pathname;
  }, [pathname]);

  const handleOpen = (event: MouseEvent) => {
    if (isOpenPopover(menu.current)) return;
    event.preventDefault();
    menu.current?.showModal();
  };
  const handleClose = (event: MouseEvent) => {
    if (isOpenPopover(menu.current)) return;
    event.preventDefault();
    menu.current?.close();
  };
  const handleClick = ({ target }: MouseEvent) => {
    const isBackdrop = target === menu.current;
    if (isBackdrop || (target as Element).closest('a')) close();
  };

  return (
    <div className="menu">
      <button type="button" className="menu-button" popoverTarget={MENU_ID} aria-haspopup="dialog" onClick={handleOpen}>
        <Icon shape={signs.menu} />
        Menu
      </button>
      <dialog id={MENU_ID} ref={menu} className="side-menu" popover="auto" aria-label="Menu" onClick={handleClick}>
        <div className="side-menu-sheet">
          <div className="side-menu-head">
            <Brand />
            <button
              type="button"
              className="menu-button"
              popoverTarget={MENU_ID}
              popoverTargetAction="hide"
              aria-label="Close menu"
              onClick={handleClose}
            >
              <Icon shape={signs.close} />
            </button>
          </div>
          <SideMenuLinks />
          {end}
          <SideMenuFoot />
        </div>
      </dialog>
    </div>
  );
}

function SideMenuLinks() {
  const site = useSite();
  const { pathname } = useLocation();
  return (
    <nav aria-label="Menu">
      <ul role="list" className="side-links">
        <NavItems links={mainLinks} />
        <li>
          <details open={toAriaCurrent(whyGroup.to, pathname) !== undefined}>
            <summary className="nav-link">
              {whyGroup.label}
              <Icon shape={signs.chevron} />
            </summary>
            <ul role="list" className="lamp-links">
              <NavItems links={groupLinks} />
            </ul>
          </details>
        </li>
        <li>
          <ExternalLink href={site.helpDeskUrl} className="nav-link">
            Submit a Ticket
          </ExternalLink>
        </li>
      </ul>
    </nav>
  );
}

function SideMenuFoot() {
  const site = useSite();
  const { pathname } = useLocation();
  return (
    <div className="side-menu-foot">
      <ButtonLink to={contactLink.to} aria-current={toAriaCurrent(contactLink.to, pathname)}>
        {contactLink.label}
      </ButtonLink>
      <PhoneLink phone={site.phone} className="link" />
    </div>
  );
}
