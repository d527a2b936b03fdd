import { useMemo } from 'react';
import type { PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { fieldLabels } from '../../../content/post-editor.js';
import { htmlToText } from './html-text.js';
import { diffForms, type FieldDiff } from './text-diff.js';

interface CompareProps {
  readonly before: PostForm;
  /** Label of the words that only this version has, such as 'Theirs'. */
  readonly beforeName: string;
  readonly after: PostForm;
  readonly afterName: string;
}

/** Two versions of a post, field by field: what only one of them has is marked, by more than color. */
export function Compare({ before, beforeName, after, afterName }: CompareProps) {
  const fields = useMemo(() => diffForms(before, after, htmlToText), [before, after]);
  if (fields.length === 0) return <p className="quiet">Both versions say the same.</p>;
  return (
    <div className="compare">
      <p className="small quiet">
        <del>Only in {beforeName}</del> <ins>Only in {afterName}</ins>
      </p>
      {/* A stretch of text that scrolls has to be reachable by keyboard. */}
      <div className="compare-fields" tabIndex={0} role="region" aria-label="What differs">
        {fields.map((field) => (
          <FieldChange key={field.field} {...field} />
        ))}
      </div>
    </div>
  );
}

function FieldChange({ field, parts }: FieldDiff) {
  const isOnlyForm = parts.every(({ kind }) => kind === 'same');
  return (
    <section>
      <h3>{fieldLabels[field]}</h3>
      {isOnlyForm ? (
        <p className="quiet">The same words, formatted in another way.</p>
      ) : (
        <p className="compare-text">
          <MarkedWords parts={parts} />
        </p>
      )}
    </section>
  );
}

/** Words of two versions, those of one only marked. */
export function MarkedWords({ parts }: Pick<FieldDiff, 'parts'>) {
  return parts.map(({ kind, text }, index) => {
    if (kind === 'same') return <span key={index}>{text}</span>;
    return kind === 'before' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
  });
}
