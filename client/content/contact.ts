/** The alerts after sending the contact form (product.md 8.1). */
export const contactMessages = {
  sent: 'Your message has been sent!',
  refused: 'Sorry, there was an error. Please try again.',
  failed: 'An unexpected error occurred. Please try again later.',
} as const;

/** A step after an enquiry. */
export interface ContactStep {
  readonly title: string;
  readonly description: string;
}

/** The steps after sending the form, shown beside it. */
export const contactSteps: readonly ContactStep[] = [
  { title: 'You write', description: 'A sentence is enough. Say what keeps breaking, or what you’re unsure about.' },
  { title: 'A person reads it', description: 'Someone who does the work reads your message and gets back to you.' },
  {
    title: 'We talk, free of charge',
    description: 'We ask about your team and your devices, and tell you what we would do.',
  },
];
