import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { preparePost } from '../../src/posts/post-preparation.js';
import { Post, type PostRow } from '../../src/posts/post.entity.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { MEDIA_PATH, renditionsOf } from '../../src/shared/media.js';
import { UploadsService, type StoredImage } from '../../src/uploads/uploads.service.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildPost, createPosts } from '../support/factories.js';

let app: TestApp;
let uploads: UploadsService;
let posts: PostsService;
const images: StoredImage[] = [];

const em = () => app.get(EntityManager).fork();
const idOf = ({ url }: Pick<StoredImage, 'url'>) => url.slice(MEDIA_PATH.length).slice(0, 32);
const img = (src: string) => `<p>Text</p><p><img src="${src}" alt=""></p>`;

beforeAll(async () => {
  app = await createTestApp();
  uploads = app.get(UploadsService);
  posts = app.get(PostsService);
  for (const red of [10, 90, 170]) {
    const background = { r: red, g: 0, b: 0 };
    images.push(
      await uploads.storeImage(
        await sharp({ create: { width: 8, height: 8, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
  }
});

/** What posts show, as `kind image`, with images by their place in {@link images}. */
async function usesOf({ id }: Pick<PostRow, 'id'>): Promise<string[]> {
  const sql = 'select kind, image_id as image from image_uses where post_id = ? order by kind';
  const rows = await em().execute<{ kind: string; image: string }[]>(sql, [id]);
  return rows.map(({ kind, image }) => `${kind} ${images.findIndex((known) => idOf(known) === image)}`).sort();
}

async function createPost(overrides: NonNullable<Parameters<typeof buildPost>[0]>): Promise<PostRow> {
  const [{ slug } = buildPost()] = await createPosts(app, [overrides]);
  return await em().findOneOrFail(Post, { slug });
}

describe('the images that a post shows', () => {
  it('are noted with every save, wherever their addresses lead', async () => {
    const variant = renditionsOf(images[1]!.url.slice(MEDIA_PATH.length))[1]!.name;
    const unknown = `${MEDIA_PATH}${'f'.repeat(32)}-8x8.png`;
    const post = await createPost({
      image_url: images[0]!.url,
      content: img(images[0]!.url) + img(`https://bucket.example/blog/${variant}`) + img(unknown),
    });
    expect(await usesOf(post)).toEqual(['post 0', 'post 1', 'revision 0', 'revision 1']);

    const write = (fields: object) => ({ target: post, fields: preparePost({ ...buildPost(), ...fields }) });
    await posts.savePosts(OPERATOR, [{ target: post, fields: null, isPublished: true }]);
    expect(await usesOf(post)).toEqual(['post 0', 'post 1', 'revision 0', 'revision 1']);
    await posts.savePosts(OPERATOR, [write({ content: img(images[2]!.url) })]);
    expect(await usesOf(post)).toEqual(['post 2', 'revision 0', 'revision 1', 'revision 2']);
  });
});
