import type { CommandNode, Value } from './command-tree.js';
import { functionFor, type Site } from './shell-texts.js';

/** A completion for fish: one rule for each command, option and argument, under the words that lead to it. */
export function renderFish(tree: readonly CommandNode[], site: Site): string {
  const self = functionFor(site.name);
  const valued = tree.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => (value === null ? [] : flags.map((flag) => quote(`${path} ${flag}`)))),
  );
  return `# Completion of the site's command line for fish: save it as ~/.config/fish/conf.d/${site.name}.fish
if not type -q ${site.name}
    function ${site.name}
        pushd ${quote(site.folder)}; and begin
            node dist/cli.js $argv
            set -l code $status
            popd
            return $code
        end
    end
end

function ${self}_is # $argv[1]: the words that should lead here, $argv[2]: the number of the argument, if any
    set -l so_far ''
    set -l argument 1
    set -l waiting no
    for word in (commandline -opc)[2..]
        if test $waiting = yes
            set waiting no
        else if string match -q -- '-*' $word
            contains -- "$so_far $word" ${valued.join(' ')}; and set waiting yes
        else
            set -l next (string trim -- "$so_far $word")
            if contains -- $next ${tree.map(({ path }) => quote(path)).join(' ')}
                set so_far $next
            else
                set argument (math $argument + 1)
            end
        end
    end
    test "$so_far" = "$argv[1]"; or return 1
    test (count $argv) -lt 2; and return 0
    string match -qr -- "^$argv[2]\\$" $argument
end

function ${self}_files # $argv[1]: file or folder; paths are those of the site's folder
    set -l typed (commandline -ct)
    set -l found (pushd ${quote(site.folder)}; and begin; __fish_complete_path $typed; popd; end)
    if test $argv[1] = folder
        string match -e -- / $found | string match -r '.*/(?:\\t.*)?$'
    else
        printf '%s\\n' $found
    end
end

complete -c ${site.name} -f
${tree.flatMap((node) => rulesOf(node, site, self)).join('\n')}
`;
}

function rulesOf({ path, commands, options, arguments: all }: CommandNode, { name }: Site, self: string): string[] {
  const when = (more = '') => `complete -c ${name} -n ${quote(`${self}_is ${quote(path)}${more}`)}`;
  return [
    ...commands.map((child) => `${when()} -a ${quote(child.name)} -d ${quote(child.description)}`),
    ...options.map(({ flags, description, value }) => {
      const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
      const after = value === null ? '' : ` -x${choicesOf(value, self)}`;
      return `${when()} ${named.join(' ')}${after} -d ${quote(description)}`;
    }),
    ...all.flatMap(({ value, isVariadic }, index) =>
      value === 'word' ? [] : [`${when(` ${isVariadic ? quote('.*') : index + 1}`)}${choicesOf(value, self)}`],
    ),
  ];
}

function choicesOf(value: Value, self: string): string {
  if (value === 'word') return '';
  return ` -a ${quote(typeof value === 'string' ? `(${self}_files ${value})` : value.join(' '))}`;
}

/** One word for fish, where only \\ and ' mean something between apostrophes. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
