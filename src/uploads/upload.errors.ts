import { ConflictException } from '@nestjs/common';

/** Thrown when a text is saved that shows an image which was removed in the meantime. Nothing was saved. */
export class ImageGoneException extends ConflictException {
  constructor() {
    super({
      code: 'image_gone',
      message: 'An image of this post was removed from the media in the meantime: upload it again, or leave it out.',
    });
  }
}
