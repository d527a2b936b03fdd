import { spawnSync } from 'node:child_process';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config/config.js';
import { environmentSchema } from '../../src/config/environment.js';
import { fileVariableOf, secretVariables } from '../../src/config/secret-files.js';
import { findCommands, readPage } from '../support/operations-page.js';
import { parseCommand } from '../support/parse-command.js';

const page = readPage('docs/auth.md');
const readme = readPage('README.md');
const shellBlocks = page.blocks.filter(({ language }) => language === 'sh');
const variables = new Set([...Object.keys(environmentSchema.shape), ...secretVariables.map(fileVariableOf)]);

describe('the page on accounts', () => {
  it('is led to by the README', () => {
    expect(readme.links).toContain('docs/auth.md');
  });

  it('names variables that somebody reads', () => {
    const named = new Set(page.text.match(/\bAUTH_[A-Z0-9_]+/g));
    expect(named.size).toBeGreaterThan(20);
    expect([...named].filter((name) => !variables.has(name))).toEqual([]);
  });

  it('calls commands as they are, in words that a shell understands', async () => {
    const commands = [...shellBlocks.map(({ text }) => text), ...page.pieces].flatMap(findCommands);
    expect(commands.length).toBeGreaterThan(6);
    const wrong: string[] = [];
    for (const words of new Set(commands)) await parseCommand(words).catch(() => wrong.push(words));
    expect(wrong).toEqual([]);
    for (const { text } of shellBlocks) expect(spawnSync('bash', ['-n'], { input: text })).toMatchObject({ status: 0 });
  });

  it.each(['Keycloak', 'Entra', 'Google'])('has settings for %s that the product takes', (name) => {
    const block = shellBlocks.find(({ heading }) => heading === name)!;
    const { AUTH_OIDC_CLIENT_SECRET_FILE: file, ...settings } = parseEnv(block.text);
    expect(file).toBe('/etc/site/oidc-secret');
    const { provider } = loadConfig({ ...settings, AUTH_OIDC_CLIENT_SECRET: 'made-up' }).auth;
    expect(provider).toMatchObject({ issuer: settings['AUTH_OIDC_ISSUER'], id: settings['AUTH_OIDC_PROVIDER'] });
  });
});
