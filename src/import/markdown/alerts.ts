import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../shared/is-record.js';
import type { SiteSettings } from './site-settings.js';

/**
 * How a site shows an alert of GitHub (`> [!NOTE]`): as a box, as the text that it is in other Markdown, or as one of the two by
 * a theme that is not in its folder.
 */
export type AlertReading = 'box' | 'text' | 'unknown';

const MAX_BYTES = 1024 * 1024;
const programs = ['astro.config', 'eleventy.config', '.eleventy'].flatMap((name) =>
  ['js', 'mjs', 'cjs', 'ts', 'mts'].map((ending) => `${name}.${ending}`),
);
/** Names of plugins that make boxes: remark-github-blockquote-alert, markdown-it-github-alerts, jekyll-gfm-admonitions. */
const plugin = /alert|admonition|callout/i;
/** Folders with templates of Hugo for parts of texts, such as quotations. */
const hookFolders = ['layouts/_default/_markup', 'layouts/_markup'];

/**
 * Finds out how a site shows alerts of GitHub. Where no generator is known, they were written for GitHub.
 * @param folder of the configuration; null where there is none
 */
export async function readAlerts(configuration: SiteSettings | null, folder: string | null): Promise<AlertReading> {
  if (configuration !== null) {
    const { generator, values } = configuration;
    if (generator === 'zola') {
      const { markdown } = values;
      return isRecord(markdown) && markdown['github_alerts'] === true ? 'box' : 'text';
    }
    if (generator === 'hugo') return await readHugo(configuration);
    const plugins = JSON.stringify([values['plugins'], values['gems']]);
    return plugin.test(plugins) || plugin.test(await readText(join(configuration.folder, 'Gemfile'))) ? 'box' : 'text';
  }
  if (folder === null) return 'box';
  const texts = await Promise.all(programs.map((name) => readText(join(folder, name))));
  if (texts.every((text) => text === '')) return 'box';
  const isMaking = [...texts, await readText(join(folder, 'package.json'))].some((text) => plugin.test(text));
  return isMaking ? 'box' : 'text';
}

/** Hugo leaves them to templates of the site or of its themes. */
async function readHugo({ folder, values }: SiteSettings): Promise<AlertReading> {
  const themes = (await namesIn(join(folder, 'themes'))).map((name) => join(folder, 'themes', name));
  for (const root of [folder, ...themes]) {
    for (const hooks of hookFolders) {
      const names = await namesIn(join(root, hooks));
      if (names.some((name) => name.startsWith('render-blockquote'))) return 'box';
    }
  }
  const hasTheme = values['theme'] !== undefined || values['module'] !== undefined;
  return hasTheme && (themes.length === 0 || values['module'] !== undefined) ? 'unknown' : 'text';
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}

/** Empty for what is not there, or cannot be read. */
async function readText(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}
