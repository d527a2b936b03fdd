import type { Page } from 'playwright-core';

/** A key of a keyboard that Playwright does not know. */
interface ForeignKey {
  readonly key: string;
  readonly code: string;
  /** As Windows has it: that of the key in the same place of a keyboard of the US. */
  readonly keyCode: number;
}

/** Presses Control and a key as browsers report them of keyboards of other scripts. */
export async function pressControlAnd(page: Page, { key, code, keyCode }: ForeignKey): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const stroke = { modifiers: 2, key, code, windowsVirtualKeyCode: keyCode };
  await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...stroke });
  await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke });
  await devtools.detach();
}
