/**
 * A rendered text for readers of the feed, far from this site: every address says where it leads, a formula is its TeX
 * source, as few of them draw MathML, and a video is a plain link.
 * @param html `content` of a post
 * @param siteUrl address of the site, ending in a slash
 */
export function toFeedContent(html: string, siteUrl: string): string {
  return html
    .replace(/<span class="ql-formula" data-value="([^"]*)">.*?<\/math><\/span><\/span>/gs, '<code>$1</code>')
    .replace(
      /<span class="video"><a href="([^"]*)"[^>]*>.*?<\/span>([^<]*)<\/span><span class="video-host">Plays from (\w+)<\/span><\/a><\/span>/gs,
      '<a href="$1">$2 ($3)</a>',
    )
    .replace(
      /\b(src|href|srcset)="(\/[^"]*)"/g,
      (_match, name: string, value: string) =>
        `${name}="${value.replace(/(^|,\s*)\//g, (_slash, before: string) => `${before}${siteUrl}`)}"`,
    );
}
