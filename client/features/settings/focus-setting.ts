/**
 * Moves the focus to the field of a value, unfolding what it is in; of several, to the first one of the screen.
 * @param paths as rules name them, such as `pricing.plans[1].price`; those that this screen does not have are left out
 */
export function focusSetting(...paths: readonly string[]): void {
  const field = findField(paths);
  if (field === null) return;
  for (let fold = field.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null) {
    fold.open = true;
  }
  field.focus();
}

/** Returns true where this screen has the field of a value. */
export function hasField(path: string): boolean {
  return findField([path]) !== null;
}

function findField(paths: readonly string[]): HTMLElement | null {
  const selectors = paths.map(CSS.escape).flatMap((path) => [`[name="${path}"]`, `[data-path="${path}"]`]);
  return selectors.length === 0 ? null : document.querySelector<HTMLElement>(`.settings-form :is(${selectors.join()})`);
}
