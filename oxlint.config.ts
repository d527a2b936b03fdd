// A rule is an error or it is off. Who may import whom is in cli/tools/lint-rooms.mjs; types are checked in the same run.
import { defineConfig, type OxlintConfig } from 'oxlint';
import { forbiddenThings, importDirections } from './cli/tools/lint-rooms.mjs';

const tests = ['**/*.spec.ts', '**/*.spec.tsx', 'test/**'];

/** Rules for all files, beside those that the linter calls correctness. */
const always: OxlintConfig['rules'] = {
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-case-declarations': 'error',
  'no-constant-condition': 'error',
  'no-else-return': ['error', { allowElseIf: false }],
  'no-empty': 'error',
  'no-fallthrough': 'error',
  'no-prototype-builtins': 'error',
  'no-redeclare': 'error',
  'no-regex-spaces': 'error',
  'object-shorthand': 'error',
  'preserve-caught-error': 'error',
  'import/first': 'error',
  'import/no-duplicates': ['error', { preferInline: true }],
  // Whoever cleans text names the characters that text must not have.
  'no-control-regex': 'off',
};

/** Rules for files with types. */
const typed: OxlintConfig['rules'] = {
  'no-array-constructor': 'error',
  'no-unused-expressions': 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  'import/no-default-export': 'error',
  'typescript/ban-ts-comment': 'error',
  'typescript/no-empty-object-type': 'error',
  'typescript/no-explicit-any': 'error',
  'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
  'typescript/no-namespace': 'error',
  'typescript/no-non-null-assertion': 'error',
  'typescript/no-require-imports': 'error',
  'typescript/no-unnecessary-condition': 'error',
  'typescript/no-unnecessary-type-assertion': 'error',
  'typescript/no-unnecessary-type-constraint': 'error',
  'typescript/no-unsafe-argument': 'error',
  'typescript/no-unsafe-assignment': 'error',
  'typescript/no-unsafe-call': 'error',
  'typescript/no-unsafe-enum-comparison': 'error',
  'typescript/no-unsafe-function-type': 'error',
  'typescript/no-unsafe-member-access': 'error',
  'typescript/no-unsafe-return': 'error',
  'typescript/only-throw-error': 'error',
  'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
  'typescript/prefer-optional-chain': 'error',
  'typescript/prefer-promise-reject-errors': 'error',
  'typescript/restrict-plus-operands': 'error',
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  // Forms and drafts are plain objects, whatever class describes them.
  'typescript/no-misused-spread': 'off',
  // Names are sorted as they are.
  'typescript/require-array-sort-compare': 'off',
  // The compiler names them (noUnusedLocals, noUnusedParameters).
  'no-unused-vars': 'off',
};

/** The rules of React, and of its compiler. */
const hooks: OxlintConfig['rules'] = {
  'react/error-boundaries': 'error',
  'react/exhaustive-deps': 'error',
  'react/globals': 'error',
  'react/immutability': 'error',
  'react/incompatible-library': 'error',
  'react/preserve-manual-memoization': 'error',
  'react/purity': 'error',
  'react/refs': 'error',
  'react/rules-of-hooks': 'error',
  'react/set-state-in-render': 'error',
  'react/static-components': 'error',
  'react/unsupported-syntax': 'error',
  'react/use-memo': 'error',
  // The editor is no part of React: what it says when it begins is taken over once it is there.
  'react/set-state-in-effect': 'off',
};

/** The rules for a checkout, whose rooms are read from the disk. */
export function configure(root: string): OxlintConfig {
  return {
    plugins: ['eslint', 'import', 'typescript'],
    jsPlugins: [{ name: 'house', specifier: `${import.meta.dirname}/cli/tools/lint-rules.mjs` }],
    categories: { correctness: 'error' },
    options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
    ignorePatterns: ['dist/', 'data/', 'coverage/', 'test-results/', 'node_modules/', '.history/'],
    rules: always,
    overrides: [
      {
        files: ['**/*.mjs'],
        env: { node: true },
        rules: {
          'no-undef': 'error',
          // Nothing tells the types of these.
          'typescript/no-unsafe-unary-minus': 'off',
          'typescript/restrict-template-expressions': 'off',
          'typescript/unbound-method': 'off',
        },
      },
      // Some of what they say is run in a page.
      { files: ['client/**/*.js', 'test/**/*.mjs'], env: { browser: true } },
      { files: ['**/*.ts', '**/*.tsx'], rules: typed },
      // Not in src: Nest reads the classes of a constructor's parameters from the metadata that decorators emit, and a
      // type import would leave nothing behind to read.
      { files: ['{cli,client,test}/**/*.{ts,tsx}'], rules: { 'typescript/consistent-type-imports': 'error' } },
      // Programs that are read by themselves, and descriptions of packages as they are.
      {
        files: ['client/vite.config.ts', 'oxlint.config.ts', '**/*.d.ts'],
        rules: { 'import/no-default-export': 'off' },
      },
      {
        files: ['client/**'],
        plugins: ['react'],
        rules: hooks,
      },
      // The server has a logger; in a browser the console is the log.
      { files: ['src/**'], excludeFiles: tests, rules: { 'no-console': 'error' } },
      { files: ['client/**'], excludeFiles: tests, rules: { 'no-console': ['error', { allow: ['error'] }] } },
      {
        files: ['src/**/*.ts', 'cli/**/*.ts', 'client/**/*.ts'],
        excludeFiles: tests,
        rules: { 'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }] },
      },
      {
        files: ['**/*.spec.{ts,tsx}', 'test/**/*.ts'],
        rules: {
          // expect(object.method) hands a method over without calling it.
          'typescript/unbound-method': 'off',
          // Where a test is wrong about what is there, it fails, which is what a test is for.
          'typescript/no-non-null-assertion': 'off',
        },
      },
      ...importDirections(root),
      ...forbiddenThings,
    ],
  };
}

export default defineConfig(configure(import.meta.dirname));
