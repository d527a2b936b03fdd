import { Migration } from '@mikro-orm/migrations';

export class Migration20261123005312 extends Migration {
  override name = 'Migration20261123005312';

  override up(): void | Promise<void> {
    this.addSql(`alter table "blog_posts" add "canonical_url" varchar(2000) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "blog_posts" drop column "canonical_url";`);
  }
}
