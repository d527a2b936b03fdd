import type { Page } from 'playwright-core';

/** Letters of words that fit into a line of every part of a page; longer ones may be broken. */
const LONGEST_WHOLE = 10;

/**
 * Returns words of a page that are broken where letters of the browser are twice as large (32 px) on a phone of 375 px. Half
 * of that width stands for it: but for hairlines, everything follows the letters or the window, conditions of styles too.
 */
export async function findBrokenWords(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 188, height: 370 });
  const found = await page.evaluate(listBroken, LONGEST_WHOLE);
  if (size) await page.setViewportSize(size);
  return found;
}

/** Runs in the page. */
function listBroken(longest: number): string[] {
  const found = new Set<string>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const parent = text.parentElement;
    if (!parent || parent.closest('script, style, svg, pre, [href^="mailto:"]') || parent.offsetWidth <= 1) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\p{L}\p{N}$]+/gu)) {
      if (word.length > longest) continue;
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.add(word);
    }
  }
  return [...found];
}
