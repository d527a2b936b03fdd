import { expect, it } from '@jest/globals';
import { withoutModules } from './mdx-modules.js';

it('takes modules and comments out, names components, and leaves code alone', () => {
  const code = '```js\nimport a from "b";\n{/* kept */} <Kept />\n```\n';
  const body = `import A from './a.astro';\nimport {\n  B,\n} from 'b';\n\nWe import <A x="1">this</A>.{/* gone */}\n\n${code}\nexport const c = 1;\n\nend\n`;
  const { text, warnings } = withoutModules(body);
  expect(text.replace(/\n{2,}/g, '\n\n')).toBe(
    `\n\nWe import <A x="1">this</A>.\n\n${code}\n\nend\n`.replace(/\n{2,}/g, '\n\n'),
  );
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
    '<Image src="../assets/hero.png" alt="A" /> <img src="/src/assets/c.jpg" /> <img src={other} />\n\n' +
      'Year {year}. `{code}` it {n.map((x) => x)} {#id}\n\n```js\n<img src={hero} /> {year}\n```',
  );
  expect(warnings).toEqual([
    'components were left out, what they enclose stays: Image',
    'expressions of MDX were left in the text: {year}, {n.map((x) => x)}',
  ]);
});
