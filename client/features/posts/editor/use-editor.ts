import type { Delta } from 'quill';
import { useEffect, useRef, useState, type Dispatch, type RefObject, type SetStateAction } from 'react';
import { LOST_PART } from '../../../lib/lost-part.js';
import { showToast } from '../../../lib/toast.js';
import type { RemotePicture, RichTextEditorProps } from './editor-contract.js';
import { EditorSession, type EditorState } from './editor-session.js';
import type { VideoValue } from './html/values.js';
import { plainPicture, readPicture } from './pictures.js';
import type { PostClipboard } from './post-clipboard.js';
import type { PostUploader } from './post-uploader.js';
import { Uploads } from './uploads.js';
import type { ImageToDescribe } from './dialogs/image-dialog.js';

/** The question that is asked over the page. `index` is the place of what is edited; null for something new. */
export type Question =
  | { readonly kind: 'link'; readonly index: number; readonly length: number }
  | { readonly kind: 'video'; readonly index: number | null; readonly video: VideoValue | null }
  | { readonly kind: 'formula'; readonly index: number | null; readonly formula: string }
  | { readonly kind: 'footnote'; readonly index: number | null; readonly note: string }
  | { readonly kind: 'source'; readonly index: number; readonly html: string }
  | { readonly kind: 'definitions' }
  | { readonly kind: 'library' }
  | { readonly kind: 'image'; readonly index: number; readonly image: ImageToDescribe }
  | { readonly kind: 'upload'; readonly id: string; readonly place: string | null; readonly image: ImageToDescribe };

/** An editor that is in the page, and what sends its pictures. */
export interface LiveEditor {
  readonly session: EditorSession;
  readonly uploads: Uploads;
}

const nothing: EditorState = { formats: {}, mixed: new Set(), imageIndex: null, table: null, remoteCount: 0 };

/** Puts an editor into the place and takes it out again; gives what the toolbar and the dialogs show. */
export function useEditor(
  place: RefObject<HTMLElement | null>,
  toolbar: RefObject<HTMLElement | null>,
  props: RichTextEditorProps,
) {
  const [live, setLive] = useState<LiveEditor | null>(null);
  const latest = useRef(props);
  const [state, setState] = useState(nothing);
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  const [notice, setNotice] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const [isFetching, setIsFetching] = useState(false);

  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    const container = place.current?.appendChild(document.createElement('div'));
    if (container === undefined) return;
    const ask = (...asked: Question[]) => setQuestions((waiting) => [...waiting, ...asked]);
    const session = new EditorSession(container, latest.current.initialHtml, {
      onChange: (html, change) => latest.current.onChange(html, change),
      onState: setState,
      keys: {
        onLink: () => ask(linkQuestion(session)),
        onToolbar: () => toolbar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
        onObject: (index) => {
          const question = objectQuestion(session, index);
          if (question !== null) ask(question);
          return question !== null;
        },
      },
    });
    const forget = (id: string) =>
      setQuestions((waiting) => waiting.filter((question) => question.kind !== 'upload' || question.id !== id));
    const uploads = connectUploads(session, latest, { ask, forget, setNotice, setAnnouncement });
    const clipboard = session.quill.clipboard as PostClipboard;
    tellOfMarkdown(clipboard, setAnnouncement);
    const gone = new AbortController();
    clipboard.followDrags(gone.signal);
    const handleClick = (event: MouseEvent) => {
      // In what cannot be written in, links would lead away from the page.
      if (event.target instanceof Element && event.target.closest('.ql-figure a, .ql-preserved a'))
        event.preventDefault();
      const question = clickQuestion(session, event.target as Element);
      if (question !== null) ask(question);
    };
    session.quill.root.addEventListener('click', handleClick);
    // A picture that arrives, or leaves a link in its place, moves what somebody is being asked about.
    session.quill.on('text-change', (delta) => setQuestions((waiting) => waiting.map((each) => moved(each, delta))));
    setState({ ...nothing, remoteCount: session.remoteAddresses().length });
    setLive({ session, uploads });
    return () => {
      setLive(null);
      gone.abort();
      uploads.stop();
      container.remove();
    };
  }, [place, toolbar]);

  const fetchRemote = async () => {
    if (live === null || isFetching) return;
    setNotice(null);
    setIsFetching(true);
    const fetched = [...(await live.uploads.fetch(live.session.remoteAddresses()))];
    // Another text has taken its place meanwhile, which a change of this one would put away unseen.
    if (!live.session.quill.root.isConnected) return;
    setIsFetching(false);
    live.session.moveImages(new Map(fetched.flatMap(([from, to]) => (to instanceof Error ? [] : [[from, to]]))));
    const failures = fetched.flatMap(([from, to]) => (to instanceof Error ? [describeUnfetched(from, to)] : []));
    setNotice(failures.join(' ') || null);
    const count = fetched.length - failures.length;
    setAnnouncement(count === 1 ? 'One picture was fetched' : `${count} pictures were fetched`);
  };

  const endQuestion = () => setQuestions((waiting) => waiting.slice(1));
  const ask = (question: Question) => setQuestions((waiting) => [...waiting, question]);
  const question = questions[0] ?? null;

  // When the last dialog has gone, writing goes on.
  const wasAsked = useRef(false);
  useEffect(() => {
    if (wasAsked.current && question === null) live?.session.quill.focus();
    wasAsked.current = question !== null;
  }, [question, live]);
  return { live, state, question, ask, endQuestion, notice, announcement, isFetching, fetchRemote };
}

/** Channels by which the editor reports about pictures. */
interface Voices {
  readonly ask: (...questions: Question[]) => void;
  /** Takes the question about an upload back. */
  readonly forget: (id: string) => void;
  readonly setNotice: Dispatch<SetStateAction<string | null>>;
  readonly setAnnouncement: (announcement: string) => void;
}

/** Lets the editor send pictures, ask for their descriptions and say what became of them. */
function connectUploads(
  session: EditorSession,
  latest: RefObject<RichTextEditorProps>,
  { ask, forget, setNotice, setAnnouncement }: Voices,
): Uploads {
  const uploads = new Uploads(session.quill, {
    upload: (picture, options) => latest.current.onUploadImage(picture, options),
    onActiveChange: (isUploading) => latest.current.onUploadingChange?.(isUploading),
    onDone: (picture) => {
      showToast({ kind: 'success', title: 'Image uploaded successfully' });
      setAnnouncement(`${nameOf(picture)} uploaded`);
    },
    onFailed: (id, picture, title, message) => {
      showToast({ kind: 'error', title, text: message });
      forget(id);
      const failure = picture instanceof File ? describeFailed(picture, message) : describeLost(picture, message);
      // Of several pictures in a row, each is named.
      setNotice((before) => [before, failure].filter(Boolean).join(' '));
    },
  });
  session.standIn = (id) => uploads.standIn(id);
  session.onAfterChange = () => uploads.reconcile();
  (session.quill.uploader as PostUploader).connect(uploads, {
    onAdded: (added) => {
      setNotice(null);
      setAnnouncement(added.length === 1 ? 'Uploading a picture' : `Uploading ${added.length} pictures`);
      const files = added.flatMap(({ id, picture }) => (picture instanceof File ? { id, picture } : []));
      const place = (index: number) => (files.length === 1 ? null : `${index + 1} of ${files.length}`);
      ask(
        ...files.map(({ id, picture }, index): Question => {
          return { kind: 'upload', id, place: place(index), image: { picture, settings: plainPicture } };
        }),
      );
    },
    onRefused: (names) => setNotice(`Only JPEG, PNG, GIF, WebP and AVIF pictures can be used: ${names.join(', ')}`),
    onLost: setNotice,
  });
  return uploads;
}

function nameOf(picture: File | RemotePicture): string {
  return picture instanceof File ? picture.name : picture.address;
}

function describeFailed({ name }: File, message: string): string {
  return `${name} was not uploaded: ${message.replace(/\.?$/, '.')}`;
}

function describeLost({ address }: RemotePicture, message: string): string {
  return `A link stands in the place of the picture ${address}: ${message.replace(/\.?$/, '.')}`;
}

function describeUnfetched(address: string, { message }: Error): string {
  return `The picture ${address} was not fetched: ${message.replace(/\.?$/, '.')}`;
}

/** The question at its place after a change of the text. */
function moved(question: Question, delta: Delta): Question {
  if (!('index' in question) || question.index === null) return question;
  const index = delta.transformPosition(question.index);
  if (question.kind !== 'link') return { ...question, index };
  // What comes right behind the words is none of them.
  const end = delta.transformPosition(question.index + question.length, true);
  return { ...question, index, length: Math.max(0, end - index) };
}

/** Asks about the link under the cursor, or about a new one for the selection. */
export function linkQuestion(session: EditorSession): Question {
  return { kind: 'link', ...linkRange(session.quill, session.range()) };
}

type QuillOf = EditorSession['quill'];

/** The selection; with nothing selected, the whole link that the cursor is in. */
function linkRange(quill: QuillOf, { index, length }: { index: number; length: number }) {
  const [line, offset] = quill.getLine(index);
  if (length > 0 || line === null) return { index, length };
  const start = index - offset;
  // Each part of a link that looks another way is an element of its own.
  const links: { link: unknown; from: number; to: number }[] = [];
  let place = 0;
  for (const { insert, attributes } of quill.getContents(start, line.length()).ops) {
    const from = place;
    place += typeof insert === 'string' ? insert.length : 1;
    const [last, link] = [links.at(-1), attributes?.['link']];
    if (link !== undefined && last?.to === from && last.link === link) last.to = place;
    else if (link !== undefined) links.push({ link, from, to: place });
  }
  const found = links.find(({ from, to }) => (offset > from || offset === 0) && from <= offset && offset <= to);
  return found === undefined ? { index, length } : { index: start + found.from, length: found.to - found.from };
}

/** The question about the object at that place; null if there is none that can be edited. */
export function objectQuestion(session: EditorSession, index: number): Question | null {
  const object = session.objectAt(index);
  if (object === null) return null;
  const picture = readPicture(session.quill, index);
  if (picture !== null) {
    return { kind: 'image', index, image: { picture: picture.image.src, settings: picture.settings } };
  }
  if ('video' in object) return { kind: 'video', index, video: object['video'] as VideoValue };
  if ('formula' in object) return { kind: 'formula', index, formula: String(object['formula']) };
  if ('footnote' in object) return { kind: 'footnote', index, note: String(object['footnote']) };
  return 'preserved' in object ? { kind: 'source', index, html: String(object['preserved']) } : null;
}

/** A press on a picture or another object opens it; on a table or a video, it selects it first. */
function clickQuestion(session: EditorSession, target: Element): Question | null {
  const node = target.closest('.ql-editor img, .ql-figure, .ql-formula, .ql-footnote, .ql-video, .ql-preserved');
  const object = node?.closest('.ql-preserved') ?? node;
  if (!object) return null;
  const index = session.indexOf(object);
  if (index === null) return null;
  session.quill.setSelection(index, 1, 'user');
  return object.matches('.ql-preserved') ? null : objectQuestion(session, index);
}

/** Says what became of pasted Markdown. */
function tellOfMarkdown(clipboard: PostClipboard, announce: (text: string) => void): void {
  clipboard.onMarkdown = () => {
    showToast({ kind: 'success', title: 'Markdown was formatted', text: 'Undo brings back what was pasted.' });
    announce('The pasted Markdown was formatted. Undo brings back what was pasted.');
  };
  clipboard.onMarkdownLeft = () => {
    const text = `What was pasted stays as it is. ${LOST_PART}`;
    showToast({ kind: 'error', title: 'Markdown was not formatted', text });
  };
}
