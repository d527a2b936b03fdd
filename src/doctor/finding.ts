/** How bad it is: the site works, will not for long or not as it should, or does not. */
export type FindingLevel = 'ok' | 'warn' | 'fail';

/** Mail that does not go out. */
export interface StuckMail {
  /** ISO 8601. */
  readonly since: string;
  /** `enquiries` where other mail goes out: the office's own address is the trouble. */
  readonly scope: 'all' | 'enquiries';
}

/** The result of one check of one thing. */
export interface Finding {
  /** One word, such as `database`. */
  readonly check: string;
  readonly level: FindingLevel;
  /** The fact or the problem, without secrets. */
  readonly message: string;
  /** Advice for the operator; null where nothing is to be done. */
  readonly advice: string | null;
  /** The moment that the message counts from, ISO 8601, where there is one: of the last backup, of a mail that is late. */
  readonly since?: string;
  /** Mail that has waited in the queue for half an hour, for more than a reason of its own. */
  readonly stuck?: StuckMail;
  /** True where no backup can be made, however often somebody tries. */
  readonly hasObstacle?: true;
}

/** The result of a check before its name is added. */
export type Statement = Omit<Finding, 'check'>;

export const ok = (message: string): Statement => ({ level: 'ok', message, advice: null });
export const warn = (message: string, advice: string): Statement => ({ level: 'warn', message, advice });
export const fail = (message: string, advice: string): Statement => ({ level: 'fail', message, advice });

/** An error in few words. Those of connections often have a code and no message. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join('; ');
  if (!(error instanceof Error)) return String(error);
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}
