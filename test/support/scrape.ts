/** Scraped values by `name{label="value",...}`, as in Prometheus' text format. */
export type Scraped = ReadonlyMap<string, number>;

/** Reads the metrics of a server. */
export async function scrape(url: string): Promise<Scraped> {
  const answer = await fetch(url);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

/** By how much these values have grown, those that have. */
export function growth(before: Scraped, after: Scraped): Record<string, number> {
  const grown = [...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, difference]) => difference > 0));
}
