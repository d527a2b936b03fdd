import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { securityHeadersOf } from '../http/security-headers.js';
import type { InlineTexts } from '../shared/contracts/pages.js';
import type { Site } from '../shared/contracts/site.js';
import { toSiteStylePath } from '../shared/paths.js';
import { toSiteStyle } from '../site/site.service.js';
import { CLIENT_BUNDLE, type ClientBundle } from './client-bundle.js';

/** The look of a page, and the headers without which browsers would not show it. They always leave together. */
export interface PageLook {
  /** The texts in the document; null in development, where they are files. */
  readonly inlineTexts: InlineTexts | null;
  /** Addresses of style sheets for pages that name files, the ones that count last. */
  readonly styles: readonly string[];
  /** Headers of a page with these texts; none where those of every answer allow them. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes the look of pages from the build and from one version of the site. Pages keep it with the policy that names its
 * hash, so that no page goes out with the policy of another version (decision 104).
 */
@Injectable()
export class SiteLook {
  private readonly looks = new WeakMap<Site, PageLook>();

  constructor(
    @Inject(CLIENT_BUNDLE) private readonly bundle: ClientBundle,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param site the one that the page is rendered from */
  of(site: Site): PageLook {
    let look = this.looks.get(site);
    if (look === undefined) {
      look = this.make(site);
      this.looks.set(site, look);
    }
    return look;
  }

  private make(site: Site): PageLook {
    const { inlineTexts: built } = this.bundle;
    const { styles } = this.bundle.assetsFor([]);
    const style = toSiteStyle(site);
    if (style === null) return { inlineTexts: built, styles, headers: {} };
    const named = [...styles, toSiteStylePath(style.digest)];
    if (built === null) return { inlineTexts: null, styles: named, headers: {} };
    const inlineTexts = { ...built, style: built.style + style.text };
    const { 'content-security-policy': policy = '' } = securityHeadersOf(this.config, inlineTexts).all;
    return { inlineTexts, styles: named, headers: { 'content-security-policy': policy } };
  }
}
