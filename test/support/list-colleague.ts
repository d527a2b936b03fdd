import type { Locator, Page } from 'playwright-core';
import { openSignedIn, postListPage, startSession, type Member } from './admin-area.js';
import { PATIENCE_MS, type Dice } from './writer.js';
import type { Intent, WritingOracle } from './writing-oracle.js';
import { WAIT_LIMIT_MS } from './wait-limit.js';
import type { WritingSite } from './writing-site.js';

/** A plan that an undo brings back may be due already, and is carried out within this time. */
const PLAN_MS = 5_000;

/** A person who decides about posts on the screen that lists them, one by one and several at once, and changes their mind. */
export class ListColleague {
  readonly done: Record<string, number> = {};

  private constructor(
    private readonly site: WritingSite,
    private readonly member: Member,
    private readonly page: Page,
    private readonly choose: Dice,
  ) {}

  static async enter(site: WritingSite, member: Member, choose: Dice): Promise<ListColleague> {
    // Whatever breaks complains.
    const page = await openSignedIn(await startSession(site.directUrl, member), { expectedComplaints: [/./] });
    page.setDefaultTimeout(PATIENCE_MS);
    page.setDefaultNavigationTimeout(WAIT_LIMIT_MS);
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    return new ListColleague(site, member, page, choose);
  }

  /**
   * Publishes or takes back the first of these posts, or all of them at once, as the list shows them now, and undoes it
   * at times.
   */
  async decide(posts: readonly WritingOracle[]): Promise<void> {
    const made: Intent[] = [];
    try {
      await this.#list().open();
      await this.#row(posts[0]!).waitFor();
      await (this.choose([true, false]) ? this.#decideOne(posts[0]!, made) : this.#decideAll(posts, made));
    } catch (error) {
      this.#note(posts, 'gave up', String(error).split('\n')[0]);
    } finally {
      // A call may be on its way for as long as somebody waits for it.
      for (const intent of made) intent.until = Math.min(intent.until, Date.now() + PATIENCE_MS);
    }
  }

  async #decideOne(post: WritingOracle, made: Intent[]): Promise<void> {
    const row = this.#row(post);
    const button = row.getByRole('button', { name: /^(Publish|Unpublish) / });
    const isPublishing = (await button.innerText()).startsWith('Publish');
    const wasPlanned = await this.#isPlanned(row);
    made.push(post.intend(this.member.email, isPublishing));
    // Not the one that may have come into its place.
    await button.and(row.getByRole('button', { name: isPublishing ? /^Publish / : /^Unpublish / })).click();
    this.#note([post], isPublishing ? 'published' : 'unpublished');
    const undo = row.getByRole('button', { name: /^Undo / });
    await undo.waitFor();
    if (this.choose([true, false]))
      await this.#undo([post], undo, { isPublishing, planned: wasPlanned ? [post] : [] }, made);
  }

  async #decideAll(posts: readonly WritingOracle[], made: Intent[]): Promise<void> {
    const planned: WritingOracle[] = [];
    for (const post of posts) {
      await this.#row(post).getByRole('checkbox').check();
      if (await this.#isPlanned(this.#row(post))) planned.push(post);
    }
    const isPublishing = this.choose([true, false]);
    made.push(...posts.map((post) => post.intend(this.member.email, isPublishing)));
    await this.#list()
      .bulk(isPublishing ? 'Publish selected posts' : 'Unpublish selected posts')
      .click();
    this.#note(posts, isPublishing ? 'published several' : 'unpublished several');
    const { outcome } = this.#list();
    await outcome.getByRole('button', { name: 'Dismiss' }).waitFor();
    const undo = outcome.getByRole('button', { name: 'Undo' });
    // Nothing was to be done, or somebody else was faster.
    if ((await undo.count()) === 0 || this.choose([true, false])) return;
    await this.#undo(posts, undo, { isPublishing, planned }, made);
  }

  async #undo(
    posts: readonly WritingOracle[],
    button: Locator,
    { isPublishing, planned }: { readonly isPublishing: boolean; readonly planned: readonly WritingOracle[] },
    made: Intent[],
  ): Promise<void> {
    made.push(...posts.map((post) => post.intend(this.member.email, !isPublishing)));
    // What was planned before is planned again.
    for (const post of planned) post.intend(null, true).until = Date.now() + PATIENCE_MS + PLAN_MS;
    await button.click();
    this.#note(posts, 'undid');
    await button.waitFor({ state: 'detached' });
  }

  #list() {
    return postListPage(this.page, this.site.url);
  }

  #row({ postId }: WritingOracle): Locator {
    return this.page.getByRole('article').filter({ has: this.page.locator(`h2 a[href$="${postId}"]`) });
  }

  async #isPlanned(row: Locator): Promise<boolean> {
    return (await row.innerText()).includes('Scheduled');
  }

  #note(posts: readonly WritingOracle[], what: string, detail = ''): void {
    this.done[what] = (this.done[what] ?? 0) + 1;
    for (const post of posts) post.note(`${this.member.email} ${what} in the list ${detail}`);
  }
}
