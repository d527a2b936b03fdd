import { useLocation } from 'react-router-dom';
import { DropDown } from '../../components/drop-down.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { NavItems } from './nav-link.js';
import { toAriaCurrent, whyGroup, whyLinks } from './navigation.js';

/** The group's own page first, under a name that tells it from the group. */
const panelLinks = [{ to: whyGroup.to, label: 'Six reasons, in short' }, ...whyLinks];

/** The group of the header (product.md 2.2). */
export function WhyMenu() {
  const { pathname } = useLocation();
  const label = (
    <>
      {whyGroup.label}
      <Icon shape={signs.chevron} />
    </>
  );
  return (
    <DropDown id="why-menu" label={label} current={toAriaCurrent(whyGroup.to, pathname)}>
      <ul role="list" className="lamp-links">
        <NavItems links={panelLinks} />
      </ul>
    </DropDown>
  );
}
