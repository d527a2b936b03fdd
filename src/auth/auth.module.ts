import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, type DynamicModule } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AuditModule } from '../audit/audit.module.js';
import type { AuthConfig } from '../config/auth-config.js';
import { MailModule } from '../mail/mail.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { AccountNoticesModule } from './mails/account-notices.module.js';
import { AccountController } from './api/account.controller.js';
import { AccountService } from './accounts/account.service.js';
import { AdminController } from './api/admin.controller.js';
import { addAuthHooks } from './api/auth-http.js';
import { AuthMailsService } from './mails/auth-mails.service.js';
import { AuthenticationModule } from './tokens/authentication.module.js';
import { CodesService } from './codes/codes.service.js';
import { EmailChangesService } from './accounts/email-changes.service.js';
import { ExternalController } from './api/external.controller.js';
import { GeneratedLinksService } from './admin/generated-links.service.js';
import { InvitationsService } from './admin/invitations.service.js';
import { LinkTokensService } from './codes/link-tokens.service.js';
import { GuessNoticesService } from './mails/guess-notices.service.js';
import { GuessesModule } from './guesses/guesses.module.js';
import { IdentitiesService } from './accounts/identities.service.js';
import { InformationController, UnknownAddressController } from './api/information.controller.js';
import { KnownDevicesService } from './guesses/known-devices.service.js';
import { PasswordChangesService } from './passwords/password-changes.service.js';
import { PasswordlessService } from './codes/passwordless.service.js';
import { PhoneCodesService } from './codes/phone-codes.service.js';
import { PkceService } from './sessions/pkce.service.js';
import { RateLimitsModule } from '../http/rate-limits/rate-limits.module.js';
import { RequestLimitsService } from './api/request-limits.service.js';
import { RefreshService } from './sessions/refresh.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInService } from './sessions/sign-in.service.js';
import { SignupService } from './accounts/signup.service.js';
import { TokenController } from './api/token.controller.js';
import { UsersModule } from './admin/users.module.js';
import { VerificationService } from './codes/verification.service.js';
import { User } from './accounts/user.entity.js';
import { Identity } from './accounts/identity.entity.js';
import { Session } from './sessions/session.entity.js';
import { RefreshToken } from './sessions/refresh-token.entity.js';
import { Factor } from './factors/factor.entity.js';
import { FactorChallenge } from './factors/factor-challenge.entity.js';
import { RecoveryCode } from './factors/recovery-code.entity.js';
import { RecoveryCodesService } from './factors/recovery-codes.service.js';
import { RecoveryVerificationService } from './factors/recovery-verification.service.js';
import { RecoveryCodesController } from './api/recovery-codes.controller.js';
import { EnrollmentService } from './factors/enrollment.service.js';
import { FactorCallersService } from './factors/factor-callers.service.js';
import { FactorVerificationService } from './factors/factor-verification.service.js';
import { FactorsController } from './api/factors.controller.js';
import { PhoneFactorsService } from './factors/phone-factors.service.js';
import { TotpService } from './factors/totp.service.js';
import { PasskeyChallengesService } from './webauthn/passkey-challenges.service.js';
import { PasskeySignInService } from './webauthn/passkey-sign-in.service.js';
import { PasskeysController } from './api/passkeys.controller.js';
import { PasskeysService } from './webauthn/passkeys.service.js';
import { SignInLogService } from './api/sign-in-log.service.js';
import { SecurityKeysService } from './factors/security-keys.service.js';
import { WebauthnChallenge } from './webauthn/webauthn-challenge.entity.js';
import { WebauthnCredential } from './webauthn/webauthn-credential.entity.js';
import { WebauthnService } from './webauthn/webauthn.service.js';
import { OidcProviderService } from './external/oidc-provider.service.js';
import { ProviderAccountsService } from './external/provider-accounts.service.js';
import { ProviderFlow } from './external/provider-flow.entity.js';
import { ProviderFlowsService } from './external/provider-flows.service.js';
import { ProviderSignInService } from './external/provider-sign-in.service.js';
import { FlowState } from './sessions/flow-state.entity.js';
import { OneTimeToken } from './codes/one-time-token.entity.js';
import { Attempts } from './guesses/attempts.entity.js';
import { KeyAnnouncerService } from './keys/key-announcer.service.js';
import { SigningKeyUse } from './keys/signing-key-use.entity.js';

/** Accounts, spoken to by the official client. Needs the global providers CONFIG, Clock and EntityManager. */
@Module({
  imports: [
    MikroOrmModule.forFeature([
      User,
      Identity,
      Session,
      RefreshToken,
      FlowState,
      ProviderFlow,
      OneTimeToken,
      Attempts,
      Factor,
      FactorChallenge,
      RecoveryCode,
      WebauthnCredential,
      WebauthnChallenge,
      SigningKeyUse,
    ]),
  ],
})
export class AuthModule {
  static register({ basePath }: Pick<AuthConfig, 'basePath'>): DynamicModule {
    return {
      module: AuthModule,
      imports: [
        AuthenticationModule,
        AuditModule,
        UsersModule,
        AccountNoticesModule,
        RolesModule,
        GuessesModule,
        MailModule,
        RateLimitsModule,
        RouterModule.register([{ path: basePath || '/', module: AuthModule }]),
      ],
      controllers: [
        AccountController,
        AdminController,
        TokenController,
        ExternalController,
        FactorsController,
        RecoveryCodesController,
        InformationController,
        PasskeysController,
        // Where the API shares the root with the site, the rest of the addresses are pages.
        ...(basePath === '' ? [] : [UnknownAddressController]),
      ],
      providers: [
        AccountService,
        AuthMailsService,
        CodesService,
        EmailChangesService,
        GeneratedLinksService,
        EnrollmentService,
        FactorCallersService,
        FactorVerificationService,
        GuessNoticesService,
        IdentitiesService,
        InvitationsService,
        KeyAnnouncerService,
        KnownDevicesService,
        LinkTokensService,
        PasskeyChallengesService,
        PasskeySignInService,
        PasskeysService,
        PasswordChangesService,
        PasswordlessService,
        PhoneCodesService,
        PhoneFactorsService,
        OidcProviderService,
        PkceService,
        RecoveryCodesService,
        RecoveryVerificationService,
        ProviderAccountsService,
        ProviderFlowsService,
        ProviderSignInService,
        RefreshService,
        RequestLimitsService,
        SecurityKeysService,
        SessionsService,
        SignInLogService,
        SignInService,
        SignupService,
        TotpService,
        VerificationService,
        WebauthnService,
      ],
    };
  }

  /** The part of the web server that is of its own kind: see `auth-http.ts`. */
  static addHooks(fastify: FastifyInstance, config: AuthConfig): void {
    addAuthHooks(fastify, config);
  }
}
