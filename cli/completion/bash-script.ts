import type { CommandNode } from './command-tree.js';
import { functionFor, quote, renderValues, type Site } from './shell-texts.js';

/**
 * Writes a completion for bash 4 and later that starts no process: its tables hold the words that may follow, by the
 * words before them. A word of COMP_WORDS that is = belongs to the option before it.
 */
export function renderBash(tree: readonly CommandNode[], site: Site): string {
  const self = functionFor(site.name);
  return `# Completion of the site's command line for bash: source it in ~/.bashrc
type ${site.name} >/dev/null 2>&1 || ${site.name}() { (cd ${quote(site.folder)} && exec node dist/cli.js "$@"); }

${self}_next() { # $1: the words so far; sets commands and options
  case "$1" in
${tree.map(renderNext).join('\n')}
    *) commands='' options='' ;;
  esac
}

${self}_value() { # $1: the words so far, $2: an option or the number of an argument; sets value
  case "$1 $2" in
${renderValues(tree)}
    *) value='' ;;
  esac
}

${self}_files() { # $1: what is typed, $2: -f or -d; sets COMPREPLY, folders with a slash
  local name home=''
  if [[ $1 == '~/'* ]]; then home='~/'; fi
  while IFS= read -r name; do
    COMPREPLY+=("$home$name")
  done < <(cd ${quote(site.folder)} 2>/dev/null; name=\${1//\\\\/}; if [[ $home ]]; then cd && name=\${name:2}; fi
    compgen "$2" -- "$name" | while IFS= read -r name; do
      if [[ -d $name ]]; then printf '%q/\\n' "$name"; else printf '%q \\n' "$name"; fi
    done)
}

${self}() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' waiting='' commands options value word
  local -i index argument=1 plain=0
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $waiting ]]; then waiting=''; continue; fi
    if ((!plain)) && [[ $word == -- ]]; then plain=1; continue; fi
    if ((!plain)) && [[ $word == -* ]]; then
      ${self}_value "$path" "$word"
      if [[ -n $value ]]; then waiting=$word; fi
      continue
    fi
    ${self}_next "$path"
    if [[ " $commands " == *" $word "* ]]; then path="\${path:+$path }$word"; else argument+=1; fi
  done
  if [[ $current == '=' ]]; then current=''; fi
  COMPREPLY=()
  ${self}_next "$path"
  ${self}_value "$path" "\${waiting:-$argument}"
  if [[ -z $waiting ]] && ((!plain)) && [[ $current == -* ]]; then
    value=$options
  elif [[ -z $waiting && -n $commands ]]; then
    while IFS= read -r word; do COMPREPLY+=("$word "); done < <(compgen -W "$commands" -- "$current")
  fi
  case "$value" in
    @file) ${self}_files "$current" -f ;;
    @folder) ${self}_files "$current" -d ;;
    @word | '') ;;
    *) while IFS= read -r word; do COMPREPLY+=("$word "); done < <(compgen -W "$value" -- "$current") ;;
  esac
}
complete -o nospace -F ${self} ${site.name}
`;
}

function renderNext({ path, commands, options }: CommandNode): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `    ${quote(path)}) commands=${quote(names)} options=${quote(options.flatMap(({ flags }) => flags).join(' '))} ;;`;
}
