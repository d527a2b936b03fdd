import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { resolveLeftovers } from './template-leftovers.js';
import { findSiteSettings } from './site-settings.js';
import { SiteVariables } from './site-variables.js';

async function load(): Promise<SiteVariables> {
  const root = temporaryFolder();
  await mkdir(join(root, '_posts'));
  await mkdir(join(root, '_data/people'), { recursive: true });
  const files = {
    '_config.yml':
      'url: https://a.example\nsupport: { mail: help@a.example }\nauthors: { kim: { display_name: Kim Q } }\n',
    '_data/authors.yml': 'jd: { name: Jane Doe }\nbo: Bo\n',
    '_data/people/team.json': '[{"name": "Ann", "age": 40}]',
    '_data/broken.yml': 'a: [',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  return await SiteVariables.load(await findSiteSettings(join(root, '_posts')), root);
}

describe('SiteVariables', () => {
  it('finds what the site says of itself and in its data, and nothing that objects have anyway', async () => {
    const variables = await load();
    const text =
      '{{ site.support.mail }} {{ site.data.people.team[0].name }} {{ site.data["people"].team[0]["age"] }} `{{ site.support.mail }}`';
    expect(resolveLeftovers(text, { frontMatter: {}, addresses: new Map(), isLiquid: true, variables })).toEqual({
      text: 'help@a.example Ann 40 `{{ site.support.mail }}`',
      warnings: [],
    });
    for (const path of [
      'site',
      'site.data',
      'site.gone',
      'site.data.broken.a',
      'site.constructor.name',
      'site.data.people.team.length',
    ]) {
      expect(variables.find(path)).toBeNull();
    }
  });

  it('names authors by their keys', async () => {
    const variables = await load();
    expect(variables.nameAuthors('jd, kim, bo, Somebody Else, toString')).toBe(
      'Jane Doe, Kim Q, Bo, Somebody Else, toString',
    );
  });
});
