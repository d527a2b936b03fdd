import { CompletePage } from './complete-page.js';

/** The status and headers of a page, which are known before it is rendered. */
interface PageHead {
  readonly status: number;
  /** With an ETag, which is that of the complete page. */
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string };
}

/** A page that is rendered when its body is wanted: once, for any number of visitors. */
export class LazyPage {
  readonly status: number;
  readonly headers: PageHead['headers'];
  readonly etag: string;
  /** Called with the page when it has been rendered. */
  handleComplete: (page: CompletePage) => void = () => undefined;
  private page: CompletePage | undefined;
  private quick: Buffer | undefined;

  constructor(
    { status, headers }: PageHead,
    private readonly render: () => string,
  ) {
    this.status = status;
    this.headers = headers;
    this.etag = headers.etag;
  }

  /**
   * Returns the whole page.
   * @throws what a component throws
   */
  complete(): CompletePage {
    if (this.page) return this.page;
    const { status, headers } = this;
    this.page = new CompletePage({ status, headers, body: Buffer.from(this.render()) });
    this.handleComplete(this.page);
    return this.page;
  }

  /** The whole page in a quick gzip, made once for all who waited for it; see {@link CompletePage.gzipQuickly}. */
  gzipQuickly(): Buffer | undefined {
    return (this.quick ??= this.complete().gzipQuickly());
  }
}
