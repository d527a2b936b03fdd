/** The alerts after sending the contact form (product.md 8.1). */
export const contactMessages = {
  sent: 'Your message has been sent!',
  refused: 'Sorry, there was an error. Please try again.',
  failed: 'An unexpected error occurred. Please try again later.',
  /** For an administrator, on a page with a draft. */
  preview: 'This is a preview: nothing was sent.',
} as const;
