import { IMAGE_MAX_BYTES } from '../../shared/limits.js';

const PREFIX = /^data:[^,]{0,200}/i;
const IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif)(?:;[\w=-]{1,50})*;base64$/i;
const MAX_LENGTH = Math.ceil((IMAGE_MAX_BYTES * 4) / 3) + 1000;

/** Returns true for an address that contains its own data (RFC 2397). */
export function isDataAddress(address: string): boolean {
  return /^data:/i.test(address);
}

/**
 * The bytes of an image that is part of the text, not yet looked at; null for what is no image in base64 of
 * a format that we take, or larger than an image may be.
 */
export function readDataImage(address: string): Buffer | null {
  const prefix = PREFIX.exec(address)?.[0];
  if (prefix === undefined || !IMAGE.test(prefix) || address.length > MAX_LENGTH) return null;
  // Line breaks and percent-encoding are what editors make of long addresses.
  const written = address.slice(prefix.length + 1).replace(/\s+/g, '');
  const text = written.includes('%') ? written.replace(/%(2B|2F|3D)/gi, (code) => decodeURIComponent(code)) : written;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64');
}
