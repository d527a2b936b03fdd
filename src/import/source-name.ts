import { ImportSourceError } from './import.errors.js';

/** As long as a source's name may be. */
const MAX_NAME = 200;
/** Machines of those who write sites: everybody has them. */
const nobodysHost = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|.*\.localhost)(?::\d+)?$/;

/**
 * The name of a source that somebody typed in its one spelling. An address is named as `nameOfAddress` names it, so that it
 * makes no difference whether a person or a configuration says it.
 * @throws ImportSourceError for what is no name
 */
export function toSourceName(typed: string): string {
  const text = typed.normalize('NFC').trim().replace(/\s+/g, ' ');
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const host = /^[^/]*/.exec(address.replace(/^https?:\/\//i, ''))?.[0] ?? '';
  const isAddress = /^[^\s:@]+\.[^\s:@]+(?::\d+)?$/.test(host) && URL.canParse(address);
  const name = isAddress ? toName(new URL(address)) : text.replace(/\/+$/, '').toLowerCase();
  if (name === '' || name.length > MAX_NAME || /[#?]|\p{Cc}/u.test(name)) {
    throw new ImportSourceError(
      `'${typed.slice(0, MAX_NAME)}' is no name for a source: an address or a word, without # and ?, of at most ${MAX_NAME} characters`,
    );
  }
  return name;
}

/**
 * The name of a site by its address: host and path, whatever its scheme, its case and a slash at its end. Null for what
 * is no address on the web.
 */
export function nameOfAddress(address: string): string | null {
  const text = address.trim();
  if (!/^(?:https?:)?\/\//i.test(text) || !URL.canParse(text, 'https://unused.invalid')) return null;
  const url = new URL(text, 'https://unused.invalid');
  const name = toName(url);
  return nobodysHost.test(url.host) || name.length > MAX_NAME ? null : name;
}

/** The address of a site by the name of its source; null for a name that is a word. */
export function addressOfName(name: string): string | null {
  return /^[^/\s]+\.[^/\s]+(?:\/\S*)?$/.test(name) && URL.canParse(`https://${name}/`) ? `https://${name}/` : null;
}

function toName({ host, pathname }: URL): string {
  return (
    host.replace(/\.(?=:|$)/, '').replace(/:(?:80|443)$/, '') + pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  );
}

/** Returns the key of an item, which no item of another source has. */
export function keyInSource(format: string, name: string, itemKey: string): string {
  return `${kindOf(format)}:${name}#${itemKey}`;
}

/** The part of a post's key that names its source; keys of releases without names are their own. */
export function sourceOfKey(key: string): string {
  const end = key.indexOf('#');
  if (end >= 0) return key.slice(0, end);
  return /^(?:export|hosted):/.exec(key)?.[0] ?? key;
}

/** Rows are the same, whatever file they are in. */
function kindOf(format: string): string {
  return format === 'csv' || format === 'json' ? 'hosted' : format;
}
