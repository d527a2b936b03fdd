import type { Argument, Command, Option } from 'commander';
import { commandLine, exitCodesOf, guideOf, pathOf, type Guide } from './guide.js';
import { leavesOf } from './command-setup.js';

const INTRODUCTION = `# The command line

<!-- Written by \`npm run -s cli -- docs > docs/cli.md\`; a test says when that is due. -->

Every command is called as \`npm run cli -- <command>\` in the folder of the site; \`npm run -s cli -- …\` leaves out what
npm itself says, for programs and redirections. Where there is no npm script, as in the container, it is
\`node dist/cli.js <command>\`. Commands take the variables of the server (from the shell or a file \`.env\`) and work
beside a running server, whose pages show the change within a second.

\`--help\` explains each command. A mistyped one is answered with what was meant. What a program needs goes to the
standard output, everything else to the standard error. Progress is shown on a terminal only, so that the standard error
of a command that cron runs is empty unless something is wrong. Colors are only for terminals: \`NO_COLOR=1\` switches
them off there, \`FORCE_COLOR=1\` on elsewhere.

## Exit codes

- \`0\`: all is well.
- \`1\`: some of several items were refused or failed, and are named; the others were done. Or not everything could be
  printed, as to a full disk.
- \`2\`: nothing could be done, or it broke off, as when the database went away: the output says what was done until
  then. Nothing is done at mistakes in the command line, and where a question was answered with no.
- \`130\`: Ctrl+C was pressed.
`;

const COMPLETION = `## Completion

\`npm run -s cli -- completion bash\` (or \`zsh\`, \`fish\`) prints a script that gives the shell a command \`site\`, which
works from every folder, and lets the Tab key complete its commands, options, choices and files. Nothing is started for
that: print the script again after an update. Paths are those of the site's folder, as for \`npm run cli\`; \`--name\` gives
the command another name. Where a command or function of that name is there already, it is completed and left as it is,
so a site in a container needs only this before the script:

\`\`\`sh
site() { docker compose --project-directory /srv/site exec app node dist/cli.js "$@"; }
\`\`\`
`;

/** docs/cli.md: every command that `--help` shows, as Markdown; the same for the same commands. */
export function renderCommandDocs(program: Command): string {
  const groups = shownCommands(program);
  const parts = groups.flatMap((group) => [
    `## ${group.name()}`,
    ...(isGroup(group) ? [sentence(group.description())] : []),
    ...leavesOf(group).map(renderCommand),
  ]);
  return `${[INTRODUCTION, COMPLETION, '## Commands\n', groups.map(renderEntry).join(''), ...parts.map((part) => `${part}\n`)].join('\n')}`;
}

function shownCommands(program: Command): readonly Command[] {
  const shown = program.createHelp().visibleCommands(program);
  return shown.filter((command) => command.name() !== 'help');
}

function isGroup(command: Command): boolean {
  return command.commands.length > 0 && command.registeredArguments.length === 0;
}

function renderEntry(group: Command): string {
  const links = leavesOf(group).map((leaf) => `[${pathOf(leaf)}](#${pathOf(leaf).replaceAll(' ', '-')})`);
  return `- ${links.join(', ')}: ${asText(group.description())}\n`;
}

function renderCommand(command: Command): string {
  const guide = guideOf(command);
  const parts = [
    command.parent?.parent ? `### ${pathOf(command)}` : '',
    sentence(command.description()),
    `\`\`\`sh\n${commandLine(command, usageOf(command))}\n\`\`\``,
    renderTerms(command),
    guide === null ? '' : renderGuide(command, guide),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function usageOf(command: Command): string {
  return `${command.registeredArguments.map(termOf).join(' ')} ${shownOptions(command).length > 0 ? '[options]' : ''}`.trim();
}

function termOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function shownOptions(command: Command): readonly Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}

function renderTerms(command: Command): string {
  const help = command.createHelp();
  const ofArguments = command.registeredArguments.map((argument) => [
    termOf(argument),
    help.argumentDescription(argument),
  ]);
  const ofOptions = shownOptions(command).map((option) => [
    option.flags,
    `${help.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`,
  ]);
  return [...ofArguments, ...ofOptions].map(([term, text = '']) => `- \`${term}\`: ${asText(text)}`).join('\n');
}

function renderGuide(command: Command, content: Guide): string {
  const { examples, remarks } = content;
  const lines = examples.map(([words, explanation]) => `# ${explanation}\n${commandLine(command, words)}`);
  const codes = exitCodesOf(content).map(([code, meaning]) => `\`${code}\` ${asText(meaning)}`);
  return [
    ...(remarks === undefined ? [] : [asText(remarks)]),
    `\`\`\`sh\n${lines.join('\n')}\n\`\`\``,
    `Exit codes: ${codes.join(', ')}.`,
  ].join('\n\n');
}

/** Descriptions are phrases, as `--help` shows them. */
function sentence(phrase: string): string {
  return `${asText(phrase.charAt(0).toUpperCase() + phrase.slice(1))}.`;
}

/** Escapes Markdown: names of variables and files are no emphasis, placeholders are no HTML, and code stays code. */
function asText(text: string): string {
  return text.replace(/`[^`]+`|[\\`*<[\]]|(?<!\w)_|_(?!\w)/g, (found) => (found.length > 1 ? found : `\\${found}`));
}
