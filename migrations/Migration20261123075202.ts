import { Migration } from '@mikro-orm/migrations';

export class Migration20261123075202 extends Migration {
  override name = 'Migration20261123075202';

  override up(): void | Promise<void> {
    this.addSql(`alter table "blog_posts" add "image_focus" varchar(20) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "blog_posts" drop column "image_focus";`);
  }
}
