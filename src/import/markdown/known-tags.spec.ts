import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { KNOWN_TAGS } from './known-tags.js';

it('stand in the paper for those who move a blog in', () => {
  const paper = readFileSync('docs/import-shortcodes.md', 'utf8');
  expect(KNOWN_TAGS.filter((name) => !new RegExp(`\`${name}(?:\\(\\))?\``).test(paper))).toEqual([]);
});
