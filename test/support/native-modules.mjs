// How Node finds and reads what test files import; native-runner.mjs says what for.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import { swcOptions } from './swc-options.mjs';

const root = new URL('../..', import.meta.url).href;
const tests = `${root}test/`;
const buildStamp = new URL('dist/.build-stamp', root);
/** The build whose modules this process has loaded, if any. */
const build = readFileSync(buildStamp, 'utf8');
/** Scheme of a module that has what jest offers to one test file. */
const GLOBALS = 'jest-globals:';

/** The test files that are loaded now, by the number that the addresses of their modules have. */
const testFiles = (globalThis[Symbol.for('test files')] = new Map());
const compiled = new Map();
let count = 0;

/**
 * Imports a module for a test file: it and the helpers it imports are of this file alone.
 * @param testFile `offerGlobals()` returns what '@jest/globals' exports; `sourceMaps` is where jest looks up addresses
 */
export async function importForTestFile(testFile, path) {
  // Workers end with each run; a watching jest that needs none would test what it loaded for the first.
  if (readFileSync(buildStamp, 'utf8') !== build) throw new Error('There is a new build: start jest again.');
  testFile.number ??= String((count += 1));
  testFiles.set(testFile.number, testFile);
  return await import(`${pathToFileURL(path).href}?file=${testFile.number}`);
}

/** Lets go of what `importForTestFile` keeps. */
export function forgetTestFile({ number }) {
  testFiles.delete(number);
}

registerHooks({
  resolve(specifier, context, next) {
    const number = numberOf(context.parentURL);
    if (number === null) return next(specifier, context);
    if (specifier === '@jest/globals') return { url: `${GLOBALS}?file=${number}`, shortCircuit: true };
    if (!specifier.startsWith('.')) return next(specifier, context);
    const { href } = new URL(specifier, context.parentURL);
    return { url: href.startsWith(tests) ? `${sourceOf(href)}?file=${number}` : builtOf(href), shortCircuit: true };
  },
  load(url, context, next) {
    const number = numberOf(url);
    if (number === null) return next(url, context);
    if (url.startsWith(GLOBALS)) return { format: 'module', source: exportGlobals(number), shortCircuit: true };
    const path = fileURLToPath(url);
    if (!path.endsWith('.ts')) return next(url, context);
    const { code, map } = compile(path);
    testFiles.get(number)?.sourceMaps.set(url, map);
    return { format: 'module', source: code, shortCircuit: true };
  },
});

function numberOf(url) {
  return url?.includes('?file=') ? new URL(url).searchParams.get('file') : null;
}

/** Imports name the file that the compiler would write; here the source stands in for it. */
function sourceOf(url) {
  const source = url.replace(/\.js$/, '.ts');
  return existsSync(fileURLToPath(source)) ? source : url;
}

function builtOf(url) {
  const built = url.replace(root, `${root}dist/`);
  return existsSync(fileURLToPath(built)) ? built : url;
}

function exportGlobals(number) {
  const names = Object.keys(testFiles.get(number).offerGlobals());
  return `export const { ${names.join(', ')} } =
    globalThis[Symbol.for('test files')].get('${number}').offerGlobals();`;
}

function compile(path) {
  if (!compiled.has(path)) {
    const { code, map } = transformSync(readFileSync(path, 'utf8'), {
      ...swcOptions({}),
      sourceMaps: true,
      filename: path,
      sourceFileName: path,
    });
    compiled.set(path, { code, map: `data:application/json;base64,${Buffer.from(map).toString('base64')}` });
  }
  return compiled.get(path);
}
