import { NestFactory } from '@nestjs/core';
import { InvalidArgumentError, type Command } from 'commander';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { AccessTokensModule } from '../../src/auth/tokens/access-tokens.module.js';
import { KeyRotationService, type ListedKey, type RotatedKeys } from '../../src/auth/keys/key-rotation.service.js';
import { SigningKeysService } from '../../src/auth/keys/signing-keys.service.js';
import { loadConfig } from '../../src/config/config.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { formatColumns } from '../columns.js';
import { guide } from '../guide.js';
import { writeJson } from '../write-json.js';
import { registerAuthSettingsCommand } from './auth-settings.js';

const SECONDS_PER_DAY = 86_400;

interface StepFlags {
  readonly json?: true;
  readonly force?: true;
}

// These services open a database only where they ask it something: keys are made before there is anything to run.

function handlePrint(): void {
  const keys = new SigningKeysService(loadConfig()).listPublic();
  writeJson({ keys });
}

function handleGenerate(): void {
  writeVariable([SigningKeysService.generate()]);
  process.stderr.write('This is a secret. Set it for every process of the server.\n');
}

const MEANINGS: Readonly<Record<ListedKey['state'], string>> = {
  next: 'verifies, and is to sign',
  current: 'signs',
  former: 'verifies what it signed',
};

function handleList(): void {
  const rotation = new KeyRotationService(loadConfig());
  const keys = rotation.list();
  process.stdout.write(formatColumns(keys.map(({ name, state }) => [name, state, MEANINGS[state]])));
  process.stderr.write(`These are the keys of ${rotation.place}. ${adviseNext(keys)}\n`);
}

function adviseNext(keys: readonly ListedKey[]): string {
  const has = (state: ListedKey['state']) => keys.some((key) => key.state === state);
  if (has('next')) return 'Next, once every server was started with them: auth keys promote';
  if (has('former')) return 'Next, once every server was started with them: auth keys retire';
  return 'To rotate them: auth keys add';
}

async function handleAdd({ json }: StepFlags): Promise<void> {
  const rotation = new KeyRotationService(loadConfig());
  const { keys, about } = await rotation.add();
  report(keys, json, `Key ${about.join()} verifies, and signs nothing yet.`, 'auth keys promote');
}

async function handlePromote({ json, force }: StepFlags): Promise<void> {
  const { keys, about } = await new KeyRotationService(loadConfig()).promote(force ?? false);
  const sentence = `Key ${about.join()} signs; the former one only verifies.`;
  report(keys, json, sentence, 'once no token of it is left, auth keys retire');
}

async function handleRetire(kid: string | undefined, { json, force }: StepFlags): Promise<void> {
  const { keys, about } = await new KeyRotationService(loadConfig()).retire(kid, force ?? false);
  report(keys, json, `Left out: ${about.join(', ')}.`, null);
  if (about.includes('AUTH_JWT_SECRET')) process.stderr.write('Leave AUTH_JWT_SECRET out of the configuration.\n');
}

/** Says what a step did, and what comes next. The keys themselves go to the standard output, for the operator to set. */
function report(keys: RotatedKeys['keys'], json: true | undefined, sentence: string, next: string | null): void {
  if (keys !== null && json) process.stdout.write(`${JSON.stringify(keys)}\n`);
  else if (keys !== null) writeVariable(keys);
  const set = keys === null ? 'Start' : 'This is a secret: set it for every server. Then start';
  const then = next === null ? '' : ` Then: ${next}`;
  process.stderr.write(`${sentence} ${set} the servers again, one after the other.${then}\n`);
}

/** Writes the variable as a shell and a .env file read it; JSON of keys has no apostrophe. */
function writeVariable(keys: readonly object[]): void {
  process.stdout.write(`AUTH_JWT_KEYS='${JSON.stringify(keys)}'\n`);
}

async function handleServiceRoleToken(days: number): Promise<void> {
  const config = loadConfig();
  const module = { ...ConfigModule.register(config), imports: [AccessTokensModule] };
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  const { token, expiresAt } = await app
    .get(AccessTokenService, { strict: false })
    .issueServiceToken(days * SECONDS_PER_DAY);
  const { kid = '' } = app.get(SigningKeysService, { strict: false }).current;
  await app.close();
  try {
    await new KeyRotationService(config).noteProgramToken(kid, new Date(expiresAt * 1000));
  } catch {
    process.stderr.write('The database cannot be reached: "auth keys retire" will not know of this token.\n');
  }
  process.stdout.write(`${token}\n`);
  process.stderr.write('This is a secret: who has it may read, change and delete every account.\n');
}

function parseDays(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 9999.');
  return Number(text);
}

const JSON_OPTION = ['--json', 'the list alone, for the file of AUTH_JWT_KEYS_FILE'] as const;

/** `auth`: keys and tokens of the API of accounts. */
export function registerAuthCommands(program: Command): void {
  const auth = program.command('auth').description('keys, tokens and settings of the API of accounts');
  registerAuthSettingsCommand(auth);
  const keys = auth.command('keys').description('the keys that sign access tokens');
  guide(
    keys
      .command('print')
      .description('the public keys, as JSON Web Key Set; a key generated on first use if there is none')
      .action(handlePrint),
    {
      examples: [['', 'what programs verify access tokens with']],
    },
  );
  guide(
    keys
      .command('generate')
      .description('a new ES256 key as a value of AUTH_JWT_KEYS; changes nothing')
      .action(handleGenerate),
    {
      remarks: 'What it prints is a secret: set it for every process of the server.',
      examples: [['>> .env', 'set a key, where several servers share it']],
    },
  );
  registerRotation(keys);
  guide(
    auth
      .command('service-role-token')
      .description('a token of the role service_role, for programs that administer accounts')
      .option('--days <days>', 'how long it is good for', parseDays, 365)
      .action((flags: { readonly days: number }) => handleServiceRoleToken(flags.days)),
    {
      remarks: 'What it prints is a secret: who has it may read, change and delete every account.',
      examples: [
        ['', 'a token that is good for a year'],
        ['--days 1', 'one for today'],
      ],
    },
  );
}

function registerRotation(keys: Command): void {
  guide(
    keys
      .command('list')
      .description('the keys that verify, which of them signs, and the next step of a rotation')
      .action(handleList),
    {
      remarks:
        'A rotation is add, promote and retire, with a restart of every server after each, one after the other: so no ' +
        'server gets a token whose key it does not know.',
      examples: [['', 'see how far a rotation is']],
    },
  );
  guide(
    keys
      .command('add')
      .description('begin a rotation: a new key that verifies, in the data folder or as a new value of AUTH_JWT_KEYS')
      .option(...JSON_OPTION)
      .action(handleAdd),
    {
      remarks:
        'It signs nothing yet. Programs that verify tokens by themselves keep the list of keys for ten minutes: let them ' +
        'pass before the next step.',
      examples: [
        ['', 'the first step; then start every server again'],
        ['--json > jwt-keys.new', 'the same, for the file of AUTH_JWT_KEYS_FILE'],
      ],
    },
  );
  guide(
    keys
      .command('promote')
      .description('go on with it: the new key signs, the former one only verifies')
      .option(...JSON_OPTION)
      .option('--force', 'do not ask whether every running server knows the new key')
      .action(handlePromote),
    {
      remarks: 'Refused while a running server does not know the new key: it would refuse the tokens of the others.',
      examples: [['', 'the second step; then start every server again']],
    },
  );
  guide(
    keys
      .command('retire')
      .argument('[kid]', 'a key that does not sign; all former ones if left out')
      .description('end it: leave former keys out')
      .option(...JSON_OPTION)
      .option('--force', 'do not ask whether tokens of them are good still')
      .action(handleRetire),
    {
      remarks:
        'Refused while a server signs with the key or a token of it may be good, up to AUTH_JWT_EXP and ten minutes after ' +
        'the last server that did. With --force such tokens are refused from the next start on, as they should be when a key ' +
        'was stolen; people stay signed in, as their browsers fetch new tokens.',
      examples: [
        ['', 'the last step; then start every server again'],
        ['--force', 'let nothing in any more that a stolen key signs'],
      ],
    },
  );
}
