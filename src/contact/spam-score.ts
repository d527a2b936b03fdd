/** Texts of each kind that are needed before words say anything. */
const ENOUGH = 10;
/** As many of the most telling words decide; more of them would let a long text drown what gives it away. */
const TELLING = 15;
/** From this on, an enquiry looks like spam. */
const LIMIT = 0.95;
/** As much of a text is looked at, in characters. */
const BEGINNING = 2000;

/** Texts that administrators have decided about, by their decision. */
export interface DecidedTexts {
  readonly spam: readonly string[];
  readonly genuine: readonly string[];
}

/**
 * Returns true if the words of a text are those of spam: a naive Bayes classifier over the words that it shares with
 * texts that people have decided about. It says false until there are ten of each kind.
 */
export function looksLikeSpam(text: string, { spam, genuine }: DecidedTexts): boolean {
  if (spam.length < ENOUGH || genuine.length < ENOUGH) return false;
  const inSpam = countTexts(spam);
  const inGenuine = countTexts(genuine);
  const odds = [...wordsOf(text)]
    .map((word) => logOdds(inSpam.get(word) ?? 0, spam.length, inGenuine.get(word) ?? 0, genuine.length))
    .sort((one, other) => Math.abs(other) - Math.abs(one))
    .slice(0, TELLING)
    .reduce((sum, each) => sum + each, 0);
  return 1 / (1 + Math.exp(-odds)) > LIMIT;
}

/** Says by how much a word speaks for spam; a word that was never seen says nothing, a rare one little. */
function logOdds(spamCount: number, spamTexts: number, genuineCount: number, genuineTexts: number): number {
  const share = (count: number, texts: number) => (count + 0.5) / (texts + 1);
  const seen = spamCount + genuineCount;
  return (Math.log(share(spamCount, spamTexts) / share(genuineCount, genuineTexts)) * seen) / (seen + 1);
}

/** In how many of the texts each word stands. */
function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The words of the beginning of a text, each once; the parts of addresses of pages are words too. */
function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .slice(0, BEGINNING)
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{M}\p{N}]{3,40}/gu),
  );
}
