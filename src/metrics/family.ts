/** One line of a metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** The name of a part of a histogram; absent when it is the name of the family. */
  readonly metricName?: string;
}

/** A metric with its lines, as processes hand them to each other. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How values of several processes are combined. */
  readonly aggregator: 'sum' | 'max' | 'min';
  readonly values: readonly Sample[];
}

type About = Pick<Family, 'name' | 'help'>;

export function counter(about: About, values: readonly Sample[]): Family {
  return { ...about, type: 'counter', aggregator: 'sum', values };
}

/** @param aggregator `max` for values that all processes share, and for those where the worst one counts */
export function gauge(about: About, values: readonly Sample[], aggregator: 'sum' | 'max' = 'sum'): Family {
  return { ...about, type: 'gauge', aggregator, values };
}

/** A value without labels. */
export function single(value: number): Sample[] {
  return [{ labels: {}, value }];
}

/** A line for each entry, which is told from the others by this label. */
export function labeled(label: string, entries: readonly (readonly [name: string, value: number])[]): Sample[] {
  return entries.map(([name, value]) => ({ labels: { [label]: name }, value }));
}
