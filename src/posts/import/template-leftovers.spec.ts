import { describe, expect, it } from '@jest/globals';
import { resolveLeftovers } from './template-leftovers.js';

const resolve = (text: string) => resolveLeftovers(text, { image: '/a.png', count: 3 });

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

  it('leaves and reports what it does not know', () => {
    const text = '{{ content }} and {{ "a" | upcase }}\n{% include x.html %}\n{{ count }}';
    expect(resolve(text)).toEqual({
      text,
      warnings: [
        'a template expression was left in the text: {{ content }}',
        'a template expression was left in the text: {{ "a" | upcase }}',
        'a template tag was left in the text: {% include x.html %}',
        'a template expression was left in the text: {{ count }}',
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
