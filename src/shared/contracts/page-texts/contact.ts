import { headOf, line, step, text } from './common-fields.js';
import { definePage } from './fields.js';

/** Contact (product.md 2.7): what stands around the form. */
export const contactTexts = definePage('contact', {
  ...headOf(
    'Contact Us',
    'Call or write to {company}, or schedule a free consultation. Remote support: {area_remote}. On-site support: {area_onsite}.',
  ),
  lede: text(
    'Introduction',
    'Tell us what keeps breaking. You’ll talk to someone who can fix it, and the first conversation is free.',
  ),
  form_title: line('Form: heading', 'Schedule a free consultation'),
  steps_title: line('Steps: heading', 'What happens next'),
  steps: {
    kind: 'list',
    label: 'Steps after the form is sent',
    hint: 'The first one is writing; the page that follows the form shows the others.',
    entry: 'step',
    of: step,
    fallback: [
      {
        title: 'You write',
        description: 'A sentence is enough. Say what keeps breaking, or what you’re unsure about.',
      },
      { title: 'A person reads it', description: 'Someone who does the work reads your message and gets back to you.' },
      {
        title: 'We talk, free of charge',
        description: 'We ask about your team and your devices, and tell you what we would do.',
      },
    ],
  },
  sent_title: line('After the form: heading', 'What happens next', 80),
  sent_lede: {
    ...line('After the form: text before the telephone number', 'In a hurry? Call', 80),
    hint: 'The page after a form that was sent without scripts.',
  },
  sent_thanks: line('After the form: thanks', 'Thank you for writing to us. It is in good hands.', 200),
});
