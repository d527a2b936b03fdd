import { createHmac } from 'node:crypto';

/** A message and the moment of the try. */
export interface SignedMessage {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/**
 * The headers of a delivery (Standard Webhooks): id, time in seconds, and HMAC-SHA256 over both and the body. The time is that of
 * the try, so that a receiver can refuse old ones.
 */
export function signedHeaders(key: Buffer, { id, at, body }: SignedMessage): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
