/** The one stretch in which a text differs from an earlier one: characters from `from` up to `to` became `text`. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A change with more characters is not worth being kept apart from the text that it changes. */
export const CHANGE_MAX = 2_000;

/** Returns the change that turns one text into another. Takes a fraction of a millisecond for 10,000 words. */
export function findChange(before: string, after: string): TextChange {
  const shared = Math.min(before.length, after.length);
  let start = 0;
  while (start < shared && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < shared - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  return { from: start, to: before.length - end, text: after.slice(start, after.length - end) };
}

/** The text after a change that {@link findChange} found. */
export function applyChange(before: string, { from, to, text }: TextChange): string {
  return before.slice(0, from) + text + before.slice(to);
}
