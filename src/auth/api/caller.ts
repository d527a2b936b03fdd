/** The client that makes a call, as far as the request tells. */
export interface Caller {
  /** The client's address; behind a proxy as its trusted header tells it. */
  readonly ip: string;
  readonly userAgent: string;
  /** The access token, without the word Bearer. */
  readonly bearer: string | undefined;
  /** Header X-JWT-AUD. */
  readonly audience: string | undefined;
  /** The cookie of a device that has signed in before, unchecked (see `known-devices.service.ts`). */
  readonly deviceCookie?: string | undefined;
  /** Target of the links that this call causes; always an allowed address. */
  readonly redirectTo: string;
}
