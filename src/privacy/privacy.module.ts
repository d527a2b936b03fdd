import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { UsersModule } from '../auth/admin/users.module.js';
import { ContactModule } from '../contact/contact.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { PrivacyService } from './privacy.service.js';

/** Exports and erases what is kept about one person. */
@Module({
  imports: [AuditModule, UsersModule, ContactModule, MailModule, PostsModule],
  providers: [PrivacyService],
  exports: [PrivacyService],
})
export class PrivacyModule {}
