import { mediaMessages } from '../../content/media.js';
import { ApiError, describeError, isAccessDenied } from '../../lib/api-errors.js';
import { showToast } from '../../lib/toast.js';
import { FileRefusedError } from './upload-rules.js';

/** Says that an image has arrived (product.md 8.5). */
export function tellUploaded(): void {
  showToast({ kind: 'success', title: mediaMessages.uploaded });
}

/**
 * Says why an upload failed, in the words of product.md 8.5, unless somebody gave it up or is being sent away.
 * @returns the reason, for the field: a toast is never the only carrier; undefined when nothing is to be said
 */
export function tellUploadFailed(error: unknown): string | undefined {
  if (isAbort(error) || isAccessDenied(error)) return undefined;
  const text = error instanceof FileRefusedError ? error.message : describeError(error);
  const isTooLarge = text === mediaMessages.tooLarge.text || (error instanceof ApiError && error.status === 413);
  showToast({ kind: 'error', ...(isTooLarge ? mediaMessages.tooLarge : { title: mediaMessages.uploadFailed, text }) });
  return isTooLarge ? mediaMessages.tooLarge.text : text;
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
