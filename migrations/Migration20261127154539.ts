import { Migration } from '@mikro-orm/migrations';

export class Migration20261127154539 extends Migration {
  override name = 'Migration20261127154539';

  override up(): void | Promise<void> {
    this.addSql(`alter table "auth"."users" add "email_assumed_at" timestamptz null;`);
    // People who signed up themselves and were confirmed as they did, without a mail and without a provider.
    this.addSql(
      `update "auth"."users" as "person" set "email_assumed_at" = "email_confirmed_at"
       where "email" is not null and jsonb_exists("user_metadata", 'sub')
         and "email_confirmed_at" < "created_at" + interval '1 second'
         and "confirmation_sent_at" is null and "invited_at" is null
         and not exists (
           select 1 from "auth"."identities"
           where "user_id" = "person"."id" and "provider" not in ('email', 'phone')
             and "created_at" < "person"."created_at" + interval '1 second'
         );`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "auth"."users" drop column "email_assumed_at";`);
  }
}
