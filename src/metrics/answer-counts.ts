import { REQUEST_KINDS, type RequestKind } from './request-kinds.js';

/** Upper bounds in seconds, from a page that lies ready to the longest that a request may take. */
export const DURATION_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
/** Status of answers by their first digit; a visitor who left before the end is none of them. */
export const OUTCOMES = ['aborted', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Answers of one kind: plain numbers, so that counting one is two additions to arrays and one to a sum. */
export interface AnswerCounts {
  /** Counts by the index of {@link OUTCOMES}. */
  readonly outcomes: number[];
  /** Counts by the index of {@link DURATION_BOUNDS}; the last one is for longer durations. Not cumulative. */
  readonly durations: number[];
  seconds: number;
}

/** Answers by kind, since the process started. */
export class Answers {
  readonly byKind: Readonly<Record<RequestKind, AnswerCounts>>;

  constructor() {
    const empty = (): AnswerCounts => ({
      outcomes: OUTCOMES.map(() => 0),
      durations: [...DURATION_BOUNDS, Infinity].map(() => 0),
      seconds: 0,
    });
    const byKind = Object.fromEntries(REQUEST_KINDS.map((kind) => [kind, empty()]));
    this.byKind = byKind as Record<RequestKind, AnswerCounts>;
  }

  /** @param status 0 for an answer that nobody waited for */
  add(kind: RequestKind, status: number, ms: number): void {
    const counts = this.byKind[kind];
    const seconds = ms / 1000;
    let bound = 0;
    while (bound < DURATION_BOUNDS.length && seconds > (DURATION_BOUNDS[bound] ?? 0)) bound += 1;
    const outcome = Math.trunc(status / 100);
    counts.durations[bound] = (counts.durations[bound] ?? 0) + 1;
    counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + 1;
    counts.seconds += seconds;
  }
}
