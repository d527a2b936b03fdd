import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { temporaryFolder } from './temporary-folder.js';

const PICTURES = 5;

/** A blog of WordPress, as a file and the folder of its uploads. */
export interface WordPressBlog {
  readonly file: string;
  readonly uploads: string;
}

/**
 * Writes an export of so many posts with pictures, comments and former addresses: most of them published, others drafts,
 * private or planned. A later edition has other words in every second post, other comments below every third, and some
 * posts more.
 */
export async function writeWordPressBlog(posts: number, edition = 1): Promise<WordPressBlog> {
  const base = temporaryFolder();
  const uploads = join(base, 'uploads');
  mkdirSync(uploads);
  for (let index = 0; index < PICTURES; index += 1) {
    const background = { r: 40 * index, g: 90, b: 120 };
    await sharp({ create: { width: 90, height: 60, channels: 3, background } }).toFile(join(uploads, `${index}.png`));
  }
  const count = edition === 1 ? posts : posts + 20;
  const items = Array.from({ length: count }, (_none, index) => toItem(index, edition));
  const file = join(base, 'blog.xml');
  writeFileSync(
    file,
    `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:excerpt="e" xmlns:content="c" xmlns:dc="d"
     xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Old</title><link>https://old.example</link>
     <wp:base_blog_url>https://old.example</wp:base_blog_url>${items.join('\n')}</channel></rss>`,
  );
  return { file, uploads };
}

function toItem(index: number, edition: number): string {
  const day = String((index % 28) + 1).padStart(2, '0');
  const status = ['publish', 'publish', 'draft', 'publish', 'private', 'future'][index % 6];
  const date = `${status === 'future' ? 2999 : 2015}-03-${day} 10:00:00`;
  const picture =
    index % 4 === 0 ? `<img src="https://old.example/wp-content/uploads/${index % PICTURES}.png" alt="A">` : '';
  const words = index % 2 === 0 ? `Words of edition ${edition}, and more.` : 'Words that stay.';
  const comments = [
    toComment(index * 10 + 1, 0, index % 3 === 0 ? `In edition ${edition}` : 'As it was'),
    ...(index % 3 === 0 ? [toComment(index * 10 + 1 + edition, index * 10 + 1, 'An answer')] : []),
  ];
  return `<item><title>Post ${index}</title><link>https://old.example/2015/${index}/post-${index}/</link>
    <dc:creator><![CDATA[ann]]></dc:creator><content:encoded><![CDATA[<p>${words} The ${index}th post.</p>${picture}]]></content:encoded>
    <excerpt:encoded><![CDATA[]]></excerpt:encoded><wp:post_id>${index + 1}</wp:post_id><wp:post_date>${date}</wp:post_date>
    <wp:post_date_gmt>${date}</wp:post_date_gmt><wp:post_name>post-${index}</wp:post_name><wp:status>${status}</wp:status>
    <wp:post_type>post</wp:post_type><category domain="category" nicename="c"><![CDATA[Kind ${index % 3}]]></category>
    <category domain="post_tag" nicename="t"><![CDATA[tag ${index % 5}]]></category>${comments.join('')}</item>`;
}

function toComment(id: number, parent: number, text: string): string {
  return `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author><![CDATA[Reader ${id}]]></wp:comment_author>
    <wp:comment_date_gmt>2016-01-01 10:00:00</wp:comment_date_gmt><wp:comment_content><![CDATA[${text}]]></wp:comment_content>
    <wp:comment_approved>1</wp:comment_approved><wp:comment_type>comment</wp:comment_type>
    <wp:comment_parent>${parent}</wp:comment_parent></wp:comment>`;
}
