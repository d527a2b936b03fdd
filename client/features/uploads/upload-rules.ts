import { IMAGE_MAX_BYTES } from '../../../src/shared/limits.js';
import { mediaMessages } from '../../content/media.js';

/** Types that file choosers offer; the server checks the content. */
export const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'] as const;

/** Thrown for a file that the server would refuse, before it is sent. */
export class FileRefusedError extends Error {
  override readonly name = 'FileRefusedError';
}

/**
 * Checks a file before it is sent, to save the wait. The server checks a file whose type the browser does not know.
 * @throws FileRefusedError
 */
export function checkFile({ size, type }: Pick<File, 'size' | 'type'>): void {
  if (type.startsWith('image/svg')) throw new FileRefusedError(mediaMessages.svg);
  const isAccepted = type === '' || ACCEPTED_TYPES.some((accepted) => accepted === type);
  if (!isAccepted) throw new FileRefusedError(mediaMessages.unsupported);
  if (size >= IMAGE_MAX_BYTES) throw new FileRefusedError(mediaMessages.tooLarge.text);
}
