/** Answer to a refresh token: its successor, or null when it was refused as used. */
export interface RefreshAnswer {
  /** The place of the token that was used in the line of the session's tokens. */
  readonly used: number;
  readonly successor: string | null;
}

/**
 * A session's refresh tokens as auth-api.md 2.2 has them, one after the other. Places in the line stand
 * for tokens, so that the line can be written before it is known what they are called.
 */
export interface RefreshLine {
  /** The tokens, the oldest first. */
  readonly tokens: readonly string[];
  /** When each but the active one was revoked. */
  readonly revokedAt: readonly number[];
  /** A token came back that should not have: none is good any more. */
  readonly isEnded: boolean;
}

/** The line after an answer at that time (milliseconds), or null when the answer should have been another one. */
function advance(
  line: RefreshLine,
  { used, successor }: RefreshAnswer,
  now: number,
  reuse: number,
): RefreshLine | null {
  const last = line.tokens.length - 1;
  if (line.isEnded) return successor === null ? line : null;
  if (used === last) {
    if (successor === null || line.tokens.includes(successor)) return null;
    return { ...line, tokens: [...line.tokens, successor], revokedAt: [...line.revokedAt, now] };
  }
  const isAnswerLost = used === last - 1;
  const isJustUsed = now - (line.revokedAt[used] ?? 0) <= reuse;
  if (isAnswerLost || isJustUsed) return successor === line.tokens[last] ? line : null;
  return successor === null ? { ...line, isEnded: true } : null;
}

/**
 * The line after answers that were given at once, if there is an order in which each of them was right; null when no
 * order explains them, as when a token got two successors.
 */
export function explain(
  line: RefreshLine,
  answers: readonly RefreshAnswer[],
  now: number,
  reuse: number,
): RefreshLine | null {
  if (answers.length === 0) return line;
  for (const [index, answer] of answers.entries()) {
    const next = advance(line, answer, now, reuse);
    const rest = answers.filter((_, other) => other !== index);
    const whole = next && explain(next, rest, now, reuse);
    if (whole) return whole;
  }
  return null;
}
