import type { Page } from 'playwright-core';
import type { AdminPost, AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import { callAs, createMember, openSignedIn, startSession, type Member, type MemberSession } from './admin-area.js';
import type { PageOptions } from './browser.js';
import { createTestApp, type TestApp } from './create-test-app.js';
import { createPosts } from './factories.js';
import { postEditorPage } from './post-editor-page.js';

/** A post for a test, and how it stands. */
export interface WrittenPost {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  /** The address of its editor, without the host. */
  readonly path: string;
  read(): Promise<AdminPost>;
}

/** An editor that somebody has open. */
export interface OpenEditor {
  readonly page: Page;
  readonly editor: ReturnType<typeof postEditorPage>;
  readonly session: MemberSession;
}

/** The real server with an administrator who writes in a browser. */
export interface WritingSite {
  readonly app: TestApp;
  readonly base: string;
  readonly ann: Member;
  /** Does what other people do, in other browsers, whatever becomes of the sessions of Ann. */
  readonly others: MemberSession;
  /** Opens an editor in a session of its own. */
  open(path: string, options?: PageOptions, member?: Member): Promise<OpenEditor>;
  /** Makes a published post. */
  makePost(overrides?: Parameters<typeof createPosts>[1][number]): Promise<WrittenPost>;
  /** The page that readers get; null for a 404. */
  publicPage(slug: string): Promise<string | null>;
}

/** Starts a site to write at; it ends with the tests of this file. */
export async function startWritingSite(): Promise<WritingSite> {
  const app = await createTestApp();
  const base = await app.listen();
  const ann = await createMember(app, 'ann@example.com');
  const others = await startSession(base, await createMember(app, 'others@example.com'));
  let count = 0;
  return {
    app,
    base,
    ann,
    others,
    async open(path, options = {}, member = ann) {
      const session = await startSession(base, member);
      const page = await openSignedIn(session, options);
      const editor = postEditorPage(page, base);
      await editor.open(path);
      return { page, editor, session };
    },
    async makePost(overrides = {}) {
      count += 1;
      const title = `Written ${count}`;
      const slug = `written-${count}`;
      await createPosts(app, [{ title, slug, content: '<p>As it was.</p>', ...overrides }]);
      const { items } = await callAs<AdminPostPage>(base, others, 'GET', `/api/admin/posts?q=${slug}`);
      const post = items.find((item) => item.slug === slug);
      if (post === undefined) throw new Error(`There is no post '${slug}'`);
      const { id } = post;
      const read = () => callAs<AdminPost>(base, others, 'GET', `/api/admin/posts/${id}`);
      return { id, title, slug, read, path: `/admin/blogs/edit/${id}` };
    },
    async publicPage(slug) {
      const response = await fetch(`${base}/blogs/${slug}`);
      const html = await response.text();
      return response.status === 404 ? null : html;
    },
  };
}
