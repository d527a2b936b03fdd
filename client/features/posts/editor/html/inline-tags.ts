/** Inline elements that are a format of the editor and say nothing but themselves, from the outermost to the innermost. */
export const plainTags: readonly (readonly [format: string, tag: string])[] = [
  ['bold', 'strong'],
  ['italic', 'em'],
  ['underline', 'u'],
  ['strike', 's'],
  ['del', 'del'],
  ['ins', 'ins'],
  ['mark', 'mark'],
  ['small', 'small'],
  ['cite', 'cite'],
  ['q', 'q'],
  ['kbd', 'kbd'],
  ['samp', 'samp'],
  ['var', 'var'],
  ['code', 'code'],
];

/** Those of {@link plainTags} that the editor does not bring itself. */
export const extraTags = ['del', 'ins', 'mark', 'small', 'cite', 'q', 'kbd', 'samp', 'var'] as const;
