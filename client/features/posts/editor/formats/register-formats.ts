import Quill from 'quill';
import { CodeColors, CodeContainer } from './code-colors.js';
import { Abbreviation, extraInlines, PostLink } from './inline-formats.js';
import { lineFormats } from './line-formats.js';
import {
  Divider,
  PostFigure,
  PostFootnote,
  PostFormula,
  PostImage,
  PostVideo,
  PreservedBlock,
  SoftBreak,
  UploadPlace,
} from './objects.js';
import { registerTables } from './table.js';
import { extraTags } from '../html/inline-tags.js';

/** Every format that a post may have. */
export const formats: readonly string[] = [
  ...['bold', 'italic', 'underline', 'strike', 'link', 'code', 'script', 'color', 'background', 'font', 'size'],
  ...['header', 'list', 'blockquote', 'code-block', 'align', 'indent', 'direction', 'table'],
  ...['image', 'figure', 'video', 'formula', 'footnote', 'divider', 'soft-break', 'upload', 'preserved'],
  ...['code-token', 'abbr', ...extraTags, ...lineFormats.map(({ attrName }) => attrName)],
];

let isDone = false;

/** Makes the formats known to Quill, once. */
export function registerFormats(): void {
  if (isDone) return;
  isDone = true;
  Quill.register({ 'modules/syntax': CodeColors }, true);
  registerTables();
  const own = [
    PostLink,
    Abbreviation,
    ...extraInlines,
    ...lineFormats,
    PostImage,
    PostFormula,
    PostFootnote,
    SoftBreak,
    UploadPlace,
  ];
  for (const format of [...own, Divider, PostFigure, PostVideo, PreservedBlock, CodeContainer])
    Quill.register(format as never, true);
}
