import { FormulaDialog } from './dialogs/formula-dialog.js';
import { ImageDialog } from './dialogs/image-dialog.js';
import { LinkDialog } from './dialogs/link-dialog.js';
import { BlockDialog } from './dialogs/block-dialog.js';
import { FootnoteDialog } from './dialogs/footnote-dialog.js';
import { VideoDialog } from './dialogs/video-dialog.js';
import type { RichTextEditorProps } from './editor-contract.js';
import type { EditorSession } from './editor-session.js';
import { readLinkValue, toLinkValue, type LinkTarget } from './html/values.js';
import { leaveCode } from './leave-code.js';
import { canBeFigure, savePicture } from './pictures.js';
import { at } from './uploads.js';
import type { LiveEditor, Question } from './use-editor.js';

/** A term and its definition, to be filled in. */
const NO_DEFINITIONS = '<dl><dt><br></dt><dd><br></dd></dl>';

interface QuestionsProps {
  readonly question: Question;
  readonly live: LiveEditor;
  readonly ImagePicker: RichTextEditorProps['ImagePicker'];
  readonly onEnd: () => void;
}

/** The dialog that asks the question, and what its answer does to the text. */
export function Questions({ question, live: { session, uploads }, ImagePicker, onEnd }: QuestionsProps) {
  const then = (change: () => void) => {
    change();
    onEnd();
  };
  switch (question.kind) {
    case 'link':
      return (
        <LinkDialog
          link={currentLink(session, question)}
          asksText={question.length === 0}
          onSave={(link, text) => then(() => saveLink(session, question, link, text))}
          onRemove={() => then(() => session.quill.formatText(question.index, question.length, 'link', false, 'user'))}
          onCancel={onEnd}
        />
      );
    case 'video':
      return (
        <VideoDialog
          video={question.video}
          onSave={(video) => then(() => saveObject(session, question.index, { video }))}
          onCancel={onEnd}
        />
      );
    case 'formula':
      return (
        <FormulaDialog
          formula={question.formula}
          onSave={(formula) => then(() => saveObject(session, question.index, { formula }))}
          onCancel={onEnd}
        />
      );
    case 'footnote':
      return (
        <FootnoteDialog
          note={question.note}
          onSave={(footnote) => then(() => saveObject(session, question.index, { footnote }))}
          onRemove={() => then(() => saveObject(session, question.index, null))}
          onCancel={onEnd}
        />
      );
    case 'source':
      return (
        <BlockDialog
          html={question.html}
          onSave={(html) => then(() => saveObject(session, question.index, html === '' ? null : { preserved: html }))}
          onCancel={onEnd}
        />
      );
    case 'definitions':
      return (
        <BlockDialog
          html={NO_DEFINITIONS}
          isNew
          onSave={(html) => then(() => (html === '' ? undefined : saveObject(session, null, { preserved: html })))}
          onCancel={onEnd}
        />
      );
    case 'library':
      return ImagePicker ? (
        <ImagePicker
          onChoose={({ url, alt }) =>
            then(() => saveObject(session, null, { image: { src: url, alt, isDecorative: false } }))
          }
          onClose={onEnd}
        />
      ) : null;
    case 'image':
      return (
        <ImageDialog
          key={typeof question.image.picture === 'string' ? question.image.picture : null}
          image={question.image}
          place={null}
          canBeFigure={canBeFigure(session.quill, question.index)}
          onSave={(settings) => then(() => savePicture(session.quill, question.index, settings))}
          onCancel={onEnd}
        />
      );
    case 'upload':
      return (
        <ImageDialog
          key={question.id}
          image={question.image}
          place={question.place}
          canBeFigure={uploads.canBeFigure(question.id)}
          onSave={(settings) => then(() => uploads.describe(question.id, settings))}
          onCancel={onEnd}
        />
      );
  }
}

interface Place {
  readonly index: number;
  readonly length: number;
}

function currentLink(session: EditorSession, { index, length }: Place): LinkTarget | null {
  const { link } = session.quill.getFormat(index, length);
  return typeof link === 'string' ? readLinkValue(link) : null;
}

function saveLink({ quill }: EditorSession, { index, length }: Place, link: LinkTarget, text: string): void {
  const value = toLinkValue(link);
  if (length > 0) {
    quill.formatText(index, length, 'link', value, 'user');
    quill.setSelection(index + length, 0, 'silent');
    return;
  }
  const words = text || link.href.replace(/^(?:mailto|tel):/, '');
  quill.insertText(index, words, { link: value }, 'user');
  quill.setSelection(index + words.length, 0, 'silent');
  // What is typed next is no part of the link.
  quill.format('link', false, 'silent');
}

/** Puts an object into the place of another one, or where the cursor is; null only takes the other one away. */
function saveObject(session: EditorSession, index: number | null, object: Record<string, unknown> | null): void {
  const { quill } = session;
  quill.history.cutoff();
  const range = index === null ? leaveCode(quill, session.range()) : { index, length: 1 };
  const attributes = index === null ? undefined : quill.getContents(index, 1).ops[0]?.attributes;
  const insert = object === null ? [] : [{ insert: object, ...(attributes === undefined ? {} : { attributes }) }];
  quill.updateContents(
    [...at(range.index), ...insert, ...(range.length > 0 ? [{ delete: range.length }] : [])],
    'user',
  );
  quill.history.cutoff();
  quill.setSelection(range.index + insert.length, 0, 'silent');
}
