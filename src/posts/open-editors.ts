/** An editor that said that it has a post open. */
export interface OpenEditor {
  readonly postId: string;
  readonly userId: string;
  /** Names the tab. */
  readonly tab: string;
  readonly isHidden: boolean;
}

/** Four times the pause between two words of an editor in sight. */
const LIFETIME_MS = 6_000;
/** Browsers let pages out of sight run about once a minute. */
const HIDDEN_LIFETIME_MS = 90_000;
/** The tabs of one person at one post; beyond it the oldest is forgotten. */
const TABS_MAX = 20;

type Deadlines = Map<string, number>;

/** Remembers who has which post open, for seconds after each word of it. All times are milliseconds of one clock. */
export class OpenEditors {
  /** By post, person and tab. */
  readonly #posts = new Map<string, Map<string, Deadlines>>();
  #sweptAt = 0;

  note({ postId, userId, tab, isHidden }: OpenEditor, now: number): void {
    if (now - this.#sweptAt > HIDDEN_LIFETIME_MS || now < this.#sweptAt) this.#sweep(now);
    const people = this.#posts.get(postId) ?? new Map<string, Deadlines>();
    const tabs = people.get(userId) ?? new Map<string, number>();
    this.#posts.set(postId, people);
    people.set(userId, tabs);
    // Anew, so that the first one is the oldest.
    tabs.delete(tab);
    tabs.set(tab, now + (isHidden ? HIDDEN_LIFETIME_MS : LIFETIME_MS));
    const [oldest] = tabs.keys();
    if (tabs.size > TABS_MAX && oldest !== undefined) tabs.delete(oldest);
  }

  /** Returns the people who have a post open, each with the tabs in which they do. */
  ofPost(postId: string, now: number): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, readonly string[]>();
    for (const [userId, tabs] of this.#posts.get(postId) ?? []) {
      const living = [...tabs].filter(([, deadline]) => isAhead(deadline, now)).map(([tab]) => tab);
      if (living.length > 0) found.set(userId, living);
    }
    return found;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [postId, people] of this.#posts) {
      for (const [userId, tabs] of people) {
        for (const [tab, deadline] of tabs) if (!isAhead(deadline, now)) tabs.delete(tab);
        if (tabs.size === 0) people.delete(userId);
      }
      if (people.size === 0) this.#posts.delete(postId);
    }
  }
}

/** No deadline is further ahead than the longest, unless the clock was set back: then nobody knows. */
function isAhead(deadline: number, now: number): boolean {
  return deadline > now && deadline <= now + HIDDEN_LIFETIME_MS;
}
