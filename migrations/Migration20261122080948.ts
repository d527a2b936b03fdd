import { Migration } from '@mikro-orm/migrations';

export class Migration20261122080948 extends Migration {
  override name = 'Migration20261122080948';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "blog_posts" add "image_caption" varchar(500) null, add "seo_title" varchar(70) null, add "seo_description" varchar(200) null, add "social_image" text null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `alter table "blog_posts" drop column "image_caption", drop column "seo_title", drop column "seo_description", drop column "social_image";`,
    );
  }
}
