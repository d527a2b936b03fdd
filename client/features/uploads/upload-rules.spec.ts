import { describe, expect, it } from '@jest/globals';
import { IMAGE_MAX_BYTES } from '../../../src/shared/limits.js';
import { checkFile } from './upload-rules.js';

describe('checkFile', () => {
  it.each(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', ''])('lets %j through', (type) => {
    expect(() => checkFile({ type, size: IMAGE_MAX_BYTES - 1 })).not.toThrow();
  });

  it.each([
    ['image/svg+xml', 10, 'SVG images are not accepted: use a JPEG, PNG, GIF, WebP or AVIF image'],
    ['application/pdf', 10, 'This is not a JPEG, PNG, GIF, WebP or AVIF image'],
    ['image/heic', 10, 'This is not a JPEG, PNG, GIF, WebP or AVIF image'],
    ['image/png', IMAGE_MAX_BYTES, 'Image must be less than 5MB'],
    ['', IMAGE_MAX_BYTES, 'Image must be less than 5MB'],
  ])('refuses %j of %i bytes', (type, size, message) => {
    expect(() => checkFile({ type, size })).toThrow(message);
  });
});
