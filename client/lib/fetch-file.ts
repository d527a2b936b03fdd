import { toApiError, UnreachableError } from './api-errors.js';
import { PATIENCE_MS } from './patience.js';

/**
 * Fetches a file that only the token of a session opens. It may take as long as it takes, but not be silent for longer
 * than anybody waits.
 * @throws ApiError when the API refuses, UnreachableError when no answer came, or only a part of it
 */
export async function fetchFile(address: string, token: string): Promise<Blob> {
  const giveUp = new AbortController();
  const inTime = async <T>(step: Promise<T>): Promise<T> => {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    const end = () => giveUp.abort(limit.reason);
    limit.addEventListener('abort', end);
    try {
      return await step;
    } catch (error) {
      throw new UnreachableError('connection', { cause: error });
    } finally {
      limit.removeEventListener('abort', end);
    }
  };
  try {
    const { signal } = giveUp;
    const response = await inTime(fetch(address, { headers: { authorization: `Bearer ${token}` }, signal }));
    if (!response.ok) throw toApiError(response.status, await inTime(response.json()).catch(() => undefined));
    const type = response.headers.get('content-type') ?? '';
    // No file of ours is a page: something between here and the server has answered in its place.
    if (type.startsWith('text/html')) throw new UnreachableError('server');
    const reader = response.body?.getReader();
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let part = await inTime(read(reader)); part !== undefined; part = await inTime(read(reader))) parts.push(part);
    return new Blob(parts, { type });
  } finally {
    // What nobody reads any more is not to go on coming.
    giveUp.abort();
  }
}

/** The next part of a file; nothing at its end. */
async function read(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return (await reader?.read())?.value;
}
