import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { itSlow } from '../../../test/support/slow-tests.js';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { ShortcodeRules, type ShortcodeRule } from '../shortcode-rules.js';
import { resolveLeftovers } from './template-leftovers.js';

const other = '/blogs/other';
const addresses = new Map([
  ['2015-01-01-other', other],
  ['other.md', other],
  ['blog/other.md', other],
]);
const frontMatter = { image: '/a.png', count: 3, video: 'abcdefgh' };
const resolve = (text: string, isLiquid = true) => resolveLeftovers(text, { frontMatter, addresses, isLiquid });

const youTube = '<iframe src="https://www.youtube-nocookie.com/embed/abcdefgh" title="YouTube video"></iframe>';

describe('resolveLeftovers', () => {
  it.each([
    ['[a]({{ "/path/" | url }})', '[a](/path/)'],
    ["[a]({{ '/path/' | relative_url }})", '[a](/path/)'],
    ['![a]({{ image | url }})', '![a](/a.png)'],
    ['![a]({{ page.image }})', '![a](/a.png)'],
    ['<img src="{{site.baseurl}}/b.png">', '<img src="/b.png">'],
    ['{{ "/a|b" | prepend: site.baseurl }}', '/a|b'],
    [
      '{{ "https://youtu.be/abcdefgh" | embed: "A \'video\'" }}',
      '<iframe src="https://youtu.be/abcdefgh" title="A \'video\'"></iframe>',
    ],
    ['no { braces } to speak of', 'no { braces } to speak of'],
  ])('resolves %s', (text, expected) => {
    expect(resolve(text)).toEqual({ text: expected, warnings: [] });
  });

  it.each([
    ['{% raw %}{{ image }}{% endraw %} {{ image }}', '{{ image }} /a.png'],
    ['{% highlight ruby linenos %}\nputs `1`\n{% endhighlight %}', '\n```ruby\nputs `1`\n```\n'],
    [
      '{% highlight diff %}\n{% raw %}\n- {{ image }}\n{% endraw %}\n{% endhighlight %}',
      '\n```diff\n- {{ image }}\n```\n',
    ],
    ['{% codeblock lang:js %}\na\n{% endcodeblock %}', '\n```js\na\n```\n'],
    ['{% codeblock A "b" lang:js line_number:false %}\na\n{% endcodeblock %}', '\n```js title="A \'b\'"\na\n```\n'],
    ['[a](/b) {% post_link 2015-01-01-other A b %}', '[a](/b) <a href="/blogs/other">A b</a>'],
    ['{{< highlight go >}}\n```\n{{< /highlight >}}', '\n````go\n```\n````\n'],
    ['a{% comment %} {{ x }} {% endcomment %}b', 'ab'],
    ['[a]({% post_url 2015-01-01-other %})', '[a](/blogs/other)'],
    ['[a]({% link assets/a.pdf %})', '[a](/assets/a.pdf)'],
    ['[a]({{< relref "#own-place" >}})', '[a](#own-place)'],
    ['[a]({{< relref "other.md" >}}) [b](@/blog/other.md)', '[a](/blogs/other) [b](/blogs/other)'],
    [
      '{{< youtube abcdefgh >}}',
      '<iframe src="https://www.youtube-nocookie.com/embed/abcdefgh" title="YouTube video"></iframe>',
    ],
    [
      '{{< figure src="/b.png" alt="A <b>"\n caption="C & D" >}}',
      '<figure><img src="/b.png" alt="A &lt;b&gt;"><figcaption>C &amp; D</figcaption></figure>',
    ],
    ['{{% gist ann 12 %}}', '<a href="https://gist.github.com/ann/12">https://gist.github.com/ann/12</a>'],
  ])('resolves %s of Jekyll, Hugo and Zola', (text, expected) => {
    const { text: resolved, warnings } = resolve(text);
    expect(resolved).toBe(expected);
    const isLink = /(?:gist|tweet|instagram|streamable)\b/.test(text);
    expect(warnings).toEqual(isLink ? [expect.stringMatching(/^what the tag .* showed is a link here \(once\)$/)] : []);
  });

  it.each([
    ['{{< chart id=3 >}}', 'the tag {{< chart >}} was left in the text (once)'],
    ['{% raw %} {{ image', 'the tag {% raw %} was left in the text (once)'],
    ['[a]({% post_url gone %})', 'the tag {% post_url %} was left in the text (once)'],
    ['{{< ref "gone" >}}', 'the tag {{< ref >}} was left in the text (once)'],
  ])('leaves %s', (text, warning) => {
    expect(resolve(text)).toEqual({ text, warnings: [warning] });
  });

  itSlow('takes time in proportion to the length', () => {
    for (const piece of ['{% raw %}', '{% highlight x %}', '{{< figure ', '`', '{{', '{%', '```\n~~~\n', '{{< ref "']) {
      // With the square of the length it would be minutes.
      expect(leastProcessorTime(() => void resolve(piece.repeat(100_000)), 5000)).toBeLessThanOrEqual(5000);
    }
  });

  it('leaves and reports what it does not know', () => {
    const text = '{{ content }} and {{ "a" | upcase }}\n{% include x.html %}\n{{ count }}';
    expect(resolve(text)).toEqual({
      text,
      warnings: [
        'a template expression was left in the text: {{ content }}',
        'a template expression was left in the text: {{ "a" | upcase }}',
        'a template expression was left in the text: {{ count }}',
        'the tag {% include x.html %} was left in the text (once)',
      ],
    });
  });

  it('takes attribute lists out and says so', () => {
    expect(resolve('A heading\n{: .big #id}')).toEqual({
      text: 'A heading\n<a class="heading-above" id="id"></a>',
      warnings: ['an attribute list was removed: {: .big #id}'],
    });
  });

  it.each([
    ['a{::comment}\nnot *for*\n\nreaders\n{:/comment}b {::comment}nor this{:/}c', 'ab c'],
    ['`{::comment}a{:/}`', '`{::comment}a{:/}`'],
    ['a {% # a note %}b', 'a b'],
  ])('shows nobody a comment: %j', (text, expected) => {
    expect(resolve(text)).toEqual({ text: expected, warnings: [] });
  });

  it('takes comments of template engines out of code as well, where texts are templates', () => {
    const text = 'a{# b\n\nc #}\n\n```\n{% comment %}d{% endcomment %}e{# f #}\n```\n\n{% raw %}{# g #}{% endraw %}';
    const read = (more: object) => resolveLeftovers(text, { frontMatter, addresses, isLiquid: true, ...more }).text;
    expect(read({})).toContain('a{# b\n\nc #}\n\n```\n{% comment %}d{% endcomment %}e{# f #}');
    expect(read({ generator: 'jekyll' })).toContain('a{# b\n\nc #}\n\n```\ne{# f #}\n');
    expect(read({ generator: 'eleventy', isNunjucks: true })).toBe('a\n\n```\ne\n```\n\n{# g #}');
  });

  it('shows nobody what Hugo has in its tag for comments', () => {
    const text = 'a {{< comment >}}b{{< /comment >}}\n\n{{% comment %}}\nc\n\nd\n{{% /comment %}}\n';
    const { text: resolved, warnings } = resolveLeftovers(text, {
      frontMatter,
      addresses,
      isLiquid: false,
      generator: 'hugo',
    });
    expect(resolved.trim()).toBe('a');
    expect(warnings).toEqual([
      'what the tag {{< comment >}} encloses is shown to nobody there and was left out (once)',
      'what the tag {{% comment %}} encloses is shown to nobody there and was left out (once)',
    ]);
  });

  it.each([
    ['{{< figure src="/b.png" >}}\nA *b*\n', '<figure><img src="/b.png" alt=""></figure><p>A <em>b</em></p>'],
    ['{{< youtube abcdefgh >}}\n[a](/b)\n', `${youTube}<p><a href="/b">a</a></p>`],
    ['{{ img(src="/b.png") }}\n*a*\n', '<img src="/b.png" alt=""><p><em>a</em></p>'],
    ['> {{< youtube abcdefgh >}}\n> *a*\n', `<blockquote>${youTube}<p><em>a</em></p></blockquote>`],
    [
      '{{< details "S" >}}\na\n{{< /details >}}\n*b*\n',
      '<details><summary>S</summary><p>a</p></details><p><em>b</em></p>',
    ],
  ])('reads the line below a tag as Markdown: %j', (text, html) => {
    expect(markdownToHtml(resolve(text, false).text).replaceAll('\n', '')).toBe(html);
  });

  it.each([
    ['{:ok, x} = {:error, 1}', 'in a sentence'],
    ['matches {:ok} or not', 'that could be one'],
    ['a map %{a: 1} and {:}', 'that are none'],
  ])('leaves %s, braces %s', (text) => {
    expect(resolve(text)).toEqual({ text, warnings: [] });
  });

  it.each([
    ['a paragraph\n{:.lead data-x="a b" #id}', 'a paragraph\n<a class="heading-above" id="id"></a>'],
    ['* {:.first} item', '*  item'],
    ['[a](/b){:target="_blank"} and `x`{:.language-ruby}', '[a](/b) and `x`'],
    ['{::nomarkdown}text{:/nomarkdown}', 'text'],
  ])('takes attributes out of %j', (text, expected) => {
    expect(resolve(text).text).toBe(expected);
  });

  const braces = '{{ image }} {: .x} {:ok, x} {% link other.md %} {{< ref "other.md" >}} [a](@/other.md)';

  it.each([
    ['a fence', `\`\`\`elixir\n${braces}\n\`\`\`\n`],
    ['a fence of tildes with an empty line', `~~~\n${braces}\n\n${braces}\n~~~\n`],
    ['a fence in a list', `1. one\n\n   \`\`\`\n   ${braces}\n   \`\`\`\n`],
    ['a fence in a list in a list', `- one\n  - two\n\n    \`\`\`\n    ${braces}\n    \`\`\`\n`],
    ['a fence in a quotation', `> \`\`\`\n> ${braces}\n> \`\`\`\n`],
    ['indented code', `Text:\n\n    iex> ${braces}\n    ${braces}\n`],
    ['code indented by a tab', `Text:\n\n\t${braces}\n`],
    ['indented code in a list', `- one\n\n      ${braces}\n`],
    ['a span', `Use \`${braces}\` so.`],
    ['a span of two marks over two lines', `Use \`\`a \` ${braces}\nb\`\` so.`],
    ['<pre>', `<pre>\n${braces}\n\n${braces}\n</pre>`],
    ['<pre><code> in a list', `- a <pre><code class="x">${braces}</code></pre>\n`],
    ['<code> in a sentence', `Use <code>${braces}</code> so.`],
    ['<kbd> and <samp>', `Press <kbd>${braces}</kbd>, see <samp>${braces}</samp>.`],
  ])('leaves %s alone, and nothing else', (_what, code) => {
    const resolved = resolve(`{{ image }}\n\n${code}\n\n{{ image }}`);
    expect(resolved).toEqual({ text: `/a.png\n\n${code}\n\n/a.png`, warnings: [] });
  });

  it('takes a fence that is never closed for code to the end', () => {
    const text = `\`\`\`\n${braces}\n\n${braces}`;
    expect(resolve(text)).toEqual({ text, warnings: [] });
  });

  it.each([
    ['a fence', '```\n{% raw %}\n{{ x }}{: .x}\n{% endraw %}\n```', '```\n{{ x }}{: .x}\n```'],
    ['a line of a fence', '```\na\n{% raw %}{{ x }}{% endraw %}\n```', '```\na\n{{ x }}\n```'],
    ['a span', '`{% raw %}{{ x }}{% endraw %}`', '`{{ x }}`'],
    ['indented code', '{% raw %}\n\n    {{ x }}\n{% endraw %}', '\n\n    {{ x }}\n'],
    ['all of a fence', '{% raw %}\n```\n{{ x }} `\n```\n{% endraw %}', '```\n{{ x }} `\n```\n'],
    [
      'a fence in a list',
      '- a\n\n  ```\n  {% raw %}\n  {{ x }}\n  {% endraw %}\n  ```',
      '- a\n\n  ```\n  {{ x }}\n  ```',
    ],
  ])('takes the marks of raw text out of %s', (_where, text, expected) => {
    expect(resolve(text)).toEqual({ text: expected, warnings: [] });
  });

  it.each([
    ['hugo', '`{{</* ref "a.md" */>}}` {{%/* x */%}}', '`{{< ref "a.md" >}}` {{% x %}}'],
    ['hugo', '{{</* figure src="a" */>}}', '{{&lt; figure src="a" >}}'],
    ['hugo', '{{</*/* x */*/>}} {{</* x', '{{&lt;/* x */>}} {{</* x'],
    ['hugo', '```\n{{</* gallery */>}}\n{{</* /gallery */>}}\n```', '```\n{{< gallery >}}\n{{< /gallery >}}\n```'],
    [undefined, '`{{</* x */>}}`', '`{{< x >}}`'],
    ['zola', '`{{/* x() */}}` {%/* y() */%} `{{</* x */>}}`', '`{{ x() }}` {% y() %} `{{</* x */>}}`'],
    ['jekyll', '`{{</* x */>}}` `{{/* x */}}`', '`{{</* x */>}}` `{{/* x */}}`'],
    ['eleventy', '`{{</* x */>}}`', '`{{</* x */>}}`'],
  ] as const)('shows tags of %s that are to be shown: %s', (generator, text, expected) => {
    const context = { frontMatter, addresses, isLiquid: true, ...(generator === undefined ? {} : { generator }) };
    // Jekyll reads them as expressions of its own, and shows nothing.
    const left = generator === 'jekyll' ? text.match(/\{\{.*?\}\}/g) : [];
    const warnings = left?.map((written) => `a template expression was left in code: ${written}`);
    expect(resolveLeftovers(text, context)).toEqual({ text: expected, warnings });
  });

  it.each(['hugo', 'zola', 'astro'] as const)('leaves expressions to %s, whose texts are no templates', (generator) => {
    const text = 'between "{{" and "}}", {{ image }} and {{ .Title }}';
    expect(resolveLeftovers(text, { frontMatter, addresses, isLiquid: true, generator })).toEqual({
      text,
      warnings: [],
    });
    const raw = '`{% raw %}{{ x }}{% endraw %}`';
    const { text: found } = resolveLeftovers(raw, {
      frontMatter,
      addresses,
      isLiquid: generator !== 'zola',
      generator,
    });
    expect(found).toBe(raw);
  });

  it('leaves out the place of a table of contents, and says so', () => {
    const warnings = ['a table of contents was left out, which its generator makes of the headings ({:toc})'];
    expect(resolve('* TOC\n{:toc}\n\n# a')).toEqual({ text: '\n\n# a', warnings });
    expect(resolve('# a\n\n1. Contents\n{: .x #toc-1 :toc}\n\nb').text).toBe('# a\n\n\n\nb');
    const code = '```\n* TOC\n{:toc}\n```';
    expect(resolve(code)).toEqual({ text: code, warnings: [] });
    expect(resolve('* a\n* b\n{:.topic}')).toMatchObject({ text: '* a\n* b\n' });
  });

  it('reads Markdown in captions, once', () => {
    const text =
      '{{< figure src="a.png" title="*T*" caption="By [Ann *L*](https://a.example/x_y_z), `a_b` & <b>c</b>" attr="\\*d" >}}';
    const { text: found, warnings } = resolve(text);
    expect([markdownToHtml(found), warnings]).toEqual([
      '<figure><img src="a.png" alt=""><figcaption>*T* By <a href="https://a.example/x&#95;y&#95;z">Ann <em>L</em></a>, ' +
        '<code>a&#95;b</code> &amp; <b>c</b> &#42;d</figcaption></figure>',
      [],
    ]);
    expect(resolve('{{< figure src="a.png" caption="# no <line>" >}}').text).toContain('# no &lt;line&gt;');
  });

  it('leaves the marks of raw text where the generator does not know them', () => {
    const text = '```\n{% raw %}{{ x }}{% endraw %}\n```';
    expect(resolve(text, false)).toEqual({ text, warnings: [] });
  });

  it.each([
    [
      '- a\n\n  {% highlight js %}\n  let a;\n\n    b\n  {% endhighlight %}\n- b',
      '- a\n\n  ```js\n  let a;\n  \n    b\n  ```\n- b',
    ],
    ['> {% highlight js %}a{% endhighlight %}\n> b', '> ```js\n> a\n> ```\n> b'],
    ['```\n{% highlight js %}a{% endhighlight %}\n```', '```\n{% highlight js %}a{% endhighlight %}\n```'],
    ['`{% comment %}` and `{% endcomment %}`', '`{% comment %}` and `{% endcomment %}`'],
  ])('makes code of tags where they are: %j', (text, expected) => {
    expect(resolve(text)).toEqual({ text: expected, warnings: [] });
  });

  it('fills in what Jekyll fills in code, and names what it and Hugo would have filled in', () => {
    const text =
      '```sh\nruby {{ image }} {{ unknown }}\n```\n\n`{{ "{{" }} x }}` `{% link blog/other.md %}` `{% if a %}`\n\n{% raw %}`{{ image }}`{% endraw %}\n';
    const context = { frontMatter, addresses, isLiquid: true };
    expect(resolveLeftovers(text, { ...context, generator: 'jekyll' })).toEqual({
      text: '```sh\nruby /a.png {{ unknown }}\n```\n\n`{{ x }}` `/blogs/other` `{% if a %}`\n\n`{{ image }}`\n',
      warnings: ['a template expression was left in code: {{ unknown }}', 'the tag {% if %} was left in code (once)'],
    });
    const ofHugo = '`{{< ref "other.md" >}} {{< x >}}y{{< /x >}} {{</* z */>}} {{ .Title }}`';
    expect(resolveLeftovers(ofHugo, { ...context, generator: 'hugo' })).toEqual({
      text: '`{{< ref "other.md" >}} {{< x >}}y{{< /x >}} {{< z >}} {{ .Title }}`',
      warnings: ['the tag {{< ref >}} was left in code (once)', 'the tag {{< x >}} was left in code (once)'],
    });
    const left = text.replace(/\{% (?:end)?raw %\}/g, '');
    expect(resolveLeftovers(text, { ...context, generator: 'eleventy' })).toEqual({ text: left, warnings: [] });
  });

  it('finds the end of a tag that has a space in front of its name', () => {
    expect(resolve('{{< highlight go >}}\na\n{{< / highlight >}}').text).toBe('\n```go\na\n```\n');
  });

  it('leaves code alone', () => {
    const text = 'Use `{{ image }}` so:\n\n```liquid\n{{ image }}\n{: .x}\n~~~\n```\n';
    expect(resolve(`${text}{{ image }}`)).toEqual({ text: `${text}/a.png`, warnings: [] });
  });

  it.each([
    ['{% image "a b.png", "A \\"b\\" & c" %}', '<img src="a b.png" alt="A &quot;b&quot; &amp; c">'],
    [
      '{% include figure.html src="/a.png" caption="C" alt=\'A\' %}',
      '<figure><img src="/a.png" alt="A"><figcaption>C</figcaption></figure>',
    ],
    ['{% img left /a.png 10 20 "Some words" %}', '<img src="/a.png" alt="Some words">'],
    ['{% include youtube.html id="abcdefgh" %}', youTube],
    ['{% include video id=page.video provider="youtube" %}', youTube],
    ['{{ youtube(id="abcdefgh", autoplay=true) }}', youTube],
    ['{% gist ann/12 %}', '<a href="https://gist.github.com/ann/12">https://gist.github.com/ann/12</a>'],
    [
      '{{ gist(url="https://gist.github.com/ann/12") }}',
      '<a href="https://gist.github.com/ann/12">https://gist.github.com/ann/12</a>',
    ],
    ['{{< details "More" >}}a **b**{{< /details >}}', '<details>\n<summary>More</summary>\n\na **b**\n\n</details>'],
  ])('writes %s as what many sites mean by it', (text, expected) => {
    const { text: resolved, warnings } = resolve(text);
    expect(resolved).toBe(expected);
    const isLink = /(?:gist|tweet|instagram|streamable)\b/.test(text);
    expect(warnings).toEqual(isLink ? [expect.stringMatching(/^what the tag .* showed is a link here \(once\)$/)] : []);
  });
});

describe('resolveLeftovers with rules', () => {
  const rules = new ShortcodeRules(
    new Map<string, ShortcodeRule>([
      ['note', { text: '<blockquote>{title|1} {inner}</blockquote>' }],
      ['include ad.html', 'drop'],
      ['image', { text: '![{alt|2}](/assets/{1})' }],
      ['tab*', 'keep inner'],
      ['quote', { text: '> {inner} ({author})' }],
    ]),
  );
  const resolveWith = (text: string) => resolveLeftovers(text, { frontMatter, addresses, isLiquid: true, rules });

  it.each([
    ['{% note "<A>" %}x{% endnote %}', '<blockquote>&lt;A&gt; x</blockquote>'],
    ['{{< Note title="B" >}}x {{ image }}{{< /Note >}}', '<blockquote>B x /a.png</blockquote>'],
    ['{% note %}\na\n\nb\n{% endnote %}', '<blockquote> \n\na\n\nb\n\n</blockquote>'],
    ['{% note %}{% note %}x{% endnote %}{% endnote %}', '<blockquote> <blockquote> x</blockquote></blockquote>'],
    ['{% quote(author="Ann") %}x{% end %}', '> x (Ann)'],
    ['{% image "a.png" "Alt" %}', '![Alt](/assets/a.png)'],
    ['- {% note %}x{% endnote %}', '- <blockquote> x</blockquote>'],
    [
      '`{% note %}` and\n\n```\n{% endnote %}{% image "a" %}\n```\n',
      '`{% note %}` and\n\n```\n{% endnote %}{% image "a" %}\n```\n',
    ],
    ['{% note %}`{% endnote %}`{% endnote %}', '<blockquote> `{% endnote %}`</blockquote>'],
  ])('writes %j as they say', (text, expected) => {
    expect(resolveWith(text)).toEqual({ text: expected, warnings: [] });
  });

  it('names each tag once, with its count, and loses nothing that has no rule', () => {
    const left = '{% box a %}1{% endbox %}{% box b %}2{% endbox %}{% endif %}';
    expect(resolveWith(`a{% include ad.html x=1 %}{{< tabs >}}{{< tab >}}c{{< /tab >}}{{< /tabs >}}${left}`)).toEqual({
      text: `ac${left}`,
      warnings: [
        'the tag {% include ad.html %} was dropped, as --shortcodes says (once)',
        'the tag {{< tab >}} was taken off, as --shortcodes says (once)',
        'the tag {{< tabs >}} was taken off, as --shortcodes says (once)',
        'the tag {% box %} was left in the text (2 times)',
        'the tag {% endif %} was left in the text (once)',
      ],
    });
  });

  it('takes time in proportion to the length, however deep tags are in each other', () => {
    for (const piece of ['{% note %}', '{% endnote %}', '{{< tab ', '{% note "', '{% end %}']) {
      const texts = [piece.repeat(4000), piece.repeat(2000) + '{% endnote %}'.repeat(2000)];
      for (const text of texts) {
        expect(leastProcessorTime(() => void resolveWith(text), 1000)).toBeLessThanOrEqual(1000);
      }
    }
  });
});
