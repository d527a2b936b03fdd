import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { onCleanup } from '../support/cleanup.js';
import { createEmptyDatabase } from '../support/database.js';
import { findFreePort } from '../support/free-port.js';
import { findCommands, readPage } from '../support/operations-page.js';
import { startProcess, type ProcessResult } from '../support/process.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { UnitFile } from '../support/unit-file.js';
import { until } from '../support/until.js';

// What docs/operations.md prints, done in its order: in folders of a test, and without what belongs to root.

const page = readPage('docs/operations.md');
const PASSWORD = 'Correct horse 77';

/** A machine as the page sets it up: the folder of the version that runs, with its settings, and the data folder. */
class Machine {
  readonly current = join(temporaryFolder(), 'current');
  readonly dataDir = join(temporaryFolder(), 'site');

  constructor(databaseUrl: string, smtpUrl: string) {
    mkdirSync(this.current);
    for (const name of ['cli', 'dist', 'node_modules', 'package.json'])
      symlinkSync(resolve(name), join(this.current, name));
    const settings = readFileSync('docs/operations/site.env', 'utf8')
      // The certificate of a real site is not for a test to look at.
      .replace(/^PUBLIC_URL=.*$/m, 'PUBLIC_URL=https://www.site.invalid')
      .replace(/^DATABASE_URL=.*$/m, `DATABASE_URL=${databaseUrl}`)
      .replace(/^SMTP_URL=.*$/m, `SMTP_URL=${smtpUrl}`)
      .replace('/var/lib/site', this.dataDir);
    writeFileSync(join(this.current, '.env'), settings);
  }

  /** Runs a command as the page prints it, after `site`. */
  async run(words: string, input = ''): Promise<ProcessResult> {
    const args = words.replaceAll('/var/lib/site', this.dataDir).split(' ');
    return startProcess(['dist/cli.js', ...args], {}, this.current, input).ended;
  }

  /** Starts what the unit starts, with nothing but what systemd would give it. */
  startUnit(port: number) {
    const unit = new UnitFile('docs/operations/site@.service');
    const inHere = (value = '') => value.replaceAll('/srv/site/current', this.current).replaceAll('%i', String(port));
    const [program = '', ...args] = inHere(unit.get('Service.ExecStart')).split(' ');
    const environment = Object.entries(unit.environment).map(([name, value]) => [name, inHere(value)]);
    const child = spawn(program, args, {
      cwd: inHere(unit.get('Service.WorkingDirectory')),
      env: Object.fromEntries(environment) as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = once(child, 'close');
    onCleanup(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const ready = inHere(unit.all('Service.ExecStartPost')[1]).split(' ').at(-1) ?? '';
    return {
      isReady: async () => {
        if (child.exitCode !== null) throw new Error(stderr);
        return (await fetch(ready)).ok;
      },
      stop: async () => {
        child.kill(unit.get('Service.KillSignal') as NodeJS.Signals);
        const [code] = (await ended) as [number | null];
        return { code, stderr };
      },
    };
  }
}

/** The commands of the first block below a heading that has some. */
function commandsBelow(heading: string): string[] {
  const blocks = page.blocks.filter((block) => block.heading === heading && block.language === 'sh');
  return blocks.map(({ text }) => findCommands(text)).find((commands) => commands.length > 0) ?? [];
}

describe('a machine that is set up by docs/operations.md', () => {
  let machine: Machine;
  let backup = '';
  let smtpUrl: string;

  beforeAll(async () => {
    smtpUrl = (await startSmtpSink()).url;
    machine = new Machine(await createEmptyDatabase(), smtpUrl);
  });

  it('has a schema and no finding that fails after step 3', async () => {
    const [migrate, doctor, ...rest] = commandsBelow('3. Settings');
    expect([migrate, doctor, rest]).toEqual(['db migrate', 'doctor', []]);
    expect(await machine.run(migrate ?? '')).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await machine.run(doctor ?? '');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('FAIL') });
  });

  it('serves with the unit, is set up with the token of step 6, and ends when it is told to', async () => {
    const port = await findFreePort();
    const unit = machine.startUnit(port);
    await until(unit.isReady);
    const url = `http://127.0.0.1:${port}`;
    expect((await fetch(url)).status).toBe(503);
    const [setup, ...rest] = commandsBelow('6. The site itself');
    expect([setup, rest]).toEqual(['setup', []]);
    const [, token = ''] = /^ {4}(\S+)$/m.exec((await machine.run(setup ?? '')).stdout) ?? [];
    let cookie = '';
    for (const [path, fields] of Object.entries({
      '': { token },
      '/account': { email: 'you@site.company', password: PASSWORD },
      '/company': { name: 'Harbor IT', email: 'desk@site.company', phone: '(212) 555-0142' },
      '/finish': {},
    })) {
      const body = new URLSearchParams(fields as Record<string, string>);
      const answer = await fetch(`${url}/setup${path}`, {
        method: 'POST',
        body,
        headers: { cookie },
        redirect: 'manual',
      });
      expect([path, answer.status]).toEqual([path, 303]);
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    }
    let page = await fetch(url);
    // A first page may take longer on a busy machine than the database has for it.
    await until(async () => (page = await fetch(url)).status === 200);
    expect(page.headers.get('strict-transport-security')).toEqual(expect.any(String));
    expect(await unit.stop()).toEqual({ code: 0, stderr: '' });
  });

  it('passes the drill', async () => {
    for (const command of commandsBelow('The drill')) {
      const { code, stdout, stderr } = await machine.run(command.replace('backup.tar', basename(backup)));
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: expect.any(String) });
      if (command === 'backup create') backup = stdout.split('\n')[0] ?? '';
      if (command.includes('--restore-test')) expect(stdout).toContain('restored into a database of its own');
    }
    expect(backup).toMatch(/\/backups\/backup-.*\.tar$/);
  });

  it('comes back on another machine', async () => {
    const other = new Machine(await createEmptyDatabase(), smtpUrl);
    expect(await other.run('db migrate')).toMatchObject({ code: 0 });
    const commands = commandsBelow('Restore');
    expect(commands.map((command) => command.split(' ', 2).join(' '))).toEqual([
      'backup verify',
      'backup restore',
      'doctor',
    ]);
    for (const command of commands) {
      const { code, stderr } = await other.run(command.replace('/var/lib/site/backups/backup.tar', backup));
      expect({ command, code, stderr }).toMatchObject({ command, code: 0 });
    }
    const { stdout } = await other.run('roles list');
    expect(stdout).toContain('you@site.company');
  });

  it('says before a rollback which versions can run on the schema', async () => {
    const [command = '', ...rest] = commandsBelow('Rollback');
    expect([command, rest]).toEqual(['db status', []]);
    const { code, stdout } = await machine.run(command);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/versions from \S+ can run on it/) });
  });
});
