import { z } from 'zod';
import { environmentGroups } from './environment.js';
import { fileVariableOf, secretVariables } from './secret-files.js';

const WIDTH = 110;

const INTRODUCTION = [
  'Every variable the product reads, with its default. Copy this file to .env and take the # from what you change;',
  'variables of the shell win over the file. A secret can be read from a file instead, which its variable with _FILE',
  'names. Written by: npm run cli -- config example',
];

/** The text of .env.example: every variable of the schema under its heading, commented out, at its default. */
export function renderEnvExample(): string {
  const groups = Object.entries(environmentGroups).map(([title, { shape }]) => {
    const variables = Object.entries<z.ZodType>(shape).map(([name, rule]) => renderVariable(name, rule));
    return [`# ---- ${title} ----`, ...variables].join('\n\n');
  });
  return `${[INTRODUCTION.map((line) => `# ${line}`).join('\n'), ...groups].join('\n\n')}\n`;
}

function renderVariable(name: string, rule: z.ZodType): string {
  const { enum: choices } = z.toJSONSchema(rule, { io: 'input' });
  const comment = [rule.description, choices ? `one of ${choices.join(', ')}` : undefined].filter(Boolean).join('; ');
  const fallback = rule.parse(undefined) as string | number | boolean | undefined;
  const value = fallback === undefined ? '' : quote(String(fallback));
  const isSecret = secretVariables.some((secret) => secret === name);
  return [
    ...wrap(comment).map((line) => `# ${line}`),
    `#${name}=${value}`,
    ...(isSecret ? [`#${fileVariableOf(name)}=`] : []),
  ].join('\n');
}

/** Quotes a value that a shell or a reader of .env files would split or take for a comment. */
function quote(value: string): string {
  return /[\s#"'$]/.test(value) ? `"${value}"` : value;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
