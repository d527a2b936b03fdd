import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import sharp from 'sharp';
import { ShareImagesService } from '../../src/share-images/share-images.service.js';
import { SiteService } from '../../src/site/site.service.js';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import { sitePages } from '../../src/shared/site-pages.js';
import { ImageWorkshop } from '../../src/uploads/uploads.module.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts, createManyPosts, createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { startS3Server } from '../support/s3-server.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const PICTURE = `/media/${'ab'.repeat(16)}-1600x900.jpg`;

describe('share images', () => {
  let app: TestApp;
  let stamp: string;

  const rows = (of: TestApp = app) =>
    of
      .get(EntityManager)
      .fork()
      .execute<{ subject: string; digest: string }[]>('select subject, digest from share_images order by drawn_at');
  const subjects = async () => (await rows()).map(({ subject }) => subject);
  const ids = async () => {
    const posts = await app
      .get(EntityManager)
      .fork()
      .execute<{ slug: string; id: string }[]>('select slug, id from blog_posts');
    return Object.fromEntries(posts.map(({ slug, id }) => [slug, id]));
  };
  const tagsOf = async (path: string, of: TestApp = app) => {
    const page = new HtmlPage((await of.inject(path)).body);
    const metas = page.all('meta').map(({ attribs }) => [attribs['property'] ?? attribs['name'], attribs['content']]);
    const tags = Object.fromEntries(metas) as Record<string, string | undefined>;
    return { ...tags, image: tags['og:image']?.replace('http://site.test', '') ?? '' };
  };
  const statusOf = async (address: string) => (await app.inject(address)).statusCode;

  beforeAll(async () => {
    app = await createTestApp({ SHARE_IMAGES: 'true' });
    stamp = app.get(SiteService).current.shareStamp!;
    // Of the pages, one is drawn here.
    const pages = Object.keys(sitePages).filter((name) => name !== 'home');
    await app
      .get(EntityManager)
      .fork()
      .execute(`insert into share_images select name, ?, ?, ''::bytea, now(), now() from unnest(?::text[]) name`, [
        stamp,
        stamp,
        `{${pages.join()}}`,
      ]);
    await createPosts(app, [
      { slug: 'plain', title: 'How to tell a phishing e-mail' },
      { slug: 'pictured', image_url: PICTURE, image_alt: 'A lamp' },
      { slug: 'draft', title: 'Nobody may read this', is_published: false },
    ]);
  });

  it('are drawn for pages and published posts, and named wherever a link to them is shown', async () => {
    const home = await tagsOf('/');
    expect(home).toMatchObject({
      'og:image': `http://site.test/media/share/home-${stamp}.png`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': expect.any(String),
      'twitter:card': 'summary_large_image',
    });
    expect((await tagsOf('/blogs/archive/2025')).image).toBe(`/media/share/blogs-${stamp}.png`);
    expect((await tagsOf('/nowhere')).image).toBe('');

    const post = await tagsOf('/blogs/plain');
    await untilEqual(() => Promise.all([home.image, post.image].map(statusOf)), [200, 200]);
    const { rawPayload, headers } = await app.inject(post.image);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    expect(rawPayload.length).toBeLessThan(60_000);

    const address = `http://site.test${post.image}`;
    expect((await app.inject('/blogs/plain')).body).toContain(`"image":"${address}"`);
    expect((await app.inject('/sitemap.xml')).body).toContain(`<image:loc>${address}</image:loc>`);
    expect((await app.inject('/rss.xml')).body).toContain(`<enclosure length="0" type="image/png" url="${address}"/>`);
    expect((await app.inject('/api/posts/plain')).json<PostDetail>().share_image).toEqual({
      ...{ src: post.image, width: 1200, height: 630, alt: 'How to tell a phishing e-mail' },
    });
  });

  it('are not drawn for posts that have a picture, and for those that are not public', async () => {
    expect(await tagsOf('/blogs/pictured')).toMatchObject({
      ...{ image: PICTURE, 'og:image:width': '1600', 'og:image:height': '900', 'og:image:alt': 'A lamp' },
    });
    const { plain, draft } = await ids();
    const others = (await subjects()).filter((subject) => !(subject in sitePages));
    expect(others).toEqual([plain]);
    expect(await statusOf(`/media/share/${draft}-${'0'.repeat(16)}.png`)).toBe(404);
    expect(await statusOf(`/media/share/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}-${'0'.repeat(16)}.png`)).toBe(
      404,
    );
    expect(await statusOf('/media/share/draft.png')).toBe(404);
  });

  itSlow('follow the title; the earlier address leads to the new one, and goes with the post', async () => {
    const { plain } = await ids();
    const before = await tagsOf('/blogs/plain');
    await app.get(EntityManager).fork().execute('update blog_posts set title = ? where id = ?', ['Renamed', plain]);
    await changePosts(app, 'publish', ['draft']);
    const after = await tagsOf('/blogs/plain');
    expect(after.image).not.toBe(before.image);
    await untilEqual(() => statusOf(after.image), 200);
    expect((await app.inject(before.image)).headers).toMatchObject({
      location: after.image,
      'cache-control': 'no-cache',
    });

    const { draft } = await ids();
    await until(async () => (await subjects()).includes(draft!));
    await changePosts(app, 'unpublish', ['plain']);
    expect(await statusOf(after.image)).toBe(404);
    await until(async () => !(await subjects()).includes(plain!));
  });

  it('keep the one before until the new one is there, when the name of the company changes', async () => {
    const other = await createTestApp({
      SHARE_IMAGES: 'true',
      SITE_NAME: 'Other',
      // Or it would be called so in the other process as well.
      SITE_LOCKED: 'SITE_NAME',
      DATABASE_URL: app.environment.DATABASE_URL!,
    });
    jest.spyOn(other.get(ImageWorkshop), 'run').mockRejectedValue(new Error('No processor'));
    const { image } = await tagsOf('/', other);
    expect(image).not.toContain(stamp);
    expect((await other.inject(image)).headers.location).toBe(`/media/share/home-${stamp}.png`);
    // Both are at work for a while: neither removes what the other one draws.
    await other.close();
  });

  itSlow('are drawn by one process, past a post that cannot be drawn', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const other = await createTestApp({ SHARE_IMAGES: 'true', DATABASE_URL: app.environment.DATABASE_URL! });
    const drawn: string[] = [];
    for (const each of [app, other]) {
      const workshop = each.get(ImageWorkshop);
      const run = workshop.run.bind(workshop);
      jest.spyOn(workshop, 'run').mockImplementation(async (job, limits) => {
        const titles = job.kind === 'share' ? job.drawings.map(({ title }) => title) : [];
        if (titles.includes('Bad')) throw new Error('A letter without end');
        drawn.push(...titles);
        return await run(job, limits);
      });
    }
    await createPosts(app, [
      { slug: 'bad', title: 'Bad' },
      { slug: 'good', title: 'Good' },
    ]);
    const { good, bad } = await ids();
    await Promise.all([app, other].map((each) => each.get(ShareImagesService).drawSome()));
    await until(async () => (await subjects()).includes(good!));
    await Promise.all([app, other].map((each) => each.get(ShareImagesService).drawSome()));
    expect(drawn).toEqual(['Good']);
    expect(await subjects()).not.toContain(bad);
    // Nobody is shown a broken picture meanwhile.
    const { image } = await tagsOf('/blogs/bad');
    expect((await app.inject(image)).headers.location).toBe(`/media/share/home-${stamp}.png`);
    expect(warn.mock.calls.length).toBeGreaterThan(0);
    expect(warn.mock.calls.length).toBeLessThanOrEqual(2);
  });

  itSlow(
    'are drawn for a thousand posts at once by two servers, none twice and nothing of drafts, and anew after an upgrade',
    async () => {
      const variables = { SHARE_IMAGES: 'true', ...(await startS3Server()) };
      const one = await createTestApp(variables);
      const two = await createTestApp({ ...variables, DATABASE_URL: one.environment.DATABASE_URL! });
      const drawn: string[] = [];
      for (const each of [one, two]) {
        const workshop = each.get(ImageWorkshop);
        const run = workshop.run.bind(workshop);
        jest.spyOn(workshop, 'run').mockImplementation(async (job, limits) => {
          if (job.kind !== 'share') return await run(job, limits);
          // Drawing a thousand takes minutes; what is asked is who draws what.
          const titles = job.drawings.map(({ title }) => title);
          drawn.push(...titles.filter((title) => title.startsWith('Thousand')));
          return titles.map((title) => Buffer.from(title));
        });
      }
      const titles = Array.from({ length: 1000 }, (_, index) => `Thousand ${index}`);
      await createManyPosts(
        one,
        titles.map((title, index) => ({ title, slug: `of-thousand-${index}` })),
      );
      await createPosts(
        one,
        Array.from({ length: 20 }, (_, index) => ({ title: `Thousand secrets ${index}`, is_published: false })),
      );
      const em = one.get(EntityManager).fork();
      const count = async () => {
        const sql = `select count(*)::int as count from share_images s join blog_posts p on p.id::text = s.subject where s.stamp <> 'old'`;
        return (await em.execute<{ count: number }[]>(sql))[0]?.count;
      };
      const drawAll = async () => {
        while ((await count()) !== titles.length)
          await Promise.all([one, two].map((each) => each.get(ShareImagesService).drawSome()));
      };
      await drawAll();
      expect(drawn.toSorted()).toEqual(titles.toSorted());
      const { image } = await tagsOf('/blogs/of-thousand-7', two);
      expect((await two.inject(image)).body).toBe('Thousand 7');

      // As another release drew them: those before are shown until the new ones are there.
      await em.execute(`update share_images set stamp = 'old', digest = left(md5(digest), 16)`);
      drawn.length = 0;
      expect((await one.inject(image)).statusCode).toBe(302);
      await drawAll();
      expect(drawn.toSorted()).toEqual(titles.toSorted());
      expect((await one.inject(image)).body).toBe('Thousand 7');
      await Promise.all([one.close(), two.close()]);
    },
  );
});
