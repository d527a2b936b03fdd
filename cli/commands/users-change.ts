import { InvalidArgumentError, Option, type Command } from 'commander';
import { UsersService, type UserAccount } from '../../src/auth/admin/users.service.js';
import { CONFIG, type Config } from '../../src/config/config.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { describeMoment, readMoment } from '../../src/shared/moments.js';
import type { CliContext, WithContext } from '../context.js';
import { findUser, nameOf } from '../find-user.js';
import { readNewPassword } from '../read-password.js';
import { guide } from '../guide.js';

/** A day begins last in the zone that is furthest behind UTC. */
const WESTERNMOST_MS = 12 * 3_600_000;

/** A change of one account. The sentence tells its result. */
type Change = (context: CliContext, user: UserAccount) => Promise<string>;

async function change(emailOrId: string, withContext: WithContext, task: Change): Promise<void> {
  const sentence = await withContext(async (context) => task(context, await findUser(context, emailOrId)));
  process.stdout.write(`${sentence}\n`);
}

const confirm: Change = async (context, user) => {
  if (user.emailConfirmedAt !== null && user.emailAssumedAt === null) return `${nameOf(user)} is confirmed already.`;
  await context.get(UsersService).confirmUser(OPERATOR, user.id);
  return `${nameOf(user)} is confirmed.`;
};

interface BanFlags {
  readonly until?: string;
  readonly lift?: true;
}

const banWith =
  (flags: BanFlags): Change =>
  async (context, user) => {
    const users = context.get(UsersService);
    if (flags.lift) {
      await users.liftBan(OPERATOR, user.id);
      return `${nameOf(user)} is no longer banned.`;
    }
    const { timeZone } = context.get<Config>(CONFIG).site;
    const until = flags.until === undefined ? null : readMoment(flags.until, timeZone);
    if (until !== null && until <= new Date()) throw new Error(`${describeMoment(until, timeZone)} has passed already`);
    await users.banUser(OPERATOR, user.id, until);
    return `${nameOf(user)} is banned ${until === null ? 'for good' : `until ${describeMoment(until, timeZone)}`}.`;
  };

const unlock: Change = async (context, user) => {
  await context.get(UsersService).liftLimits(OPERATOR, user.id);
  return `The wrong passwords and codes of ${nameOf(user)} are forgotten.`;
};

const remove: Change = async (context, user) => {
  await context.get(UsersService).deleteUser(OPERATOR, user.id);
  return `Deleted ${nameOf(user)} (${user.id}).`;
};

const resetPasswordTo =
  (password: string): Change =>
  async (context, user) => {
    await context.get(UsersService).setPassword(OPERATOR, user.id, password);
    return `${nameOf(user)} has the new password; every session was ended.`;
  };

/** The zone of the site is known when the application has started; mistakes are said before. */
function checkMoment(text: string): string {
  const moment = readMoment(text, 'UTC');
  if (moment === null) {
    throw new InvalidArgumentError("Give a day as 2030-12-31, or a moment as '2030-12-31 18:00'.");
  }
  if (moment.getTime() + WESTERNMOST_MS <= Date.now()) throw new InvalidArgumentError('It has passed already.');
  return text;
}

/** `users confirm|ban|unlock|delete|reset-password`. */
export function registerUserChangeCommands(users: Command, withContext: WithContext): void {
  const user = ['<user>', 'the account, by email address or id'] as const;
  guide(
    users
      .command('confirm')
      .description("take an account's address as confirmed")
      .argument(...user)
      .action((emailOrId: string) => change(emailOrId, withContext, confirm)),
    {
      examples: [['anna@example.com', 'let someone in who got no mail']],
    },
  );
  guide(
    users
      .command('ban')
      .description('keep someone out: for good, until a date, or no longer')
      .argument(...user)
      .addOption(
        new Option(
          '--until <date>',
          "a day, which begins at 0:00, or a moment like '2030-12-31 18:00', in the site's time unless an offset follows",
        )
          .argParser(checkMoment)
          .conflicts('lift'),
      )
      .option('--lift', 'let them in again')
      .action((emailOrId: string, flags: BanFlags) => change(emailOrId, withContext, banWith(flags))),
    {
      examples: [
        ['anna@example.com', 'for good'],
        ['anna@example.com --until 2099-12-31', 'until a day'],
        ['anna@example.com --lift', 'no longer'],
      ],
    },
  );
  guide(
    users
      .command('unlock')
      .description('forget the wrong passwords and codes that were tried for an account')
      .argument(...user)
      .action((emailOrId: string) => change(emailOrId, withContext, unlock)),
    {
      remarks: 'Lets someone in at once who met a limit on guesses; “Forgot password” does too, but not at factors.',
      examples: [['anna@example.com', 'after somebody has guessed']],
    },
  );
  const removal = users
    .command('delete')
    .description('delete an account, its sessions and its roles; nothing brings it back')
    .argument(...user)
    .option('--yes', 'you are sure');
  removal.action((emailOrId: string, flags: { readonly yes?: true }) => {
    if (!flags.yes) removal.error('error: nothing brings a deleted account back: give --yes if you are sure');
    return change(emailOrId, withContext, remove);
  });
  guide(removal, { examples: [['anna@example.com --yes', 'for good']] });
  guide(
    users
      .command('reset-password')
      .description('set a password, asked for or read from standard input; ends all sessions of the account')
      .argument(...user)
      .action(async (emailOrId: string) => change(emailOrId, withContext, resetPasswordTo(await readNewPassword()))),
    {
      remarks: 'The password is never an argument, which every process of the machine could read.',
      examples: [
        ['anna@example.com', 'with a password that is asked for'],
        ['anna@example.com < password.txt', 'with one from a file'],
      ],
    },
  );
}
