import { SETUP_STEPS, type SetupProgress, type SetupRefusal, type SetupStep } from '../../setup/setup.service.js';
import { SETUP_PATH } from '../../shared/paths.js';
import { html, type Html } from './html.js';
import { fieldOf, noticeOf, setupPage, type SetupField } from './setup-layout.js';

type Problems = Readonly<Record<string, string>>;

/** A step that was refused, as it was typed. */
export interface RefusedStep {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Problems;
}

const NOTHING: RefusedStep = { values: {}, problems: {} };

const STEP_WORDS: Readonly<Record<SetupStep, string>> = {
  account: 'Your account',
  company: 'The company',
  mail: 'Mail',
};

const REFUSALS: Readonly<Record<SetupRefusal, string>> = {
  wrong_token: 'That is not the token. Copy all of it, from the last start in the log or from the command.',
  expired_token: 'That token is too old. Make a new one with the command below.',
  too_many_tries: 'That was tried too often.',
  no_session: 'Enter the token to go on. What was done so far is kept.',
  taken_over:
    'Somebody else has gone on with the setup, in another browser, with a token. Was it not you, or a colleague? Make ' +
    'a new token with the command below: it ends what the other one does.',
  over: 'This site is set up.',
};

/** Asks for the token. */
export function tokenPage(styles: readonly string[], refusal?: SetupRefusal, seconds = 0): string {
  return askForToken(styles, refusal === 'no_session' && noticeOf('info', REFUSALS.no_session), refusal, seconds);
}

/**
 * Asks for the token again, of a browser that did not keep the cookie.
 * @param address of the setup, where browsers keep it
 */
export function lostEntryPage(styles: readonly string[], address: string): string {
  const words =
    'Your browser did not keep the sign that the token was entered. ' +
    `Open ${address} and enter the token there, in a browser that takes cookies.`;
  return askForToken(styles, noticeOf('error', words));
}

function askForToken(styles: readonly string[], notice: Html | false, refusal?: SetupRefusal, seconds = 0): string {
  const wait = seconds > 0 ? ` Try again in ${Math.ceil(seconds / 60)} minutes.` : '';
  const problem = refusal !== undefined && refusal !== 'no_session' ? `${REFUSALS[refusal]}${wait}` : undefined;
  const token: SetupField = {
    name: 'token',
    label: 'Token',
    autocomplete: 'off',
    hint: 'Five groups of five letters and digits.',
    problem,
    limit: 200,
    isFirst: true,
  };
  return setupPage(
    { styles, title: 'Set up this site' },
    html`<h1>Set up this site</h1>
      <p class="lede">
        It takes about two minutes: your account, three facts about the company, and a test mail. Visitors see nothing
        until then.
      </p>
      ${notice}
      ${formOf(
        '',
        html`${fieldOf(token)}
          <div class="row"><button class="btn btn-primary">Begin</button></div>`,
      )}
      <section class="account-part">
        <h2>Where is the token?</h2>
        <p>
          The server has written it to its log when it was started. Whoever runs the server can also ask for a new one,
          at any time:
        </p>
        <p class="account-codes"><code>npm run cli -- setup</code></p>
        <p class="quiet small">In a container: <code>docker compose exec app node dist/cli.js setup</code></p>
      </section>`,
  );
}

/** Shows a step of the setup, with what was typed and what is wrong with it. */
export function stepPage(
  styles: readonly string[],
  step: SetupStep,
  progress: SetupProgress,
  refused: RefusedStep = NOTHING,
): string {
  const content = { account: accountStep, company: companyStep, mail: mailStep }[step](progress, refused);
  const title = STEP_WORDS[step];
  const at = SETUP_STEPS.indexOf(step) + 1;
  const mark = Object.keys(refused.problems).length > 0 ? 'To be mended: ' : '';
  return setupPage(
    { styles, title: `${mark}${title} – Setup` },
    html`<p class="eyebrow">Setup, step ${at} of ${SETUP_STEPS.length}</p>
      <h1>${title}</h1>
      ${content} ${wayBack(step)}`,
  );
}

/** Says that there is nothing to set up, to a browser that sent a step too late. */
export function overPage(styles: readonly string[]): string {
  return setupPage(
    { styles, title: 'This site is set up' },
    html`<h1>This site is set up</h1>
      <p class="lede">
        Somebody has finished the setup meanwhile. What you sent was not taken. If you have an account, sign in.
      </p>
      <div class="row">
        <a class="btn btn-primary" href="/auth">Sign In</a><a class="btn btn-line" href="/">Go to the site</a>
      </div>`,
  );
}

/** Shows visitors that there is no site yet. @param isSetUpHere true where `/setup` can be opened */
export function closedPage(styles: readonly string[], isSetUpHere: boolean): string {
  const way = html`<p>Are you setting it up? Open <a href="${SETUP_PATH}">the setup</a>.</p>`;
  return setupPage(
    { styles, title: 'This site is being set up' },
    html`<h1>This site is being set up</h1>
      <p class="lede">There is nothing to see yet. Please come back soon.</p>
      ${isSetUpHere && way}`,
  );
}

function accountStep({ account, passwordLength }: SetupProgress, { values, problems }: RefusedStep): Html {
  const fields: SetupField[] = [
    {
      name: 'email',
      label: 'Email',
      type: 'email',
      autocomplete: 'username',
      value: values['email'] ?? account ?? '',
      hint: 'You sign in with it. It can be your own one; visitors do not see it.',
      problem: problems['email'],
      limit: 255,
      isFirst: Object.keys(problems).length === 0,
    },
    {
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'new-password',
      hint: `At least ${passwordLength} characters, and not one that many people use. A few words in a row are good.`,
      problem: problems['password'],
    },
    {
      name: 'again',
      label: 'The same password again',
      type: 'password',
      autocomplete: 'new-password',
      problem: problems['again'],
    },
  ];
  return html`<p class="lede">The first administrator: whoever can change everything, and invite others.</p>
    ${account !== null && noticeOf('info', `The account of ${account} is ready. You can change it here, or go on.`)}
    ${formOf(
      '/account',
      html`${fields.map(fieldOf)}
        <div class="row">
          <button class="btn btn-primary">Continue</button
          >${account !== null && html`<a class="link" href="${SETUP_PATH}?step=company">Go on without a change</a>`}
        </div>`,
    )}`;
}

function companyStep({ facts, locked }: SetupProgress, { values, problems }: RefusedStep): Html {
  const fixed = 'A variable says so, and SITE_LOCKED names it: it is changed there.';
  const field = (name: 'name' | 'email' | 'phone', rest: Omit<SetupField, 'name' | 'problem'>): Html =>
    fieldOf({
      name,
      value: values[name] ?? facts[name],
      problem: problems[name],
      ...rest,
      ...(locked.includes(name) ? { isFixed: true, hint: fixed } : {}),
    });
  const fields = [
    field('name', {
      label: 'Name',
      autocomplete: 'organization',
      hint: 'What the company calls itself: in the header of every page, and as the sender of mails.',
      limit: 80,
      isFirst: Object.keys(problems).length === 0,
    }),
    field('email', {
      label: 'Email',
      type: 'email',
      autocomplete: 'email',
      hint: 'What visitors write goes there, and mails of the site come from it. Visitors see it.',
      limit: 254,
    }),
    field('phone', {
      label: 'Phone',
      type: 'tel',
      autocomplete: 'tel',
      hint: 'As people write it, such as (212) 555-0142. Visitors see it.',
      limit: 40,
    }),
  ];
  return html`<p class="lede">Three facts that visitors need. Everything else can be said later.</p>
    ${formOf(
      '/company',
      html`${fields}
        <div class="row"><button class="btn btn-primary">Continue</button></div>`,
    )}`;
}

function mailStep(progress: SetupProgress, { values, problems }: RefusedStep): Html {
  const { account, mailTest, mailHost, sender } = progress;
  const to: SetupField = {
    name: 'to',
    label: 'Send a test mail to',
    type: 'email',
    autocomplete: 'email',
    value: values['to'] ?? mailTest?.to ?? account ?? '',
    problem: problems['to'],
    limit: 254,
  };
  const way =
    mailHost === null
      ? 'Mails are kept on the server instead of being sent, because MAIL_CAPTURE is set.'
      : `Mails leave through ${mailHost} (SMTP_URL), from ${sender}.`;
  const isSent = mailTest?.isSent === true;
  return html`<p class="lede">
      Find out whether mails arrive: what visitors write, invitations, and links to a new password. ${way}
    </p>
    ${mailTest !== null && noticeOf(isSent ? 'success' : 'error', mailTest.words)}
    ${formOf(
      '/mail',
      html`${fieldOf(to)}
        <div class="row">
          <button class="btn ${isSent ? 'btn-line' : 'btn-primary'}">
            ${mailTest === null ? 'Send a test mail' : 'Send it again'}
          </button>
        </div>`,
    )}
    ${formOf(
      '/finish',
      html`${mailTest !== null && !isSent && html`<p class="quiet">Once you have changed SMTP_URL and started the server again, load this page and send the mail again: the setup goes on here.</p>`}${!isSent && html`<p class="quiet">You can open the site without: what visitors write is kept under Enquiries, and mails that wait leave once the mail server takes them. Until then nobody gets an invitation or a link to a new password.</p>`}
        <div class="row">
          <button class="btn ${isSent ? 'btn-primary' : 'btn-line'}">
            ${isSent ? 'Open the site' : 'Open the site without a test mail'}
          </button>
        </div>`,
    )}`;
}

function wayBack(step: SetupStep): Html | null {
  const before = SETUP_STEPS[SETUP_STEPS.indexOf(step) - 1];
  if (before === undefined) return null;
  return html`<p>
    <a class="link" href="${SETUP_PATH}?step=${before}">Back to ${STEP_WORDS[before].toLowerCase()}</a>
  </p>`;
}

function formOf(path: string, content: Html): Html {
  return html`<form class="form" method="post" action="${SETUP_PATH}${path}">${content}</form>`;
}
