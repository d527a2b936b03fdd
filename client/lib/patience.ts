/**
 * How long an answer may take, in milliseconds: longer than the server works on any call, so that what is later does not
 * come. Whoever waits is told, and can try again.
 */
export const PATIENCE_MS = 30_000;
