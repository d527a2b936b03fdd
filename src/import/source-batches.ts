import type { PostSource, SourceItem } from './source-post.js';

/** An item, and how much of the source had been read when it came. */
export interface LocatedItem {
  readonly item: SourceItem;
  readonly position: number;
}

/** Items that are read, decided and written together: enough to be fast, few enough to fit in memory. */
const MAX_ITEMS = 50;
/** Characters of text after which a batch is full all the same. */
const MAX_CHARACTERS = 500_000;

/** The items in groups of a bounded size; when reading fails, what was read until then comes first. */
export async function* readBatches(source: PostSource): AsyncGenerator<readonly LocatedItem[]> {
  let batch: LocatedItem[] = [];
  let characters = 0;
  let position = 0;
  let failure: { readonly error: unknown } | null = null;
  try {
    for await (const item of source.read((done) => void (position = done))) {
      batch.push({ item, position });
      characters += 'html' in item ? item.html.length : 0;
      if (batch.length < MAX_ITEMS && characters < MAX_CHARACTERS) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  } catch (error) {
    failure = { error };
  }
  if (batch.length > 0) yield batch;
  if (failure !== null) throw failure.error;
}

/** The groups, prepared: each while the one before it is worked on. */
export async function* readAhead<T, R>(groups: AsyncIterable<T>, prepare: (group: T) => Promise<R>): AsyncGenerator<R> {
  const iterator = groups[Symbol.asyncIterator]();
  const readNext = async () => {
    const next = await iterator.next();
    return next.done === true ? null : await prepare(next.value);
  };
  try {
    let reading = readNext();
    for (let group = await reading; group !== null; group = await reading) {
      reading = readNext();
      // Should writing fail, nobody will ask for what was read.
      reading.catch(() => undefined);
      yield group;
    }
  } finally {
    await iterator.return?.();
  }
}
