import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { toPlainLine, toPlainText } from './plain-text.js';

const HTML =
  '<h2>What to <em>check</em></h2><p>Each\n cable.<br>Then:</p><ul><li>The router</li><li>Your hotspot</li></ul>';

describe('toPlainText', () => {
  it('has the words alone', () => {
    expect(toPlainText(HTML)).toBe('What to check Each cable. Then: The router Your hotspot');
    expect(toPlainText('<p><img src="/media/a.png"></p>')).toBe('');
  });
});

describe('toPlainLine', () => {
  it('keeps apart what does not end a sentence', () => {
    expect(toPlainLine(HTML)).toBe('What to check · Each cable. Then: The router · Your hotspot');
    expect(toPlainLine('<p>One</p>')).toBe('One');
    expect(toPlainLine('')).toBe('');
    expect(toPlainLine('<p>One 😀</p><p>Two …</p><p>Three 𐬹</p><p>?</p><p>Four</p>')).toBe(
      'One 😀 · Two … Three 𐬹 ? Four',
    );
  });

  it('has the titles of what is played, which pages show, and no name that the product gave', () => {
    const video = (title: string) =>
      `<p>One<iframe class="ql-video" src="https://a.example" title="${title}"></iframe>two</p>`;
    expect(toPlainLine(video('Tom &amp; Jerry'))).toBe('One · Tom & Jerry · two');
    expect(toPlainLine(video('Video'))).toBe('Onetwo');
    const sound = '<p>One</p><audio class="ql-player" src="/media/a.mp3" title="Episode 4" controls=""></audio>';
    expect(toPlainLine(sound)).toBe('One · Episode 4');
    expect(toPlainText(sound)).toBe('One');
  });

  it('takes time in proportion to the number of blocks', () => {
    const html = '<li>some words</li>'.repeat(30_000);
    // With the square of their number it would be many seconds.
    expect(leastProcessorTime(() => void toPlainLine(html), 2000)).toBeLessThanOrEqual(2000);
  });
});
