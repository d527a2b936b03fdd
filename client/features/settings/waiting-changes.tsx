import { useId, useState } from 'react';
import { Button } from '../../components/button.js';
import { Modal } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { nameOfChanger } from '../../content/settings.js';
import type { SettingsKind, ValueDifference } from './settings-kind.js';
import type { SettingsActions } from './use-settings.js';
import type { SettingsForm } from './use-settings-form.js';

interface WaitingChangesProps {
  readonly kind: SettingsKind;
  readonly form: SettingsForm;
  readonly actions: SettingsActions;
}

/** Lists what differs from what pages show, and throws it away. */
export function WaitingChanges({ kind, form, actions }: WaitingChangesProps) {
  const id = useId();
  const [isAsking, setIsAsking] = useState(false);
  const { changed, values, view } = form;
  const differencesOf = (name: string): readonly ValueDifference[] => {
    const [before, after] = [view.values[name], values[name]];
    return kind.compare?.(name, before, after) ?? [{ path: name, before, after }];
  };
  const handleDiscard = async () => {
    setIsAsking(false);
    await actions.discard();
  };
  return (
    <section className="panel settings-waiting" aria-labelledby={id}>
      <h2 id={id}>What will change</h2>
      {changed.length === 0 ? (
        <p className="quiet">Nothing: pages show what stands here.</p>
      ) : (
        <>
          {view.draft !== null && view.changed_at !== null ? (
            <p className="quiet small">
              Draft of {nameOfChanger(view)}, <Moment at={view.changed_at} />
            </p>
          ) : null}
          <dl className="settings-changes">
            {changed.flatMap(differencesOf).map(({ path, before, after }) => (
              <div key={path}>
                <dt>{kind.labelOf(path)}</dt>
                <dd>
                  {form.isConfirmed(path) ? null : (
                    <>
                      <del>
                        <span className="visually-hidden">Until now: </span>
                        {kind.describe(path, before)}
                      </del>{' '}
                    </>
                  )}
                  <ins>
                    <span className="visually-hidden">Then: </span>
                    {/* An element: beside others, React could not write a text anew where a browser translates the page. */}
                    <span>{`${kind.describe(path, after)}${form.isConfirmed(path) ? ', confirmed' : ''}`}</span>
                  </ins>
                </dd>
              </div>
            ))}
          </dl>
          <Button kind="line" isSmall className="btn-danger" onClick={() => setIsAsking(true)}>
            Discard changes
          </Button>
        </>
      )}
      {isAsking ? (
        <Modal title="Discard all changes?" onClose={() => setIsAsking(false)}>
          <p>The draft and what you typed are gone then. What is published stays as it is.</p>
          <div className="row">
            <Button kind="line" className="btn-danger" onClick={() => void handleDiscard()}>
              Discard changes
            </Button>
            <Button kind="line" onClick={() => setIsAsking(false)}>
              Cancel
            </Button>
          </div>
        </Modal>
      ) : null}
    </section>
  );
}
