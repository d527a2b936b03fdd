/** Hours that are the same on each of these days. */
export interface OpeningHours {
  /** English names of days, as schema.org has them. */
  readonly days: readonly string[];
  /** As `09:00`, in the zone of the site. */
  readonly opens: string;
  readonly closes: string;
}

/** A picture of the company, as small as the place where it is shown needs it. */
export interface SitePicture {
  readonly src: string;
  /** Size in pixels in which it is shown. */
  readonly width: number;
  readonly height: number;
}

/** The picture that the company is known by. */
export interface SiteLogo extends SitePicture {
  /** The one where the theme is dark; absent where it is the same. */
  readonly dark?: SitePicture;
  /** True where it can be read as the name of the company. */
  readonly hasName: boolean;
  /** The whole picture, a PNG or JPEG, with its own size, for programs. */
  readonly file: SitePicture;
}

/** The part of the site that the environment alone decides: it stays the same as long as a process runs. */
export interface SiteFrame {
  /** The public base address, without a trailing slash. */
  readonly url: string;
  /** IANA zone in which every date on the site is shown. */
  readonly timeZone: string;
  /** True where pages show placeholders for what is not set; a company's own site leaves it out. */
  readonly showsPlaceholders: boolean;
  readonly accounts: {
    /** Base address of their API for the browser: a path of this site, or absolute. */
    readonly url: string;
    /** Digits of a mailed code. */
    readonly codeLength: number;
    /** The least number of characters of a new password. */
    readonly passwordLength: number;
    /** Wrong tries after which a code is dead; 0 is never. */
    readonly codeTries: number;
    /** The provider that people can sign in with, by its name for clients and for people. */
    readonly provider: { readonly id: string; readonly name: string } | null;
    /** True where people may link and unlink what they sign in with. */
    readonly isLinkable: boolean;
    /** People can add security keys as second factors. */
    readonly hasSecurityKeys: boolean;
    /** People can add phones as second factors, to which codes go. */
    readonly hasPhoneFactors: boolean;
    /** People can sign in with passkeys. */
    readonly hasPasskeys: boolean;
  };
  /** How long messages of the contact form are kept after their delivery; the privacy page says so. */
  readonly enquiryRetentionDays: number;
  /** For how many days reads of posts are kept by day; null where none are counted. The privacy page says so. */
  readonly readCountsDays: number | null;
  /** True where share images are drawn. */
  readonly hasShareImages: boolean;
}

/**
 * The company's identity at one moment: everything on a page that names the company comes from here. A page is rendered
 * from one of these, so that its head, its text and its state agree.
 */
export interface Site extends Omit<SiteFrame, 'hasShareImages'> {
  readonly name: string;
  /** The legal entity, for the footer and the legal pages. */
  readonly legalName: string;
  readonly phone: string;
  readonly email: string;
  /** Area of remote support, in words. */
  readonly areaRemote: string;
  /** Area of on-site support, in words. */
  readonly areaOnsite: string;
  /** Office hours, in words. */
  readonly hours: string;
  /** The same for programs; absent where nobody has said them by day. */
  readonly openingHours?: readonly OpeningHours[];
  /** The external ticket portal. */
  readonly helpDeskUrl: string;
  /** The security vendor of the partner badge. */
  readonly partner: { readonly name: string | null; readonly url: string | null; readonly logo?: SitePicture };
  /** The color of the accent in the light theme, as `#005e50`; absent where it is the one that the site comes with. */
  readonly accent?: string;
  /** Absent where pages have the drawn mark. */
  readonly logo?: SiteLogo;
  /** The telephone lines of clients. */
  readonly supportLines: {
    readonly emergency: string | null;
    readonly general: string | null;
    readonly accounts: string | null;
  };
  /** The person who answers enquiries, by name and role. */
  readonly contactPerson: string | null;
  /** Says what decides the price below the most that a plan costs, in sentences. */
  readonly priceFactors: string | null;
  /** Says what a new client gets in the first 30 days, in sentences. */
  readonly first30Days: string | null;
  /** The terms of the satisfaction guarantee, in sentences. */
  readonly guaranteeTerms: string | null;
  /** Addresses that the footer leads to; "#" is a placeholder. */
  readonly social: {
    readonly linkedin: string;
    readonly facebook: string;
    readonly instagram: string;
    readonly x: string;
  };
  /** Digest in the addresses of the share images of pages; null where none are drawn. */
  readonly shareStamp: string | null;
  /** The document of settings whose draft is seen; absent on pages of visitors. */
  readonly preview?: string;
  /** Claims that a company may not (yet) be able to make, each with its switch. */
  readonly claims: { readonly founded: boolean; readonly clients: boolean; readonly aroundTheClock: boolean };
}
