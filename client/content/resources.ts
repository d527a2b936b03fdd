/** Notices of the page: the portal behind its buttons does not exist yet. */
export const portalNotice = {
  /** Appears when a button is pressed. */
  pressed: 'This part of the portal isn’t open yet, so nothing happened.',
  /** Appears when the login form is used. */
  login: 'The portal isn’t open yet. Nothing was sent or kept, and the form has been cleared.',
} as const;
