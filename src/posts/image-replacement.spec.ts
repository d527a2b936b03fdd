import { describe, expect, it } from '@jest/globals';
import { parseMediaName, type MediaName } from '../shared/media.js';
import { replaceInText } from './image-replacement.js';

const nameOf = (id: string, size: string) => `${id.repeat(32)}-${size}.jpg`;
const media = (name: string) => parseMediaName(name) as MediaName;
const [old, next, other] = [nameOf('a', '1200x500'), nameOf('b', '800x800'), nameOf('c', '1200x500')];
const replace = (text: string) => replaceInText(text, media(old), media(next));

describe('an image that takes the place of another', () => {
  it('has its address in texts, links and fields, and leaves all other images alone', () => {
    expect(replace(`/media/${old}`)).toBe(`/media/${next}`);
    expect(replace(`<p><a href="/media/${old}">see</a></p>`)).toBe(`<p><a href="/media/${next}">see</a></p>`);
    const variant = `https://bucket.example/${'a'.repeat(32)}-1200x500-480.webp`;
    expect(replace(`<p><img src="${variant}" alt=""></p>`)).toBe(
      `<p><img src="https://bucket.example/${next}" alt=""></p>`,
    );
    const untouched = `<p><img src="/media/${other}" alt="" width="1200" height="500"></p>`;
    expect(replace(untouched)).toBe(untouched);
  });

  it('has its own size, or the width that somebody gave the picture', () => {
    const tag = (name: string, size: string) => `<p><img src="/media/${name}" alt="A view"${size}></p>`;
    expect(replace(tag(old, ' width="1200" height="500"'))).toBe(tag(next, ' width="800" height="800"'));
    expect(replace(tag(old, ' width="300" height="125"'))).toBe(tag(next, ' width="300" height="300"'));
    expect(replace(tag(old, ''))).toBe(tag(next, ''));
    expect(replace(tag(old, ' height="125"'))).toBe(tag(next, ''));
  });
});
