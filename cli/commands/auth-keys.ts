import { NestFactory } from '@nestjs/core';
import { InvalidArgumentError, type Command } from 'commander';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { AccessTokensModule } from '../../src/auth/tokens/access-tokens.module.js';
import { SigningKeysService } from '../../src/auth/keys/signing-keys.service.js';
import { loadConfig } from '../../src/config/config.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { guide } from '../guide.js';

const SECONDS_PER_DAY = 86_400;

// These services need no database, so none is opened: keys are made before there is anything to run.

function handlePrint(): void {
  const keys = new SigningKeysService(loadConfig()).listPublic();
  process.stdout.write(`${JSON.stringify({ keys }, null, 2)}\n`);
}

function handleGenerate(): void {
  writeVariable([SigningKeysService.generate()]);
  process.stderr.write('This is a secret. Set it for every process of the server.\n');
}

function handleRotate(): void {
  const keys = new SigningKeysService(loadConfig()).rotate();
  if (keys !== null) writeVariable(keys);
  process.stderr.write(
    keys === null
      ? 'A new key signs; the old ones still verify. Start the server again for it to take effect.\n'
      : 'This is a secret. Set it for every process of the server: the first key signs, the others still verify.\n',
  );
}

/** Writes the variable as a shell and a .env file read it; JSON of keys has no apostrophe. */
function writeVariable(keys: readonly object[]): void {
  process.stdout.write(`AUTH_JWT_KEYS='${JSON.stringify(keys)}'\n`);
}

async function handleServiceRoleToken(days: number): Promise<void> {
  const module = { ...ConfigModule.register(loadConfig()), imports: [AccessTokensModule] };
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  const token = await app.get(AccessTokenService, { strict: false }).issueServiceToken(days * SECONDS_PER_DAY);
  await app.close();
  process.stdout.write(`${token}\n`);
  process.stderr.write('This is a secret: who has it may read, change and delete every account.\n');
}

function parseDays(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 9999.');
  return Number(text);
}

/** `auth`: keys and tokens of the API of accounts. */
export function registerAuthCommands(program: Command): void {
  const auth = program.command('auth').description('keys and tokens of the API of accounts');
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
  guide(
    keys
      .command('rotate')
      .description('let a new key sign and the old ones verify: in the data folder, or as a new value of AUTH_JWT_KEYS')
      .action(handleRotate),
    {
      remarks: 'Leave the old keys out once the tokens they signed have expired.',
      examples: [['', 'let a new key sign from the next start of the server on']],
    },
  );
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
