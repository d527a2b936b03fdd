import type { CommandNode, Value } from './command-tree.js';

/** The installation that a completion script is for. */
export interface Site {
  /** Name of the command in the shell. */
  readonly name: string;
  /** Absolute path of the product's folder. */
  readonly folder: string;
}

/** Quotes any text as one word for bash and zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The name of the function that completes a command. */
export function functionFor(name: string): string {
  return `_complete_${name.replace(/\W/g, '_')}`;
}

/**
 * The branches of a `case` of bash or zsh over the words so far and an option or the number of an argument; each sets
 * `value` to the words to choose from, or to @file, @folder or @word.
 */
export function renderValues(tree: readonly CommandNode[]): string {
  const branches = tree.flatMap(({ path, options, arguments: all }) => [
    ...options.flatMap(({ flags, value }) =>
      value === null ? [] : flags.map((flag) => [quote(`${path} ${flag}`), value] as const),
    ),
    ...all.map(({ value, isVariadic }, index) =>
      // The last argument may be given any number of times; those before it stand above.
      isVariadic ? ([`${quote(`${path} `)}[0-9]*`, value] as const) : ([quote(`${path} ${index + 1}`), value] as const),
    ),
  ]);
  return branches.map(([pattern, value]) => `    ${pattern}) value=${quote(nameOf(value))} ;;`).join('\n');
}

function nameOf(value: Value): string {
  return typeof value === 'string' ? `@${value}` : value.join(' ');
}
