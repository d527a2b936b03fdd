const TAKES_FOCUS = '[tabindex="-1"]';

/**
 * The ref of a control that may leave the page while it has the focus, which would fall to the body: it goes to the
 * nearest part around it that takes it, or that holds a heading which does (`tabIndex={-1}`).
 */
export function passFocusOn(control: HTMLElement | null): () => void {
  return () => {
    // Called while the control is still in the page.
    if (!control?.contains(document.activeElement)) return;
    for (let part = control.parentElement; part !== null; part = part.parentElement) {
      const taker = part.matches(TAKES_FOCUS) ? part : part.querySelector<HTMLElement>(TAKES_FOCUS);
      if (taker !== null) return taker.focus();
    }
  };
}
