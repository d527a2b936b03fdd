import { expect, it } from '@jest/globals';
import { bodyToHtml } from './body-to-html.js';

it('writes players in one way and words of bars, and says so', () => {
  const warnings: string[] = [];
  const body =
    '<video controls><source src="/v.mp4"></video>\n\n<audio src="a%20b.mp3"></audio> <progress value="3" max="10"></progress> ' +
    '<progress value=3>30 %</progress> `<audio src="x">`';
  expect(bodyToHtml(body, false, warnings)).toBe(
    '<p><video class="ql-player" src="/v.mp4"></video></p>\n<p><audio class="ql-player" src="a%20b.mp3"></audio> 3/10 30 % ' +
      '<code>&lt;audio src=&quot;x&quot;&gt;</code></p>\n',
  );
  expect(warnings).toEqual(["bars of progress became text: '3/10', '30 %'"]);
});

it('shows what stands for a script', () => {
  const body = '<script src="x.js"></script><noscript><p><a href="https://a.example">See it</a></p></noscript>\n';
  expect(bodyToHtml(body, false, [])).toContain('</script><p><a href="https://a.example">See it</a></p>');
  const late = '<img data-src="a.png"><noscript><img src="a.png"></noscript>\n';
  expect(bodyToHtml(late, false, [])).toContain('<noscript><img');
});

it('reads Markdown in elements that say so', () => {
  const body = '<details markdown="1">\n<summary>S</summary>\n\n*a*\n</details>\n\n<div markdown=1>\n*b*\n</div>\n';
  const html = bodyToHtml(body, false, []);
  expect(html).toContain('<p><em>a</em></p>');
  expect(html).toContain('<p><em>b</em></p>');
});

it('shows tags that are never closed, and what follows them', () => {
  const warnings: string[] = [];
  const body =
    '<script>1</script> <!-- <title> --> Put it into a <script> tag or a <title>.\n\n- Remove <pre>\n\n*More*\n';
  const html = bodyToHtml(body, false, warnings);
  expect(html).toContain('<script>1</script> <!-- <title> --> Put it into a &lt;script> tag or a &lt;title>.');
  expect(html).toContain('<li>Remove &lt;pre></li>\n</ul>\n<p><em>More</em></p>');
  expect(warnings).toEqual([
    'a tag that is never closed is shown as text: <script>',
    'a tag that is never closed is shown as text: <title>',
    'a tag that is never closed is shown as text: <pre>',
  ]);
});
