import { describe, expect, it } from '@jest/globals';
import type { SourceChoices } from '../shared/contracts/import-report.js';
import { chosenFrom, languageInPath, unknownNameIn } from './source-choices.js';
import type { PostSource, SourceItem, SourcePost } from './source-post.js';

const post = (file: string, more: Partial<SourcePost> = {}) => {
  const language = languageInPath(file);
  return {
    file,
    folder: file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.',
    itemKey: file,
    slug: 'cables',
    author: 'Ann, Bob',
    tags: ['a', 'b'],
    category: 'Old',
    date: new Date('2020-05-01T12:00:00Z'),
    ...(language === undefined ? {} : { language }),
    ...more,
  } as SourcePost;
};

async function choose(items: readonly SourceItem[], choices: SourceChoices, timeZone?: string) {
  const read = async function* () {
    yield* items;
  };
  const chosen: SourceItem[] = [];
  const source = chosenFrom({ read } as unknown as PostSource, choices, timeZone);
  for await (const item of source.read(() => undefined)) chosen.push(item);
  return chosen;
}
const slugs = async (files: readonly string[], choices: SourceChoices) => {
  const items = files.map((file) => post(file));
  return (await choose(items, choices)).map((item) => ('slug' in item ? item.slug : null));
};

describe('what is taken of a source', () => {
  it.each([
    [{ language: 'de' }, [false, true, true, false]],
    [{ language: 'pt' }, [false, false, false, true]],
    [{ only: ['cables.*'] }, [true, false, true, false]],
    [{ only: ['de/*', 'pt_BR/x.md'] }, [false, true, false, true]],
    [{ only: ['cables'] }, [true, true, true, true]],
    [{ since: new Date('2020-05-01') }, [true, true, true, true]],
    [{ since: new Date('2020-05-02') }, [false, false, false, false]],
  ])('is said by %j', async (choices, expected) => {
    const files = ['cables.md', 'de/a.md', 'news/cables.de.md', 'pt_BR/x.md'];
    const items = await choose(
      files.map((file) => post(file)),
      choices,
    );
    expect(items.map((item) => 'slug' in item)).toEqual(expected);
    expect(items.filter((item) => 'skipped' in item && item.skipped.includes('--'))).toHaveLength(
      expected.filter((isTaken) => !isTaken).length,
    );
  });

  it('says the day of what is too old as it is in the zone of the site', async () => {
    const late = post('a.md', { date: new Date('2020-05-01T22:30:00Z') });
    const since = new Date('2020-05-02T22:00:00Z');
    expect(await choose([late], { since }, 'Europe/Berlin')).toEqual([
      { file: 'a.md', skipped: 'is of 2020-05-02, before --since' },
    ]);
  });

  it('has slugs that other posts do not have', async () => {
    const files = ['cables.md', 'de/news/cables.md', 'content/events/cables/index.de.md', 'posts/2020/cables.md'];
    expect(await slugs(files, { slugPrefix: ':language' })).toEqual(['cables', 'de-cables', 'de-cables', 'cables']);
    expect(await slugs(files, { slugPrefix: ':folder-', slugSuffix: 'old' })).toEqual([
      'cables-old',
      'news-cables-old',
      'events-cables-old',
      'cables-old',
    ]);
  });

  it('has other names here', async () => {
    const tags = new Map([
      ['a', 'b'],
      ['x', 'y'],
    ]);
    const choices = { authors: new Map([['Bob', 'Robert']]), tags, categoryFrom: 'folder' } as const;
    expect(await choose([post('de/news/cables.md'), post('cables.md', { tags: null })], choices)).toMatchObject([
      { author: 'Ann, Robert', tags: ['b'], category: 'news' },
      { author: 'Ann, Robert', tags: null, category: 'Old' },
      { file: '--map-tag', skipped: "no post has the tag 'x'" },
    ]);
    const none = new Map([
      ['a', ''],
      ['b', ''],
    ]);
    const authors = new Map([['Ann, Bob', 'Both']]);
    expect(await choose([post('a.md')], { tags: none, authors })).toMatchObject([{ tags: null, author: 'Both' }]);
  });

  it('names what is renamed and is nowhere, also of posts that are not wanted', async () => {
    const authors = new Map([
      ['Bob', 'Robert'],
      ['bob', 'Robert'],
    ]);
    const choices = {
      only: ['b'],
      authors,
      tags: new Map([
        ['a', ''],
        ['c', 'd'],
      ]),
    };
    expect((await choose([post('a.md')], choices)).slice(1)).toEqual([
      { file: '--map-author', skipped: "no post has the author 'bob'" },
      { file: '--map-tag', skipped: "no post has the tag 'c'" },
    ]);
  });

  it('has no names in patterns of slugs that stand for nothing', () => {
    expect([':language-:folder', 'a:b', ':Lang', ':languages', '12:'].map(unknownNameIn)).toEqual([
      null,
      ':b',
      ':Lang',
      null,
      null,
    ]);
  });
});
