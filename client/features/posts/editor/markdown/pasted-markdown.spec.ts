import { describe, expect, it } from '@jest/globals';
import { isMarkdown, readPastedMarkdown } from './pasted-markdown.js';

describe('a pasted text', () => {
  it.each([
    ...['# Title\ntext', 'text\n\n```js\na\n```', '| a | b |\n| --- | --- |\n| 1 | 2 |', 'see [a](https://a.example)'],
    ...[
      '- [ ] to do',
      'some **bold** words',
      'a[^1]\n\n[^1]: note',
      '- one\n- two\n\n1. a\n2. b',
      '- a\n- b with `code`',
    ],
  ])('%j is Markdown', (text) => {
    expect(isMarkdown(text)).toBe(true);
  });

  it.each([
    ...[
      'Dear Ann,\n\n- one\n- two',
      '5 * 3 * 2 = 30',
      '#hashtag',
      'a_b_c',
      'C# is nice',
      '[1] says so',
      'a | b\nc | d',
    ],
    ...['> said he', 'call(**kwargs)', 'https://a.example/x_y_z'],
  ])('%j is none', (text) => {
    expect(isMarkdown(text)).toBe(false);
  });

  it('is read as Markdown when its HTML says nothing about it, as that of code editors', () => {
    const html = '<meta charset="utf-8"><div style="font-family: Menlo"><div><span># Title</span></div><br></div>';
    expect(readPastedMarkdown({ text: '# Title\r\n\r\ntext', html })).toBe('# Title\n\ntext');
    expect(readPastedMarkdown({ text: '# Title', html: '<h1>Title</h1>' })).toBeNull();
    expect(readPastedMarkdown({})).toBeNull();
  });
});
