import { Argument, InvalidArgumentError, type Command } from 'commander';
import { PROJECT_ROOT } from '../../src/config/project-root.js';
import { renderBash } from '../completion/bash-script.js';
import { treeOf } from '../completion/command-tree.js';
import { renderFish } from '../completion/fish-script.js';
import { renderZsh } from '../completion/zsh-script.js';
import { guide } from '../guide.js';

const RENDERERS = { bash: renderBash, zsh: renderZsh, fish: renderFish } as const;
type Shell = keyof typeof RENDERERS;

function toCommandName(text: string): string {
  if (/^[A-Za-z][\w-]*$/.test(text)) return text;
  throw new InvalidArgumentError('It begins with a letter, and has letters, digits, _ and - only.');
}

/** `completion`: scripts that let the Tab key complete commands. */
export function registerCompletionCommand(program: Command): void {
  const completion = program
    .command('completion')
    .description('print a script for a shell: a command that works from every folder and is completed by the Tab key')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(RENDERERS)))
    .option('--name <name>', 'what the command is called', toCommandName, 'site')
    .action((shell: Shell, { name }: { readonly name: string }) => {
      process.stdout.write(RENDERERS[shell](treeOf(program), { name, folder: PROJECT_ROOT }));
    });
  guide(completion, {
    remarks:
      'Where a command of that name is there already, it is completed and left as it is. Nothing is started for a ' +
      'completion, so print the script again after an update. Paths are those of the folder of the site.',
    examples: [
      ['bash > ~/.site-completion', 'for bash; then add to ~/.bashrc: source ~/.site-completion'],
      ['zsh > ~/.site-completion', 'for zsh; then add to ~/.zshrc, after compinit: source ~/.site-completion'],
      ['fish > ~/.config/fish/conf.d/site.fish', 'for fish'],
      ['bash --name acme', 'for a command acme'],
    ],
  });
}
