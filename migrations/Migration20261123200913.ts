import { Migration } from '@mikro-orm/migrations';

export class Migration20261123200913 extends Migration {
  override name = 'Migration20261123200913';

  override up(): void | Promise<void> {
    this.addSql(`alter table "enquiries" add "spam_reason" text null, add "spam_decided_at" timestamptz null;`);
    this.addSql(`create index "enquiries_spam" on "enquiries" ("created_at", "id") where spam_reason is not null;`);
    this.addSql(
      `create index "enquiries_spam_decisions" on "enquiries" (lower(email), "spam_decided_at") where spam_decided_at is not null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "enquiries" drop column "spam_reason", drop column "spam_decided_at";`);
  }
}
