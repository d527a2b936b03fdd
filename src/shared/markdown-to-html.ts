import { Marked } from 'marked';

const marked = new Marked({ gfm: true, async: false });

/** Markdown (GFM, raw HTML included) as HTML that nobody has checked yet. */
export function markdownToHtml(markdown: string): string {
  return marked.parse(markdown) as string;
}
