import { Migration } from '@mikro-orm/migrations';

export class Migration20261122215148 extends Migration {
  override name = 'Migration20261122215148';

  override up(): void | Promise<void> {
    this.addSql(`alter table "auth"."mfa_factors" add "phone" varchar(15) null;`);

    this.addSql(`alter table "auth"."mfa_challenges" add "code_hash" varchar(64) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "auth"."mfa_challenges" drop column "code_hash";`);

    this.addSql(`alter table "auth"."mfa_factors" drop column "phone";`);
  }
}
