import type { Site } from '../../../src/shared/contracts/site.js';
import { FactsList, PhoneLink } from '../../components/facts-list.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { useSessionHint } from '../../lib/session-hint.js';
import { useSite, useYear } from '../../lib/site-context.js';
import { Brand } from './brand.js';
import { NavItems } from './nav-link.js';
import {
  accountLink,
  clientLink,
  contactLink,
  legalLinks,
  mainLinks,
  signInLink,
  whyGroup,
  whyLinks,
} from './navigation.js';
import { ThemeSwitch } from './theme-switch.js';

/** The footer of every public page: the whole navigation, and phone and contact in the same place. */
export function SiteFooter() {
  const ownLink = useSessionHint() ? accountLink : signInLink;
  return (
    <footer className="site-footer">
      <div className="wrap footer-top">
        <FooterContact />
        <nav aria-label="Footer" className="footer-nav">
          <FooterGroup title="Company" links={[...mainLinks, contactLink, clientLink, ownLink]} />
          <FooterGroup title="Why us" links={[whyGroup, ...whyLinks]} />
          <FooterGroup title="Legal" links={legalLinks} />
        </nav>
      </div>
      <div className="wrap footer-bottom">
        <PartnerBadge />
        <SocialLinks />
        <ThemeSwitch />
        <Copyright />
      </div>
    </footer>
  );
}

function FooterContact() {
  const site = useSite();
  return (
    <div className="footer-contact">
      <Brand />
      <FactsList
        facts={[
          { label: 'Phone', value: <PhoneLink phone={site.phone} /> },
          { label: 'Email', value: <a href={`mailto:${site.email}`}>{site.email}</a> },
          { label: 'Hours', value: site.hours },
        ]}
      />
    </div>
  );
}

interface FooterGroupProps {
  readonly title: string;
  readonly links: Parameters<typeof NavItems>[0]['links'];
}

function FooterGroup({ title, links }: FooterGroupProps) {
  return (
    <div>
      <h2>{title}</h2>
      <ul role="list">
        <NavItems links={links} className="footer-link" />
      </ul>
    </div>
  );
}

/** The security vendor's partner badge; without a configured name a placeholder, or nothing. */
function PartnerBadge() {
  const { partner, showsPlaceholders } = useSite();
  if (!partner.name && !showsPlaceholders) return null;
  const { logo } = partner;
  const badge = (
    <>
      {logo ? (
        <img src={logo.src} width={logo.width} height={logo.height} alt="" loading="lazy" />
      ) : (
        <Icon shape={signs.shield} />
      )}
      <span>
        {partner.name ? <b>{partner.name}</b> : null}
        <span>Security partner</span>
      </span>
    </>
  );
  if (!partner.url) return <p className="partner-badge">{badge}</p>;
  return (
    <a className="partner-badge" href={partner.url} rel="noopener">
      {badge}
    </a>
  );
}

const networks: readonly { readonly key: keyof Site['social']; readonly label: string }[] = [
  { key: 'linkedin', label: 'LinkedIn' },
  { key: 'facebook', label: 'Facebook' },
  { key: 'instagram', label: 'Instagram' },
  { key: 'x', label: 'X' },
];

function SocialLinks() {
  const { social, showsPlaceholders } = useSite();
  const shown = networks.filter(({ key }) => showsPlaceholders || social[key] !== '#');
  if (shown.length === 0) return null;
  return (
    <ul role="list" className="social-links" aria-label="Social media">
      {shown.map(({ key, label }) => (
        <li key={key}>
          <a href={social[key]} aria-label={label}>
            <Icon shape={signs[key]} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Copyright() {
  const { legalName } = useSite();
  return (
    <p className="copyright">
      © {useYear()} {legalName}. All rights reserved.
    </p>
  );
}
