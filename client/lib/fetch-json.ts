/** Time for which data that was fetched ahead of a navigation counts as fresh. */
const AHEAD_MS = 10_000;

interface Ahead {
  readonly answer: Promise<unknown>;
  readonly at: number;
}

const ahead = new Map<string, Ahead>();

async function load(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { accept: 'application/json' } });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return (await response.json()) as unknown;
}

/** Fetches data that a visitor will probably need next. */
export function fetchAhead(address: string): void {
  const known = ahead.get(address);
  if (known && isFresh(known)) return;
  const answer = load(address);
  ahead.set(address, { answer, at: Date.now() });
  // The next one who needs it tries again.
  answer.catch(() => ahead.delete(address));
}

/**
 * The JSON at an address of the API, or null where there is nothing.
 * @throws Error for any other answer that is not OK
 */
export async function fetchJson<T>(address: string): Promise<T | null> {
  const known = ahead.get(address);
  // It serves one navigation: the next one is to show what is new.
  ahead.delete(address);
  return (await (known && isFresh(known) ? known.answer : load(address))) as T | null;
}

function isFresh({ at }: Ahead): boolean {
  return Date.now() - at < AHEAD_MS;
}
