import { DomUtils, parseDocument } from 'htmlparser2';

type Document = ReturnType<typeof parseDocument>;

/** A page as a program that runs no scripts sees it. */
export class HtmlPage {
  private readonly document: Document;

  constructor(readonly source: string) {
    this.document = parseDocument(source);
  }

  /** Every element of that name, or whose name passes. */
  all(name: string | ((name: string) => boolean)) {
    return DomUtils.getElementsByTagName(name, this.document, true);
  }

  /** The text of the only element of that name. */
  text(name: string): string {
    const [element, ...others] = this.all(name);
    if (!element || others.length > 0) throw new Error(`Wanted one <${name}>, found ${this.all(name).length}`);
    return DomUtils.textContent(element);
  }

  /** The content of the meta element of that name or property, or undefined. */
  meta(name: string): string | undefined {
    return this.all('meta').find(({ attribs }) => attribs['name'] === name || attribs['property'] === name)?.attribs[
      'content'
    ];
  }

  /** The address of the link element of that relation, or undefined. */
  link(relation: string): string | undefined {
    return this.all('link').find(({ attribs }) => attribs['rel'] === relation)?.attribs['href'];
  }

  /** The structured data of the page. */
  jsonLd(): Record<string, unknown>[] {
    return this.all('script')
      .filter(({ attribs }) => attribs['type'] === 'application/ld+json')
      .map((script) => JSON.parse(DomUtils.textContent(script)) as Record<string, unknown>);
  }

  /** The texts of its script elements that hold JSON: structured data, and what the page starts with. */
  jsonTexts(): string[] {
    const scripts = this.all('script').filter(({ attribs }) => /\bjson$/.test(attribs['type'] ?? ''));
    return scripts.map((script) => DomUtils.textContent(script));
  }

  /** Returns the text that readers see without scripts. */
  visibleText(): string {
    return DomUtils.innerText(this.all('body'));
  }
}

/** Returns what a text looks like to a program that takes it for HTML. */
export function readHtml(text: string): string {
  return DomUtils.textContent(parseDocument(text));
}
