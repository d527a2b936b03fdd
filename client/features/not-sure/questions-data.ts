import type { Doubt } from '../../../src/shared/contracts/page-texts/not-sure.js';
import type { JsonLd } from '../../lib/head.js';
import { CONTEXT } from '../../lib/structured-data.js';

/** Doubts as the questions that they are, with their answers. */
export function toQuestions(doubts: readonly Doubt[]): JsonLd {
  return {
    '@context': CONTEXT,
    '@type': 'FAQPage',
    mainEntity: doubts.map(({ doubt, short, answer }) => ({
      '@type': 'Question',
      name: doubt,
      acceptedAnswer: { '@type': 'Answer', text: `${short} ${answer}` },
    })),
  };
}
