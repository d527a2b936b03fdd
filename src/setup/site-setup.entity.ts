import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';

/** A token that opens the setup. The token itself is shown once, and kept nowhere. */
export interface KeptSetupToken {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** The outcome of the last test mail of the setup. */
export interface SetupMailTest {
  readonly to: string;
  readonly isSent: boolean;
  /** A sentence for whoever sets the site up. */
  readonly words: string;
}

/** The setup of a new site (decision 110): one row, whose id is 1, from the first token on. */
export const SiteSetup = defineEntity({
  name: 'SiteSetup',
  tableName: 'site_setup',
  properties: {
    id: p.smallint().primary().autoincrement(false),
    tokens: p.json<readonly KeptSetupToken[]>().defaultRaw("'[]'"),
    /** SHA-256, hexadecimal, of the cookie of the one browser that is at it. */
    sessionHash: p.string().length(64).nullable(),
    sessionExpiresAt: p.datetime().nullable(),
    /** The account that becomes the administrator at the end. */
    user: () => p.manyToOne(User).mapToPk().nullable().deleteRule('set null'),
    mailTest: p.json<SetupMailTest>().nullable(),
    /** When a token was handed in for the first time. */
    begunAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
  },
});

/** A row of {@link SiteSetup}. */
export type SiteSetupRow = InferEntity<typeof SiteSetup>;
