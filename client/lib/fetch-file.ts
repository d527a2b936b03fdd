import { toApiError, UnreachableError } from './api-errors.js';

/**
 * Fetches a file that only the token of a session opens.
 * @throws ApiError when the API refuses, UnreachableError when no answer came, or only a part of it
 */
export async function fetchFile(address: string, token: string): Promise<Blob> {
  const unreachable = (error: unknown): never => {
    throw new UnreachableError('connection', { cause: error });
  };
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } }).catch(unreachable);
  if (!response.ok) throw toApiError(response.status, await response.json().catch(() => undefined));
  const file = await response.blob().catch(unreachable);
  // No file of ours is a page: something between here and the server has answered in its place.
  if (file.type.startsWith('text/html')) throw new UnreachableError('server');
  return file;
}
