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
