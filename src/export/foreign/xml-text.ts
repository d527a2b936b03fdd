import { cleanCharacters } from '../../shared/clean-characters.js';

/**
 * Text for an element, whatever is in it: signs that no XML can hold are left out, and what would end the section
 * is cut in two.
 */
export function cdata(text: string): string {
  return `<![CDATA[${cleanCharacters(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Text without a section around it, for addresses and values of attributes. */
export function escapeXml(text: string): string {
  return cleanCharacters(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** An element with text in it. */
export function element(name: string, text: string): string {
  return `<${name}>${cdata(text)}</${name}>`;
}

/** An element with a number, an address or one of few words. */
export function fact(name: string, text: string | number): string {
  return `<${name}>${escapeXml(String(text))}</${name}>`;
}

/** An element of the form in which WordPress exports its custom fields. */
export function customField(key: string, value: string): string {
  return `<wp:postmeta>${element('wp:meta_key', key)}${element('wp:meta_value', value)}</wp:postmeta>`;
}
