import type { Page } from 'playwright-core';

/** The policy is off, so that the texts alone keep scripts from running; missing pictures complain. */
const DEFENCELESS = { bypassCSP: true, expectedComplaints: [/./] };

/** A tab that notes whose scripts run. */
export async function openOracle(open: (options: object) => Promise<Page>) {
  const page = await open(DEFENCELESS);
  const fired = new Set<number>();
  // As a tag of a template it gets a list of one.
  await page.exposeFunction('hit', (id: unknown) => void fired.add(Number(id)));
  page.on('dialog', (dialog) => void dialog.dismiss());
  return { page, fired };
}

/** Does everything that somebody could do to what is on a page, and waits for what that begins. */
export async function provoke(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const events = ['mouseover', 'focus', 'focusin', 'click', 'toggle', 'start', 'animationstart'];
    const isOfSite = (element: Element) => element.closest('header, footer, nav, [data-sonner-toaster]') !== null;
    for (const element of [...document.querySelectorAll('body *')].filter((found) => !isOfSite(found))) {
      const href = element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '';
      const isScript =
        URL.canParse(href, document.baseURI) && /^javascript:/.test(new URL(href, document.baseURI).href);
      // Links that lead away, and buttons of the site, are not what is looked for.
      const isSuspicious = isScript || element.matches('form[action] *, [formaction], [onclick]');
      for (const name of events) {
        if (name === 'click' && !isSuspicious) continue;
        element.dispatchEvent(new MouseEvent(name, { cancelable: true }));
      }
    }
    const settled = (image: HTMLImageElement) =>
      new Promise((resolve) => ['load', 'error'].forEach((name) => image.addEventListener(name, resolve)));
    const pictures = [...document.images].filter(({ complete, loading }) => !complete && loading !== 'lazy');
    // The last one is asked for after all others.
    const last = Object.assign(new Image(), { src: 'data:,' });
    await Promise.all([...pictures, last].map(settled));
    await new Promise((resolve) => setTimeout(resolve));
  });
}
