import { Migration } from '@mikro-orm/migrations';

export class Migration20261122113947 extends Migration {
  override name = 'Migration20261122113947';

  override up(): void | Promise<void> {
    this.addSql(`drop index "blog_posts_search";`);
    this.addSql(
      `create index "blog_posts_search_5552412a" on "blog_posts" using gin ((title || ' ' || slug || ' ' || coalesce(excerpt, '') || ' ' || author || ' ' || coalesce(category, '') || ' ' || coalesce(image_alt, '') || ' ' || coalesce(image_caption, '') || ' ' || coalesce(seo_title, '') || ' ' || coalesce(seo_description, '') || ' ' || coalesce(working_title, '')) gin_trgm_ops);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "blog_posts_search_5552412a";`);
    this.addSql(
      `create index "blog_posts_search" on "blog_posts" using gin ((title || ' ' || slug || ' ' || coalesce(excerpt, '') || ' ' || author || ' ' || coalesce(working_title, '')) gin_trgm_ops);`,
    );
  }
}
