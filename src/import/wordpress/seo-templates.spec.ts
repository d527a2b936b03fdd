import { describe, expect, it } from '@jest/globals';
import { resolveSeoText } from './seo-templates.js';

const values = {
  title: 'Cables',
  excerpt: 'All about them.',
  author: 'Ann',
  category: '',
  id: '7',
  focus: 'copper',
  siteName: 'Wires',
  tagline: '',
};
const yoast = /%%([^%\s]{1,100})%%/g;
const resolve = (written: string, isTitle = true) => resolveSeoText(written, { variable: yoast, values, isTitle });

describe('resolveSeoText', () => {
  it.each([
    ['Copper', 'Copper'],
    ['', null],
    ['%%title%% %%page%% %%sep%% %%sitename%%', null],
    ['%%sitename%% | %%title%%', null],
    ['%%sitename%%', null],
    ['%%sep%%%%page%%', null],
    ['Cables %%sep%% %%sitename%%', null],
    ['«Copper» - %%sitename%%', '«Copper»'],
    ['%%title%%: %%focuskw%%, by %%name%% %%page%%', 'Cables: copper, by Ann'],
    ['%%sitename%% - %%title%% in %%id%% ways', 'Cables in 7 ways'],
    ['What %%sitename%% %%sep%% knows', 'What Wires - knows'],
  ])('reads the title %s', (written, text) => {
    expect(resolve(written)).toEqual({ text, unknown: [] });
  });

  it.each([
    ['%%excerpt%%', null],
    ['%%excerpt_only%% %%page%%', null],
    ['%%title%%. %%excerpt%%', 'Cables. All about them.'],
    ['From %%sitename%%', 'From Wires'],
  ])('reads the description %s', (written, text) => {
    expect(resolve(written, false)).toEqual({ text, unknown: [] });
  });

  it('names the variables that nobody knows here, and gives nothing of the text', () => {
    const written = 'Best of %%currentyear%% in %%category%%: %%constructor%%';
    expect(resolve(written)).toEqual({ text: null, unknown: ['%%currentyear%%', '%%category%%', '%%constructor%%'] });
  });
});
