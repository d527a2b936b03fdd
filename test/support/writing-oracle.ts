import type { WritingSite } from './writing-site.js';

/** A decision about a publication that somebody has begun to carry out. */
export interface Intent {
  /** Email address; null for the schedule. */
  readonly actor: string | null;
  readonly isPublished: boolean;
  /** Milliseconds since the epoch; the decision counts at some moment in between, or never. */
  readonly from: number;
  until: number;
}

/** Clocks of two processes of one machine, and the time in which a transaction ends. */
const SLACK_MS = 1_500;

/** Knows what the people of one post wrote and decided, and says what of it came to nothing. */
export class WritingOracle {
  readonly surprises: string[] = [];
  /** Everything that was done, for finding out why something is lost. */
  readonly journal: string[] = [];
  readonly #intents: Intent[] = [];
  /** Words that were on a screen for a second. */
  readonly #words = new Set<string>();
  #stateSince = 0;
  #state = '';

  constructor(
    private readonly site: WritingSite,
    readonly postId: string,
  ) {}

  get wordCount(): number {
    return this.#words.size;
  }

  note(what: string): void {
    this.journal.push(`${Date.now()} ${what}`);
  }

  intend(actor: string | null, isPublished: boolean, from = Date.now()): Intent {
    const intent = { actor, isPublished, from, until: Infinity };
    this.#intents.push(intent);
    return intent;
  }

  keep(words: readonly string[]): void {
    for (const word of words) this.#words.add(word);
  }

  /** Its author has replaced a word. */
  drop(word: string): void {
    this.#words.delete(word);
  }

  /** Compares what readers have with the last decision, and with the title that was saved last. */
  async look(): Promise<void> {
    const { postId, site } = this;
    const before = await site.publicState(postId);
    if (before.isPublished !== (before.decision === 'post.published'))
      this.surprises.push(`is ${before.isPublished ? '' : 'not '}public after ${before.decision}`);
    const state = JSON.stringify(before);
    if (state !== this.#state) this.#stateSince = Date.now();
    this.#state = state;
    if (Date.now() - this.#stateSince < SLACK_MS) return;
    const answer = await fetch(`${site.directUrl}/blogs/${before.slug}`, { redirect: 'manual' }).catch(() => null);
    const page = await answer?.text().catch(() => '');
    const after = await site.publicState(postId);
    if (answer === null || answer.status >= 500 || JSON.stringify(after) !== state) return;
    if ((answer.status === 200) !== before.isPublished)
      this.surprises.push(`the page answers ${answer.status} after ${before.decision}`);
    // An answer that broke off has no end.
    else if (answer.status === 200 && page?.includes('</html>') && !page.includes(`>${before.title}</h1>`))
      this.surprises.push(`the page does not have the title ${before.title}`);
  }

  /** @param offered every text that is offered to somebody for restoring */
  async findLost(offered: string): Promise<string[]> {
    const found = (await this.site.texts(this.postId)) + offered;
    return [...this.#words].filter((word) => !found.includes(word));
  }

  /** The decisions that nobody made. */
  async findSurprises(): Promise<string[]> {
    const open = [...this.#intents];
    const unasked = (await this.site.decisions(this.postId)).filter(({ actor, action, at }) => {
      const index = open.findIndex(
        (intent) =>
          intent.actor === actor &&
          intent.isPublished === (action === 'post.published') &&
          at >= intent.from - SLACK_MS &&
          at <= intent.until + SLACK_MS,
      );
      if (index >= 0) open.splice(index, 1);
      return index < 0;
    });
    return [...this.surprises, ...unasked.map((line) => `nobody decided ${JSON.stringify(line)}`)];
  }
}
