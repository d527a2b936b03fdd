import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.js';
import { renderEnvExample } from './env-example.js';
import { environmentSchema } from './environment.js';
import { fileVariableOf, secretVariables } from './secret-files.js';

const uncommented = () => parseEnv(renderEnvExample().replace(/^#(?=[A-Z])/gm, ''));

describe('.env.example', () => {
  it('is what `npm run cli -- config example` prints', () => {
    const file = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
    expect(file).toBe(renderEnvExample());
  });

  it('names every variable', () => {
    const names = [...Object.keys(environmentSchema.shape), ...secretVariables.map(fileVariableOf)];
    expect(Object.keys(uncommented()).sort()).toEqual(names.sort());
  });

  it('says the defaults: setting all of it changes nothing', () => {
    const { company, ...rest } = loadConfig(uncommented());
    const { company: unset, ...others } = loadConfig({});
    expect(rest).toEqual(others);
    expect(company.values).toEqual(unset.values);
  });

  it('explains every variable', () => {
    const unexplained = Object.entries(environmentSchema.shape).filter(([, rule]) => !rule.description);
    expect(unexplained.map(([name]) => name)).toEqual([]);
  });

  it('names no variable that nobody reads', () => {
    const root = join(import.meta.dirname, '..');
    const declarations = ['config/environment.ts', 'config/environment-accounts.ts'];
    const readers = globSync('{config/*,shared/contracts/company-facts}.ts', { cwd: root })
      .filter((path) => !path.endsWith('.spec.ts') && !declarations.includes(path))
      .map((path) => readFileSync(join(root, path), 'utf8'));
    const isRead = (name: string) => readers.some((text) => new RegExp(`\\b${name}\\b`).test(text));
    expect(Object.keys(environmentSchema.shape).filter((name) => !isRead(name))).toEqual([]);
  });

  it('sets nothing as it stands', () => {
    expect(parseEnv(renderEnvExample())).toEqual({});
  });
});
