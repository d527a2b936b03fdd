import type { CommandNode } from './command-tree.js';
import { functionFor, quote, renderValues, type Site } from './shell-texts.js';

/** Writes a completion for zsh, with descriptions of commands and options; its tables are those of bash. */
export function renderZsh(tree: readonly CommandNode[], site: Site): string {
  const self = functionFor(site.name);
  return `# Completion of the site's command line for zsh: source it in ~/.zshrc, after compinit
(( $+commands[${site.name}] || $+functions[${site.name}] || $+aliases[${site.name}] )) ||
  ${site.name}() { (cd ${quote(site.folder)} && exec node dist/cli.js "$@") }

${self}_next() { # $1: the words so far; sets names and options, each with its description
  names=() options=()
  case "$1" in
${tree.map(renderNext).join('\n')}
  esac
}

${self}_value() { # $1: the words so far, $2: an option or the number of an argument; sets value
  case "$1 $2" in
${renderValues(tree)}
    *) value='' ;;
  esac
}

${self}() {
  local current=\${words[CURRENT]} so_far='' waiting='' value word
  local -a names options
  local -i index argument=1 plain=0
  for ((index = 2; index < CURRENT; index++)); do
    word=\${words[index]}
    if [[ -n $waiting ]]; then waiting=''; continue; fi
    if ((!plain)) && [[ $word == -- ]]; then plain=1; continue; fi
    if ((!plain)) && [[ $word == -* ]]; then
      ${self}_value "$so_far" "$word"
      if [[ -n $value ]]; then waiting=$word; fi
      continue
    fi
    ${self}_next "$so_far"
    if [[ -n \${names[(r)$word:*]} ]]; then so_far="\${so_far:+$so_far }$word"; else argument+=1; fi
  done
  if [[ -z $waiting && $current == --*=* ]]; then
    waiting=\${current%%=*}
    compset -P '*='
  fi
  ${self}_next "$so_far"
  if [[ -z $waiting ]] && ((!plain)) && [[ $current == -* ]]; then _describe option options; return; fi
  if [[ -z $waiting ]] && ((\${#names})); then _describe command names; fi
  ${self}_value "$so_far" "\${waiting:-$argument}"
  case "$value" in
    @file) _files -W ${quote(site.folder)} ;;
    @folder) _files -/ -W ${quote(site.folder)} ;;
    @word | '') ;;
    *) compadd -- \${=value} ;;
  esac
}
compdef ${self} ${site.name}
`;
}

function renderNext({ path, commands, options }: CommandNode): string {
  const names = commands.map(({ name, description }) => quote(`${name}:${description}`)).join(' ');
  const flags = options.flatMap((option) => option.flags.map((flag) => quote(`${flag}:${option.description}`)));
  return `    ${quote(path)}) names=(${names}) options=(${flags.join(' ')}) ;;`;
}
