import { closing, headOf, text } from './common-fields.js';

/** The fields at the head and the end of a legal page. */
export const legalHead = (title: string, description: string, summary: string) =>
  ({
    ...headOf(title, description),
    summary: text('Summary', summary),
    ...closing('A question about this page?', 'Ask us, and a person will answer.'),
  }) as const;

/** The parts of a legal page. */
export const legalSection = {
  kind: 'list',
  label: 'Sections',
  entry: 'section',
  min: 1,
  of: {
    title: { kind: 'line', label: 'Heading', limit: 120 },
    body: { kind: 'rich', label: 'Text', limit: 8000 },
  },
} as const;
