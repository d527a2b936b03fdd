import { toPlainText } from '../../posts/content/plain-text.js';
import { EXPORT_GENERATOR } from '../../shared/contracts/export-generator.js';
import type { NamedTexts } from '../source-post.js';
import { resolveSeoText, type SeoValues } from './seo-templates.js';
import { metaOf, type WordPressSite } from './wordpress-site.js';
import { textOf, type XmlElement } from './xml-tree.js';

type SeoField = 'seo_title' | 'seo_description' | 'social_image' | 'canonical_url';

/** The custom fields in which a plugin keeps what it tells search engines of a post. */
interface SeoPlugin {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Address of the image for previews of links; the id of its attachment is in {@link imageId}. */
  readonly image?: string;
  readonly imageId?: string;
  /** Address where the post was published first. */
  readonly canonical?: string;
  /** The custom field with which search engines are told to leave a post out. */
  readonly noindex?: { readonly key: string; readonly isSaidIn: RegExp };
  readonly focus?: string;
  /** Fields with the words of previews of links; posts here have none for these alone. */
  readonly previews: readonly string[];
  /** A variable in its texts, with its name as the only group. */
  readonly variable: RegExp;
}

/** In order of precedence, for sites that have had both: the first one with a text wins, and other texts are noted. */
const plugins: readonly SeoPlugin[] = [
  {
    name: 'Yoast SEO',
    title: '_yoast_wpseo_title',
    description: '_yoast_wpseo_metadesc',
    image: '_yoast_wpseo_opengraph-image',
    imageId: '_yoast_wpseo_opengraph-image-id',
    canonical: '_yoast_wpseo_canonical',
    noindex: { key: '_yoast_wpseo_meta-robots-noindex', isSaidIn: /^1$/ },
    focus: '_yoast_wpseo_focuskw',
    previews: ['opengraph-title', 'opengraph-description', 'twitter-title', 'twitter-description'].map(
      (name) => `_yoast_wpseo_${name}`,
    ),
    variable: /%%([^%\s]{1,100})%%/g,
  },
  {
    name: 'Rank Math',
    title: 'rank_math_title',
    description: 'rank_math_description',
    image: 'rank_math_facebook_image',
    imageId: 'rank_math_facebook_image_id',
    canonical: 'rank_math_canonical_url',
    noindex: { key: 'rank_math_robots', isSaidIn: /"noindex"/ },
    focus: 'rank_math_focus_keyword',
    previews: ['facebook_title', 'facebook_description', 'twitter_title', 'twitter_description'].map(
      (name) => `rank_math_${name}`,
    ),
    variable: /%([a-z][a-z_]{0,100}(?:\([^()%]{0,200}\))?)%/g,
  },
  {
    name: 'All in One SEO',
    title: '_aioseo_title',
    description: '_aioseo_description',
    previews: ['og_title', 'og_description', 'twitter_title', 'twitter_description'].map((name) => `_aioseo_${name}`),
    // Its variables look like words that people write, so that those count which it has.
    variable:
      /#((?:post|page|site|author|attachment|current|taxonomy|parent|blog|separator)_[a-z_]{1,40}|separator_sa|tagline|categor(?:y|ies)|permalink|custom_field-[\w-]{1,60}|tax_name-[\w-]{1,60})/g,
  },
  {
    name: 'All in One SEO before version 4',
    title: '_aioseop_title',
    description: '_aioseop_description',
    canonical: '_aioseop_custom_link',
    noindex: { key: '_aioseop_noindex', isSaidIn: /^on$/ },
    previews: [],
    variable: /%([a-z][a-z_]{0,60})%/g,
  },
  {
    name: 'SEOPress',
    title: '_seopress_titles_title',
    description: '_seopress_titles_desc',
    image: '_seopress_social_fb_img',
    canonical: '_seopress_robots_canonical',
    noindex: { key: '_seopress_robots_index', isSaidIn: /^yes$/ },
    focus: '_seopress_analysis_target_kw',
    previews: ['fb_title', 'fb_desc', 'twitter_title', 'twitter_desc'].map((name) => `_seopress_social_${name}`),
    variable: /%%([^%\s]{1,100})%%/g,
  },
  {
    name: 'The SEO Framework',
    title: '_genesis_title',
    description: '_genesis_description',
    image: '_social_image_url',
    canonical: '_genesis_canonical_uri',
    noindex: { key: '_genesis_noindex', isSaidIn: /^1$/ },
    previews: ['_open_graph_title', '_open_graph_description', '_twitter_title', '_twitter_description'],
    // It has none.
    variable: /(?!)()/g,
  },
];

const words: Readonly<Record<SeoField, string>> = {
  seo_title: 'title for search engines',
  seo_description: 'description for search engines',
  social_image: 'image for sharing',
  canonical_url: 'address where it was published first',
};

/** A post as far as it is read. */
interface KnownPost {
  readonly title: string;
  /** Empty when it has none of its own. */
  readonly excerpt: string;
  readonly author: string;
  readonly site: WordPressSite;
}

interface ReadSeo {
  readonly seo: Pick<NamedTexts, SeoField>;
  /** The description that Yoast SEO has, which stands in for an excerpt; null when there is none, and for exports of ours. */
  readonly description: string | null;
}

/** Our own exports have a description for search engines beside the excerpt, if there is one. */
function isOwnExport({ generator }: WordPressSite): boolean {
  return generator === EXPORT_GENERATOR;
}

/** Reads what plugins tell search engines and previews of links of a post, and notes what is not taken. */
export function readSeo(item: XmlElement, post: KnownPost, warnings: string[]): ReadSeo {
  const read = plugins.map((plugin) => ({ name: plugin.name, texts: readPlugin(item, plugin, post, warnings) }));
  const choose = (field: SeoField): string | null => {
    const [first, ...others] = read.filter(({ texts }) => texts[field] !== null);
    for (const { name, texts } of others) {
      if (texts[field] !== first?.texts[field])
        warnings.push(`the ${words[field]} that ${name} has was not taken: ${texts[field]}`);
    }
    return first?.texts[field] ?? null;
  };
  const seo = {
    seo_title: choose('seo_title'),
    seo_description: choose('seo_description'),
    social_image: choose('social_image'),
    canonical_url: choose('canonical_url'),
  };
  notePreviews(item, seo, warnings);
  if (plugins.some(({ noindex }) => noindex?.isSaidIn.test(metaOf(item, noindex.key)) === true)) {
    warnings.push('search engines are told there to leave it out; here they find what is published');
  }
  return { seo, description: isOwnExport(post.site) ? null : (read[0]?.texts.seo_description ?? null) };
}

function notePreviews(item: XmlElement, { seo_title, seo_description }: ReadSeo['seo'], warnings: string[]): void {
  const said = plugins.flatMap(({ previews, variable }) =>
    previews
      .map((key) => toPlainText(metaOf(item, key)))
      .filter((text) => text.replace(new RegExp(variable), '').trim() !== ''),
  );
  const lost = [...new Set(said)].filter((text) => text !== seo_title && text !== seo_description);
  if (lost.length > 0)
    warnings.push(`what previews of links say was not taken: ${lost.map((text) => `'${text}'`).join(', ')}`);
}

function readPlugin(
  item: XmlElement,
  plugin: SeoPlugin,
  post: KnownPost,
  warnings: string[],
): Readonly<Record<SeoField, string | null>> {
  const { site } = post;
  const read = (key: string | undefined) => (key === undefined ? '' : metaOf(item, key));
  const values = { ...valuesOf(item, post), focus: read(plugin.focus) };
  const resolve = (field: 'seo_title' | 'seo_description', key: string): string | null => {
    const { variable } = plugin;
    const written = toPlainText(metaOf(item, key));
    const { text, unknown } = resolveSeoText(written, { variable, values, isTitle: field === 'seo_title' });
    if (unknown.length > 0) {
      const names = [...new Set(unknown)].join(', ');
      warnings.push(`its ${words[field]} was not taken, as nobody knows here what ${names} is in it: ${written}`);
    }
    return text;
  };
  return {
    seo_title: resolve('seo_title', plugin.title),
    seo_description: resolve('seo_description', plugin.description),
    canonical_url: read(plugin.canonical) || null,
    social_image: read(plugin.image) || site.attachments.get(read(plugin.imageId))?.address || null,
  };
}

function valuesOf(item: XmlElement, { title, excerpt, author, site }: KnownPost): Omit<SeoValues, 'focus'> {
  const isCategory = (element: XmlElement) =>
    element.name === 'category' && (element.attributes.get('domain') ?? 'category') === 'category';
  const categories = item.children.filter(isCategory).map(({ text }) => toPlainText(text));
  return {
    title,
    excerpt,
    author,
    // Which of several it would be depends on the plugin.
    category: categories.length === 1 ? (categories[0] ?? '') : '',
    id: textOf(item, 'wp:post_id'),
    siteName: site.name,
    tagline: site.tagline,
  };
}
