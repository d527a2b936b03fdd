import { useCallback, useEffect, useRef, useState } from 'react';
import { paths } from '../../../src/shared/paths.js';
import type { UploadedImage } from '../../../src/shared/contracts/media.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { SessionExpiredError } from '../../lib/api-errors.js';
import { tellUploaded, tellUploadFailed } from './tell-upload.js';
import { PATIENCE_MS, uploadImage, type UploadOptions } from './upload-image.js';

/** Uploads without a toast, for callers that report the outcome themselves; see {@link uploadImage}. */
export function useUploadImage(): (picture: File | RemotePicture, options?: UploadOptions) => Promise<UploadedImage> {
  const api = useAdminApi();
  return useCallback(
    (picture, options) => {
      if (picture instanceof File) return uploadImage(api, picture, options);
      return api.post<UploadedImage>(
        paths.api.remoteUploads,
        { url: picture.address },
        {
          signal: options?.signal,
          patienceMs: PATIENCE_MS,
        },
      );
    },
    [api],
  );
}

/** A picture on another site, which the server fetches. */
interface RemotePicture {
  readonly address: string;
}

/** The end of an upload. */
export type UploadEnd =
  | { readonly kind: 'stored'; readonly image: UploadedImage }
  | { readonly kind: 'given-up' }
  /** `isForAll` where no other picture could be uploaded either. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isForAll: boolean };

/** One upload at a time, with the state that a control shows. */
export interface UploadState {
  /** Share of the upload that was sent, from 0 to 1; null when no upload is in progress. */
  readonly share: number | null;
  /** Why the last one failed. */
  readonly error: string | undefined;
  /** Uploads a file, or has a picture fetched, and tells by a toast how it ended; null unless it arrived. Ends one that is on its way. */
  readonly start: (picture: File | RemotePicture) => Promise<UploadedImage | null>;
  /** As `start`, for who goes on with other pictures. */
  readonly attempt: (picture: File | RemotePicture) => Promise<UploadEnd>;
  readonly cancel: () => void;
  readonly clearError: () => void;
}

/** See {@link UploadState}. The upload ends with the control. */
export function useUpload(): UploadState {
  const upload = useUploadImage();
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string>();
  const current = useRef<AbortController | null>(null);
  const cancel = useCallback(() => current.current?.abort(), []);
  const isEnded = useRef(false);
  useEffect(() => {
    isEnded.current = false;
    return () => {
      isEnded.current = true;
      cancel();
    };
  }, [cancel]);

  const begin = async (picture: File | RemotePicture): Promise<UploadEnd> => {
    cancel();
    // Pictures that waited for others go with the control as well.
    if (isEnded.current) return { kind: 'given-up' };
    const attempt = new AbortController();
    current.current = attempt;
    setError(undefined);
    setShare(0);
    try {
      const image = await upload(picture, { signal: attempt.signal, onProgress: setShare });
      // It may have arrived at the moment in which it was given up.
      if (attempt.signal.aborted) return { kind: 'given-up' };
      tellUploaded();
      return { kind: 'stored', image };
    } catch (failure) {
      const reason = tellUploadFailed(failure);
      if (current.current === attempt) setError(reason);
      if (reason === undefined) return { kind: 'given-up' };
      return { kind: 'failed', reason, isForAll: failure instanceof SessionExpiredError };
    } finally {
      if (current.current === attempt) {
        current.current = null;
        setShare(null);
      }
    }
  };

  const start = async (picture: File | RemotePicture) => {
    const end = await begin(picture);
    return end.kind === 'stored' ? end.image : null;
  };

  return { share, error, start, attempt: begin, cancel, clearError: () => setError(undefined) };
}
