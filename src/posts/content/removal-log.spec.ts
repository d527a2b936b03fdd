import { describe, expect, it } from '@jest/globals';
import { RemovalLog } from './removal-log.js';
import { sanitizeContent } from './sanitize-content.js';

function notesOn(html: string): string[] {
  const log = new RemovalLog();
  sanitizeContent(html, log);
  return log.describe();
}

describe('RemovalLog', () => {
  it.each([
    [
      '<p onclick="x()">a<iframe src="https://player.example/1"></iframe><iframe src="//other.example/2"></iframe></p>',
      ['removed: 1 x onclick on <p>, 2 x <iframe> (player.example, other.example)'],
    ],
    ['<p>a <a href="javascript:x()">b</a></p>', ['removed: 1 x address of a link (javascript:)']],
    ['<p>a<img src="data:image/svg+xml,x"></p>', ['removed: 1 x <img> (data:)']],
    [
      '<form>a<input name="q"><button>Send  it</button></form>',
      ['removed: 1 x <input>, 1 x <button>', "text was removed with <button>: 'Send it' (7 characters)"],
    ],
    [
      '<p>a</p><svg><text>Chart</text></svg>',
      ['removed: 1 x <svg>', "text was removed with <svg>: 'Chart' (5 characters)"],
    ],
    ['<p>a <big>b</big> <big>c</big></p>', ['markup was taken off, its text stays: 2 x <big>']],
    ['<p style="color: red; float: left; margin:0">a</p>', ['styles were taken off: float, margin']],
    ['<table><caption>a</caption></table>', ['the text is not the same as in the source; compare them']],
    ['<pre>a<img src="https://a.example/b.png"></pre>', ['removed: 1 x <img> (a.example)']],
  ])('notes what %s loses', (html, notes) => {
    expect(notesOn(html)).toEqual(notes);
  });

  it.each([
    '<!-- a comment --><div class="x" id="y"><section>a</section></div>',
    '<h1>a</h1><p><b>b</b>&nbsp;<i>c</i> &amp; d<wbr>e</p><table><colgroup><col></colgroup><tr><td>f</td></tr></table>',
    '<ul><li><input type="checkbox" checked> a</li></ul>',
    '<p><iframe src="https://www.youtube.com/embed/abcdefgh"></iframe></p>',
    '<p>a <span class="ql-formula" data-value="x^2"><span>rendered</span></span></p>',
    '<pre><code class="language-js">const a = 1;</code></pre>',
    `${'<div>'.repeat(300)}deep${'</div>'.repeat(300)}`,
    `${'<blockquote>'.repeat(100)}deep`,
  ])('has nothing to say of %s', (html) => {
    expect(notesOn(html).filter((note) => !note.startsWith('markup was taken off'))).toEqual([]);
  });
});
