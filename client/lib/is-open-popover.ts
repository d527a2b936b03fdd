/** Returns true for an element that is shown as a popover; false in browsers that know none. */
export function isOpenPopover(element: HTMLElement | null): boolean {
  return 'popover' in HTMLElement.prototype && element?.matches(':popover-open') === true;
}
