import { All, Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CONFIG, type Config } from '../../config/config.js';
import { Public } from '../../http/public.decorator.js';
import { KNOWN_PROVIDERS } from '../../shared/providers.js';
import { notFound } from '../auth.error.js';
import type { PublicJwk } from '../keys/signing-key.js';
import { SigningKeysService } from '../keys/signing-keys.service.js';
import type { Json } from '../accounts/user.presenter.js';

/** Public facts about this server: keys, settings, health (auth-api.md 3.12). */
@Public()
@ApiExcludeController()
@Controller()
export class InformationController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: SigningKeysService,
  ) {}

  @Get('.well-known/jwks.json')
  @Header('cache-control', 'public, max-age=600')
  listKeys(): { readonly keys: readonly PublicJwk[] } {
    return { keys: this.keys.listPublic() };
  }

  @Get('settings')
  showSettings(): Json {
    const { mail, sms, isAnonymousEnabled, isSignupDisabled, arePasskeysEnabled, provider } = this.config.auth;
    return {
      external: {
        anonymous_users: isAnonymousEnabled,
        ...Object.fromEntries(KNOWN_PROVIDERS.map((name) => [name, false])),
        ...(provider === null ? {} : { [provider.id]: true }),
        email: mail.isEnabled,
        phone: sms.isEnabled,
      },
      disable_signup: isSignupDisabled,
      mailer_autoconfirm: mail.isAutoconfirmed,
      phone_autoconfirm: sms.isAutoconfirmed,
      sms_provider: '',
      saml_enabled: false,
      saml_private_key_next_configured: false,
      passkeys_enabled: arePasskeysEnabled,
    };
  }

  @Get('health')
  showHealth(): Json {
    return { version: 'v2', name: 'GoTrue', description: 'GoTrue is a user registration and authentication API' };
  }
}

/** The rest of the addresses below the base path. Not at the root, where the rest are pages. */
@Public()
@ApiExcludeController()
@Controller()
export class UnknownAddressController {
  @All('*')
  refuse(): never {
    throw notFound();
  }
}
