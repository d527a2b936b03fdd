import type { SiteLogo, SitePicture } from '../../../src/shared/contracts/site.js';
import { paths } from '../../../src/shared/paths.js';
import { useSite } from '../../lib/site-context.js';

/** The company's mark and name, leading home. */
export function Brand() {
  const { name, logo } = useSite();
  return (
    <a href={paths.home} className="brand">
      {logo ? <Logo logo={logo} alt={logo.hasName ? name : ''} /> : <DrawnMark />}
      {logo?.hasName ? null : <span>{name}</span>}
    </a>
  );
}

/** The picture for each theme; the style of the site shows one of them (`src/site/site-style.ts`). */
function Logo({ logo, alt }: { readonly logo: SiteLogo; readonly alt: string }) {
  const draw = ({ src, width, height }: SitePicture, className: string) => (
    <img className={className} src={src} width={width} height={height} alt={alt} />
  );
  return (
    <>
      {draw(logo, 'brand-light')}
      {logo.dark ? draw(logo.dark, 'brand-dark') : null}
    </>
  );
}

function DrawnMark() {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <rect x="1" y="1" width="30" height="30" rx="8" className="brand-ground" />
      <path d="M9 20v-5a7 7 0 0 1 14 0v5" className="brand-band" />
      <rect x="6.8" y="18" width="5" height="7" rx="2" className="brand-cup" />
      <rect x="20.2" y="18" width="5" height="7" rx="2" className="brand-cup" />
      <circle cx="16" cy="24.6" r="1.9" className="brand-lamp" />
    </svg>
  );
}
