/** The mails of accounts. */
export type AuthMailAction = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change' | 'reauthentication';

/** Mails whose links let somebody in who does not have to know the password. An account has one such link. */
export const SIGN_IN_LINKS: readonly AuthMailAction[] = ['recovery', 'magiclink'];

/**
 * A mail of an account, as it waits in the queue: it names the user, and holds no address and no token, as these may
 * be other ones when it is sent.
 */
export interface AuthMailJob {
  readonly kind: 'auth';
  readonly action: AuthMailAction;
  readonly userId: string;
  /** Only an email change writes to the new address. */
  readonly to: 'current' | 'new';
  /** Final target of the link, checked by the service that queued the mail. */
  readonly redirectTo: string;
  readonly isPkce: boolean;
  /** The account of whoever invites; absent where no person does. */
  readonly invitedBy?: string;
}

/** Tells the owner of an account that somebody tries to guess their password or code. */
export interface GuessNoticeJob {
  readonly kind: 'guesses';
  readonly userId: string;
}

/** An event of an account, as its owner is told of it. */
export type AccountEvent =
  | {
      readonly kind: 'new_device';
      /** In words, never the sender's own; null for what is not known. */
      readonly browser: string | null;
      readonly system: string | null;
      /** Address of the device. */
      readonly ip: string;
    }
  | { readonly kind: 'password_changed' | 'email_changed' }
  | { readonly kind: 'role_granted'; readonly role: 'admin' | 'author' }
  | {
      readonly kind: 'factor_added' | 'factor_removed';
      /** Like `totp`, `phone`, `webauthn`, `passkey`. */
      readonly type: string;
      /** As its owner named it. */
      readonly name: string;
    }
  | {
      readonly kind: 'identity_linked' | 'identity_unlinked';
      /** Like `email`, `phone`, or the provider's name for clients. */
      readonly provider: string;
    }
  | {
      readonly kind: 'recovery_codes_created' | 'recovery_code_used' | 'recovery_codes_removed';
      /** How many are left. */
      readonly left: number;
    };

/** Tells an administrator what happened to their account. */
export interface AccountNoticeJob {
  readonly kind: 'account';
  readonly userId: string;
  readonly event: AccountEvent;
  /** When it happened (ISO 8601). */
  readonly at: string;
  /** The address that the account had before, to which the mail goes then. */
  readonly formerAddress?: string;
}

/** A mail to send. */
export type MailJob = AuthMailJob | GuessNoticeJob | AccountNoticeJob;

/** The token and the facts for one mail of an account, made when the mail is sent. */
export interface MintedToken {
  /** The address that the mail goes to. */
  readonly to: string;
  /** The code to type in, shown as it is. */
  readonly otp: string;
  /** The hash inside the link. Not used for a reauthentication, which has no link. */
  readonly tokenHash: string;
  /** The `type` that goes with the hash. */
  readonly verificationType: string;
  readonly redirectTo: string;
  /** How long code and link hold, in seconds; the mail says so. */
  readonly validForSeconds: number;
  /**
   * Absolute address of `GET /verify` (auth-api.md 3.9) if mails link straight to it; otherwise they link to the site's
   * own page, whose button spends the token.
   */
  readonly verifyUrl?: string;
  /** For an email change: the new address, which the mail to the current address names. */
  readonly newAddress?: string;
  /** For an invitation: the address of whoever invites, if a person does, and the role that waits, if one does. */
  readonly invitation?: {
    readonly by: string | null;
    readonly standing: { readonly role: 'admin' | 'author'; readonly mayPublish: boolean } | null;
  };
}

/** Makes the tokens that mails carry. */
export interface TokenMinter {
  /**
   * @param jobId the same at every attempt: a token derived from it is sent again when a mail is sent twice because its
   * acceptance was not heard
   * @returns null when the mail is no longer needed, because the user is gone or confirmed
   */
  mint(job: AuthMailJob, jobId: string): Promise<MintedToken | null>;

  /** The confirmed address of a user; null when there is none any more. */
  findAddress(userId: string): Promise<string | null>;
}
