import { readFileSync } from 'node:fs';

/** The settings of a unit of systemd: sections, names and every value that a name is given. */
export class UnitFile {
  private readonly settings = new Map<string, string[]>();

  constructor(file: string) {
    let section = '';
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (/^\s*(?:[#;]|$)/.test(line)) continue;
      const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
      if (name !== undefined) {
        section = name;
        continue;
      }
      const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (key === undefined) throw new Error(`${file}: this is no setting: ${line}`);
      const path = `${section}.${key}`;
      this.settings.set(path, [...(this.settings.get(path) ?? []), value]);
    }
  }

  /** @param path such as `Service.ExecStart` */
  all(path: string): readonly string[] {
    return this.settings.get(path) ?? [];
  }

  /** The value that counts; undefined where none is given. */
  get(path: string): string | undefined {
    return this.all(path).at(-1);
  }

  /** Variables that `Environment=` gives the process. */
  get environment(): Readonly<Record<string, string>> {
    const words = this.all('Service.Environment').flatMap((value) => value.split(' '));
    return Object.fromEntries(words.map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string]));
  }
}
