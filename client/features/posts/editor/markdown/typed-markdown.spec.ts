import { describe, expect, it } from '@jest/globals';
import { isRule, readFence, readLineMark, readTextMark } from './typed-markdown.js';

describe('signs at the start of a line', () => {
  it.each([
    ['# ', { header: 2 }],
    ['## ', { header: 2 }],
    ['### ', { header: 3 }],
    ['###### ', { header: 6 }],
    ['> ', { blockquote: true }],
    ['- ', { list: 'bullet' }],
    ['* ', { list: 'bullet' }],
    ['1. ', { list: 'ordered' }],
    ['1) ', { list: 'ordered' }],
    ['07. ', { list: 'ordered', 'list-start': '7' }],
    ['[ ] ', { list: 'unchecked' }],
    ['[] ', { list: 'unchecked' }],
    ['- [x] ', { list: 'checked' }],
  ])('%j become %j', (text, formats) => {
    expect(readLineMark(text)).toEqual({ length: text.length, formats });
  });

  it.each(['#', '####### ', 'a # ', '#tag ', '1.5 ', '2024-1. ', '-- ', ' - ', '[y] ', '-', '1234567. '])(
    '%j are words',
    (text) => {
      expect(readLineMark(text)).toBeNull();
    },
  );

  it('open a block of code, or are a line', () => {
    expect(['```', '```JS', '```c++', '```not a language', 'a```', '``'].map(readFence)).toEqual([
      ...['', 'js', 'c++', null, null, null],
    ]);
    expect(['---', '*****', '___', '--', '--- a', '-*-'].map(isRule)).toEqual([true, true, true, false, false, false]);
  });
});

describe('signs around words', () => {
  it.each([
    ['a **b c**', 'b c', ['bold', true]],
    ['__b__', 'b', ['bold', true]],
    ['a *b*', 'b', ['italic', true]],
    ['("_b_', 'b', ['italic', true]],
    ['a ~~b~~', 'b', ['strike', true]],
    ['a ==b==', 'b', ['mark', true]],
    ['a `b * c`', 'b * c', ['code', true]],
    ['`a` **b**', 'b', ['bold', true]],
    ['[a b](https://a.example/x_(y))', 'a b', ['link', 'https://a.example/x_(y)']],
    ['see [a](/pricing)', 'a', ['link', '/pricing']],
    ['[m](a@b.example)', 'm', ['link', 'mailto:a@b.example']],
    ['[t](555.010.0100)', 't', ['link', 'tel:5550100100']],
    ['[r](192.168.178.1)', 'r', ['link', 'https://192.168.178.1']],
    ['[r](192.168.178.256)', 'r', ['link', 'tel:192168178256']],
  ])('%j', (line, text, format) => {
    const mark = readTextMark(line);
    expect(mark).toMatchObject({ text, format });
    const { start = 0, before = 0 } = mark ?? {};
    expect(line.slice(start + before).startsWith(text)).toBe(true);
  });

  it.each([
    ...['2*3*', 'a**b**', 'snake_case_', '* a*', '** **', '**b*', '`a **b**', 'a \\*b*', '``', '![a](/media/a.png)'],
    ...['[a](javascript:alert(1))', '[a](b', '[](b)', 'if (a==b==', '[a](b(c)'],
  ])('%j stays as it is', (line) => {
    expect(readTextMark(line)).toBeNull();
  });
});
