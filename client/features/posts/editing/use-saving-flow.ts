import { useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { editorMessages } from '../../../content/post-editor.js';
import { rulesInTime } from '../../../lib/patience.js';
import { showToast } from '../../../lib/toast.js';
import type { RichTextEditorHandle } from '../editor/editor-contract.js';
import type { FormView } from './editor-parts.js';
import type { UndescribedPicture } from './pictures-dialog.js';
import type { PostApi } from './post-api.js';
import { firstProblem, type PostProblems, type ProblemField } from './post-problems.js';
import { isToBePublished } from './publication.js';
import type { SaveOutcome, Saver } from './saver.js';
import type { Answer } from './saving-state.js';

/** A step that waits until somebody has said what the pictures show. */
interface Question {
  readonly pictures: readonly UndescribedPicture[];
  readonly actionLabel: string;
  readonly proceed: () => void;
}

interface SavingFlowParts {
  readonly saver: Saver;
  readonly api: PostApi;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly editor: RefObject<RichTextEditorHandle | null>;
  /** Shows the part of the form on small screens that has a field. */
  readonly onShow: (view: FormView) => void;
  /** The post was saved and nothing was typed meanwhile. */
  readonly onSaved: (saved: Extract<SaveOutcome, { kind: 'saved' }>) => void;
}

/** Shows a failure over the page. */
export function showFailure(text: string): void {
  showToast({ kind: 'error', title: editorMessages.error, text });
}

/** Describes a change that failed; null when it succeeded, or when a dialog tells. */
export function describeAnswer(answer: Answer): string | null {
  switch (answer.kind) {
    case 'done':
    case 'conflict':
      return null;
    case 'signed-out':
      return editorMessages.signedOut;
    case 'unreachable':
      return editorMessages.unreachable;
    case 'outdated':
      return editorMessages.outdated;
    case 'refused':
    case 'failed':
      return answer.message;
  }
}

/** From pressing 'Save Post' to the end: the rules, the pictures, the request, and what is told of its answer. */
export function useSavingFlow({ saver, api, form, editor, onShow, onSaved }: SavingFlowParts) {
  const [problems, setProblems] = useState<PostProblems>({});
  const [question, setQuestion] = useState<Question | null>(null);
  const [freeSlug, setFreeSlug] = useState<string | null>(null);
  const afterSave = useRef<(() => void) | null>(null);
  const hasToldFailure = useRef(false);

  // While the server is there: it may be gone when somebody saves.
  useEffect(() => void loadRules(), []);

  const showField = (field: ProblemField) => focusField(field, onShow, form.current, editor.current);

  const showProblems = (found: PostProblems): string | undefined => {
    // The messages have to be there before the focus, which makes a screen reader read them.
    const first = firstProblem(found);
    flushSync(() => setProblems(found));
    if (first) showField(first);
    return first && found[first];
  };

  const isValid = async (): Promise<boolean> => {
    const rules = await loadRules();
    const { fields, date } = saver.getState();
    // Without them the server says what is wrong.
    const found = rules?.checkPost(fields, date);
    if (!found) {
      setProblems({});
      return true;
    }
    showToast({ kind: 'error', title: editorMessages.validation, text: showProblems(found) ?? '' });
    return false;
  };

  const askForPictures = (actionLabel: string, proceed: () => void): void => {
    const pictures = findUndescribed(saver, editor.current);
    if (pictures.length === 0) return proceed();
    setQuestion({ pictures, actionLabel, proceed });
  };

  const sendNow = (then: (() => void) | null) => {
    afterSave.current = then;
    hasToldFailure.current = false;
    saver.save();
  };

  const handleSave = async () => {
    if (!(await isValid())) return;
    if (isToBePublished(saver.getState())) askForPictures('Publish', () => sendNow(null));
    else sendNow(null);
  };

  /** Checks a post as for publishing, saves what is not saved, and goes on. */
  const prepare = async (actionLabel: string, isSaveNeeded: boolean, then: () => void) => {
    if (!(await isValid())) return;
    askForPictures(actionLabel, () => (isSaveNeeded ? sendNow(then) : then()));
  };

  const tellFailureOnce = (text: string) => {
    if (!hasToldFailure.current) showFailure(text);
    hasToldFailure.current = true;
  };

  const handleOutcome = (outcome: SaveOutcome) => {
    switch (outcome.kind) {
      case 'saved': {
        const then = afterSave.current;
        afterSave.current = null;
        if (then) return then();
        return outcome.isWhole ? onSaved(outcome) : undefined;
      }
      case 'refused': {
        afterSave.current = null;
        setFreeSlug(outcome.freeSlug ?? null);
        showProblems(toProblems(outcome.fields));
        return showFailure(outcome.message);
      }
      case 'conflict':
        afterSave.current = null;
        return;
      case 'signed-out':
        api.ensureSession().then(
          () => saver.signedIn(),
          () => tellFailureOnce(editorMessages.signedOut),
        );
        return;
      case 'unreachable':
      case 'outdated':
      case 'failed':
        return tellFailureOnce(describeAnswer(outcome) ?? '');
    }
  };

  useOutcomes(saver, handleOutcome);
  return { problems, setProblems, showField, freeSlug, question, setQuestion, handleSave, prepare };
}

/** The validator, which nobody waits for to see the form; null when it cannot be had in time. */
const loadRules = () => rulesInTime(import('./post-rules.js'));

/** Calls the handler of the latest rendering for each answer to a save by hand. */
function useOutcomes(saver: Saver, handle: (outcome: SaveOutcome) => void): void {
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  });
  useEffect(() => saver.onOutcome((outcome) => latest.current(outcome)), [saver]);
}

/** Puts the focus into a field, wherever it is in the form. */
function focusField(
  field: ProblemField,
  onShow: (view: FormView) => void,
  form: HTMLFormElement | null,
  editor: RichTextEditorHandle | null,
): void {
  flushSync(() => onShow(field === 'title' || field === 'content' ? 'text' : 'side'));
  if (field === 'content') return editor?.focus();
  const input = form?.querySelector<HTMLElement>(`[name="${field}"]`);
  // Nothing in a closed part of the form can have the focus.
  input?.closest('details')?.setAttribute('open', '');
  input?.focus({ preventScroll: true });
  // Away from the edges, where messages and bars are.
  input?.scrollIntoView({ block: 'center' });
}

function toProblems(fields: Readonly<Record<string, readonly string[]>> = {}): PostProblems {
  return Object.fromEntries(Object.entries(fields).map(([field, messages]) => [field, messages[0]]));
}

function findUndescribed(saver: Saver, editor: RichTextEditorHandle | null): UndescribedPicture[] {
  const { image_url, image_alt } = saver.getState().fields;
  const inText = editor?.imagesWithoutAlternative() ?? [];
  return [
    ...inText.map((image): UndescribedPicture => ({ place: 'text', image, url: image.url })),
    ...(image_url !== '' && image_alt === null ? [{ place: 'featured', url: image_url } as const] : []),
  ];
}
