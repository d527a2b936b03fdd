import { MEDIA_PATH, parseMediaUrl, variantsOf, type MediaName } from '../media.js';
import type { SiteLogo, SitePicture } from './site.js';

/** The room that a picture has on pages, in pixels. */
interface PictureBox {
  readonly width: number;
  readonly height: number;
}

/** The room in header and footer. */
const LOGO_BOX: PictureBox = { width: 240, height: 48 };
/** The room in the partner badge. */
export const PARTNER_BOX: PictureBox = { width: 120, height: 40 };

/** Dense screens show so many pixels in the place of one. */
const DENSITY = 2;

/**
 * Returns true for the address of a picture that can stand for the company. It is a PNG or JPEG, as search engines and
 * networks show those, and does not move. Whether the library has it is another question.
 */
export function isCompanyPicture(address: string): boolean {
  return parsePicture(address) !== null;
}

/**
 * Describes a picture for the place where it is shown.
 * @param address of the library, as `/media/{name}`; null for none
 * @param publicBase address at which browsers read pictures, or undefined where this server hands them out
 */
export function toCompanyPicture(
  address: string | null,
  box: PictureBox,
  publicBase: string | undefined,
): SitePicture | null {
  const media = parsePicture(address ?? '');
  if (address === null || media === null) return null;
  const scale = Math.min(1, box.width / media.width, box.height / media.height);
  const width = Math.max(1, Math.round(media.width * scale));
  const height = Math.max(1, Math.round(media.height * scale));
  return { src: toSource(nameOf(address, media, width * DENSITY), publicBase), width, height };
}

/** Describes the logo; null where the company has chosen none. */
export function toSiteLogo(facts: LogoFacts, publicBase: string | undefined): SiteLogo | null {
  const shown = toCompanyPicture(facts.logo, LOGO_BOX, publicBase);
  const media = parsePicture(facts.logo ?? '');
  if (facts.logo === null || shown === null || media === null) return null;
  const dark = toCompanyPicture(facts.logo_dark, LOGO_BOX, publicBase);
  const { width, height } = media;
  return {
    ...shown,
    ...(dark === null || dark.src === shown.src ? {} : { dark }),
    hasName: facts.logo_has_name,
    file: { src: toSource(facts.logo.slice(MEDIA_PATH.length), publicBase), width, height },
  };
}

/** The facts of the company that decide about its logo. */
interface LogoFacts {
  readonly logo: string | null;
  readonly logo_dark: string | null;
  readonly logo_has_name: boolean;
}

function parsePicture(address: string): MediaName | null {
  const media = parseMediaUrl(address);
  if (media?.variantWidth !== null || media.isAnimated) return null;
  return media.extension === 'png' || media.extension === 'jpg' ? media : null;
}

/** The name of the smallest file that is sharp in this width; the picture itself where none is much smaller. */
function nameOf(address: string, media: MediaName, wanted: number): string {
  const variants = variantsOf(media).filter(({ extension, width }) => extension === 'webp' && width < media.width);
  return variants.find(({ width }) => width >= wanted)?.name ?? address.slice(MEDIA_PATH.length);
}

function toSource(name: string, publicBase: string | undefined): string {
  return (publicBase === undefined ? MEDIA_PATH : `${publicBase}/`) + name;
}
