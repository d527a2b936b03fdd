import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type {
  AdminPost,
  PostForm,
  PreviewLink,
  Revision,
  RevisionPage,
} from '../../src/shared/contracts/admin-posts.js';
import type { ExportReport } from '../../src/shared/contracts/export-report.js';
import type { ImportReport } from '../../src/shared/contracts/import-report.js';
import {
  adminListFields,
  fieldNames,
  imageFields,
  listedFields,
  postFields,
  readersFields,
  searchedFields,
  transferredFields,
  type PostField,
} from '../../src/shared/contracts/post-fields.js';
import type { PostDetail, PostSummary } from '../../src/shared/contracts/posts.js';
import type { SearchAnswer } from '../../src/shared/contracts/search.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import { createAccount, signIn } from '../support/accounts.js';
import { rowsOf } from '../support/admin-posts.js';
import { ask } from '../support/ask.js';
import { runCli } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { hearChanges } from '../support/content-ear.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { lostFields, makeUpForm, makeUpValue, marksOf, toSaved } from '../support/post-values.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

// Every field of the registry goes through everything that carries posts. Values are made up from the registry, so that
// a field which is added later is tested too; what loses one fails with its name.

interface Site {
  readonly app: TestApp;
  readonly url: string;
  call<T = AdminPost>(method: string, path: string, body?: object): Promise<T>;
  /** Saves a new post. */
  create(form: PostForm, isPublished: boolean): Promise<AdminPost>;
  /** Saves a post with other values in some fields. */
  save(post: AdminPost, changes: object): Promise<AdminPost>;
}

async function openSite(): Promise<Site> {
  const app = await createTestApp();
  const url = await app.listen();
  const user = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, user.id);
  const { accessToken } = await signIn(app, user);
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const authorization = { authorization: `Bearer ${accessToken}` };
    const sent = body
      ? { headers: { ...authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : { headers: authorization };
    const answer = await fetch(url + path, { method, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    app,
    url,
    call,
    create: (form, isPublished) =>
      call('PUT', adminPaths.post(randomUUID()), { ...form, version: 0, is_published: isPublished }),
    save: ({ id, version, saved }, changes) => call('PUT', adminPaths.post(id), { ...saved, ...changes, version }),
  };
}

const isOptional = (name: PostField) => !('isRequired' in postFields[name]);

let site: Site;
let form: PostForm;
let post: AdminPost;

beforeAll(async () => {
  site = await openSite();
  form = await makeUpForm(site.app);
  post = await site.create(form, true);
});

const load = (from: Site, id: string) => from.call('GET', adminPaths.post(id));
const run = async (from: Site, ...args: string[]) => {
  const { code, stdout, stderr } = await runCli(args, from.app.environment);
  expect({ args, code, stdout, stderr }).toMatchObject({ code: 0, stderr: '' });
  return stdout;
};

describe('every field of a post', () => {
  it('is saved, loaded and listed', async () => {
    const loaded = await load(site, post.id);
    expect(lostFields(form, loaded.saved)).toEqual([]);
    const { items } = await site.call<{ items: AdminPost[] }>('GET', adminPaths.posts);
    expect(
      lostFields(
        toSaved(form),
        items.find(({ id }) => id === post.id),
        adminListFields,
      ),
    ).toEqual([]);
  });

  it('is in the documentation of the API', async () => {
    const { components } = await site.call<{
      components: { schemas: Record<string, { properties: object }> };
    }>('GET', '/api/openapi.json');
    const undocumented = (schema: string, names: readonly PostField[]) =>
      names.filter((name) => !(name in components.schemas[schema]!.properties));
    expect(undocumented('SavePostInput', fieldNames())).toEqual([]);
    expect(undocumented('AnsweredForm', fieldNames())).toEqual([]);
    expect(undocumented('PostSummary', listedFields)).toEqual([]);
    expect(undocumented('PostDetail', readersFields)).toEqual([]);
  });

  it('is in the versions', async () => {
    const { items } = await site.call<RevisionPage>('GET', adminPaths.revisions(post.id));
    const revision = await site.call<Revision>('GET', adminPaths.revision(post.id, items[0]!.id));
    expect(lostFields(form, revision.fields)).toEqual([]);
  });

  it('is in the working copy and its preview, and readers do not have it before it is saved', async () => {
    const public_ = await site.create(await makeUpForm(site.app), true);
    const edited = { ...(await makeUpForm(site.app)), slug: public_.slug };
    const path = adminPaths.workingCopy(public_.id);
    const kept = await site.call('PUT', path, { version: public_.version, fields: edited });
    expect(lostFields(edited, kept.working_copy!.fields)).toEqual([]);
    expect(lostFields(public_.saved, kept.saved)).toEqual([]);

    const { url } = await site.call<PreviewLink>('POST', adminPaths.previewLinks(public_.id));
    const token = new URL(url).pathname.split('/').at(-1)!;
    const preview = await site.call<PostDetail>('GET', `/api/previews/${token}`);
    expect(lostFields(toSaved(edited), preview, readersFields)).toEqual([]);
    const shown = await site.call<PostDetail>('GET', paths.api.post(public_.slug));
    expect(lostFields(toSaved(public_.saved), shown, readersFields)).toEqual([]);
  });

  it('is in a duplicate, unless it says that it is not copied', async () => {
    const copy = await site.call('POST', adminPaths.duplicate(post.id));
    const expected = { ...form, title: `Copy of ${form.title}` };
    const copied = fieldNames(({ isCopied }) => isCopied !== false);
    expect(lostFields(expected, copy.saved, copied)).toEqual([]);
    expect(lostFields(expected, copy.saved)).toEqual(fieldNames(({ isCopied }) => isCopied === false));
  });

  it('reaches the readers that it is for, and no others', async () => {
    const texts = toSaved(form);
    const list = await site.call<PostSummary[]>('GET', paths.api.posts);
    const summary = list.find(({ id }) => id === post.id)!;
    const detail = await site.call<PostDetail>('GET', paths.api.post(form.slug));
    expect(lostFields(texts, summary, listedFields)).toEqual([]);
    expect(lostFields(texts, detail, readersFields)).toEqual([]);
    // The page itself, without what its script starts with.
    const page = (await ask(site.url + paths.blog(form.slug))).body.toString();
    const html = page.replace(/<script[^>]*>.*?<\/script>/gs, '');
    const has = (text: string, name: PostField) => marksOf(form, name).every((mark) => text.includes(mark));
    expect(readersFields.filter((name) => !has(html, name))).toEqual([]);
    const others = fieldNames(({ audience }) => audience === 'admin');
    expect(others.filter((name) => has(page + JSON.stringify([list, detail]), name))).toEqual([]);
  });

  it('is looked through by the search of readers if it says so', async () => {
    const texts = fieldNames(({ kind }) => kind === 'text' || kind === 'words' || kind === 'html');
    const found: PostField[] = [];
    for (const name of texts) {
      const typed = encodeURIComponent(marksOf(form, name)[0]!);
      const answer = (await (await fetch(`${site.url}/api/search?q=${typed}`)).json()) as SearchAnswer;
      if (!answer.is_similar && answer.results.some(({ slug }) => slug === form.slug)) found.push(name);
    }
    expect(found).toEqual(texts.filter((name) => name === 'content' || searchedFields.includes(name as never)));
  });

  itSlow('is announced to the caches of pages when it alone changes', async () => {
    let current = await site.create(await makeUpForm(site.app), true);
    const heard = await hearChanges(site.app.environment.DATABASE_URL!);
    const lost: PostField[] = [];
    for (const name of readersFields) {
      await until(async () => (await ask(site.url + paths.blog(current.slug))).headers['x-cache'] === 'hit');
      const before = await heard();
      const value = await makeUpValue(site.app, name);
      current = await site.save(current, { [name]: value });
      if ((await heard()) === before) {
        lost.push(name);
        continue;
      }
      const marks = marksOf(current.saved, name);
      await until(async () => {
        const page = (await ask(site.url + paths.blog(current.slug))).body.toString();
        return marks.every((mark) => page.includes(mark));
      });
    }
    expect(lost).toEqual([]);
  });

  it('keeps the image that it names', async () => {
    const draft = await site.create(await makeUpForm(site.app), false);
    const lost: PostField[] = [];
    for (const name of imageFields) {
      const id = /[0-9a-f]{32}/.exec(draft.saved[name])![0];
      const removal = site.call('DELETE', adminPaths.image(id)).then(
        () => 'removed',
        (error: Error) => error.message,
      );
      if (!(await removal).includes('image_in_use')) lost.push(name);
    }
    expect(lost).toEqual([]);
  });

  it('stays as it is in a save that does not have it, and is emptied by null', async () => {
    let current = await site.create(await makeUpForm(site.app), false);
    const { saved } = current;
    const required = Object.fromEntries(
      fieldNames((_spec, name) => !isOptional(name)).map((name) => [name, saved[name]] as const),
    );
    const path = adminPaths.post(current.id);
    current = await site.call('PUT', path, { ...required, version: current.version });
    expect(lostFields(saved, current.saved)).toEqual([]);
    const fields = { title: saved.title, published_date: null };
    current = await site.call('PUT', adminPaths.workingCopy(current.id), { version: current.version, fields });
    expect(lostFields(saved, current.working_copy?.fields ?? current.saved)).toEqual([]);
    const optional = fieldNames((_spec, name) => isOptional(name));
    const nothing = Object.fromEntries(optional.map((name) => [name, null]));
    current = await site.call('PUT', path, { ...required, ...nothing, version: current.version });
    expect(optional.filter((name) => (current.saved[name] ?? '') !== '')).toEqual([]);
  });
});

describe.each([
  ['Markdown', (folder: string) => folder],
  ['JSON', (folder: string) => join(folder, 'posts.json')],
])('an export as %s', (_format, toPath) => {
  itSlow('has every field for another site, which sees edits of each there and here', async () => {
    const [here, there] = [await openSite(), await openSite()];
    const path = toPath(join(temporaryFolder(), 'export'));
    const bring = async () => {
      expect(await runCommand(here.app, ['posts', 'export', path, '--force'])).toMatchObject({ code: 0 });
      const { stdout } = await runCommand(there.app, ['posts', 'import', path, '--accept-changes', '--json']);
      return (JSON.parse(stdout) as ImportReport).items;
    };
    const outcomesOf = (items: ImportReport['items'], slugs: ReadonlyMap<PostField, string>) =>
      Object.fromEntries(
        [...slugs].map(([name, slug]) => {
          const { outcome, reasons } = items.find((item) => item.slug === slug)!;
          return [name, reasons[0]?.split(' since')[0] ?? outcome];
        }),
      );
    const all = (outcome: string) => Object.fromEntries(transferredFields.map((name) => [name, outcome]));

    const untouchedForm = await makeUpForm(here.app);
    const untouched = await here.create(untouchedForm, true);
    const images = Object.fromEntries(imageFields.map((name) => [name, untouchedForm[name]]));
    const [changed, edited] = [new Map<PostField, AdminPost>(), new Map<PostField, AdminPost>()];
    for (const name of transferredFields) {
      changed.set(name, await here.create(await makeUpForm(here.app, images), false));
      edited.set(name, await here.create(await makeUpForm(here.app, images), false));
    }
    await bring();
    expect(lostFields(untouched.saved, (await load(there, untouched.id)).saved)).toEqual([]);
    expect(new Set((await bring()).map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));

    const [slugsOfChanged, slugsOfEdited] = [new Map<PostField, string>(), new Map<PostField, string>()];
    for (const name of transferredFields) {
      const value = await makeUpValue(here.app, name);
      const after = await here.save(changed.get(name)!, { [name]: value });
      changed.set(name, after);
      slugsOfChanged.set(name, after.slug);
      const theirs = await load(there, edited.get(name)!.id);
      await there.save(theirs, { [name]: await makeUpValue(there.app, name) });
      const other: PostField = name === 'title' ? 'content' : 'title';
      slugsOfEdited.set(
        name,
        (await here.save(edited.get(name)!, { [other]: await makeUpValue(here.app, other) })).slug,
      );
    }
    const items = await bring();
    expect(outcomesOf(items, slugsOfChanged)).toEqual(all('updated'));
    expect(outcomesOf(items, slugsOfEdited)).toEqual(all('was edited here'));
    for (const [name, { id, saved }] of changed) {
      expect({ name, lost: lostFields(saved, (await load(there, id)).saved) }).toEqual({ name, lost: [] });
    }
  });
});

const systems = [
  ['wxr', 'posts.xml', 'media'],
  ['ghost', 'posts.json', 'content'],
] as const;

describe.each(systems)('an export as %s', (format, file, files) => {
  itSlow('has every field for an importer of that system, or says that it has no place for it', async () => {
    const [here, there] = [await openSite(), await openSite()];
    const saved = (await here.create(await makeUpForm(here.app), true)).saved;
    const folder = join(temporaryFolder(), 'export');
    const { stdout } = await runCli(['posts', 'export', folder, '--format', format, '--json'], here.app.environment);
    const { losses } = JSON.parse(stdout) as ExportReport;
    await run(
      there,
      'posts',
      'import',
      join(folder, file),
      '--assets',
      join(folder, files),
      '--source',
      'moved',
      '--publish',
    );
    const taken = (await (await fetch(there.url + paths.api.post(saved.slug))).json()) as PostDetail;
    const isNamed = (name: PostField) => losses.some(({ what }) => what.includes(postFields[name].label.toLowerCase()));
    expect(lostFields(toSaved(saved), taken, readersFields).filter((name) => !isNamed(name))).toEqual([]);
  });
});

describe('a backup', () => {
  itSlow('has every field', async () => {
    const file = join(temporaryFolder(), 'site.tar');
    await run(site, 'backup', 'create', file);
    const restored = await openSite();
    await run(restored, 'backup', 'restore', file, '--yes');
    const shown = (await (await fetch(restored.url + paths.api.post(form.slug))).json()) as PostDetail;
    expect(lostFields(toSaved(form), shown, readersFields)).toEqual([]);
    const [before, after] = await Promise.all([site, restored].map(({ app }) => rowsOf(app, 'blog_posts')));
    const rowIn = (rows: typeof before) => rows!.find(({ id }) => id === post.id)!;
    expect(lostFields(rowIn(before), rowIn(after))).toEqual([]);
  });
});
