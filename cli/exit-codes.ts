/** Exit codes of commands that work on several items. What breaks off ends with that of nothing, whatever was done until then. */
export const EXIT_CODES = { allWell: 0, someRefused: 1, nothingDone: 2, interrupted: 130 } as const;

/** A person pressed Ctrl+C at a question: nothing goes on, and nothing needs to be said. */
export class InterruptedError extends Error {}

/** The exit code for so many items of which so many were refused. */
export function exitCodeFor(items: number, refused: number): number {
  if (refused === 0) return EXIT_CODES.allWell;
  return refused < items ? EXIT_CODES.someRefused : EXIT_CODES.nothingDone;
}
