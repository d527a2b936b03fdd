import { Parchment } from 'quill';

const { Attributor, Scope } = Parchment;

/** The number at which a numbered list starts. The style sheet counts from it. */
class ListStart extends Attributor {
  override add(node: HTMLElement, value: unknown): boolean {
    node.style.setProperty('--list-start', String(value));
    return super.add(node, value);
  }

  override remove(node: HTMLElement): void {
    node.style.removeProperty('--list-start');
    super.remove(node);
  }
}

/** Formats of a line that Quill does not have. */
export const lineFormats = [
  new ListStart('list-start', 'data-start', { scope: Scope.BLOCK }),
  // An empty line that only gives the cursor a place beside an object.
  new Attributor('filler', 'data-filler', { scope: Scope.BLOCK }),
];
