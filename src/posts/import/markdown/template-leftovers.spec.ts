import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../../test/support/processor-time.js';
import { resolveLeftovers } from './template-leftovers.js';

const other = '/blogs/other';
const addresses = new Map([
  ['2015-01-01-other', other],
  ['other.md', other],
  ['blog/other.md', other],
]);
const resolve = (text: string) => resolveLeftovers(text, { image: '/a.png', count: 3 }, addresses);

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
    ['{{< highlight go >}}\n```\n{{< /highlight >}}', '\n````go\n```\n````\n'],
    ['a{% comment %} {{ x }} {% endcomment %}b', 'ab'],
    ['[a]({% post_url 2015-01-01-other %})', '[a](/blogs/other)'],
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
    expect(resolve(text)).toEqual({ text: expected, warnings: [] });
  });

  it.each([
    ['{{< chart id=3 >}}', 'a template expression was left in the text: {{< chart id=3 >}}'],
    ['{% raw %} {{ image', 'a template tag was left in the text: {% raw %}'],
    ['[a]({% post_url gone %})', 'a template tag was left in the text: {% post_url gone %}'],
    ['{{< ref "gone" >}}', 'a template expression was left in the text: {{< ref "gone" >}}'],
  ])('leaves %s', (text, warning) => {
    expect(resolve(text)).toEqual({ text, warnings: [warning] });
  });

  it('takes time in proportion to the length', () => {
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
        'a template tag was left in the text: {% include x.html %}',
      ],
    });
  });

  it('takes attribute lists out and says so', () => {
    expect(resolve('A heading\n{: .big #id}')).toEqual({
      text: 'A heading\n',
      warnings: ['an attribute list was removed: {: .big #id}'],
    });
  });

  it('leaves code alone', () => {
    const text = 'Use `{{ image }}` so:\n\n```liquid\n{{ image }}\n{: .x}\n~~~\n```\n';
    expect(resolve(`${text}{{ image }}`)).toEqual({ text: `${text}/a.png`, warnings: [] });
  });
});
