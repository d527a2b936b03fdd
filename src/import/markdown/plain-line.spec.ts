import { expect, it } from '@jest/globals';
import { plainLine } from './plain-line.js';

it.each([
  ['Plain words_with __init__ and C++ 2 * 3 * 4', 'Plain words_with __init__ and C++ 2 * 3 * 4'],
  ['Using `Vec<T>` and **bold** *words*', 'Using Vec<T> and bold words'],
  ['Vec<T> &amp; <em>more</em> <code>x</code> AT&T', 'Vec<T> & more x AT&T'],
  ['See [the docs](https://a.example/b_(c)) [draft] a[0]', 'See the docs [draft] a[0]'],
  ['`**kept**` and ** not **', '**kept** and ** not **'],
])('takes markup off %j', (written, plain) => {
  expect(plainLine(written)).toBe(plain);
});
