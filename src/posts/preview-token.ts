import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { isCanonicalBase64url } from '../shared/base64url.js';

const LENGTH = 71;
const ID_BYTES = 16;
const TIME_BYTES = 5;
const CONTENT_BYTES = ID_BYTES + TIME_BYTES;

/** The content of a preview token. */
export interface PreviewClaim {
  /** UUID. */
  readonly postId: string;
  readonly expiresAt: Date;
}

/** A text for an address that only who has the key can make: post, end, and a signature over both. */
export function formatPreviewToken(key: KeyObject, { postId, expiresAt }: PreviewClaim): string {
  const content = Buffer.alloc(CONTENT_BYTES);
  content.write(postId.replaceAll('-', ''), 'hex');
  content.writeUIntBE(Math.floor(expiresAt.getTime() / 1000), ID_BYTES, TIME_BYTES);
  return Buffer.concat([content, sign(key, content)]).toString('base64url');
}

/** Reads a token, expired or not; null unless it is, to the letter, one made with that key. */
export function readPreviewToken(key: KeyObject, token: string): PreviewClaim | null {
  if (token.length !== LENGTH || !isCanonicalBase64url(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const content = bytes.subarray(0, CONTENT_BYTES);
  if (!timingSafeEqual(bytes.subarray(CONTENT_BYTES), sign(key, content))) return null;
  const id = content.toString('hex', 0, ID_BYTES);
  return {
    postId: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    expiresAt: new Date(content.readUIntBE(ID_BYTES, TIME_BYTES) * 1000),
  };
}

function sign(key: KeyObject, content: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
