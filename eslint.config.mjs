// A rule is an error or it is off. Who may import whom is in cli/tools/eslint-rooms.mjs.
import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { docstringRules } from './cli/tools/eslint-docstrings.mjs';
import { forbiddenThings, importDirections } from './cli/tools/eslint-rooms.mjs';

const root = import.meta.dirname;
const typescript = ['**/*.ts', '**/*.tsx'];
const tests = ['**/*.spec.ts', '**/*.spec.tsx', 'test/**'];

/** Presets may warn; here nothing does. */
const asErrors = (rules) =>
  Object.fromEntries(Object.entries(rules).map(([name, level]) => [name, level === 'off' ? 'off' : 'error']));

export default defineConfig(
  { ignores: ['dist/', 'data/', 'coverage/', 'test-results/', 'node_modules/', '.history/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  js.configs.recommended,
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: `${root}/tsconfig.json` })],
    },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'object-shorthand': 'error',
      'no-else-return': ['error', { allowElseIf: false }],
      'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
      'import-x/first': 'error',
      // Whoever cleans text names the characters that text must not have.
      'no-control-regex': 'off',
    },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: globals.node } },
  { files: ['client/**/*.js'], languageOptions: { globals: globals.browser } },
  {
    files: typescript,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./test/tsconfig.json', './client/tsconfig.json'],
        tsconfigRootDir: root,
      },
    },
    rules: {
      // Leaves files with decorators alone, as tsconfig.json says that these emit metadata: Nest reads the classes of a
      // constructor's parameters from it, and a type import would leave nothing behind to read.
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // The compiler names them (noUnusedLocals, noUnusedParameters) without reading all files once more.
      '@typescript-eslint/no-unused-vars': 'off',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-unnecessary-condition': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/prefer-optional-chain': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      'import-x/no-default-export': 'error',
    },
  },
  { files: ['client/vite.config.ts'], rules: { 'import-x/no-default-export': 'off' } },
  {
    files: ['client/**'],
    plugins: { 'react-hooks': reactHooks },
    rules: asErrors(reactHooks.configs.flat.recommended.rules),
  },
  // The server has a logger; in a browser the console is the log.
  { files: ['src/**'], ignores: tests, rules: { 'no-console': 'error' } },
  { files: ['client/**'], ignores: tests, rules: { 'no-console': ['error', { allow: ['error'] }] } },
  {
    files: ['src/**/*.ts', 'cli/**/*.ts', 'client/**/*.ts'],
    ignores: tests,
    rules: { 'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['**/*.spec.{ts,tsx}', 'test/**/*.ts'],
    rules: {
      // expect(object.method) hands a method over without calling it.
      '@typescript-eslint/unbound-method': 'off',
      // Where a test is wrong about what is there, it fails, which is what a test is for.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  // Describes a package as it is.
  { files: ['**/*.d.ts'], rules: { 'import-x/no-default-export': 'off' } },
  ...importDirections(root),
  ...forbiddenThings,
  ...docstringRules,
);
