import type Quill from 'quill';
import { Range } from 'quill';
import { at } from './uploads.js';

/**
 * The place for what code cannot hold, such as a picture or a note: a new line behind the block of code that the cursor is in,
 * where Quill would drop it without a word. So it would at a selection that ends in code, whose line it would come to stand in.
 * Any other selection stays as it is.
 */
export function leaveCode(quill: Quill, range: Range): Range {
  const isCode = (index: number) => quill.getFormat(index, 0)['code-block'] !== undefined;
  const place = [range.index, range.index + range.length].find(isCode);
  const line = place === undefined ? null : quill.getLine(place)[0];
  if (line === null) return range;
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
