import katex from 'katex';

/** Longest TeX source of a formula, in UTF-16 units; the sanitizer cuts there. */
export const MAX_FORMULA = 2000;

/** A formula as HTML, or why it is none. */
export type RenderedFormula =
  | { readonly html: string; readonly error: null }
  | { readonly html: null; readonly error: string };

/**
 * TeX as MathML, which browsers draw and screen readers read without any font, style sheet or script of ours. Commands
 * that could link, load or style are refused, and macros that multiply themselves are stopped.
 */
export function renderFormula(source: string): RenderedFormula {
  if (source.length > MAX_FORMULA) return { html: null, error: `Longer than ${MAX_FORMULA} characters.` };
  try {
    const html = katex.renderToString(source, {
      output: 'mathml',
      throwOnError: true,
      trust: false,
      strict: false,
      maxExpand: 200,
      maxSize: 20,
    });
    return { html, error: null };
  } catch (error) {
    // Anything else than a parse error is a bug of the library; a post must still be shown.
    const message = error instanceof Error ? error.message : String(error);
    return { html: null, error: message.replace(/^KaTeX parse error: /, '') };
  }
}
