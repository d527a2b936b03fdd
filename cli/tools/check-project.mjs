// Checks the types of one project, `test` (the server, the command line and all tests) or `client`, and lints its
// files. Both in one process: reading the types of all files is most of the work of either.
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const [, , project] = process.argv;
/** Everything is linted once: what is not of the client belongs to the other project. */
const files = project === 'client' ? { patterns: ['client'], ignores: [] } : { patterns: ['.'], ignores: ['client/'] };

function createProgram() {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (problem) => {
      throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
    },
  };
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(
    `${root}/${project}/tsconfig.json`,
    {},
    host,
  );
  return ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
}

/** Writes what is wrong with the types, as tsc does, and returns how much it is. */
function checkTypes(program) {
  const problems = ts.sortAndDeduplicateDiagnostics(ts.getPreEmitDiagnostics(program));
  const host = { getCurrentDirectory: () => root, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
  process.stdout.write(ts.formatDiagnostics(problems, host));
  return problems.length;
}

/** Writes what the linter finds, and returns how much it is, warnings included. */
async function lint(program) {
  const typed = {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { project: null, programs: [program] } },
  };
  const eslint = new ESLint({ cwd: root, overrideConfig: [{ ignores: files.ignores }, typed] });
  const results = await eslint.lintFiles(files.patterns);
  const formatter = await eslint.loadFormatter('stylish');
  process.stdout.write(await formatter.format(results));
  return results.reduce((sum, { errorCount, warningCount }) => sum + errorCount + warningCount, 0);
}

const program = createProgram();
const problems = checkTypes(program) + (await lint(program));
if (problems > 0) process.exitCode = 1;
