import { Module, type DynamicModule } from '@nestjs/common';
import { ContactModule } from '../contact/contact.module.js';
import { AuthenticationModule } from '../auth/tokens/authentication.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { RedirectsModule } from '../redirects/redirects.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { SetupModule } from '../setup/setup.module.js';
import { CLIENT_BUNDLE, type ClientBundle } from './client-bundle.js';
import { ContactFormController } from './contact-form.controller.js';
import { FeedsService } from './feeds.service.js';
import { PageAnswers } from './page-answers.js';
import { PageCache } from './page-cache.js';
import { PageFront } from './page-front.js';
import { PageRenderer } from './page-renderer.js';
import { ServerPageServices } from './page-services.js';
import { PagesController } from './pages.controller.js';
import { ReadinessController } from './readiness.controller.js';
import { Readiness } from './readiness.js';
import { SearchPageController } from './search-page.controller.js';
import { SetupController } from './setup/setup.controller.js';
import { SiteFilesController } from './site-files.controller.js';
import { SiteLook } from './site-look.js';
import { SitePreviewAccess } from './site-preview-access.js';
import { SitePreviewController } from './site-preview.controller.js';

/** Pages, feeds and the cache in front of them. */
@Module({})
export class PagesModule {
  static register(bundle: ClientBundle): DynamicModule {
    return {
      module: PagesModule,
      imports: [
        PostsModule,
        ContactModule,
        RedirectsModule,
        SettingsModule,
        SetupModule,
        RolesModule,
        AuthenticationModule,
      ],
      controllers: [
        ContactFormController,
        SiteFilesController,
        SitePreviewController,
        SearchPageController,
        SetupController,
        PagesController,
        ReadinessController,
      ],
      providers: [
        { provide: CLIENT_BUNDLE, useValue: bundle },
        FeedsService,
        PageAnswers,
        PageCache,
        PageFront,
        PageRenderer,
        Readiness,
        ServerPageServices,
        SiteLook,
        SitePreviewAccess,
      ],
    };
  }
}
