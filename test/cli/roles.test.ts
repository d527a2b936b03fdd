import { beforeAll, describe, expect, it } from '@jest/globals';
import { createAccount } from '../support/accounts.js';
import { runCli } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';

let app: TestApp;
const roles = (...args: string[]) => runCommand(app, ['roles', ...args]);
/** The same as an operator runs it. */
const rolesAlone = (...args: string[]) => runCli(['roles', ...args], app.environment);

beforeAll(async () => {
  app = await createTestApp();
  await createAccount(app, { email: 'ada@example.com' });
  await createAccount(app, { email: 'bob@example.com' });
});

describe('cli roles', () => {
  it('makes administrators and lists them', async () => {
    expect(await roles('list')).toMatchObject({ code: 0, stdout: 'There are no administrators yet.\n' });
    const grant = await rolesAlone('grant', 'ada@example.com');
    expect(grant).toMatchObject({ code: 0, stderr: '', stdout: 'ada@example.com is an administrator.\n' });
    const again = await roles('grant', 'ADA@example.com', 'admin');
    expect(again).toMatchObject({ code: 0, stdout: 'ada@example.com is an administrator already.\n' });
    const list = await roles('list', '--json');
    expect(JSON.parse(list.stdout)).toEqual([
      {
        user_id: expect.any(String),
        email: 'ada@example.com',
        role: 'admin',
        created_at: expect.any(String),
      },
    ]);
  });

  it('does not revoke the last administrator, unless forced', async () => {
    const refusal = await rolesAlone('revoke', 'ada@example.com');
    expect(refusal).toMatchObject({ code: 2, stdout: '' });
    expect(refusal.stderr).toMatch(/^Error: This is the last administrator: .*\n$/);
    const none = await roles('revoke', 'bob@example.com');
    expect(none).toMatchObject({ code: 0, stdout: 'bob@example.com was no administrator.\n' });
    const forced = await roles('revoke', 'ada@example.com', '--force');
    expect(forced).toMatchObject({ code: 0, stdout: 'ada@example.com is no longer an administrator.\n' });
    expect(await roles('list', '--json')).toMatchObject({ stdout: '[]\n' });
  });

  it.each([
    [['grant'], /missing required argument 'user'/],
    [['grant', 'ada@example.com', 'editor'], /Allowed choices are admin/],
    [['grant', 'nobody@example.com'], /There is no user nobody@example\.com/],
    [['revoke', 'nobody@example.com'], /There is no user nobody@example\.com/],
    [['list', 'everyone'], /too many arguments/],
  ])('answers with 2 to roles %j', async (args, stderr) => {
    const run = await roles(...args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(stderr);
  });
});

describe('cli audit', () => {
  const audit = (...args: string[]) => runCommand(app, ['audit', 'list', ...args]);

  it('lists who did what, the latest first, and narrows it', async () => {
    await roles('grant', 'bob@example.com');
    const lines = (await audit('--limit', '1')).stdout;
    expect(lines).toMatch(/^\d{4}-\S+Z {2}operator {2}role\.granted {2}bob@example\.com\n$/);
    const records = JSON.parse(
      (await audit('--json', '--type', 'user', '--action', 'role.granted')).stdout,
    ) as object[];
    expect(records[0]).toMatchObject({ actor: null, actor_kind: 'operator', subject: 'bob@example.com' });
    const none = await audit('--actor', 'nobody@example.com');
    expect(none).toMatchObject({ code: 0, stdout: 'Nothing was done yet.\n' });
    expect(await audit('--limit', 'many')).toMatchObject({ code: 2, stdout: '' });
  });
});
