import type Quill from 'quill';
import { Range } from 'quill';
import { at } from './uploads.js';

/**
 * The place for what code cannot hold, such as a picture or a note: a new line behind the block of code that the cursor is in,
 * where Quill would drop it without a word. Any other selection stays as it is.
 */
export function leaveCode(quill: Quill, range: Range): Range {
  const [line] = quill.getLine(range.index);
  if (line === null || quill.getFormat(range.index, 0)['code-block'] === undefined) return range;
  const end = line.parent.offset(quill.scroll) + line.parent.length();
  const language: unknown = quill.getFormat(end - 1, 0)['code-block'];
  quill.updateContents(
    [
      ...at(end - 1),
      { insert: '\n', attributes: { 'code-block': language } },
      { retain: 1, attributes: { 'code-block': null } },
    ],
    'user',
  );
  return new Range(end, 0);
}
