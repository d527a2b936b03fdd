import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROPERTY_SEED } from '../../../test/support/property-seed.js';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { fewOf } from '../../../test/support/slow-tests.js';
import { sanitizeContent } from './sanitize-content.js';

const unchanged = (html: string) => [html, html] as const;

describe('what the editor can produce', () => {
  it.each([
    unchanged('<h2>Two</h2><h3>Three</h3><h4>Four</h4><h5>Five</h5><h6>Six</h6>'),
    ['<h1>One</h1>', '<h2>One</h2>'],
    unchanged('<p><strong>b</strong> <em>i</em> <u>u</u> <s>s</s> x<sub>2</sub> x<sup>2</sup> <code>c</code></p>'),
    unchanged('<p>one<br>two</p><p><br></p><p>three</p>'),
    unchanged('<blockquote>Quoted</blockquote>'),
    unchanged('<p><a href="https://a.example/x?y=1&amp;z=2" rel="noopener noreferrer" target="_blank">a</a></p>'),
    unchanged('<p class="ql-align-center">c</p><p class="ql-align-right">r</p><p class="ql-align-justify">j</p>'),
    unchanged([1, 2, 3, 4, 5, 6, 7, 8].map((level) => `<p class="ql-indent-${level}">x</p>`).join('')),
    unchanged('<p class="ql-direction-rtl ql-align-right">x</p>'),
    unchanged('<p><span style="color: rgb(230, 0, 0); background-color: #ffff00;">x</span></p>'),
    unchanged('<p><strong style="color: red;">x</strong></p>'),
    unchanged('<p><span class="ql-font-serif ql-size-huge">x</span><span class="ql-size-small">y</span></p>'),
    unchanged('<p><img src="/media/a-1x1.png" alt="A &quot;b&quot;" width="10" height="20"></p>'),
    unchanged('<p><img src="https://pictures.example/a.png" alt=""></p>'),
    unchanged('<p><img src="/media/a.png" alt="" role="presentation" width="10"></p>'),
    ['<p><img src="/media/a.png" alt="A" role="presentation"></p>', '<p><img src="/media/a.png" alt="A"></p>'],
    ['<p><img src="/media/a.png" alt="" role="button"></p>', '<p><img src="/media/a.png" alt=""></p>'],
    [
      '<iframe class="ql-video" frameborder="0" allowfullscreen="true" src="https://www.youtube.com/embed/dQw4w9WgXcQ?showinfo=0"></iframe>',
      '<iframe class="ql-video" src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" title="Video" loading="lazy" allowfullscreen="true"></iframe>',
    ],
    [
      '<iframe src="https://player.vimeo.com/video/12345"></iframe>',
      '<iframe class="ql-video" src="https://player.vimeo.com/video/12345" title="Video" loading="lazy" allowfullscreen="true"></iframe>',
    ],
    [
      '<p><span class="ql-formula" data-value="e=mc^2">\ufeff<span contenteditable="false"><span class="katex"><math><mi>e</mi></math></span></span>\ufeff</span> is it</p>',
      '<p><span class="ql-formula" data-value="e=mc^2">e=mc^2</span> is it</p>',
    ],
    [
      '<ol><li data-list="bullet"><span class="ql-ui" contenteditable="false"></span>a</li><li data-list="bullet">b</li></ol>',
      '<ul><li>a</li><li>b</li></ul>',
    ],
    [
      '<ol><li data-list="ordered">1</li><li data-list="bullet" class="ql-indent-1">a</li><li data-list="ordered" class="ql-indent-2">i</li><li data-list="ordered">2</li></ol>',
      '<ol><li>1<ul><li>a<ol><li>i</li></ol></li></ul></li><li>2</li></ol>',
    ],
    [
      '<ol><li data-list="checked">done</li><li data-list="unchecked">to do</li><li data-list="ordered">1</li></ol>',
      '<ul><li data-list="checked">done</li><li data-list="unchecked">to do</li></ul><ol><li>1</li></ol>',
    ],
    [
      '<div class="ql-code-block-container" spellcheck="false"><select class="ql-ui"><option>Plain</option></select>' +
        '<div class="ql-code-block" data-language="javascript"><span class="ql-token hljs-keyword">if</span> (a &lt; b)</div>' +
        '<div class="ql-code-block" data-language="javascript"><br></div><div class="ql-code-block" data-language="javascript">  run()</div></div>',
      '<pre><code class="language-javascript">if (a &lt; b)\n\n  run()</code></pre>',
    ],
    ['<pre class="ql-syntax" spellcheck="false">one\ntwo\n</pre>', '<pre><code>one\ntwo</code></pre>'],
    unchanged('<pre><code class="language-ts">  const a = "&amp;";</code></pre>'),
    unchanged(
      '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
    ),
    unchanged('<figure><img src="/media/a.png" alt="a"><figcaption>b</figcaption></figure><hr>'),
    unchanged(
      '<figure class="ql-width-wide"><a href="/b"><img src="/media/a.png" alt="a"></a><figcaption>b</figcaption></figure>',
    ),
    unchanged('<figure class="ql-width-full"><img src="/media/a.png" alt="a"></figure>'),
    unchanged('<figure class="ql-width-grid"><img src="/media/a.png" alt="a"><figcaption>b</figcaption></figure>'),
    [
      '<figure class="wp-block-image alignwide size-large" style="width:90vw"><img src="/media/a.png" alt=""></figure>' +
        '<figure class="kg-card kg-width-full"><img src="/media/b.png" alt=""></figure><p class="ql-width-full">c</p>',
      '<figure class="ql-width-wide"><img src="/media/a.png" alt=""></figure>' +
        '<figure class="ql-width-full"><img src="/media/b.png" alt=""></figure><p>c</p>',
    ],
  ])('keeps %s', (html, expected) => {
    expect(sanitizeContent(html)).toBe(expected);
    expect(sanitizeContent(expected)).toBe(expected);
  });

  it('undoes the export of every space as a no-break space, and keeps those meant', () => {
    expect(sanitizeContent('<p>one&nbsp;two&nbsp;three&nbsp;four</p>')).toBe('<p>one two three four</p>');
    expect(sanitizeContent('<p>it takes 10&nbsp;kg or so</p>')).toBe('<p>it takes 10&nbsp;kg or so</p>');
  });
});

describe('what other editors produce', () => {
  it.each([
    ['<b>x<p>y</p>z</b>', '<p><strong>x</strong></p><p><strong>y</strong></p><p><strong>z</strong></p>'],
    ['<b><p>y</p><p>z</p></b>', '<p><strong>y</strong></p><p><strong>z</strong></p>'],
    ['<center>a<div>b</div></center>', '<p class="ql-align-center">a</p><p>b</p>'],
    ['loose <i>text</i>', '<p>loose <em>text</em></p>'],
    ['<p>one<p>two<ul><li>a<li>b</ul>', '<p>one</p><p>two</p><ul><li>a</li><li>b</li></ul>'],
    ['<table>loose<tr><td>a', '<table><tbody><tr><td>loose</td></tr><tr><td>a</td></tr></tbody></table>'],
    ['<ul>loose<ul><li>a</ul></ul>', '<ul><li>loose<ul><li>a</li></ul></li></ul>'],
    ['<ul><li><input type="checkbox" checked disabled> a</li></ul>', '<ul><li data-list="checked"> a</li></ul>'],
    ['<p style="text-align: center; font-size: 18px">a</p>', '<p class="ql-align-center">a</p>'],
    ['<p></p><p> </p><strong></strong>', ''],
  ])('gives %s a valid structure', (html, expected) => {
    expect(sanitizeContent(html)).toBe(expected);
  });
});

describe('what must not get through', () => {
  it.each([
    '<script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<img src="/media/a.png" onerror="alert(1)">',
    '<img src=`x`onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<svg><animate onbegin=alert(1) attributeName=x></svg>',
    '<svg><use href="data:image/svg+xml,<svg id=x><script>alert(1)</script></svg>#x"></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<template><img src=x onerror=alert(1)></template>',
    '<style><img src="</style><img src=x onerror=alert(1)>">',
    '<title><img src="</title><img src=x onerror=alert(1)>">',
    '<textarea><img src="</textarea><img src=x onerror=alert(1)>"></textarea>',
    '<xmp><p title="</xmp><svg/onload=alert(1)>">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<!--[if IE]><script>alert(1)</script><![endif]-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<?xml <img src=x onerror=alert(1)> ?>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<iframe src="https://evil.example/embed/dQw4w9WgXcQ"></iframe>',
    '<iframe src="https://youtube.com.evil.example/embed/dQw4w9WgXcQ"></iframe>',
    '<iframe src="https://www.youtube.com@evil.example/embed/dQw4w9WgXcQ"></iframe>',
    '<object data="javascript:alert(1)"><param name=x></object><embed src="javascript:alert(1)">',
    '<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=javascript:alert(1)">',
    '<link rel=stylesheet href="https://evil.example/x.css">',
    '<form action="https://evil.example"><input name=q formaction="javascript:alert(1)"><button>go</button></form>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="  javascript:alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href="java&#10;script:alert(1)">x</a>',
    '<a href="&#x6A;avascript&colon;alert(1)">x</a>',
    '<a href="\u0001javascript:alert(1)">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="sms:+15550100">x</a>',
    '<a href="/\\evil.example">x</a>',
    '<a href="\\\\evil.example">x</a>',
    '<a href="x" style="position:fixed;top:0;left:0;width:100%;height:100%">x</a>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<span style="color: expression(alert(1))">x</span>',
    '<span style="color: red; background-color: url(https://evil.example/x)">x</span>',
    '<span style="color: var(--x)">x</span>',
    '<span style="color: red\\; position: fixed">x</span>',
    '<p id="location" name="cookie">x</p>',
    '<a id=defaultView></a><img name=getElementById src="/media/a.png">',
    '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
    '<img src="/media/../api/x">',
    '<img src="/elsewhere.png">',
    '<img srcset="https://evil.example/x 1x" src="/media/a.png">',
    '<video src=x onerror=alert(1)><source onerror=alert(1)></video><audio src=x>',
    '<details open ontoggle=alert(1)>x</details>',
    '<p onclick="alert(1)" onmouseover=alert(1)>x</p>',
    '<img alt="<x" title=\'"><script>alert(1)</script>\' src="/media/a.png">',
    '<a href="https://a.example/\'<script>alert(1)</script>">x</a>',
    '<p><plaintext><script>alert(1)</script>',
    '<span class="ql-formula" data-value="&lt;img src=x onerror=alert(1)&gt;"></span>',
    '<pre><code class="language-x&quot; onclick=alert(1)">&lt;script&gt;</code></pre>',
    '<marquee onstart=alert(1)>x</marquee><bgsound src="javascript:alert(1)">',
    '<img src="https://evil.example/?',
    '<a href="https://evil.example/?',
  ])('lets nothing of %s run, load or escape', (payload) => {
    const html = sanitizeContent(payload);
    // Attribute values and text hold no `<` or `>`, so this reads tags as a browser does.
    for (const [tag, , name, attributes] of html.matchAll(/<(\/?)([a-z0-9]+)((?: [a-z-]+="[^"<>]*")*)>/g)) {
      expect(allowedTags).toContain(name);
      expect(attributes).not.toMatch(/ (?:on\w+|id|name|srcset|srcdoc|formaction|action|data)="/);
      expect(tag).not.toMatch(/(?:href|src)="(?!https?:\/\/|\/media\/[\w.-]+"|about:blank|x"|tel:|mailto:)/);
      expect(tag).not.toMatch(/style="(?!(?:(?:background-)?color: [#\w(), .%]+; ?)+")/);
      expect(tag).not.toMatch(/evil\.example\/embed|url\(|expression|var\(/);
    }
    expect(html.replace(/<\/?[a-z0-9]+(?: [a-z-]+="[^"<>]*")*>/g, '')).not.toMatch(/[<>]/);
    expect(sanitizeContent(html)).toBe(html);
  });

  it.each(['script', 'style', 'noscript', 'template', 'svg', 'math', 'textarea', 'object', 'select'])(
    'leaves nothing of what is inside a <%s>',
    (tag) => {
      expect(sanitizeContent(`<p>a</p><${tag}>b<p>c</p></${tag}><p>d</p>`)).toBe('<p>a</p><p>d</p>');
    },
  );

  it.each(['javascript:alert(1)', 'ftp://a.example', 'sms:1', 'data:x', 'about:config'])(
    'leads a link to %s nowhere',
    (address) => {
      expect(sanitizeContent(`<p><a href="${address}">x</a></p>`)).toBe('<p><a href="about:blank">x</a></p>');
    },
  );

  it.each([
    'http://a.example',
    'https://a.example/b',
    'mailto:a@b.example',
    'tel:+15550100',
    '/pricing',
    '#top',
    'x/y',
  ])('keeps a link to %s', (address) => {
    const html = `<p><a href="${address}">x</a></p>`;
    expect(sanitizeContent(html)).toBe(html);
  });
});

describe('a fixed point', () => {
  it('is what it gives for any soup of tags', () => {
    fc.assert(
      fc.property(fc.oneof(soup(tags, 40), soup(nestingTags, 120)), (html) => {
        const once = sanitizeContent(html);
        expect(sanitizeContent(once)).toBe(once);
      }),
      { numRuns: 500, seed: PROPERTY_SEED },
    );
  });
});

describe('time', () => {
  it.each([
    ['open tags', '<b>'],
    ['blocks', '<div>'],
    ['tables', '<table><tr><td>'],
    ['lists', '<ul><li>'],
    ['list items', '<li data-list=bullet class=ql-indent-8>x'],
    ['half tags', '<p><'],
    ['half links', '<a href="'],
    ['half comments', '<!--'],
    ['blanks', ' \n'],
    ['entities', '&'],
    ['blanks in a link', ' ', '<a href="x', 'y">a</a>'],
    ['blanks in a picture', ' ', '<img src="/media/x', 'y">'],
    ['headings of a box', '<summary>x</summary>', '<details>'],
    ['captions', '<caption>x</caption>', '<table>'],
  ])('grows with the length of %s, not with its square', (_what, part, before = '', after = '') => {
    const measure = (count: number, enoughMs?: number) => {
      const html = before + part.repeat(count) + after;
      return leastProcessorTime(() => void sanitizeContent(html), enoughMs);
    };
    // In proportion it is 20 times as long, with the square 400 times.
    const limit = Math.max(measure(2_000), 5) * 120;
    expect(measure(40_000, limit)).toBeLessThanOrEqual(limit);
  });
});

describe('more parts than a function can be given', () => {
  const parts = [
    ['line breaks in a list item', '<ol><li data-list="bullet">x', '<br>', 140_000],
    ['lists', '<ol>', '<li data-list="bullet">x</li><li data-list="ordered">x</li>', 70_000],
  ] as const;

  it.each(fewOf(parts, ([what]) => what !== 'lists'))('are kept: %s', (_what, before, part, count) => {
    const written = sanitizeContent(before + part.repeat(count));
    const tag = part.startsWith('<br>') ? /<br>/g : /<li>/g;
    expect(written.match(tag)).toHaveLength(140_000);
  });
});

const allowedTags = (
  'p h2 h3 h4 h5 h6 blockquote pre code ul ol li dl dt dd table caption thead tbody tfoot tr th td figure figcaption hr br ' +
  'strong em u s del ins kbd samp var sub sup mark small abbr cite q a span img iframe details summary audio video track'
).split(' ');

const tags = (
  'p h1 h2 h5 div section blockquote ul ol li dl dt dd table caption thead tbody tr td th figure figcaption b strong i a ' +
  'span code font center script style svg math noscript template iframe select pre br hr img input x-y plaintext ' +
  'audio video source track'
).split(' ');
const nestingTags = 'p ul ol li table tr td b i div blockquote pre'.split(' ');

/** HTML as nobody would write it. */
function soup(names: readonly string[], maxLength: number) {
  const attributes = [
    ...['', '', 'class="ql-align-center"', 'class="ql-indent-3"', 'class=ql-indent-8', 'data-list="bullet"'],
    ...['data-list=ordered', 'data-list="checked"', 'style="color:red"', 'href="/x"', 'href=javascript:alert(1)'],
    ...[
      `src="/media/${'a'.repeat(32)}.mp4"`,
      `src="/media/${'a'.repeat(32)}.vtt"`,
      'src="/media/a.png"',
      'src="https://youtu.be/abcdefgh"',
      'onclick=x',
      'class="ql-formula" data-value="a<b"',
    ],
    ...['class="ql-code-block"', 'class="ql-code-block-container"', 'type=checkbox', 'class="language-js"'],
    ...['target=_blank', 'colspan=2', 'align=right', 'dir=rtl', 'title="a&quot;b"'],
  ];
  const texts = [
    ...['a', ' ', '\n', '  foo ', '&nbsp;', '&nbsp;a&nbsp;b', '&lt;img src=x&gt;', '&amp;lt;', '<', '<!-- x -->'],
    ...['<![CDATA[ y ]]>', '</', '\0', '\ufeff', '\ud800', '&#xd800;', '<!doctype x>', '"', '>', '&#10;', '\r\n'],
  ];
  const open = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...attributes), fc.constantFrom('', '', '/'))
    .map((parts) => `<${parts.join(' ')}>`);
  const close = fc.constantFrom(...names).map((name) => `</${name}>`);
  const text = fc.oneof(fc.constantFrom(...texts), fc.string({ maxLength: 8 }));
  return fc.array(fc.oneof(open, close, text), { maxLength, size: 'max' }).map((parts) => parts.join(''));
}
