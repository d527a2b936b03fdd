import { useId, useMemo } from 'react';
import { specOf } from '../../../../src/shared/contracts/post-fields.js';
import { fieldLabels } from '../../../content/post-editor.js';
import { MarkedWords } from './compare.js';
import { htmlToText } from './html-text.js';
import type { Choice, Choices, FieldMerge, FieldPassage } from './merge-forms.js';
import type { Line } from './merge-lines.js';
import { diffShown, diffTexts, type ToText } from './text-diff.js';

interface MergeViewProps {
  readonly merges: readonly FieldMerge[];
  readonly choices: Choices;
  /** The other writer, as 'bob@example.com'. */
  readonly who: string;
  readonly onChoose: (id: string, choice: Choice) => void;
}

/** Shows what each of two writers changed since both began, word by word, and asks where both changed the same. */
export function MergeView({ merges, choices, who, onChoose }: MergeViewProps) {
  return (
    <div className="compare">
      <p className="small quiet">
        <del>Taken out</del> <ins>Put in</ins>
      </p>
      {/* A stretch of text that scrolls has to be reachable by keyboard. */}
      <div className="compare-fields" tabIndex={0} role="region" aria-label="What each of you changed">
        {merges.map(({ field, passages }) => (
          <section key={field}>
            <h3>{fieldLabels[field]}</h3>
            {passages.map((passage) => (
              <PassageView
                key={passage.id}
                passage={passage}
                toText={specOf(field).kind === 'html' ? toShownHtml : toShownText}
                choice={choices.get(passage.id)}
                who={who}
                onChoose={(choice) => onChoose(passage.id, choice)}
              />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function toShownHtml(lines: readonly Line[], hasAddresses: boolean): string {
  return htmlToText(lines.map(({ text }) => text).join(''), hasAddresses);
}

function toShownText(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join(', ');
}

interface PassageViewProps {
  readonly passage: FieldPassage;
  readonly toText: ToText<readonly Line[]>;
  readonly choice: Choice | undefined;
  readonly who: string;
  readonly onChoose: (choice: Choice) => void;
}

function PassageView(props: PassageViewProps) {
  const { passage, toText, who } = props;
  const { owner, base, mine, theirs } = passage;
  switch (owner) {
    case 'nobody':
    case 'both-alike':
      return (
        <p className="compare-text quiet">
          <MarkedWords parts={diffTexts(toText(mine, false), toText(mine, false))} />
        </p>
      );
    case 'mine':
    case 'theirs':
      return (
        <div className="merge-change">
          <p className="small quiet">{owner === 'mine' ? 'From you' : `From ${who}`}</p>
          <Words toText={toText} before={base} after={owner === 'mine' ? mine : theirs} />
        </div>
      );
    case 'both-apart':
      return (
        <div className="merge-change">
          <p className="small quiet">From you</p>
          <Words toText={toText} before={base} after={mine} />
          <p className="small quiet">From {who}, elsewhere in the same passage</p>
          <Words toText={toText} before={base} after={theirs} />
        </div>
      );
    case 'contested':
      return <PassageQuestion {...props} />;
  }
}

function PassageQuestion({ passage, toText, choice: chosen, who, onChoose }: PassageViewProps) {
  const id = useId();
  const { base, mine, theirs, canBeBoth } = passage;
  const option = (choice: Choice, label: string, lines?: readonly Line[]) => (
    <div className="merge-option">
      <label>
        <input
          type="radio"
          name={passage.id}
          checked={chosen === choice}
          aria-describedby={lines ? `${id}-${choice}` : undefined}
          onChange={() => onChoose(choice)}
        />
        {label}
      </label>
      {lines ? <Words id={`${id}-${choice}`} toText={toText} before={base} after={lines} /> : null}
    </div>
  );
  return (
    <fieldset className="merge-choice">
      <legend>Both of you changed this</legend>
      {option('mine', 'Mine', mine)}
      {option('theirs', `Theirs (${who})`, theirs)}
      {canBeBoth ? option('both', 'Both, mine first') : null}
    </fieldset>
  );
}

interface WordsProps {
  readonly id?: string;
  readonly toText: ToText<readonly Line[]>;
  readonly before: readonly Line[];
  readonly after: readonly Line[];
}

function Words({ id, toText, before, after }: WordsProps) {
  const parts = useMemo(() => diffShown(before, after, toText), [before, after, toText]);
  const isOnlyForm = parts.every(({ kind }) => kind === 'same');
  return (
    <p className="compare-text" id={id}>
      <MarkedWords parts={parts} />
      {isOnlyForm ? <span className="quiet"> (the same words, formatted in another way)</span> : null}
    </p>
  );
}
