import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { AccountModule } from './account/account.module.js';
import { AuditLogModule } from './audit/audit-log.module.js';
import { AuthModule } from './auth/auth.module.js';
import { AuthenticationModule } from './auth/tokens/authentication.module.js';
import { SessionUpkeepModule } from './auth/sessions/session-upkeep.module.js';
import { UsersModule } from './auth/admin/users.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ContactDeliveryModule } from './contact/contact-delivery.module.js';
import { ContactModule } from './contact/contact.module.js';
import { DatabaseModule } from './database/database.module.js';
import type { DatabaseAddresses } from './database/open-database.js';
import { COMMAND_LIMITS, JOB_LIMITS } from './database/pool/database-limits.js';
import { ExportModule } from './export/export.module.js';
import { AccessGuard } from './http/access.guard.js';
import { DrainingModule } from './http/draining.module.js';
import { ErrorFilter } from './http/error.filter.js';
import { LateRefusalInterceptor } from './http/late-refusal.interceptor.js';
import { HealthController } from './http/health.controller.js';
import { toLogOptions } from './http/log-options.js';
import { ImportModule } from './import/import.module.js';
import type { ClientBundle } from './pages/client-bundle.js';
import { MailDeliveryModule } from './mail/mail-delivery.module.js';
import { MailModule } from './mail/mail.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { LinkUpkeepModule } from './links/link-upkeep.module.js';
import { LinksModule } from './links/links.module.js';
import { MarksModule } from './marks/marks.module.js';
import { AlarmWatchModule } from './overview/alarm-watch.module.js';
import { OverviewModule } from './overview/overview.module.js';
import { PagesModule } from './pages/pages.module.js';
import { PeopleModule } from './people/people.module.js';
import { PostUpkeepModule } from './posts/post-upkeep.module.js';
import { SearchPingsModule } from './posts/search-pings/search-pings.module.js';
import { PostsModule } from './posts/posts.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { ReadsModule } from './reads/reads.module.js';
import { RedirectsModule } from './redirects/redirects.module.js';
import { RolesModule } from './roles/roles.module.js';
import { ShareImageUpkeepModule } from './share-images/share-image-upkeep.module.js';
import { ShareImagesModule } from './share-images/share-images.module.js';
import { MediaUpkeepModule } from './uploads/media-upkeep.module.js';
import { SetupModule } from './setup/setup.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { VariableTakingModule } from './settings/variable-taking.module.js';
import { SiteModule } from './site/site.module.js';
import { WebhookDeliveryModule } from './webhooks/webhook-delivery.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { UploadsModule } from './uploads/uploads.module.js';

interface Parts {
  readonly config: Config;
  readonly database: DatabaseAddresses;
  /** None in the command line, which has no pages. */
  readonly bundle: ClientBundle | undefined;
}

/** All rooms of the house. */
@Module({})
export class AppModule {
  static register({ config, database, bundle }: Parts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config),
        DrainingModule,
        LoggerModule.forRoot(toLogOptions(config, bundle !== undefined)),
        MetricsModule,
        DatabaseModule.register(database, config.database.poolSize, bundle ? JOB_LIMITS : COMMAND_LIMITS),
        SiteModule,
        SettingsModule,
        AuthenticationModule,
        UsersModule,
        UploadsModule,
        RolesModule,
        PostsModule,
        ShareImagesModule,
        ImportModule,
        ExportModule,
        RedirectsModule,
        LinksModule,
        ReadsModule.register({ isCounting: config.site.readCountsDays !== null, isServer: bundle !== undefined }),
        AuditLogModule,
        MailModule,
        WebhooksModule,
        ContactModule,
        PrivacyModule,
        AccountModule,
        MarksModule,
        PeopleModule,
        SetupModule,
        OverviewModule,
        AuthModule.register(config.auth),
        // The command line queues mails and leaves them to a server, as it does what is due every day.
        ...(bundle ? serverParts(bundle, config) : []),
      ],
      controllers: [HealthController],
      providers: [
        AccessGuard,
        { provide: APP_GUARD, useExisting: AccessGuard },
        { provide: APP_INTERCEPTOR, useClass: LateRefusalInterceptor },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}

/** The parts of server processes only: pages, deliveries, upkeep. */
function serverParts(bundle: ClientBundle, config: Config): NonNullable<DynamicModule['imports']> {
  return [
    PagesModule.register(bundle),
    MailDeliveryModule.register(config.mail),
    ContactDeliveryModule,
    VariableTakingModule,
    SessionUpkeepModule,
    MediaUpkeepModule,
    PostUpkeepModule,
    ShareImageUpkeepModule,
    LinkUpkeepModule,
    // Also where nobody is told: what waits from before has to end.
    WebhookDeliveryModule,
    SearchPingsModule.register(config.indexNow),
    ...(config.webhook === null ? [] : [AlarmWatchModule]),
  ];
}
