// Lints snippets in a process of its own: ESLint loads its configuration with import(), which Jest's module registry
// would repeat for each test file. Reads {house, snippets: [{path, code}]} from standard input: with `house`, a folder
// laid out like the repository, the snippets are files of that house, under the rules about rooms and docstrings only;
// without it they pose as files of the repository that exist, under every rule. Writes the messages of each snippet.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { docstringRules } from '../../cli/tools/eslint-docstrings.mjs';
import { forbiddenThings, importDirections } from '../../cli/tools/eslint-rooms.mjs';

const { house, snippets } = JSON.parse(await text(process.stdin));

const ofHouse = (cwd) => ({
  cwd,
  overrideConfigFile: true,
  overrideConfig: [
    {
      files: ['**/*.{ts,tsx}'],
      plugins: { 'import-x': importX },
      languageOptions: { parser: tseslint.parser },
      settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: `${cwd}/tsconfig.json` })] },
    },
    ...importDirections(cwd),
    ...forbiddenThings,
    ...docstringRules,
  ],
});

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const projects = mkdtempSync(join(cache, 'lint-snippets-'));
process.once('exit', () => rmSync(projects, { recursive: true, force: true }));

/** Types are read of these files and what they import: those of all files would take longer than everything else. */
function makeProject(name, files) {
  const project = join(projects, `${name}.json`);
  const content = {
    extends: join(root, name, 'tsconfig.json'),
    files: files.map((file) => join(root, file)),
    include: [],
  };
  writeFileSync(project, JSON.stringify(content));
  return project;
}

function ofRepository(files) {
  const [client, others] = [true, false].map((isClient) => files.filter((f) => f.startsWith('client/') === isClient));
  const project = [makeProject('test', others), makeProject('client', client)];
  const overrideConfig = { files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions: { project } } };
  return { cwd: root, overrideConfig };
}

const eslint = new ESLint(house ? ofHouse(house) : ofRepository(snippets.map(({ path }) => path)));

const results = [];
for (const { path, code } of snippets) {
  const [result] = await eslint.lintText(code, { filePath: path });
  results.push(result.messages.map(({ ruleId, message }) => ({ ruleId, message })));
}
console.log(JSON.stringify(results));
