/** The content of a mail. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  /** A whole document, with its styles inline. */
  readonly html: string;
}

/** A mail that is ready to go. */
export interface OutgoingMail extends MailContent {
  /** The id of its job; the Message-ID is made of it. */
  readonly id: string;
  /** Stable over attempts, with angle brackets: servers and readers know by it that two mails are one. */
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  /** One plain address. */
  readonly to: string;
  readonly replyTo?: { readonly name: string; readonly address: string };
  /** Message-IDs of the mails that this one answers, the oldest first, with angle brackets. */
  readonly answers?: readonly string[];
  /** Somebody wrote it by hand; others say that a program did. */
  readonly isPersonal?: true;
}

/** A way to send mails. */
export interface MailTransport {
  /**
   * Resolves when the mail was accepted.
   * @throws PermanentJobError when it will never be
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  /** Ends connections. */
  close(): void;
}
