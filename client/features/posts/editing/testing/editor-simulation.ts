import {
  EMPTY_FORM,
  type AdminPost,
  type PostForm,
  type WorkingCopy,
} from '../../../../../src/shared/contracts/admin-posts.js';
import { isSameForm, toForm } from '../fields.js';
import { LocalCopies, type LocalCopy } from '../local-copies.js';
import { isToBePublished, toShownDate } from '../publication.js';
import { COPY_WAIT_MS, Saver, type SaveOutcome } from '../saver.js';
import type { Answer, SaveRequest } from '../saving-state.js';
import { FakeStorage } from './fake-storage.js';

/** How the network and the server behave: whether the request arrives, and whether its answer does. */
export type NetworkMode = 'ok' | 'lose-request' | 'lose-answer' | 'broken' | 'expired' | 'offline';

/** An event in the life of an editor. */
export type SimulatedAction =
  | {
      readonly kind:
        | 'type'
        | 'switch'
        | 'date'
        | 'acknowledge'
        | 'save'
        | 'task'
        | 'sign-in'
        | 'crash'
        | 'close'
        | 'restore'
        | 'undo'
        | 'merge';
    }
  | { readonly kind: 'other-saves' | 'other-keeps' | 'other-publishes' | 'other-dates' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'network'; readonly mode: NetworkMode }
  | { readonly kind: 'resolve'; readonly choice: 'mine' | 'theirs' };

/** The publication of a post as its editor shows it. */
interface Shown {
  readonly isPublished: boolean;
  readonly date: string | null;
  /** The date of the post before it is saved. */
  readonly dateBefore: string | null;
}

const POST_ID = 'post';
const LATENCY_MS = 100;
const START = 1_700_000_000_000;

function toText(title: string): PostForm {
  return { ...EMPTY_FORM, title };
}

/** The server's side of the contract, for one published post: one counter, save ids, revisions of what was saved. */
class FakeServer {
  version = 1;
  saved = 'text 0';
  isPublished = false;
  date: string | null = null;
  /** A save that left the post as nobody wanted it. */
  surprise: string | null = null;
  #kept: WorkingCopy | null = null;
  lastSaveId = '';
  readonly #revisions = new Set(['text 0']);

  /** Every text that somebody could still read here. */
  texts(): string[] {
    return [...this.#revisions, ...(this.#kept ? [this.#kept.fields.title] : [])];
  }

  post(): AdminPost {
    const iso = new Date(START).toISOString();
    return {
      id: POST_ID,
      version: this.version,
      state: this.isPublished ? 'published' : 'draft',
      title: this.saved,
      slug: '',
      excerpt: null,
      author: '',
      category: null,
      tags: null,
      is_published: this.isPublished,
      published: { iso, short: '', long: '' },
      scheduled_at: null,
      deleted_at: null,
      has_unsaved_changes: this.#kept !== null,
      created_at: iso,
      updated_at: iso,
      published_date: this.date,
      saved: toText(this.saved),
      working_copy: this.#kept,
      first_published_at: null,
      live_since: null,
      picture: null,
      saved_by: null,
      deleted_by: null,
      owner: null,
      save_id: null,
    };
  }

  /** @param shown whether the post was to be public, and its date, as the writer saw them when they saved */
  take({ saveId, kind, version, fields, publication, date }: SaveRequest, shown: Shown): Answer {
    if (saveId === this.lastSaveId) return { kind: 'done', post: this.post() };
    if (version !== this.version) return { kind: 'conflict', current: this.post() };
    this.lastSaveId = saveId;
    if (kind === 'keep') {
      this.keep(fields);
      return { kind: 'done', post: this.post() };
    }
    this.save(fields.title);
    this.isPublished = publication ?? this.isPublished;
    if (date && (date.to !== shown.date || this.date !== shown.dateBefore)) {
      this.surprise = `Saving dated the post ${date.to} instead of ${this.date}, unseen`;
    }
    if (date) this.date = date.to;
    const { isPublished } = shown;
    if (this.isPublished !== isPublished) {
      this.surprise = `Saving made the post ${isPublished ? 'a draft' : 'public'} unseen`;
    }
    return { kind: 'done', post: this.post() };
  }

  save(title: string): void {
    this.version += 1;
    this.saved = title;
    this.#kept = null;
    this.#revisions.add(title);
  }

  keep(fields: PostForm): void {
    this.version += 1;
    this.#kept = { fields, kept_at: '', kept_by: null };
  }

  change(version: number): Answer {
    if (version !== this.version) return { kind: 'conflict', current: this.post() };
    this.version += 1;
    return { kind: 'done', post: this.post() };
  }

  publish(): void {
    this.version += 1;
    this.isPublished = !this.isPublished;
  }

  setDate(date: string): void {
    this.version += 1;
    this.date = date;
  }
}

/** A person at an editor, a server, a network, and a clock that only moves when told to. */
export class EditorSimulation {
  readonly storage = new FakeStorage();
  readonly server = new FakeServer();
  readonly outcomes: SaveOutcome[] = [];
  saver: Saver;
  #mode: NetworkMode = 'ok';
  #now = START;
  #timers: { at: number; callback: () => void }[] = [];
  #ids = 0;
  #texts = 0;
  #dates = 0;
  #underWay = 0;
  /** Texts typed in a row, without a text from elsewhere in between, and their times. */
  #typed: { readonly text: string; readonly at: number }[] = [];
  /** Texts that a colleague saw and replaced. */
  readonly #replaced = new Set<string>();
  /** The publication as the person saw it when they looked last: as they decided, or as they saved. */
  #seen: Shown = { isPublished: false, date: null, dateBefore: null };
  readonly #shown = new Map<string, Shown>();
  #undo: { readonly before: PostForm; readonly aside: LocalCopy | null } | null = null;
  /** Texts that somebody wrote and nobody threw away, and that no later one by the same hand replaced. */
  readonly #precious = new Set<string>();

  constructor() {
    this.saver = this.#open();
  }

  get title(): string {
    return this.saver.getState().fields.title;
  }

  copies(): LocalCopy[] {
    return this.#store().ofPost(POST_ID);
  }

  async act(action: SimulatedAction): Promise<void> {
    this.#do(action);
    if (action.kind === 'wait') await this.#pass(action.ms);
    else await flush();
  }

  /** Makes everything work and waits. */
  async settle(): Promise<void> {
    await this.act({ kind: 'network', mode: 'ok' });
    await this.#pass(LATENCY_MS);
    await this.act({ kind: 'sign-in' });
    await this.#pass(120_000);
  }

  /**
   * Throws unless every text is somewhere: in the form, on the server, or on this device; and if a save published or
   * unpublished the post against what its person saw.
   */
  check(): void {
    if (this.server.surprise !== null) throw new Error(this.server.surprise);
    const found = new Set([this.title, ...this.server.texts(), ...this.copies().map((copy) => copy.fields.title)]);
    const lost = [...this.#precious].filter((text) => !found.has(text));
    if (lost.length > 0) throw new Error(`Lost: ${lost.join(', ')}`);
  }

  #do(action: SimulatedAction): void {
    switch (action.kind) {
      case 'type':
        this.#precious.delete(this.title);
        this.#typed.push({ text: this.#write(), at: this.#now });
        this.saver.edit(toText(this.#typed.at(-1)?.text ?? ''));
        return;
      case 'switch':
        this.saver.decide(!isToBePublished(this.saver.getState()));
        this.#look();
        return;
      case 'date':
        this.saver.chooseDate(this.#newDate());
        this.#look();
        return;
      case 'acknowledge':
        return this.saver.acknowledge();
      case 'save':
        this.#look();
        return this.saver.save();
      case 'task':
        if (!this.saver.getState().conflict)
          void this.saver.run((version) => this.#reach(() => this.server.change(version)));
        return;
      case 'sign-in':
        if (this.#mode === 'expired') this.#mode = 'ok';
        return this.saver.signedIn();
      case 'network':
        this.#mode = action.mode;
        return this.saver.setOnline(action.mode !== 'offline');
      case 'crash':
        this.#forgetWhatIsTooNew();
        return this.#reopen();
      case 'close':
        this.saver.copyNow();
        return this.#reopen();
      case 'restore':
        return this.#restore();
      case 'undo': {
        if (!this.#undo) return;
        const { before, aside } = this.#undo;
        this.saver.replace(before, aside ? { copy: aside } : {});
        this.#typed = [];
        this.#undo = null;
        return;
      }
      case 'resolve':
        // The dialog says what becomes of the post.
        this.#look(this.saver.getState().conflict?.current ?? null);
        if (this.saver.getState().conflict) this.#typed = [];
        this.saver.resolve(action.choice);
        return;
      case 'merge': {
        const { conflict } = this.saver.getState();
        if (!conflict || conflict.current.state === 'trashed') return;
        this.#look(conflict.current);
        this.#typed = [];
        // Something of each was left out: both stay.
        this.saver.merge(toText(this.#write()), { mine: true, theirs: true });
        return;
      }
      case 'other-saves':
        return this.#actAsOther((title) => this.server.save(title));
      case 'other-keeps':
        return this.#actAsOther((title) => this.server.keep(toText(title)));
      case 'other-publishes':
        return this.server.publish();
      case 'other-dates':
        return this.server.setDate(this.#newDate());
      case 'wait':
        return;
    }
  }

  /** A colleague sees what is there, and so replaces it knowingly. */
  #actAsOther(act: (title: string) => void): void {
    const seen = toForm(this.server.post()).title;
    this.#precious.delete(seen);
    this.#replaced.add(seen);
    this.server.lastSaveId = '';
    act(this.#write());
  }

  /**
   * Gives up text typed a moment ago, which is the price of not writing a copy at every key: the text before it is
   * found instead.
   */
  #forgetWhatIsTooNew(): void {
    const isOld = ({ at }: { readonly at: number }) => this.#now - at >= COPY_WAIT_MS;
    if (this.#typed.every(isOld)) return;
    this.#precious.delete(this.title);
    const last = this.#typed.findLastIndex(isOld);
    const found = [...this.server.texts(), ...this.#replaced, ...this.copies().map(({ fields }) => fields.title)];
    if (last >= 0 && !this.#typed.slice(last).some(({ text }) => found.includes(text)))
      throw new Error(`Lost: ${this.#typed[last]?.text}`);
  }

  #look(server = this.saver.getState().server): void {
    const state = { ...this.saver.getState(), server };
    const dateBefore = server?.published_date ?? null;
    this.#seen = { isPublished: isToBePublished(state), date: toShownDate(state), dateBefore };
  }

  #newDate(): string {
    this.#dates += 1;
    return new Date(Date.UTC(2020, 0, this.#dates)).toISOString();
  }

  #write(): string {
    this.#texts += 1;
    const text = `text ${this.#texts}`;
    this.#precious.add(text);
    return text;
  }

  #restore(): void {
    const copy = this.copies().find(
      ({ reason, fields }) => reason === 'unsent' && !isSameForm(fields, this.saver.getState().fields),
    );
    if (!copy) return;
    // Its author sees both and prefers the copy.
    if (!this.server.texts().includes(this.title)) this.saver.copyNow();
    const before = this.saver.getState().fields;
    this.#undo = { before, aside: this.saver.replace(copy.fields, { copy }) };
    this.#typed = [];
  }

  #reopen(): void {
    // A dead page: its timers and its answers reach nobody.
    this.#timers = [];
    this.#underWay = 0;
    this.#undo = null;
    this.#typed = [];
    this.saver = this.#open();
  }

  #open(): Saver {
    const saver = new Saver(
      {
        send: (_postId, request) => {
          const { saveId } = request;
          this.#shown.set(saveId, this.#shown.get(saveId) ?? this.#seen);
          const shown = this.#shown.get(saveId) ?? this.#seen;
          return this.#reach(() => this.server.take(request, shown));
        },
        copies: this.#store(),
        now: () => this.#now,
        newId: () => `id-${(this.#ids += 1)}`,
        startTimer: (callback, ms) => this.#startTimer(callback, ms),
      },
      { postId: POST_ID, post: this.server.post(), empty: EMPTY_FORM, isOnline: this.#mode !== 'offline' },
    );
    saver.onOutcome((outcome) => this.outcomes.push(outcome));
    return saver;
  }

  #store(): LocalCopies {
    return new LocalCopies(this.storage, 'user');
  }

  #startTimer(callback: () => void, ms: number): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((other) => other !== timer));
  }

  async #reach(serve: () => Answer): Promise<Answer> {
    this.#underWay += 1;
    if (this.#underWay > 1) throw new Error('Two requests at once');
    const answer = this.#answer(serve);
    await new Promise<void>((resolve) => this.#startTimer(resolve, LATENCY_MS));
    this.#underWay -= 1;
    return answer;
  }

  #answer(serve: () => Answer): Answer {
    switch (this.#mode) {
      case 'ok':
        return serve();
      case 'lose-answer':
        serve();
        return { kind: 'unreachable' };
      case 'broken':
        return { kind: 'failed', message: 'Oh no' };
      case 'expired':
        return { kind: 'signed-out' };
      case 'lose-request':
      case 'offline':
        return { kind: 'unreachable' };
    }
  }

  async #pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.callback();
      await flush();
    }
    this.#now = end;
  }
}

/** Lets everything that waits for a promise go on. */
async function flush(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}

export function simulateEditor(): EditorSimulation {
  return new EditorSimulation();
}
