import { describe, expect, it } from '@jest/globals';
import { readSource, settings, withFile } from '../../../test/support/post-source.js';
import type { SourceItem, SourcePost } from '../source-post.js';
import { openGhost } from './ghost-reader.js';

const read = (content: string) => withFile('ghost.json', content, (path) => readSource(openGhost(path, settings)));
const exportOf = (...posts: string[]) => `{"data": {"posts": [${posts.join(', ')}]}}`;

describe('a post of Ghost', () => {
  it('is not planned if it is for a mail alone, or may be, or if its time went by there', async () => {
    const planned = (id: string, date: string) =>
      JSON.stringify({
        id,
        uuid: id,
        title: 'P',
        slug: `p${id}`,
        html: '<p>a</p>',
        status: 'scheduled',
        published_at: date,
      });
    const posts = [
      planned('1', '2024-03-01T10:00:00.000Z'),
      planned('2', '2024-01-01T10:00:00.000Z'),
      planned('3', '2024-03-01T10:00:00.000Z'),
    ];
    const whole =
      `{"db": [{"meta": {"exported_on": ${Date.UTC(2024, 1, 1)}, "version": "5.82.0"}, "data": {"posts": [${posts.join(', ')}], ` +
      '"posts_meta": [{"id": "m", "post_id": "3", "email_only": "1"}]}}]}';
    const states = (items: readonly SourceItem[]) =>
      (items as SourcePost[]).map(
        ({ isPublished, withheld, scheduledAt }) => withheld ?? scheduledAt?.toISOString() ?? isPublished,
      );
    expect(states((await read(whole)).items)).toEqual([
      '2024-03-01T10:00:00.000Z',
      'was not published there, though its time had come',
      'is sent by email only there',
    ]);
    const cut = await read(whole.slice(0, whole.indexOf('"posts_meta"') + 15));
    expect(cut.error).not.toBeNull();
    expect(new Set(states(cut.items))).toEqual(
      new Set(['is planned there, and the file breaks off before it tells whether for a mail alone']),
    );
    expect(states((await read(exportOf(...posts))).items)[1]).toBe('2024-01-01T10:00:00.000Z');
  });

  it('brings the picture of previews, and names one that differs from it', async () => {
    const post = (id: string) =>
      JSON.stringify({ id, uuid: id, title: 'P', slug: `p${id}`, html: '<p>a</p>', status: 'draft' });
    const meta = [
      { post_id: '1', og_image: '__GHOST_URL__/a.jpg', twitter_image: '__GHOST_URL__/b.jpg' },
      { post_id: '2', og_image: null, twitter_image: '__GHOST_URL__/b.jpg' },
      { post_id: '3', og_image: '__GHOST_URL__/a.jpg', twitter_image: '__GHOST_URL__/a.jpg' },
    ];
    const content = `{"data": {"posts": [${['1', '2', '3'].map(post).join(', ')}], "posts_meta": ${JSON.stringify(meta)}}}`;
    const { items } = await read(content);
    expect((items as SourcePost[]).map(({ named, warnings }) => [named?.social_image, warnings])).toEqual([
      ['/a.jpg', ['the picture of previews on X, which is another one, was not taken: /b.jpg']],
      ['/b.jpg', []],
      ['/a.jpg', []],
    ]);
  });
});
