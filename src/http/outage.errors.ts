import { HttpException } from '@nestjs/common';

/** What the product needs and cannot reach. */
export type Outage = 'database_unavailable' | 'storage_unavailable';

const SENTENCES: Readonly<Record<Outage, string>> = {
  database_unavailable: 'The database does not answer just now. Nothing was changed; try again in a moment.',
  storage_unavailable: 'The image storage does not answer just now. Nothing was changed; try again in a moment.',
};

/** Thrown when something the product needs is away or hangs: 503, with a code for programs and Retry-After. */
export class UnavailableException extends HttpException {
  constructor(code: Outage, cause?: unknown) {
    super({ code, message: SENTENCES[code] }, 503, { cause });
  }
}

/** Thrown when there is no room left for what should be kept: 507. Nothing of it was kept. */
export class DiskFullException extends HttpException {
  constructor(cause?: unknown) {
    const message = 'There is no room left on the disk of the server. Nothing was changed; tell whoever runs the site.';
    super({ code: 'disk_full', message }, 507, { cause });
  }
}
