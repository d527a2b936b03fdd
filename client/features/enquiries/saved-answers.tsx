import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { SavedAnswerRecord } from '../../../src/shared/contracts/enquiries.js';
import { ENQUIRY_TEXT_LIMITS } from '../../../src/shared/limits.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { enquiryMessages as messages } from '../../content/enquiries.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { describeError } from '../../lib/api-errors.js';
import { randomId } from '../../lib/random-id.js';
import { showToast } from '../../lib/toast.js';

const SAVED = 'saved-answers';

interface SavedAnswersProps {
  /** The answer as it is written by now. */
  readonly text: string;
  readonly onInsert: (text: string) => void;
}

/** Texts to begin an answer with: chosen, kept under a name, and removed. */
export function SavedAnswers({ text, onInsert }: SavedAnswersProps) {
  const id = useId();
  const api = useAdminApi();
  const queries = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  /** The same at every try to add one: an answer that was lost is asked for again. */
  const [newId, setNewId] = useState(randomId);
  const [isBusy, setIsBusy] = useState(false);
  const [chosenId, setChosenId] = useState('');
  const { data: saved = [] } = useQuery({
    queryKey: [SAVED],
    queryFn: ({ signal }) => api.get<SavedAnswerRecord[]>(adminPaths.savedAnswers, { signal, isBackground: true }),
  });
  // It may be gone by now.
  const chosen = saved.find((answer) => answer.id === chosenId);
  const same = saved.find((answer) => answer.name.toLowerCase() === name?.trim().toLowerCase());

  /** `task` returns the saved answer as it is now; null once it is gone. */
  const work = async (savedId: string, task: () => Promise<SavedAnswerRecord | null>, done: string) => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      const now = await task();
      // Before it is told: it can be chosen, replaced and removed at once.
      queries.setQueryData<SavedAnswerRecord[]>([SAVED], (all) => all && withChanged(all, savedId, now));
      showToast({ kind: 'success', title: done });
      setNewId(randomId());
      // What was typed meanwhile is another name.
      setName((typed) => (typed === name ? null : typed));
    } catch (error) {
      showToast({ kind: 'error', title: 'Error', text: describeError(error) });
    } finally {
      setIsBusy(false);
      void queries.invalidateQueries({ queryKey: [SAVED] });
    }
  };
  const save = () => {
    if (name === null || name.trim() === '' || text.trim() === '') return;
    const savedId = same?.id ?? newId;
    const input = { version: same?.version ?? 0, name: same?.name ?? name, text };
    void work(savedId, () => api.put<SavedAnswerRecord>(adminPaths.savedAnswer(savedId), input), messages.answerSaved);
  };
  const remove = ({ id: savedId, name: savedName }: SavedAnswerRecord) => {
    if (!window.confirm(`Remove the saved answer ‘${savedName}’ for everybody?`)) return;
    const task = async () => {
      await api.delete(adminPaths.savedAnswer(savedId));
      return null;
    };
    void work(savedId, task, messages.answerRemoved);
  };
  const insert = () => {
    if (!chosen) return;
    onInsert(chosen.text);
    setChosenId('');
  };

  return (
    <div className="saved-answers">
      {saved.length === 0 ? null : (
        <div className="choice-field">
          <div className="field">
            <label htmlFor={`${id}-insert`}>Begin with</label>
            {/* A choice alone inserts nothing: with the arrow keys, each that is passed is one. */}
            <select id={`${id}-insert`} value={chosen?.id ?? ''} onChange={({ target }) => setChosenId(target.value)}>
              <option value="">A saved answer ...</option>
              {saved.map((answer) => (
                <option key={answer.id} value={answer.id}>
                  {answer.name}
                </option>
              ))}
            </select>
          </div>
          <Button kind="line" aria-disabled={!chosen} onClick={insert}>
            Insert<span className="visually-hidden"> the saved answer</span>
          </Button>
        </div>
      )}
      <details>
        <summary>Saved answers</summary>
        <div className="stack">
          <InputField
            label="Keep what is written below as"
            value={name ?? ''}
            maxLength={ENQUIRY_TEXT_LIMITS.savedAnswerName}
            hint="{name} in the text becomes the name of whoever wrote. All administrators share saved answers."
            onChange={({ target }) => setName(target.value)}
          />
          <Button
            kind="line"
            isSmall
            aria-disabled={(name ?? '').trim() === '' || text.trim() === '' || isBusy}
            onClick={save}
          >
            {same ? 'Replace it' : 'Keep it'}
          </Button>
          {saved.length === 0 ? null : (
            <ul role="list" className="saved-answer-list">
              {saved.map((answer) => (
                <li key={answer.id} className="row">
                  <span>{answer.name}</span>
                  <Button kind="line" isSmall aria-disabled={isBusy} onClick={() => remove(answer)}>
                    Remove<span className="visually-hidden"> {answer.name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </details>
    </div>
  );
}

/** Saved answers by name, with one of them as it is now; null for one that is gone. */
function withChanged(
  all: readonly SavedAnswerRecord[],
  id: string,
  now: SavedAnswerRecord | null,
): SavedAnswerRecord[] {
  const others = all.filter((answer) => answer.id !== id);
  return [...others, ...(now ? [now] : [])].sort((one, other) => one.name.localeCompare(other.name));
}
