import { legalHead, legalSection } from './legal-fields.js';
import { definePage } from './fields.js';

/** Privacy policy: what it says is counted follows what is counted. */
export const privacyTexts = definePage('privacy', {
  ...legalHead(
    'Privacy Policy',
    'What {company} stores when you visit this website, write to us, or create an account, why we store it, and how to have it corrected or deleted.',
    'You can read this whole site without telling us who you are. We set no tracking cookies, follow nobody around, and sell nothing about anyone.',
  ),
  sections: {
    ...legalSection,
    requires: ['reads', 'enquiry_days'],
    fallback: [
      {
        title: 'Who is responsible',
        body: `This website is run by {legal_name}. For anything on this page, write to {email} or call us at {phone}.

This policy is about the website. If you are a client, the agreement between us says how we handle the data on the systems in our care.`,
      },
      {
        title: 'When you only read',
        body: `**Server logs.** As with any website, our server notes each request: the time, the address of the page, the outcome, the kind of browser, and the internet address it came from. We use these notes to keep the site running and to stop abuse, not to find out who you are, and we keep them no longer than that takes.

**Search.** To keep programs from flooding the search of our blog, we count for a while how many searches come from an internet address, and not what was searched for.

**Your theme.** If you switch between the light and the dark theme, your browser remembers the choice in its local storage. It stays on your device and is not sent to us.

{reads}`,
      },
      {
        title: 'When you write to us',
        body: `The [contact form](/contact) asks for your name, your email address, and your message. They are delivered to our mailbox as an email, and we use them to answer you. Our website’s database keeps them as well, so that no message is lost when our email is down. There it stays until your request is done, with what we note about it; {enquiry_days} after we have closed the request, message and notes are removed. Messages that we took in before we kept them for as long as a request is open are removed {enquiry_days} after their email was delivered, as we said then. Your name, your email address, and when you wrote stay on that list until we erase them, which we do when you ask. In our mailbox we keep the conversation for as long as it is needed to answer you or to work with you. We don’t add you to a newsletter. To keep programs from flooding us, we count for a while how many messages come from an internet address.`,
      },
      {
        title: 'When you create an account',
        body: `An account holds your email address and a one-way hash of your password, from which the password itself cannot be read. To keep you signed in, your browser holds a session in its local storage, and our database holds its counterpart until you sign out or it expires, with the internet address and the kind of browser that it was last used from. Our server logs note when somebody signs in, with the number of the account and the internet address. You don’t need an account to read the site or to write to us.

**Cookies.** When you sign in, we set a cookie called \`__Secure-known_device\`. It tells us that you have signed in on this device before, so that strangers who guess your password can’t keep you out. It holds a random number and no name, is sent only when you sign in or change your account, and expires after 180 days. If you sign in with an account that you have elsewhere, a second cookie, whose name begins with \`__Secure-provider_flow\`, tells us for ten minutes at most that it was you who began. To stop guessing, we count wrong passwords and codes for two days, and how many emails were asked for, by whom, for a few hours.

**An account that you have elsewhere.** The button that leads to it says whose it is. If you sign in with it, that provider learns that you came to us, and we keep what it tells us: which provider it is, your number there and, where it says so, your name, user name, picture, and email address.

**What was done here.** We keep a list of what was changed on this website and in its accounts, with the email addresses of those who did it and of those it was about. It has no end date; when we delete what we hold about you, your address goes from it as well.

**Addresses that nobody confirmed.** When an account is created with an address, when somebody is invited, or when an account is to get another address, we send an email there. If nobody confirms it, the address still stays in our database until we remove it, which we do when you ask.

The login form on the [Client Resources](/client) page is a preview. Nothing that is typed into it is sent or kept.`,
      },
      {
        title: 'Other companies',
        body: `**Videos.** Some blog posts contain a video from YouTube or Vimeo. Until you start one, nothing of it is loaded. When you do, the player comes from that company, which then learns your internet address and may set cookies of its own. Videos appear in posts only, nowhere else on this site.

**Links.** Our ticket portal, our social pages, and other sites that we link to are run under their own privacy policies. They learn nothing from us until you follow the link.

**Service providers.** The companies that host this website and carry our email process data for us, and only for that purpose. We share nothing else unless the law requires it, and we never sell personal information.`,
      },
      {
        title: 'Your choices',
        body: `You can ask us what we hold about you, and ask for a copy, a correction, or its deletion. Write to {email} from the address it concerns, or call and we’ll find another way to be sure that it’s you. Depending on where you live, you may also have the right to object to a use or to complain to a data protection authority. We treat everyone’s request the same way, wherever they live.

**Backups.** We copy our database so that nothing is lost when something breaks. What we have deleted stays in older copies for 30 days and more, until they are removed. If we have to go back to one, we delete it again.`,
      },
      {
        title: 'Children',
        body: `This site is meant for businesses. We don’t knowingly collect anything about children under 13; if we have, tell us and we’ll delete it.`,
      },
      {
        title: 'Changes',
        body: `When what we do changes, this page changes first, with a new date at its top. We won’t make it less protective for data that we already hold without asking the people it belongs to.`,
      },
    ],
  },
  reads_counted: {
    kind: 'rich',
    label: 'Reads, while they are counted',
    hint: 'Stands where {reads} is, while reads of posts are counted.',
    limit: 4000,
    requires: ['read_days'],
    fallback: `**Counted reads.** When you read a post of our blog, your browser tells our server which post it was and, if a link on another site led you here, the name of that site. We add one to the number of that post, day and site, and keep nothing else of it: no cookie, no internet address, nothing about your device. We keep these numbers by day for about {read_days} days, and by month after that. To keep programs from making numbers up, we count in memory for one minute how many reads come from an internet address. Your browser tells us nothing when it asks not to be tracked (Do Not Track or Global Privacy Control), or when you are signed in.

**No tracking.** We use no tracking cookies, no analytics of other companies, no advertising networks, and no fonts or scripts from other companies.`,
  },
  reads_uncounted: {
    kind: 'rich',
    label: 'Reads, while none are counted',
    hint: 'Stands in its place while nothing is counted.',
    limit: 4000,
    fallback: `**No counting.** We don’t count what is read. If we did so at an earlier time, there are still numbers of how often a post was read; they say nothing of anyone who read it.

**No tracking.** We use no tracking cookies, no analytics, no advertising networks, and no fonts or scripts from other companies.`,
  },
});
