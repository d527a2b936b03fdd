import { AuditRecord } from '../audit/audit-entry.entity.js';
import { Attempts } from '../auth/guesses/attempts.entity.js';
import { FlowState } from '../auth/sessions/flow-state.entity.js';
import { Identity } from '../auth/accounts/identity.entity.js';
import { OneTimeToken } from '../auth/codes/one-time-token.entity.js';
import { RateLimitBucket } from '../http/rate-limits/rate-limit.entity.js';
import { RefreshToken } from '../auth/sessions/refresh-token.entity.js';
import { Session } from '../auth/sessions/session.entity.js';
import { User } from '../auth/accounts/user.entity.js';
import { Enquiry } from '../contact/enquiry.entity.js';
import { PostRevision } from '../posts/post-revision.entity.js';
import { PostSlug } from '../posts/post-slug.entity.js';
import { Post } from '../posts/post.entity.js';
import { Redirect } from '../redirects/redirect.entity.js';
import { UserRole } from '../roles/user-role.entity.js';
import { ImageUse } from '../uploads/image-use.entity.js';
import { Image } from '../uploads/image.entity.js';
import { MediaState } from '../uploads/media-state.entity.js';

const accounts = [User, Identity, Session, RefreshToken, OneTimeToken, FlowState, RateLimitBucket, Attempts];

/** Every entity of the product. The ORM and the migration generator read this list. */
export const entities = [
  Post,
  PostRevision,
  PostSlug,
  AuditRecord,
  Image,
  ImageUse,
  MediaState,
  Enquiry,
  UserRole,
  Redirect,
  ...accounts,
];
