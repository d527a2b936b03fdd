/** Tells people that a part did not come. */
export const LOST_PART = 'A part of this page could not be loaded. To go on, load the page again.';

/** The way on. */
export const RELOAD = 'Load the page again';

/**
 * A script of the page did not come. Browsers keep that in mind and do not ask for it twice, and those of a release that
 * was replaced are gone: nothing but a full load of the page helps.
 */
export class LostPartError extends Error {
  override readonly name = 'LostPartError';

  constructor(options?: ErrorOptions) {
    super(LOST_PART, options);
  }
}
