import { createHash } from 'node:crypto';
import type { CompanyValues } from '../shared/contracts/company-facts.js';
import { PARTNER_BOX, toCompanyPicture, toSiteLogo } from '../shared/contracts/company-pictures.js';
import { toHoursInWords, toOpeningHours } from '../shared/contracts/day-hours.js';
import type { Site, SiteFrame } from '../shared/contracts/site.js';
import { DIGEST_LENGTH, SHARE_IMAGE_DESIGN } from '../shared/share-images.js';
import { sitePages, type SitePageName } from '../shared/site-pages.js';
import type { PublishedTexts } from './site-edits.js';

/**
 * Returns the site that pages are rendered from. Its keys keep their order: it stands in every page.
 * @param publicBase address at which browsers read pictures, or undefined where this server hands them out
 */
export function toSite(
  frame: SiteFrame,
  facts: CompanyValues,
  texts: PublishedTexts,
  publicBase: string | undefined,
): Site {
  const openingHours = toOpeningHours(facts);
  const logo = toSiteLogo(facts, publicBase);
  const partnerLogo = toCompanyPicture(facts.partner_logo, PARTNER_BOX, publicBase);
  return {
    name: facts.name,
    legalName: facts.legal_name ?? facts.name,
    url: frame.url,
    phone: facts.phone,
    email: facts.email,
    areaRemote: facts.area_remote,
    areaOnsite: facts.area_onsite,
    // The days say it more precisely than words that somebody wrote.
    hours: openingHours.length > 0 ? toHoursInWords(facts) : facts.hours,
    ...(openingHours.length > 0 ? { openingHours } : {}),
    timeZone: frame.timeZone,
    helpDeskUrl: facts.help_desk_url,
    ...(facts.accent === null ? {} : { accent: facts.accent }),
    ...(logo === null ? {} : { logo }),
    partner: {
      name: facts.partner_name,
      url: facts.partner_url,
      ...(partnerLogo === null ? {} : { logo: partnerLogo }),
    },
    supportLines: {
      emergency: facts.phone_emergency,
      general: facts.phone_support,
      accounts: facts.phone_accounts,
    },
    contactPerson: facts.contact_person,
    priceFactors: facts.price_factors,
    first30Days: facts.first_30_days,
    guaranteeTerms: facts.guarantee_terms,
    social: {
      linkedin: facts.social_linkedin,
      facebook: facts.social_facebook,
      instagram: facts.social_instagram,
      x: facts.social_x,
    },
    accounts: frame.accounts,
    enquiryRetentionDays: frame.enquiryRetentionDays,
    readCountsDays: frame.readCountsDays,
    shareStamp: frame.hasShareImages ? toShareStamp(facts, texts) : null,
    claims: {
      founded: facts.claim_founded,
      clients: facts.claim_clients,
      aroundTheClock: facts.claim_around_the_clock,
    },
    showsPlaceholders: frame.showsPlaceholders,
  };
}

/** Names what all drawn share images have in common. */
function toShareStamp({ name, accent, logo, logo_has_name: hasName }: CompanyValues, texts: PublishedTexts): string {
  const headlines = (Object.keys(sitePages) as SitePageName[]).map((page) => texts.headlineOf(page));
  const stamp = createHash('sha256').update(
    JSON.stringify([
      ...[SHARE_IMAGE_DESIGN, name, headlines],
      ...(accent === null ? [] : [accent]),
      ...(logo === null ? [] : [logo, hasName]),
    ]),
  );
  return stamp.digest('hex').slice(0, DIGEST_LENGTH);
}
