import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthenticationModule } from '../auth/tokens/authentication.module.js';
import { CONFIG } from '../config/config.js';
import { RateLimitsModule } from '../http/rate-limits/rate-limits.module.js';
import { RedirectsModule } from '../redirects/redirects.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { AdminPostsController } from './admin-posts.controller.js';
import { BatchService } from './batch.service.js';
import { BlogListController } from './blog-list.controller.js';
import { BlogListService } from './blog-list.service.js';
import { BulkService } from './bulk.service.js';
import { CommentKeepingService } from './comments/comment-keeping.service.js';
import { CommentsController } from './comments/comments.controller.js';
import { CommentsService } from './comments/comments.service.js';
import { CommentChange } from './comments/comment-change.entity.js';
import { PostComment } from './comments/post-comment.entity.js';
import { DuplicationService } from './duplication.service.js';
import { EditingService } from './editing.service.js';
import { ImageReplacementService } from './image-replacement.service.js';
import { ListingsService } from './listings.service.js';
import { PostListService } from './post-list.service.js';
import { PostOwnersService } from './post-owners.service.js';
import { PostPlansService } from './post-plans.service.js';
import { PostWriter } from './post-writer.js';
import { SiteService } from '../site/site.service.js';
import { PRESENTER_CONTEXT, toPresenterContext } from './post.presenter.js';
import { PostsController } from './posts.controller.js';
import { PostsService } from './posts.service.js';
import { PresenceController } from './presence.controller.js';
import { PresenceService } from './presence.service.js';
import { PreviewsController } from './previews.controller.js';
import { PreviewsService } from './previews.service.js';
import { PublicationUndoService } from './publication-undo.service.js';
import { PublishedRowsService } from './published-rows.service.js';
import { PublishingService } from './publishing.service.js';
import { ReservedSlugsService } from './reserved-slugs.service.js';
import { RevisionsController } from './revisions.controller.js';
import { RevisionsService } from './revisions.service.js';
import { SchedulingService } from './scheduling.service.js';
import { TermsController } from './terms.controller.js';
import { TermsService } from './terms.service.js';
import { TrashService } from './trash.service.js';
import { WorkingCopiesService } from './working-copies.service.js';
import { RelatedPost } from './related/related-post.entity.js';
import { SearchPing } from './search-pings/search-ping.entity.js';
import { SearchReplaceService } from './search-replace/search-replace.service.js';
import { SearchController } from './search/search.controller.js';
import { SearchDocument } from './search/search-document.entity.js';
import { SearchService } from './search/search.service.js';
import { PostTerm } from './term-pages/post-term.entity.js';
import { TermPagesService } from './term-pages/term-pages.service.js';
import { Post } from './post.entity.js';
import { PostPreviewLink } from './post-preview-link.entity.js';
import { PostRevision } from './post-revision.entity.js';
import { PostSlug } from './post-slug.entity.js';

const services = [
  PostsService,
  CommentKeepingService,
  CommentsService,
  BlogListService,
  TermPagesService,
  ListingsService,
  ReservedSlugsService,
  PostListService,
  PostPlansService,
  PostOwnersService,
  EditingService,
  WorkingCopiesService,
  DuplicationService,
  PublishingService,
  PublicationUndoService,
  BulkService,
  BatchService,
  SearchReplaceService,
  TrashService,
  RevisionsService,
  TermsService,
  ImageReplacementService,
  SchedulingService,
  PreviewsService,
  PresenceService,
  SearchService,
];

/** Posts: reading and writing. Needs the global providers of configuration and database. */
@Module({
  imports: [
    MikroOrmModule.forFeature([
      ...[CommentChange, Post, PostComment, PostPreviewLink, PostRevision, PostSlug],
      ...[PostTerm, RelatedPost, SearchDocument, SearchPing],
    ]),
    RateLimitsModule,
    UploadsModule,
    RedirectsModule,
    RolesModule,
    AuditModule,
    SettingsModule,
    AuthenticationModule,
  ],
  controllers: [
    CommentsController,
    PostsController,
    BlogListController,
    AdminPostsController,
    RevisionsController,
    PreviewsController,
    PresenceController,
    TermsController,
    SearchController,
  ],
  providers: [
    { provide: PRESENTER_CONTEXT, useFactory: toPresenterContext, inject: [CONFIG, SiteService] },
    PostWriter,
    PublishedRowsService,
    ...services,
  ],
  // Imports write with the one writer of posts.
  exports: [PostWriter, ...services],
})
export class PostsModule {}
