import { EntityManager } from '@mikro-orm/postgresql';
import { HttpException, HttpStatus, Inject, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { RateLimitsService } from '../http/rate-limits/rate-limits.service.js';
import { isRemoteAddress } from '../posts/content/remote-images.js';
import { RolesService } from '../roles/roles.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import { Gate } from '../shared/gate.js';
import { UploadsService, type StoredImage } from '../uploads/uploads.service.js';
import { ImageUnavailableError, InnerSiteError, PassingTroubleError } from './images/image-unavailable.error.js';
import { RemoteImageFetcher } from './images/remote-image-fetcher.js';

/** A pasted page may have a hundred pictures at once; nobody pastes one after the other. */
const LIMIT = { count: 60, seconds: 60, burst: 200 } as const;
/** Each is held in memory whole. */
const AT_ONCE = 8;
/** The author waits. */
const TIMES = { totalMs: 15_000, idleMs: 8000 } as const;

/** Stores pictures of other sites for authors who paste or drop them. For administrators and authors. */
@Injectable()
export class RemoteImagesService {
  private readonly fetches = new Gate(AT_ONCE);
  private readonly stores = new Gate(1);

  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly roles: RolesService,
    private readonly limits: RateLimitsService,
    private readonly uploads: UploadsService,
  ) {}

  /** Each image has a fetcher of its own: a site that was silent for one is asked for the next. */
  createFetcher = () => new RemoteImageFetcher({ limits: TIMES });

  /**
   * Stores the image at an address; one that is ours is only found.
   * @param signal ends the fetching, when nobody wants it any more
   * @throws RemoteImageUnavailableException, TooManyRemoteImagesException, ImageRejectedError, StorageError
   */
  async take(actor: Actor, address: string, signal: AbortSignal): Promise<StoredImage> {
    await this.roles.requireAuthor(actor);
    const ours = await this.findOurs(address);
    if (ours !== null) return { ...ours, isNew: false };
    const em = this.em.fork({ disableTransactions: true });
    const draw = await this.limits.draw(em, LIMIT, `remote-images:${userIdOf(actor)}`);
    if (!draw.isGranted) throw new TooManyRemoteImagesException(draw.retryAfter);
    return await this.fetches.run(async () => {
      const bytes = await this.fetch(address, signal);
      // One at a time: an upload, whose sender was promised an answer, never waits for more of them.
      return await this.stores.run(() => this.store(bytes, address, signal), signal);
    });
  }

  private async store(bytes: Buffer, address: string, signal: AbortSignal): Promise<StoredImage> {
    const options = { workMs: this.config.uploads.answerMs, signal, hasToMove: true };
    return await this.uploads.storeImage(bytes, undefined, address, options);
  }

  /** An image that was copied from a page of this site. */
  private async findOurs(address: string) {
    const { site } = this.config;
    const { publicBase } = this.uploads;
    if (isRemoteAddress(address, { siteUrl: site.url, publicBase })) return null;
    return await this.uploads.findByRendition(address.replace(/^.*\/|[?#].*$/g, ''));
  }

  private async fetch(address: string, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted();
    try {
      return await this.createFetcher().fetch(address, signal);
    } catch (error) {
      if (error instanceof ImageUnavailableError) throw new RemoteImageUnavailableException(error);
      throw error;
    }
  }
}

/** An image that cannot be had from where it is. */
export class RemoteImageUnavailableException extends UnprocessableEntityException {
  constructor(cause: ImageUnavailableError) {
    // Why nobody answers (refused, filtered, another protocol), or where a name leads inside, would tell what runs where.
    const isSilence = cause instanceof InnerSiteError || (cause instanceof PassingTroubleError && cause.isSilence);
    const message = `The picture ${isSilence ? 'could not be fetched: its site does not answer' : cause.message}`;
    super({ code: 'image_unavailable', message, fields: { url: [message] } }, { cause });
  }
}

/** Thrown when an administrator has pictures fetched faster than anybody pastes them. */
export class TooManyRemoteImagesException extends HttpException {
  constructor(retryAfter: number) {
    const message = `Too many pictures were fetched in a row. Try again in ${retryAfter} seconds.`;
    super({ code: 'over_image_limit', message }, HttpStatus.TOO_MANY_REQUESTS);
  }
}
