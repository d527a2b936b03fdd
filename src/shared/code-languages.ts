/** Languages that are colored, by the name under which posts have them, as a choice and a reader see them. */
export const codeLanguages: readonly (readonly [name: string, label: string])[] = [
  ['bash', 'Bash, shell'],
  ['dos', 'Batch file'],
  ['c', 'C'],
  ['cpp', 'C++'],
  ['csharp', 'C#'],
  ['css', 'CSS'],
  ['diff', 'Diff'],
  ['dockerfile', 'Dockerfile'],
  ['go', 'Go'],
  ['html', 'HTML, XML'],
  ['ini', 'INI, TOML'],
  ['java', 'Java'],
  ['javascript', 'JavaScript'],
  ['json', 'JSON'],
  ['kotlin', 'Kotlin'],
  ['markdown', 'Markdown'],
  ['php', 'PHP'],
  ['powershell', 'PowerShell'],
  ['python', 'Python'],
  ['ruby', 'Ruby'],
  ['rust', 'Rust'],
  ['sql', 'SQL'],
  ['swift', 'Swift'],
  ['typescript', 'TypeScript'],
  ['yaml', 'YAML'],
];

/** Other names under which these languages are written behind the fences of Markdown. */
export const languageAliases: Readonly<Record<string, string>> = {
  ...{ sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', h: 'c', 'c++': 'cpp', cs: 'csharp', 'c#': 'csharp' },
  ...{ docker: 'dockerfile', bat: 'dos', cmd: 'dos', golang: 'go', toml: 'ini', js: 'javascript', jsx: 'javascript' },
  ...{ kt: 'kotlin', md: 'markdown', ps1: 'powershell', ps: 'powershell', py: 'python', rb: 'ruby', rs: 'rust' },
  ...{ ts: 'typescript', tsx: 'typescript', html: 'xml', svg: 'xml', yml: 'yaml', patch: 'diff' },
};

/** Returns what a language is called, or the name that was written for one that is not known. */
export function nameLanguage(written: string): string {
  const name = Object.hasOwn(languageAliases, written) ? (languageAliases[written] ?? written) : written;
  return codeLanguages.find(([known]) => known === name || (known === 'html' && name === 'xml'))?.[1] ?? written;
}
