/** Thrown for an image that cannot be had from where it is; the message goes on after its address: 'answered 404'. */
export class ImageUnavailableError extends Error {
  override readonly name: string = 'ImageUnavailableError';
}

/**
 * Thrown for an image on a site that a name leads to inside of the network; the message has its address, which operators
 * may read. To anybody else it would tell what is there.
 */
export class InnerSiteError extends ImageUnavailableError {
  override readonly name = 'InnerSiteError';
}

interface PassingOptions extends ErrorOptions {
  /** True when the site did not answer at all. */
  readonly isSilence: boolean;
  /** How long the site asks to be left alone. */
  readonly pauseMs?: number;
}

/** Thrown when the reason may pass, so that it is worth asking once more. */
export class PassingTroubleError extends ImageUnavailableError {
  override readonly name = 'PassingTroubleError';
  readonly isSilence: boolean;
  readonly pauseMs: number | undefined;

  constructor(message: string, options: PassingOptions) {
    super(message, options);
    this.isSilence = options.isSilence;
    this.pauseMs = options.pauseMs;
  }
}
