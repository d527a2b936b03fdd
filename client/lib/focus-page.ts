/**
 * Moves the focus to the heading of the page, or to the main landmark while there is none, so that the keyboard
 * starts at the top and a screen reader says where the visitor is. Scrolling is left to the router.
 */
export function focusPage(): void {
  const main = document.getElementById('main');
  const target = main?.querySelector<HTMLElement>('h1') ?? main;
  if (!target) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** For content that arrives after its page: takes the focus on if it still waits at the main landmark. */
export function focusPageIfWaiting(): void {
  if (document.activeElement?.id === 'main') focusPage();
}
