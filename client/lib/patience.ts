/**
 * How long an answer may take, in milliseconds: longer than the server works on any call, so that what is later does not
 * come. Whoever waits is told, and can try again.
 */
export const PATIENCE_MS = 30_000;

/** Time for the rules of a form to come when somebody sends it; a network that is gone without a word would never bring them. */
const RULES_PATIENCE_MS = 3_000;

/** Waits for what has no limit of its own. After that time, the outcome is what `late` returns or throws. */
export async function inTime<T, L>(asked: Promise<T>, late: () => L, patienceMs = PATIENCE_MS): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  return await Promise.race([asked, limit.then(late)]).finally(() => clearTimeout(timer));
}

/**
 * Waits for the rules of a form, which are loaded on demand, as only those who send need the validator. Null where they cannot be had
 * in time, and the server alone checks: browsers keep in mind that a script did not come, so it would keep somebody from
 * sending until they load the page again, and scripts of a release that was replaced never come.
 */
export function rulesInTime<T>(rules: Promise<T>): Promise<T | null> {
  const none = () => null;
  return inTime(rules.catch(none), none, RULES_PATIENCE_MS);
}
