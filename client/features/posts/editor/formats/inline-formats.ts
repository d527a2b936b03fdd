import Inline from 'quill/blots/inline.js';
import Link from 'quill/formats/link.js';
import { extraTags } from '../html/inline-tags.js';
import { readLinkValue, toLinkValue } from '../html/values.js';

/** Schemes that a link may have (product.md 5.7); any other address becomes a blank one. */
export const LINK_PROTOCOLS = ['http', 'https', 'mailto', 'tel'] as const;

/** A link with its tooltip and whether it opens a window; the value is that of `toLinkValue`. */
export class PostLink extends Link {
  static override PROTOCOL_WHITELIST = [...LINK_PROTOCOLS];

  static override create(value: string): HTMLElement {
    const node = super.create(readLinkValue(value).href);
    writeTarget(node, value);
    return node;
  }

  static override formats(node: HTMLElement): string {
    return toLinkValue({
      href: node.getAttribute('href') ?? '',
      title: node.getAttribute('title') ?? '',
      opensWindow: node.getAttribute('target') === '_blank',
    });
  }

  override format(name: string, value: unknown): void {
    if (name !== PostLink.blotName || typeof value !== 'string' || value === '') {
      super.format(name, value);
      return;
    }
    super.format(name, readLinkValue(value).href);
    writeTarget(this.domNode, value);
  }
}

function writeTarget(node: HTMLElement, value: string): void {
  const { title, opensWindow } = readLinkValue(value);
  for (const name of ['title', 'rel', 'target']) node.removeAttribute(name);
  if (title !== '') node.setAttribute('title', title);
  if (!opensWindow) return;
  node.setAttribute('rel', 'noopener noreferrer');
  node.setAttribute('target', '_blank');
}

/** An abbreviation; the value is what it stands for, or 'true'. */
export class Abbreviation extends Inline {
  static override blotName = 'abbr';
  static override tagName = 'ABBR';

  static override create(value: unknown): HTMLElement {
    const node = super.create();
    if (typeof value === 'string' && value !== 'true') node.setAttribute('title', value);
    return node;
  }

  static override formats(node: HTMLElement): string {
    return node.getAttribute('title') ?? 'true';
  }
}

/** The inline elements of imported posts that have no button: what is marked with them stays so while it is edited. */
export const extraInlines = extraTags.map(
  (tag) =>
    class extends Inline {
      static override blotName = tag;
      static override tagName = tag.toUpperCase();
    },
);
