import type { ReactNode } from 'react';
import { useLocation, useNavigation } from 'react-router-dom';
import { ButtonLink, ExternalLink } from '../../components/button.js';
import { useSite } from '../../lib/site-context.js';
import { Brand } from './brand.js';
import { NavItems } from './nav-link.js';
import { contactLink, mainLinks, toAriaCurrent } from './navigation.js';
import { SideMenu } from './side-menu.js';
import { WhyMenu } from './why-menu.js';

interface SiteHeaderProps {
  /** Last in the navigation, for wide screens. */
  readonly end: ReactNode;
  /** Last in the menu of small screens. */
  readonly sideMenuEnd: ReactNode;
}

/** The header of every page (product.md 2.2). */
export function SiteHeader({ end, sideMenuEnd }: SiteHeaderProps) {
  const site = useSite();
  const { pathname } = useLocation();
  const { state } = useNavigation();
  return (
    <header className="site-header" data-busy={state === 'idle' ? undefined : true}>
      <div className="wrap">
        <Brand />
        <nav aria-label="Main" className="main-nav">
          <ul role="list">
            <NavItems links={mainLinks} />
            <li>
              <WhyMenu />
            </li>
            <li>
              <ExternalLink href={site.helpDeskUrl} className="nav-link">
                Submit a Ticket
              </ExternalLink>
            </li>
            <li>
              <ButtonLink isSmall to={contactLink.to} aria-current={toAriaCurrent(contactLink.to, pathname)}>
                {contactLink.label}
              </ButtonLink>
            </li>
          </ul>
          {end}
        </nav>
        <SideMenu end={sideMenuEnd} />
      </div>
    </header>
  );
}
