import { useCallback, useImperativeHandle, useLayoutEffect, useRef, useState, type ChangeEvent } from 'react';
import { Button } from '../../../components/button.js';
import { Notice } from '../../../components/notice.js';
import type { RichTextEditorProps } from './editor-contract.js';
import stylesUrl from './editor.css?url';
import { indent } from './key-bindings.js';
import { IMAGE_TYPES } from './paste/data-image.js';
import { Questions } from './questions.js';
import { Toolbar, type ToolbarActions } from './toolbar.js';
import { linkQuestion, objectQuestion, useEditor, type LiveEditor } from './use-editor.js';
import { changeTable, insertTable } from './tables/table-actions.js';
import { setStop } from './use-roving-focus.js';

/** The editor itself: see `RichTextEditor`. */
export function QuillEditor(props: RichTextEditorProps) {
  const { id, label, isRequired = false, describedBy, isInvalid = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const editor = useEditor(place, toolbar, props);
  const { live, state, question, ask, endQuestion, notice, announcement } = editor;
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  useHandle(props, editor);
  /** The ref of a button that goes once its work is done: whoever pressed it goes on in the text. */
  const leadIntoText = useCallback(
    (button: HTMLButtonElement | null) => () => {
      // Called while the button is still in the page.
      if (button?.contains(document.activeElement)) live?.session.quill.focus();
    },
    [live],
  );

  useLayoutEffect(() => {
    if (toolbar.current !== null) setStop(toolbar.current);
  });

  // The text box is made by Quill; what assistive technology needs to know of it is set on it.
  useLayoutEffect(() => {
    const box = place.current?.querySelector('.ql-editor');
    if (!box) return;
    const attributes: Record<string, string | null> = {
      id,
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-labelledby': `${id}-label`,
      'aria-describedby': [describedBy, `${id}-keys`].filter(Boolean).join(' '),
      'aria-required': isRequired ? 'true' : null,
      'aria-invalid': isInvalid ? 'true' : null,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) box.removeAttribute(name);
      else box.setAttribute(name, value);
    }
    box.classList.add('prose');
  });

  const withSession = (act: (current: LiveEditor) => void) => () => {
    if (live !== null) act(live);
  };
  const actions: ToolbarActions = {
    format: (name, value) => live?.session.format(name, value),
    setLanguage: (language) => withSession(({ session }) => setLanguage(session, language))(),
    indent: (direction) => withSession(({ session }) => indent(session.quill, session.range(), direction))(),
    clean: withSession(({ session }) => session.clearFormats()),
    undo: withSession(({ session }) => session.quill.history.undo()),
    redo: withSession(({ session }) => session.quill.history.redo()),
    openLink: withSession(({ session }) => ask(linkQuestion(session))),
    chooseImages: () => files.current?.click(),
    openLibrary: props.ImagePicker ? () => ask({ kind: 'library' }) : null,
    describeImage: withSession(({ session }) => {
      const asked = objectQuestion(session, state.imageIndex ?? -1);
      if (asked !== null) ask(asked);
    }),
    openVideo: () => ask({ kind: 'video', index: null, video: null }),
    openFormula: () => ask({ kind: 'formula', index: null, formula: '' }),
    openFootnote: () => ask({ kind: 'footnote', index: null, note: '' }),
    openDefinitions: () => ask({ kind: 'definitions' }),
    insertDivider: withSession(({ session }) => session.insertDivider()),
    insertTable: withSession(({ session }) => {
      insertTable(session.quill, session.range());
      session.quill.focus();
    }),
    changeTable: (action) =>
      withSession(({ session }) => {
        changeTable(session.quill, session.range(), action);
        // The tools go with the table.
        if (session.quill.getFormat(session.range())['table'] === undefined) session.quill.focus();
      })(),
    leave: withSession(({ session }) => session.quill.focus()),
  };
  const handleFiles = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(target.files ?? [])];
    target.value = '';
    withSession(({ session }) => session.quill.uploader.upload(session.range(), chosen))();
  };
  return (
    <div className="field editor-field">
      <link rel="stylesheet" href={stylesUrl} precedence="default" />
      <label id={`${id}-label`} htmlFor={id} onClick={actions.leave}>
        {label}
        {isRequired ? (
          <span className="field-mark" aria-hidden="true">
            {' '}
            *
          </span>
        ) : null}
      </label>
      <div className="editor" data-invalid={isInvalid || undefined}>
        <Toolbar
          controls={id}
          label={`${label}: formatting`}
          state={state}
          actions={actions}
          isMoreOpen={isMoreOpen}
          onMore={() => setIsMoreOpen(!isMoreOpen)}
          ref={toolbar}
        />
        {/* The editor would take what a translation puts there for what was typed, or for deleted. */}
        <div ref={place} className="editor-place notranslate" translate="no" />
      </div>
      <p className="field-hint" id={`${id}-keys`}>
        Alt + F10 leads to the tools, Escape back into the text. Tab leaves the text; in a table it goes from cell to
        cell.
      </p>
      {state.remoteCount > 0 ? (
        <Notice>
          <p>
            {state.remoteCount === 1
              ? 'A picture of this text is on another site: readers get a link to it.'
              : `${state.remoteCount} pictures of this text are on other sites: readers get links to them.`}
          </p>
          <div className="row">
            <Button
              ref={leadIntoText}
              kind="line"
              isSmall
              // Not disabled: the focus would be lost.
              aria-disabled={editor.isFetching}
              onClick={() => void editor.fetchRemote()}
            >
              {editor.isFetching ? 'Fetching...' : 'Fetch them'}
            </Button>
          </div>
        </Notice>
      ) : null}
      <div role="alert">{notice === null ? null : <Notice kind="error">{notice}</Notice>}</div>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      <input
        ref={files}
        type="file"
        accept={IMAGE_TYPES.join(',')}
        multiple
        hidden
        aria-label="Pictures"
        onChange={handleFiles}
      />
      {question !== null && live !== null ? (
        <Questions question={question} live={live} ImagePicker={props.ImagePicker} onEnd={endQuestion} />
      ) : null}
    </div>
  );
}

type Session = LiveEditor['session'];

/** A block of code has one language: all of its lines get it. */
function setLanguage(session: Session, language: string): void {
  const { index, length } = session.range();
  for (const line of session.quill.getLines(index, Math.max(1, length))) {
    if (line.parent.statics.blotName !== 'code-block-container') continue;
    const start = line.parent.offset(session.quill.scroll);
    session.quill.formatLine(start, line.parent.length(), 'code-block', language, 'user');
  }
}

function useHandle({ ref, initialHtml }: RichTextEditorProps, { live, ask }: ReturnType<typeof useEditor>): void {
  useImperativeHandle(ref, () => {
    const missing = () => (live?.session.images() ?? []).filter(({ image }) => image.alt === '' && !image.isDecorative);
    return {
      focus: () => live?.session.quill.focus(),
      getHtml: () => live?.session.getHtml() ?? initialHtml,
      setHtml: (html) => live?.session.setHtml(html),
      imagesWithoutAlternative: () => missing().map(({ image, index }) => ({ url: image.src, index })),
      focusPlace: (place) => {
        live?.session.quill.focus();
        const found = live?.session.findPlace(place);
        if (!found) return;
        live?.session.quill.setSelection(found.index, found.length, 'user');
        if (!('table' in place)) return live?.session.quill.scrollSelectionIntoView();
        // A table is shown from its head on, however long it is.
        live?.session.quill.root.querySelectorAll('table')[place.table]?.scrollIntoView({ block: 'start' });
      },
      focusImage: ({ index }) => {
        if (live === null) return;
        const { session } = live;
        session.quill.setSelection(index, 1, 'user');
        session.quill.scrollSelectionIntoView();
        const asked = objectQuestion(session, index);
        if (asked !== null) ask(asked);
      },
    };
  }, [live, ask, initialHtml]);
}
