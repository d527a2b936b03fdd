import { paths } from '../../shared/paths.js';
import { leadLinksOn, toAddressKey, type InnerAddresses } from './inner-links.js';

/** The addresses of a post here and there. */
export interface Heading {
  readonly slug: string;
  readonly oldPaths: readonly string[];
  /** The slug that it has if another post has the first one; undefined where that is refused. */
  readonly otherSlug?: string;
}

/** The posts of a folder by the addresses that they had, for links between them. */
export class FormerAddresses {
  private known: Promise<ReadonlyMap<string, string>> | undefined;
  /** Files by the slugs of their posts here. */
  private readonly bySlug = new Map<string, string>();

  /** @param readHeading null for a file that cannot become a post */
  constructor(
    private readonly files: readonly string[],
    private readonly readHeading: (file: string) => Promise<Heading | null>,
  ) {}

  /** Leads the links of a text on, as `leadLinksOn` does. All files are looked into once, when a text has links. */
  async leadOn(
    html: string,
    ownPath: string | null,
    addresses: Omit<InnerAddresses, 'find'>,
    warnings: string[],
  ): Promise<string> {
    if (!/<a\s/i.test(html)) return html;
    const slugs = await (this.known ??= this.readAll());
    const find = (path: string) => {
      const slug = slugs.get(toAddressKey(path));
      return slug === undefined ? undefined : paths.blog(slug);
    };
    return leadLinksOn(html, ownPath, { ...addresses, find }, warnings);
  }

  /** The file of the post that gets this slug; undefined for none of the folder. */
  async fileOf(slug: string): Promise<string | undefined> {
    await (this.known ??= this.readAll());
    return this.bySlug.get(slug);
  }

  private async readAll(): Promise<ReadonlyMap<string, string>> {
    const slugs = new Map<string, string>();
    const later: [file: string, heading: Heading][] = [];
    const add = (file: string, slug: string, { oldPaths }: Heading) => {
      if (!this.bySlug.has(slug)) this.bySlug.set(slug, file);
      for (const key of oldPaths.map(toAddressKey)) if (!slugs.has(key)) slugs.set(key, slug);
    };
    for (const file of this.files) {
      const heading = await this.readHeading(file);
      if (heading?.otherSlug === undefined) {
        if (heading !== null) add(file, heading.slug, heading);
      } else later.push([file, heading]);
    }
    for (const [file, heading] of later) {
      const { slug, otherSlug = slug } = heading;
      add(file, this.bySlug.has(slug) ? otherSlug : slug, heading);
    }
    return slugs;
  }
}
