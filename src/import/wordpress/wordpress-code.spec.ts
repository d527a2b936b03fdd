import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { sanitizeContent } from '../../posts/content/sanitize-content.js';
import { ShortcodeRules } from '../shortcode-rules.js';
import { placeCode } from './code-shortcodes.js';
import { placeFormulas } from './latex.js';
import { readContent, readWritten } from './wordpress-content.js';
import { emptySite } from './wordpress-site.js';

const read = (text: string, rules?: ShortcodeRules) => {
  const content = { name: 'content:encoded', attributes: new Map<string, string>(), text, children: [] };
  const item = { name: 'item', attributes: new Map<string, string>(), text: '', children: [content] };
  const site = emptySite();
  const warnings: string[] = [];
  const whole = readWritten(item, site, warnings, rules);
  const html = sanitizeContent(readContent(item, whole, '9', site, warnings, rules));
  return { html: html.replace(/>\s*\n\s*</g, '><').trim(), warnings };
};
const pre = (code: string, language = '') =>
  `<pre><code${language === '' ? '' : ` class="language-${language}"`}>${code}</code></pre>`;

describe('code that tags enclose', () => {
  it.each([
    [
      'a\n\n[code language="php"]\n<?php if ($a < 1 && $b[0]) { ?>\n<b>[gallery]</b>\n\n    x\n[/code]\n\nb',
      `<p>a</p>${pre('&lt;?php if ($a &lt; 1 &amp;&amp; $b[0]) { ?&gt;\n&lt;b&gt;[gallery]&lt;/b&gt;\n\n    x', 'php')}<p>b</p>`,
    ],
    [
      "[sourcecode lang='js']if (a &lt; b &amp;&amp; c) d &x[/sourcecode]",
      pre('if (a &lt; b &amp;&amp; c) d &amp;x', 'js'),
    ],
    ['[source=c++]<a>[/source]', pre('&lt;a&gt;', 'c++')],
    ['[php]echo "<p>hi</p>";[/php]', pre('echo "&lt;p&gt;hi&lt;/p&gt;";', 'php')],
    [
      '[code]<!-- wp:more -->[restrict]x[/restrict]<pre>[/code]',
      pre('&lt;!-- wp:more --&gt;[restrict]x[/restrict]&lt;pre&gt;'),
    ],
    ['<!-- wp:paragraph --><p>[code]<br>a &lt; b;<br>  c<br>[/code]</p><!-- /wp:paragraph -->', pre('a &lt; b;\n  c')],
    ['[html]a<br>[/html]', pre('a&lt;br&gt;', 'html')],
    ['use [crayon lang="c" inline="true"]x = y[0];[/crayon] so', '<p>use <code>x = y[0];</code> so</p>'],
    ['write [[code]x[/code]] so', '<p>write [[code]x[/code]] so</p>'],
    ['<pre>[code]<b>x</b>[/code]</pre>', pre('[code]x[/code]')],
    [
      'the word [code] alone, array[css] and [code language="x"]',
      '<p>the word [code] alone, array[css] and [code language="x"]</p>',
    ],
  ])('reads %j', (text, html) => {
    expect(read(text).html).toBe(html);
  });

  it('is what the rules of the operator say of its tag', () => {
    const rules = new ShortcodeRules(new Map([['code', 'drop']]));
    expect(read('a [code]b[/code] c', rules).html).toBe('<p>a  c</p>');
  });
});

describe('formulas', () => {
  const formula = (tex: string) => `<span class="ql-formula" data-value="${tex}">`;

  it.each([
    ['so $latex e^{i\\pi}+1=0&s=2$ is', formula('e^{i\\pi}+1=0')],
    ['$latex a &lt; b \\$ &amp; c&#038;bg=ffffff&fg=000$', formula('a &lt; b \\$ &amp; c')],
    ['[latex]\\frac{1}{2} [0,1][/latex]', formula('\\frac{1}{2} [0,1]')],
    ['$latex\\alpha$', formula('\\alpha')],
    [
      '<!-- wp:math --><div><math display="block"><semantics><mi>x</mi><annotation encoding="application/x-tex">x &lt; 2</annotation></semantics></math></div><!-- /wp:math -->',
      formula('x &lt; 2'),
    ],
    ['<p>a <math data-latex="y^2"><msup></msup></math> b</p>', formula('y^2')],
  ])('are read from %j', (text, html) => {
    const { html: written, warnings } = read(text);
    expect(written).toContain(html);
    expect(written).not.toMatch(/latex/);
    expect(warnings).toEqual([]);
  });

  it('are none in code, and in sums of money', () => {
    expect(read('<code>$latex x$</code> for $5 latex gloves and $6').html).toBe(
      '<p><code>$latex x$</code> for $5 latex gloves and $6</p>',
    );
  });
});

describe('reading code and formulas', () => {
  it.each([
    '[code]',
    '[code]<pre>',
    '[/code][code',
    '$latex a',
    '[latex]',
    '[latex][',
    '<math>',
    '<pre>',
    '[[code][/code]',
  ])('takes time in proportion to the length of %j', (piece) => {
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    // With the square of the length it would be minutes.
    expect(leastProcessorTime(() => placeFormulas(placeCode(text, undefined)), 5000)).toBeLessThanOrEqual(5000);
  });
});
