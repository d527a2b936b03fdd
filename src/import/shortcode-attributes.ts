/** The attributes of a shortcode, after its name. */
export interface ShortcodeAttributes {
  readonly attributes: ReadonlyMap<string, string>;
  /** Attributes without a name. */
  readonly values: readonly string[];
}

/**
 * Reads the attributes of a shortcode.
 * @param pattern global; its first group is the name, and of the others one holds the value
 */
export function readShortcodeAttributes(written: string, pattern: RegExp): ShortcodeAttributes {
  const attributes = new Map<string, string>();
  const values: string[] = [];
  for (const match of written.matchAll(pattern)) {
    const [, name, ...texts]: (string | undefined)[] = match;
    const value = texts.find((text) => text !== undefined) ?? '';
    if (name === undefined) values.push(value);
    else attributes.set(name.toLowerCase(), value);
  }
  return { attributes, values };
}
