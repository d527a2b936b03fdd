import { describe, expect, it } from '@jest/globals';
import { EMPTY_FORM } from '../../../../src/shared/contracts/admin-posts.js';
import { diffForms } from './text-diff.js';

const fields = EMPTY_FORM;
const toText = (html: string) => html.replace(/<[^>]*>/g, '');

describe('diffForms', () => {
  it('names the fields that differ, in the order of the form, word by word', () => {
    const before = { ...fields, title: 'Five settings', content: '<p>One lamp is lit.</p>' };
    const after = { ...before, content: '<p>Two lamps</p>', title: 'Six settings' };
    const [title, content, ...others] = diffForms(before, after, toText);
    expect(others).toEqual([]);
    expect(title).toEqual({
      field: 'title',
      parts: [
        { kind: 'before', text: 'Five' },
        { kind: 'after', text: 'Six' },
        { kind: 'same', text: ' settings' },
      ],
    });
    const textOf = (kind: string) => content!.parts.filter((part) => part.kind !== kind).map(({ text }) => text);
    expect(textOf('after').join('')).toBe('One lamp is lit.');
    expect(textOf('before').join('')).toBe('Two lamps');
  });

  it('says when only the formatting differs', () => {
    const [content] = diffForms({ ...fields, content: '<p>A</p>' }, { ...fields, content: '<h2>A</h2>' }, toText);
    expect(content?.parts).toEqual([{ kind: 'same', text: 'A' }]);
  });

  it('says which picture it is, and where a link leads, when nothing else differs', () => {
    const ask = (html: string, hasAddresses: boolean) => (hasAddresses ? html : toText(html));
    const [before, after] = ['<a href="/a">A</a>', '<a href="/b">A</a>'];
    const [content] = diffForms({ ...fields, content: before }, { ...fields, content: after }, ask);
    expect(content?.parts.map(({ kind }) => kind)).toEqual(['same', 'before', 'after', 'same']);
  });

  it('shortens what both have', () => {
    const long = 'word '.repeat(200);
    const [excerpt] = diffForms({ ...fields, excerpt: long }, { ...fields, excerpt: `${long}end` }, toText);
    expect(excerpt!.parts[0]!.text.length).toBeLessThan(300);
    expect(excerpt!.parts.at(-1)).toEqual({ kind: 'after', text: 'end' });
  });

  it('cuts no sign in two', () => {
    const long = `a${'\u{1f600}'.repeat(300)}b `;
    const [excerpt] = diffForms({ ...fields, excerpt: long }, { ...fields, excerpt: `${long}end` }, toText);
    const text = excerpt!.parts[0]!.text;
    expect(text).toContain(' … ');
    expect(text).not.toMatch(/\p{Surrogate}/u);
  });
});
