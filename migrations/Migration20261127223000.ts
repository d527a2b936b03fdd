import { Migration } from '@mikro-orm/migrations';

export class Migration20261127223000 extends Migration {
  override name = 'Migration20261127223000';

  override up(): void | Promise<void> {
    this.addSql(`alter table "post_preview_links" add "created_by" uuid null;`);
    this.addSql(
      `alter table "post_preview_links" add constraint "post_preview_links_created_by_foreign" foreign key ("created_by") references "auth"."users" ("id") on delete set null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "post_preview_links" drop constraint "post_preview_links_created_by_foreign";`);
    this.addSql(`alter table "post_preview_links" drop column "created_by";`);
  }
}
