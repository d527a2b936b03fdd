import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { readShortcodeRules } from './shortcode-rules.js';

async function read(text: string) {
  const path = join(temporaryFolder(), 'tags.yml');
  await writeFile(path, text);
  return await readShortcodeRules(path);
}

describe('readShortcodeRules', () => {
  it('reads YAML and JSON', async () => {
    const rules = await read('Note: keep inner\ninclude  ad.html: drop\n"ab*": "<b>{1}</b>"\nword: { text: drop }\n');
    expect(rules.find(['note'])).toBe('keep inner');
    expect(rules.find(['include ad.html', 'ad.html', 'ad'])).toBe('drop');
    expect(rules.find(['ABC'])).toEqual({ text: '<b>{1}</b>' });
    expect(rules.find(['word'])).toEqual({ text: 'drop' });
    expect(rules.find(['constructor'])).toBeUndefined();
    expect((await read('{"a": "drop"}')).find(['a'])).toBe('drop');
  });

  it.each([
    ['note: 3', '"note" has to be a text'],
    ['note: { txt: a }', '"note" has to be a text'],
    ['Note: drop\nnote: drop', '"note" is there twice'],
    ['- note', 'has to be names of tags'],
    ['', 'has to be names of tags'],
    ['a: [', 'is no YAML or JSON'],
  ])('refuses %j', async (text, reason) => {
    await expect(read(text)).rejects.toThrow(reason);
  });

  it('says when there is no file', async () => {
    await expect(readShortcodeRules('/nowhere.yml')).rejects.toThrow(
      '/nowhere.yml (--shortcodes): there is no such file',
    );
  });
});
