import type { Page } from 'playwright-core';

/** Runs in the page: each makes it harder to fit into the widths of {@link WIDTHS}, one after the other. */
const hardships: Readonly<Record<string, () => void>> = {
  'as it is': () => {},
  'words of 80 characters': () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement } = texts.currentNode;
      // What must not be broken is short and fixed.
      const isFixed = parentElement === null || getComputedStyle(parentElement).whiteSpace === 'nowrap';
      if (isFixed || parentElement.closest('script, style, svg, .skip-link')) continue;
      if (texts.currentNode.nodeValue?.trim())
        texts.currentNode.nodeValue += ` ${'Telekommunikationsgesetz'.repeat(4)}`;
    }
  },
  // WCAG 2.2, 1.4.12
  'with wide text': () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`);
    document.adoptedStyleSheets = [sheet];
  },
  'from right to left': () => {
    document.documentElement.dir = 'rtl';
  },
  'in letters of 32 pixels': () => {
    document.adoptedStyleSheets = [];
    document.documentElement.style.fontSize = '32px';
  },
};

/** CSS pixels of windows; 320 is a desk at 400 %, and what fits into 256 fits there. */
const WIDTHS = [256, 1366];

/** Returns where a page scrolls sideways, in whatever state it is put: as `words of 80 characters, 256 px: 310 px`. Leaves it unfit for further tests. */
export async function findSidewaysScrolling(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [name, hardship] of Object.entries(hardships)) {
    await page.evaluate(hardship);
    for (const width of name.includes('32') ? [375] : WIDTHS) {
      await page.setViewportSize({ width, height: 640 });
      const reach = await page.evaluate(() => document.documentElement.scrollWidth);
      if (reach > width) found.push(`${name}, ${width} px: ${reach} px`);
    }
  }
  return found;
}

/**
 * Returns where a page scrolls sideways in the narrowest window, and in letters of 32 pixels on a phone. Leaves the page
 * as it was, for tests that go on.
 */
export async function findNarrowScrolling(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  const found: string[] = [];
  for (const [width, letters] of [
    [256, ''],
    [375, '32px'],
  ] as const) {
    await page.setViewportSize({ width, height: 640 });
    const reach = await page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
      const { scrollWidth } = document.documentElement;
      document.documentElement.style.fontSize = '';
      return scrollWidth;
    }, letters);
    if (reach > width) found.push(`${width} px${letters && `, ${letters}`}: ${reach} px`);
  }
  if (size) await page.setViewportSize(size);
  return found;
}
