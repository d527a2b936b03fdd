import { legalHead, legalSection } from './legal-fields.js';
import { definePage } from './fields.js';

/** Terms of use. */
export const termsTexts = definePage('terms', {
  ...legalHead(
    'Terms of Use',
    'The terms for using the website of {company}: what its prices and articles mean, how accounts work, and what we are each responsible for.',
    'These terms cover this website. The services we provide are covered by the agreement that each client signs with us.',
  ),
  sections: {
    ...legalSection,
    fallback: [
      {
        title: 'Agreeing to these terms',
        body: `This website is run by {legal_name} (“we”). By using it, you accept these terms. If you don’t, please don’t use the site; you can still call us at {phone}.`,
      },
      {
        title: 'What the site offers',
        body: `The site describes our services and prices, publishes articles, and gives you ways to reach us. Nothing on it is a binding offer. The prices on the [pricing page](/pricing) are upper limits per user or per device, with the exceptions stated there; what you pay is what your written agreement says.

Sending us an inquiry, or talking it over with us, costs nothing and commits you to nothing.`,
      },
      {
        title: 'Articles are not advice for your case',
        body: `We write about IT as carefully as we can, but an article can’t know your systems, and technology changes after it was published. Before you change something that matters, make a backup, and ask someone who has seen your setup.`,
      },
      {
        title: 'Accounts',
        body: `If you create an account, use an email address that is yours, keep your password to yourself, and tell us if you think that someone else is using it. You may ask us to delete your account at any time. We may close one that is used to harm the site or other people.`,
      },
      {
        title: 'Fair use',
        body: `Please don’t:

- try to get into parts of the site that aren’t open to you, or get around its limits;
- overload it, or send automated messages through its forms;
- send us anything unlawful, or write to us in someone else’s name.

If you find a weakness in our security, tell us at {email} and give us a chance to repair it. We’ll thank you for it.`,
      },
      {
        title: 'What belongs to whom',
        body: `The texts, drawings, and design of this site belong to {legal_name} or to those who licensed them to us. You may read, print, link to, and quote them with their source. For any other use, ask us first. Names and trademarks of other companies belong to them, and we mention them only to say what we work with.

What you send us stays yours. You allow us to use it to answer you.`,
      },
      {
        title: 'Links and videos',
        body: `Our ticket portal, our social pages, and some links and videos in articles are run by others. We chose them with care, but we don’t control them and can’t answer for them.`,
      },
      {
        title: 'What we can and can’t promise',
        body: `We work to keep this site correct and available, but we provide it as it is and can’t promise that it will always be either. As far as the law allows, we are not liable for losses that come from using the site or from relying on what it says. Nothing here limits a liability that the law does not let us limit, and nothing here limits what our agreement with a client promises that client.`,
      },
      {
        title: 'Law',
        body: `These terms are governed by the law of the place where {legal_name} is established, without taking away the protection that the law of your own home gives you. If one of them can’t be applied, the others stay in force.`,
      },
      {
        title: 'Changes and questions',
        body: `When these terms change, the date at the top of this page changes with them. Questions about them are welcome at {email}. What we store about visitors is described in our [privacy policy](/privacy).`,
      },
    ],
  },
});
