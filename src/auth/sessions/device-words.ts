import Bowser from 'bowser';

/** A browser and its system in words; null for what is not known. */
export interface DeviceWords {
  /** Like `Firefox`. */
  readonly browser: string | null;
  /** Like `Windows`. */
  readonly system: string | null;
}

const KNOWN_BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const KNOWN_SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));
/** Real ones have about a hundred characters. */
const LONGEST_AGENT = 1000;

/** Reads a header User-Agent. The words are never the sender's own: strangers cannot write into screens and mails. */
export function describeDevice(userAgent: string | null | undefined): DeviceWords {
  if (!userAgent) return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent.slice(0, LONGEST_AGENT));
  return { browser: knownOf(KNOWN_BROWSERS, browser.name), system: knownOf(KNOWN_SYSTEMS, os.name) };
}

function knownOf(known: ReadonlySet<string>, word: string | undefined): string | null {
  return word !== undefined && known.has(word) ? word : null;
}
