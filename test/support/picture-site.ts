import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onCleanup } from './cleanup.js';

/** A site with pictures, on a private address. */
export interface PictureSite {
  /** Without a slash at its end. */
  readonly url: string;
  /** From now on every address is that of the picture; until then, and after closing, of nothing. */
  open(): void;
  close(): void;
}

/** Starts a site that shows one picture, which ends with the tests of this file. */
export async function startPictureSite(picture: string): Promise<PictureSite> {
  const bytes = readFileSync(picture);
  let isOpen = false;
  const server = createServer((_request, response) => {
    response.writeHead(isOpen ? 200 : 404).end(isOpen ? bytes : 'Not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    open: () => void (isOpen = true),
    close: () => void (isOpen = false),
  };
}
