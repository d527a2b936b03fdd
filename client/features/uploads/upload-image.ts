import type { UploadedImage } from '../../../src/shared/contracts/media.js';
import { paths } from '../../../src/shared/paths.js';
import type { AdminApi } from '../../lib/admin-api.js';
import { toApiError, UnreachableError } from '../../lib/api-errors.js';
import { checkFile } from './upload-rules.js';

/**
 * An upload of which nothing is heard for so long is given up: whoever hung on to it could save nothing. The server answers
 * long before that.
 */
export const PATIENCE_MS = 60_000;

/** How an upload behaves. */
export interface UploadOptions {
  readonly signal?: AbortSignal;
  /** Takes the share that was sent, from 0 to 1; at 1 the server is still at work. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Stores an image. Where the session has ended, the password is asked for in place and the upload begins again.
 * @throws FileRefusedError before anything is sent; the errors of `AdminApi.request`; the signal's reason
 */
export async function uploadImage(
  api: Pick<AdminApi, 'withSession'>,
  file: File,
  options: UploadOptions = {},
): Promise<UploadedImage> {
  checkFile(file);
  options.signal?.throwIfAborted();
  return await api.withSession(async (accessToken) => {
    // It may have been given up while the password was asked for.
    options.signal?.throwIfAborted();
    return await send(accessToken, file, options);
  });
}

/** Sends by XMLHttpRequest, because `fetch` does not report progress. */
function send(accessToken: string, file: File, { signal, onProgress }: UploadOptions): Promise<UploadedImage> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const handleAbort = () => request.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isLate = true;
        request.abort();
      }, PATIENCE_MS);
    };
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', handleAbort);
      outcome();
    };
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      wait();
      if (lengthComputable) onProgress?.(loaded / total);
    };
    request.onload = () =>
      settle(() => {
        const answer = parse(request.responseText);
        if (request.status >= 200 && request.status < 300 && answer !== undefined) resolve(answer as UploadedImage);
        else reject(toApiError(request.status, answer));
      });
    request.onerror = () => settle(() => reject(new UnreachableError()));
    request.onabort = () => settle(() => reject(isLate ? new UnreachableError() : toError(signal?.reason)));
    signal?.addEventListener('abort', handleAbort);
    request.open('POST', paths.api.uploads);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('authorization', `Bearer ${accessToken}`);
    const form = new FormData();
    form.append('file', file);
    wait();
    request.send(form);
  });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException('The upload was given up.', 'AbortError');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
