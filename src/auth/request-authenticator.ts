import { Injectable } from '@nestjs/common';
import type { Authenticator } from '../http/authenticator.js';
import type { SignedInUser } from '../http/signed-in-user.js';
import { AuthenticationService } from './authentication.service.js';
import { AuthError } from './auth.error.js';

/** Answers the guard of all other rooms, which ask for a session that lives. */
@Injectable()
export class RequestAuthenticator implements Authenticator {
  constructor(private readonly authentication: AuthenticationService) {}

  async authenticate(accessToken: string): Promise<SignedInUser | null> {
    try {
      const { user, session } = await this.authentication.authenticate(accessToken);
      return session === null ? null : { id: user.id, email: user.email ?? null };
    } catch (error) {
      if (error instanceof AuthError) return null;
      throw error;
    }
  }
}
