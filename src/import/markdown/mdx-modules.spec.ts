import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { itSlow } from '../../../test/support/slow-tests.js';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { withoutModules } from './mdx-modules.js';

it('takes modules and comments out, names components, and leaves code alone', () => {
  const code = '```js\nimport a from "b";\n{/* kept */} <Kept />\n```\n';
  const body = `import A from './a.astro';\nimport {\n  B,\n} from 'b';\n\nWe import <A x="1">this</A>.{/* gone */}\n\n${code}\nexport const c = 1;\n\nend\n`;
  const { text, warnings } = withoutModules(body);
  expect(text.replace(/\n{2,}/g, '\n\n')).toBe(`\n\nWe import this.\n\n${code}\n\nend\n`.replace(/\n{2,}/g, '\n\n'));
  expect(warnings).toEqual(['components were left out, what they enclose stays: A']);
  expect(withoutModules('We import.\n').text).toBe('We import.\n');
});

it('shows pictures that are imported, takes words in braces for words, and names expressions that it leaves', () => {
  const body =
    "import hero from '../assets/hero.png';\nimport cover from '@/assets/c.jpg?url';\nimport data from './data.json';\n\n" +
    '<Image src={hero} alt="A" /> <img src={cover.src} /> <img src={other} />\n\n' +
    'Year {year}.{" "}`{code}` {\'it\'} {n.map((x) => x)} {#id}\n\n```js\n<img src={hero} /> {year}\n```\n';
  const { text, warnings } = withoutModules(body);
  expect(text.trim()).toBe(
    '<img src="../assets/hero.png" alt="A"> <img src="/src/assets/c.jpg"> <img>\n\n' +
      'Year {year}. `{code}` it {n.map((x) => x)} {#id}\n\n```js\n<img src={hero} /> {year}\n```',
  );
  expect(warnings).toEqual([
    'attributes with expressions of MDX were left out: src',
    'expressions of MDX were left in the text: {year}, {n.map((x) => x)}',
  ]);
});

it('leaves comments in code, and takes those out that have code in them', () => {
  const read = (body: string) => withoutModules(body).text;
  expect(read('A `{/*` and `*/}` comment{/* `gone` */}.')).toBe('A `{/*` and `*/}` comment.');
  expect(read('``a ` {/* x */}`` {/* ` */}b')).toBe('``a ` {/* x */}`` b');
  expect(read('- a\n\n  ```js\n  {/* x */}\n  ```\n')).toContain('{/* x */}');
});

it('shows nobody a comment of several paragraphs', () => {
  const { text, warnings } = withoutModules(
    'A\n\n{/*\nnot `yet\n\nfor readers\n*/}\n\n{\n  /* nor\n\n  this */\n}B `{/*`\n\n```js\n{/*\n\nkept */}\n```\n',
  );
  expect(text.replace(/\n{2,}/g, '\n')).toBe('A\nB `{/*`\n```js\n{/*\nkept */}\n```\n');
  expect(warnings).toEqual([]);
});

itSlow('looks for the end of comments in time that grows with the length of the text', () => {
  const hostile = '{/*\n'.repeat(20_000);
  expect(leastProcessorTime(() => void withoutModules(hostile), 2000)).toBeLessThanOrEqual(2000);
});

it('shows nobody the code of functions with empty lines in them', () => {
  const read = (body: string) =>
    withoutModules(body)
      .text.trim()
      .replace(/\n{2,}/g, '\n');
  const code =
    "import {\n  A,\n\n  B\n} from 'b'\nexport const C = () => {\n  const x = '}';\n\n  // }\n  return (\n    <p>\n" +
    "      it's {x} `}\n\n      }`\n    </p>\n  );\n};\n\nexport default function D() {\n\n  return <A />\n}\n";
  expect(read(`${code}\nWords.\n\n\`\`\`js\n${code}\`\`\`\n`)).toBe(
    `Words.\n\`\`\`js\n${code}\`\`\``.replace(/\n{2,}/g, '\n'),
  );
  expect(read('export of goods (see\n\nbelow)\n')).toContain('below)');
  expect(read('export const a = {\n\nWords.\n')).toContain('Words.');
  expect(read('a {`b *c*`}.\n')).toBe('a b *c*.');
});

itSlow('looks for the end of functions in time that grows with the length of the text', () => {
  const hostile = 'export const a = {\n\n'.repeat(5000);
  expect(leastProcessorTime(() => void withoutModules(hostile), 3000)).toBeLessThanOrEqual(3000);
});

it('reads Markdown in lines with tags of HTML, and braces in words', () => {
  const toHtml = (body: string) => markdownToHtml(withoutModules(body).text).replace(/\s*\n\s*/g, '');
  expect(toHtml('<div>A *b* [c](/d)</div>\n')).toBe('<div>A <em>b</em> <a href="/d">c</a></div>');
  expect(toHtml('<p>**a** `b`</p>\n\n*c*\n')).toBe('<p><strong>a</strong> <code>b</code></p><p><em>c</em></p>');
  expect(toHtml('<table><tr><td>*a*</td></tr></table>\n')).toBe('<table><tr><td><em>a</em></td></tr></table>');
  expect(toHtml('<pre>*a*</pre>\n')).toBe('<pre>*a*</pre>');
  expect(toHtml('a {"{"} b {\'}\'}\n')).toBe('<p>a { b }</p>');
});

describe('tags of JSX', () => {
  const toHtml = (body: string) => {
    const { text, warnings } = withoutModules(body);
    return [markdownToHtml(text).replace(/\s*\n\s*/g, ''), warnings];
  };

  it('are pictures and films where components show these, whatever else they say', () => {
    const body =
      'import one from "../one.png";\n\nText\n\n<Image\n  src={one}\n  alt="One > two"\n  widths={[352, one.width]}\n  class="x"\n/>\n*after*\n\n' +
      '<Figure src={one} label="A **caption**" />\n\nbetween\n\n<LiteYouTube videoId="abcdefghijk" />\n\n<Chart data={{ a: "}" }} client:load />\n';
    expect(toHtml(body)).toEqual([
      '<p>Text</p><img src="../one.png" alt="One &gt; two"><p><em>after</em></p>' +
        '<figure><img src="../one.png" alt=""><figcaption>A <strong>caption</strong></figcaption></figure><p>between</p>' +
        '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk" title="YouTube video"></iframe>',
      ['components were left out, what they enclose stays: Chart'],
    ]);
  });

  it('are HTML with the attributes that are known, and enclose Markdown', () => {
    const body =
      '<Callout type="x">\n\n    Indented **text**\n\n    - item\n</Callout>\n\n<div className="a" style={{ color: "red" }}>\n  *in*\n</div>\n\n' +
      '<><span id={\'b\'} />{" "}<br/>x</>\n\n<pre>\n{x} <B c={d}/>\n</pre>\n\n1 < 2 and <not closed\n';
    expect(toHtml(body)).toEqual([
      '<p>Indented <strong>text</strong></p><ul><li>item</li></ul><div class="a"><p>  <em>in</em></p></div>' +
        '<p><span id="b"></span> <br/>x</p><pre>{x} <B c={d}/></pre><p>1 &lt; 2 and &lt;not closed</p>',
      [
        'components were left out, what they enclose stays: Callout',
        'attributes with expressions of MDX were left out: style',
        'expressions of MDX were left in the text: {x}',
      ],
    ]);
  });

  it('leave their titles, and name the words that nothing shows here', () => {
    const body =
      '<Tabs groupId="os" className="one two">\n<TabItem value="mac" label="On a *Mac* & co">\n\nInstall **it**.\n\n</TabItem>\n</Tabs>\n\n' +
      '<LinkCard title="Read on" href="/guides/" description="Of what is meant" />\n\nPress <Key label="Ctrl" size="small" /> now.\n\n' +
      '<BaseLayout title="The page">\nx\n</BaseLayout>\n\n<Image src="/a.png" alt="A" title="Taken in May" sizes="half wide" />\n\n' +
      '<Card title={label} icon="arrow" />\n';
    expect(toHtml(body)).toEqual([
      '<p><strong>On a &#42;Mac&#42; &amp; co</strong></p><p>Install <strong>it</strong>.</p>' +
        '<p><strong><a href="/guides/">Read on</a></strong></p><p>Press  now.</p><p>x</p><img src="/a.png" alt="A">',
      [
        'components were left out, what they enclose stays: Tabs, TabItem, LinkCard, Key, BaseLayout, Card',
        'words in attributes of components were left out: LinkCard description "Of what is meant", Key label "Ctrl", ' +
          'BaseLayout title "The page", Image title "Taken in May"',
        'attributes with expressions of MDX were left out: title',
      ],
    ]);
  });

  it('are read in time that grows with the length of the text', () => {
    for (const piece of ['<A ', '<A b={', '<a b="', '<A>', '<A b={{', '{', '<div>\n']) {
      expect(leastProcessorTime(() => void withoutModules(piece.repeat(4000)), 2000)).toBeLessThanOrEqual(2000);
    }
  });
});
