import Quill from 'quill';
import { CodeColors, CodeContainer } from './code-colors.js';
import { Abbreviation, extraInlines, PostLink } from './inline-formats.js';
import { lineFormats } from './line-formats.js';
import { Divider, PostFormula, PostImage, PostVideo, PreservedBlock, SoftBreak, UploadPlace } from './objects.js';
import { extraTags } from '../html/inline-tags.js';

/** Every format that a post may have; Quill's own tables, for one, are not among them. */
export const formats: readonly string[] = [
  ...['bold', 'italic', 'underline', 'strike', 'link', 'code', 'script', 'color', 'background', 'font', 'size'],
  ...['header', 'list', 'blockquote', 'code-block', 'align', 'indent', 'direction'],
  ...['image', 'video', 'formula', 'divider', 'soft-break', 'upload', 'preserved'],
  ...['code-token', 'abbr', ...extraTags, ...lineFormats.map(({ attrName }) => attrName)],
];

let isDone = false;

/** Makes the formats known to Quill, once. */
export function registerFormats(): void {
  if (isDone) return;
  isDone = true;
  Quill.register({ 'modules/syntax': CodeColors }, true);
  const own = [PostLink, Abbreviation, ...extraInlines, ...lineFormats, PostImage, PostFormula, SoftBreak, UploadPlace];
  for (const format of [...own, Divider, PostVideo, PreservedBlock, CodeContainer])
    Quill.register(format as never, true);
}
