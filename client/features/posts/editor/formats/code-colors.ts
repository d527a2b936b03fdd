import Quill, { type Delta, type Parchment } from 'quill';
import Syntax, { CodeBlock } from 'quill/modules/syntax.js';
import { highlightCode } from '../../../../../src/shared/highlight-code.js';
import { parseHtml } from '../../../../lib/parse-html.js';
import { PLAIN_LANGUAGE } from '../html/read-block.js';
import { keepFocus } from '../keep-focus.js';

type Highlight = (text: string, language: string) => Delta;

/** The needed part of the container class, which the module does not export. */
interface Container extends Parchment.ContainerBlot {
  highlight(highlight: Highlight, forced?: boolean): void;
}
const ContainerClass = CodeBlock.requiredContainer as unknown as new (
  scroll: Parchment.ScrollBlot,
  node: Node,
) => Container;

/** The lines of one block of code: neighboring blocks in different languages stay apart. */
export class CodeContainer extends ContainerClass {
  override checkMerge(): boolean {
    const next = this.next as Container | null;
    return super.checkMerge() && languageOf(this.children.tail) === languageOf(next?.children.head ?? null);
  }

  override highlight(highlight: Highlight, forced?: boolean): void {
    super.highlight(() => this.colorByLanguage(highlight), forced);
  }

  /** Every line in its own language, or the first one's would be written over the others. */
  private colorByLanguage(highlight: Highlight): Delta {
    const DeltaClass = Quill.import('delta');
    let delta = new DeltaClass();
    let run = { text: '', language: languageOf(this.children.head) };
    this.children.forEach((line) => {
      const language = languageOf(line);
      if (language !== run.language) {
        delta = delta.concat(highlight(run.text, run.language));
        run = { text: '', language };
      }
      run.text += `${line.domNode.textContent ?? ''}\n`;
    });
    return delta.concat(highlight(run.text, run.language));
  }
}

function languageOf(line: Parchment.Blot | null): string {
  return line?.domNode instanceof HTMLElement ? (line.domNode.dataset['language'] ?? PLAIN_LANGUAGE) : PLAIN_LANGUAGE;
}

/**
 * Colors code after a pause in typing with the same highlighter as the published page. The language is chosen in the
 * toolbar, not in a list inside the text.
 */
export class CodeColors extends Syntax {
  override initListener(): void {
    // Quill would put an unlabeled list of languages into every block.
  }

  /** Called a moment after each change, when somebody may have gone on to a tool. */
  override highlight(...parameters: Parameters<Syntax['highlight']>): void {
    keepFocus(this.quill, () => super.highlight(...parameters));
  }

  override highlightBlot(text: string, language: string = PLAIN_LANGUAGE): Delta {
    const DeltaClass = Quill.import('delta');
    const delta = new DeltaClass();
    const addText = (part: string, token: string | null) => {
      part.split('\n').forEach((line, index) => {
        // The language stays as it was written, also one that has no colors here.
        if (index > 0) delta.insert('\n', { 'code-block': language });
        if (line !== '') delta.insert(line, token === null ? {} : { 'code-token': token });
      });
    };
    const walk = (node: Node, token: string | null) => {
      if (node.nodeType === Node.TEXT_NODE) addText(node.nodeValue ?? '', token);
      else for (const child of node.childNodes) walk(child, tokenOf(child) ?? token);
    };
    const html = highlightCode(text, language);
    if (html === null) addText(text, null);
    else walk(parseHtml(html), null);
    return delta;
  }
}

function tokenOf(node: Node): string | null {
  return node instanceof Element ? (/\bhljs-([a-z_-]+)/.exec(node.className)?.[1] ?? null) : null;
}
