import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { openSignedIn, startSession, type Member } from './admin-area.js';
import { postEditorPage } from './post-editor-page.js';
import type { Intent, WritingOracle } from './writing-oracle.js';
import { WAIT_LIMIT_MS } from './wait-limit.js';
import type { WritingSite } from './writing-site.js';

/** A person has patience for one step; then something else happens, as nothing may ever come of it. */
export const PATIENCE_MS = 8_000;

/** Chooses; the same for the same seed. */
export type Dice = <T>(values: readonly T[]) => T;

/** A person at a browser, who writes at one post whatever happens to it. */
export class Writer {
  /** The post, and what is known of it; it changes from round to round. */
  oracle!: WritingOracle;
  readonly done: Record<string, number> = {};
  #page!: Page;
  #context!: BrowserContext;
  /** Decisions of this page; a save may still be on its way. */
  #moved: Intent[] = [];
  /** The last word that this person wrote into a field of one line or two. */
  #named: Record<string, string> = {};
  #count = 0;

  private constructor(
    private readonly site: WritingSite,
    private readonly member: Member,
    private readonly name: string,
    private readonly choose: Dice,
  ) {}

  static async enter(site: WritingSite, member: Member, name: string, choose: Dice): Promise<Writer> {
    const writer = new Writer(site, member, name, choose);
    // Whatever breaks complains: connections, tabs, lost races.
    const page = await openSignedIn(await startSession(site.directUrl, member), { expectedComplaints: [/./] });
    writer.#context = page.context();
    writer.#take(page);
    return writer;
  }

  /** Begins to write at a post. */
  async begin(oracle: WritingOracle): Promise<void> {
    this.oracle = oracle;
    this.#named = {};
    await this.#open({ patience: WAIT_LIMIT_MS });
    this.#page.setDefaultTimeout(PATIENCE_MS);
  }

  /** Does one thing, or finds that it cannot be done now. */
  async step(isCrashing: boolean): Promise<void> {
    try {
      if (!(await this.#isWriting())) await this.#open();
      await this.#answerQuestions();
      const write = () => this.#write();
      // Before any autosave: the words lie nowhere but on this device.
      if (isCrashing) return await write().then(() => this.#crash());
      const kinds = [
        write,
        write,
        write,
        write,
        () => this.#fill('Excerpt', 'About'),
        () => this.#fill('Title', 'Round'),
        () => this.#save(),
        () => this.#saveSwitched(),
      ];
      await this.choose(kinds)();
    } catch (error) {
      // The page is gone, hangs, or shows something else than a moment ago: people look again.
      this.#note('gave up', `${String(error).split('\n')[0]} ${await this.#look().catch(() => '')}`);
      await delay(500);
    }
  }

  /** Waits until the server has the text, decides about a lost race, and leaves. */
  async finish(): Promise<void> {
    const deadline = performance.now() + WAIT_LIMIT_MS;
    while (!(await this.#isSettled())) {
      if (performance.now() > deadline)
        throw new Error(`The text of ${this.name} does not arrive: ${await this.#look()}`);
      await delay(200);
    }
    await this.#leave();
  }

  /** False where the page is gone, shows the list, or is none because its scripts did not arrive. */
  async #isWriting(): Promise<boolean> {
    if (this.#page.isClosed() || !this.#page.url().includes(this.oracle.postId)) return false;
    return (await this.#editor().form.count()) > 0;
  }

  async #isSettled(): Promise<boolean> {
    if (!(await this.#isWriting())) return true;
    try {
      await this.#answerQuestions();
      const place = await this.#page.locator('.save-bar-where').getAttribute('data-place');
      return ['saved', 'kept', 'switch-moved'].includes(String(place));
    } catch {
      // It leaves for the list at this very moment, for example.
      return false;
    }
  }

  /** Every text of the post that this browser offers for restoring when the editor is opened again. */
  async offered(): Promise<string> {
    await this.#open({ isRestoring: false, patience: WAIT_LIMIT_MS });
    const texts = await this.#page.evaluate(readCopies, this.oracle.postId);
    // They come a moment after the form, but for those that are in it already.
    if (texts.length > 0)
      await this.#editor()
        .copies.waitFor({ timeout: PATIENCE_MS })
        .catch(() => undefined);
    const shown = await this.#editor().copies.getByRole('listitem').count();
    // What is stored and not shown is offered to nobody.
    if (shown < texts.length) this.#note('kept in silence', `${texts.length} stored, ${shown} shown`);
    const screen = await this.#screen();
    await this.#leave();
    return shown === 0 ? screen : [...texts, screen].join('\n');
  }

  #editor() {
    return postEditorPage(this.#page, this.site.url);
  }

  #take(page: Page): void {
    this.#page = page;
    page.on('pageerror', ({ message }) => this.#note('error', message));
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  }

  #note(what: string, detail = ''): void {
    this.done[what] = (this.done[what] ?? 0) + 1;
    this.oracle.note(`${this.member.email} ${what} ${detail}`);
  }

  async #open({ isRestoring = true, patience = PATIENCE_MS } = {}): Promise<void> {
    if (this.#page.isClosed()) this.#take(await this.#context.newPage());
    this.#page.setDefaultTimeout(patience);
    this.#dropSwitch();
    await this.#editor().open(`/admin/blogs/edit/${this.oracle.postId}`);
    const unsent = this.#editor().copies.getByRole('listitem').filter({ hasText: 'did not reach the server' });
    if (!isRestoring || (await unsent.count()) === 0) return;
    await unsent.first().getByRole('button', { name: 'Restore' }).click();
    this.#note('restored');
  }

  async #leave(): Promise<void> {
    this.#dropSwitch();
    await this.#page.close({ runBeforeUnload: false });
  }

  /** Words that are on the screen for a second. */
  async #write(): Promise<void> {
    const editor = this.#editor();
    const words = [this.#newWord(), this.#newWord()];
    await editor.text.focus();
    await this.#page.keyboard.press(this.choose(['Control+End', 'Control+End', 'Control+Home']));
    for (let line = this.choose([0, 0, 1, 2]); line > 0; line -= 1) await this.#page.keyboard.press('ArrowDown');
    await this.#page.keyboard.press('End');
    if (this.choose([true, false])) await this.#page.keyboard.press('Enter');
    await this.#page.keyboard.type(` ${words.join(' ')}`);
    await this.#watch(words, () => this.#screen());
    this.#note('wrote', words.join(' '));
  }

  /** Puts another word into a field; it takes the place of the one before, also of somebody else's. */
  async #fill(name: 'Excerpt' | 'Title', before: string): Promise<void> {
    const field = this.#editor().field(name);
    const word = this.#newWord();
    const former = /\w+$/.exec(await field.inputValue())?.[0];
    await field.fill(`${before} ${word}`);
    if (former !== undefined && former === this.#named[name]) this.oracle.drop(former);
    this.#named[name] = word;
    await this.#watch([word], () => field.inputValue());
    this.#note(`wrote the ${name.toLowerCase()}`, word);
  }

  async #watch(words: readonly string[], read: () => Promise<string>): Promise<void> {
    const before = await read();
    await delay(1_000);
    const after = await read();
    this.oracle.keep(words.filter((word) => before.includes(word) && after.includes(word)));
  }

  async #saveSwitched(): Promise<void> {
    const { publishing } = this.#editor();
    const from = Date.now();
    await publishing.click();
    // As they see it now: a moment ago, somebody else may have moved it.
    const isPublished = await publishing.isChecked();
    this.#note('moved the switch', String(isPublished));
    this.#moved.push(this.oracle.intend(this.member.email, isPublished, from));
    await this.#save();
  }

  async #save(): Promise<void> {
    await this.#editor().button('Save Post').click();
    const left = this.#page.waitForURL(`${this.site.url}/admin/blogs`);
    const asked = this.#page.locator('dialog[open]').waitFor();
    await Promise.any([left, asked]);
    if (!this.#page.url().endsWith('/admin/blogs')) return await this.#answerQuestions();
    this.#note('saved');
  }

  /** Decisions of a page that is gone come to nothing, but for a request that is on its way. */
  #dropSwitch(): void {
    for (const intent of this.#moved) intent.until = Date.now() + PATIENCE_MS;
    this.#moved = [];
  }

  async #crash(): Promise<void> {
    const page = this.#page;
    const devtools = await this.#context.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    // Nobody is left to answer.
    devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();
    this.#note('crashed');
    this.#dropSwitch();
  }

  async #answerQuestions(): Promise<void> {
    const dialog = this.#page.locator('dialog[open]');
    const compare = this.#page.getByRole('button', { name: 'Compare both versions' });
    if ((await dialog.count()) === 0 && (await compare.count()) > 0) await compare.click();
    if ((await dialog.count()) === 0) return;
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const title = await dialog.getByRole('heading').first().innerText();
    this.#note(title);
    if (title === 'This post was changed meanwhile') return await this.#resolve(dialog, press);
    const confirm = dialog.getByRole('button', { name: /^Save (and show it to readers|it as a draft)$/ });
    if ((await confirm.count()) > 0 && this.choose([true, false])) await confirm.click();
    else await this.#page.keyboard.press('Escape');
  }

  async #resolve(dialog: Locator, press: (name: string) => Promise<void>): Promise<void> {
    const way = this.choose(['Put both into the form', 'Put both into the form', 'Keep mine', 'Take theirs']);
    if (way.startsWith('Put') && (await dialog.getByRole('button', { name: way }).count()) > 0) {
      for (const question of await dialog.getByRole('group').all()) {
        await this.choose(await question.getByRole('radio').all()).check();
      }
      await press(way);
    } else await press(way.startsWith('Put') ? 'Keep mine' : way);
    this.#note(way);
    await dialog.waitFor({ state: 'detached' });
  }

  /** The page in words, for whoever wants to know why it does not go on. */
  async #look(): Promise<string> {
    const parts = this.#page.locator(
      'h1, .save-bar-where, dialog[open], [data-sonner-toast], .field-error, .editor-notices',
    );
    return (await parts.allInnerTexts()).join(' | ').replaceAll(/\s+/g, ' ');
  }

  async #screen(): Promise<string> {
    const { text, field } = this.#editor();
    const fields = [await field('Title').inputValue(), await field('Excerpt').inputValue()];
    return `${await text.innerText()}\n${fields.join('\n')}`;
  }

  #newWord(): string {
    this.#count += 1;
    return `${this.name}${this.#count}x`;
  }
}

/** Runs in the page: the texts of a post that lie on this device, each put together of its two parts. */
function readCopies(postId: string): string[] {
  interface Kept {
    readonly postId: string;
    readonly base: string;
    readonly fields: { readonly content: string };
  }
  interface Change {
    readonly base: string;
    readonly fields: object;
    readonly content: { readonly from: number; readonly to: number; readonly text: string };
  }
  const keys = Object.keys(localStorage).filter((key) => key.startsWith('post-copy-2:'));
  return keys.flatMap((key) => {
    const { base, fields, ...kept } = JSON.parse(localStorage.getItem(key) ?? '{}') as Kept;
    if (kept.postId !== postId) return [];
    const stored = localStorage.getItem(key.replace('post-copy-2', 'post-copy-2-change'));
    const change = stored === null ? null : (JSON.parse(stored) as Change);
    if (change?.base !== base) return [JSON.stringify(fields)];
    const { from, to, text } = change.content;
    return [JSON.stringify(change.fields) + fields.content.slice(0, from) + text + fields.content.slice(to)];
  });
}
