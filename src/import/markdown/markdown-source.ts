import { basename, dirname } from 'node:path';
import { readExportedPost } from '../exported/exported-post.js';
import { RefusedError } from '../import.errors.js';
import { readAlerts } from './alerts.js';
import { parseFrontMatter } from './front-matter.js';
import { MarkdownReader } from './markdown-reader.js';
import { findSite, type Site } from './site-config.js';
import { findSiteSettings } from './site-settings.js';
import { findSourceFiles, readSourceFile, type SourceFolder } from './source-files.js';
import type { PostSource, SourceIdentity, SourceSettings } from '../source-post.js';

const LINK = 'a link to a folder, which is not followed: what is in that folder is imported by its own name';

/**
 * Opens a Markdown file, or a folder of them.
 * @throws ImportSourceError if there are none
 */
export async function openMarkdown(path: string, settings: SourceSettings): Promise<PostSource> {
  const source = await findSourceFiles(path);
  const { root, files } = source;
  const site = await findSite(source.isFile ? dirname(path) : path);
  const configuration = await findSiteSettings(source.isFile ? dirname(path) : path);
  const reader = new MarkdownReader(source, settings, {
    prefix: site?.prefix ?? '',
    hosts: new Set(site?.name == null ? [] : [site.name.replace(/\/.*$/s, '').replace(/^www\./, '')]),
    ...(site?.name == null ? {} : { address: `https://${site.name}/` }),
    conventions: site?.conventions ?? null,
    ...(site?.docusaurus === undefined ? {} : { docusaurus: site.docusaurus }),
    configuration,
    alerts: await readAlerts(configuration, site?.folder ?? null),
  });
  return {
    format: 'markdown',
    root,
    total: files.length,
    identify: () => identify(source, site),
    async *read(handleProgress) {
      let pages = 0;
      for (const [index, file] of files.entries()) {
        const item = await reader.read(file);
        handleProgress(index + 1);
        if (item === null) pages += 1;
        else yield item;
      }
      for (const file of source.unread) yield { file, skipped: 'a kind of file that is not read' };
      for (const file of source.links) yield { file, skipped: LINK };
      yield* source.unlisted;
      if (pages > 0) yield { file: '*.html', skipped: `${pages} without front matter: pages, not posts` };
    },
  };
}

/**
 * Identifies the source. Exports of this product are known by their ids; everything else needs the name of its site.
 */
async function identify(source: SourceFolder, site: Site | null): Promise<SourceIdentity> {
  if (site !== null && site.name !== null) return { name: site.name, isNeeded: true };
  for (const file of source.files) {
    if (await isExported(source.root, file)) continue;
    return { name: null, isNeeded: true, ...(site?.hint === undefined ? {} : { hint: site.hint }) };
  }
  return { name: null, isNeeded: false };
}

async function isExported(root: string, file: string): Promise<boolean> {
  try {
    const { frontMatter } = parseFrontMatter(await readSourceFile(root, file));
    return readExportedPost(frontMatter, '', basename(file)) !== null;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return false;
  }
}
