/** Why an image is refused, for programs. */
export type ImageRejection =
  | 'image_empty'
  | 'image_too_large'
  | 'image_unsupported'
  | 'image_damaged'
  | 'image_too_many_pixels'
  | 'image_too_slow'
  | 'image_too_heavy'
  | 'image_undecodable';

/** Thrown for bytes that are not accepted as an image; the message is a sentence fit for the person who sent them. */
export class ImageRejectedError extends Error {
  override readonly name = 'ImageRejectedError';

  constructor(
    readonly code: ImageRejection,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
