import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { paths } from '../../../../src/shared/paths.js';
import { Button, ExternalLink } from '../../../components/button.js';
import { InputField } from '../../../components/field.js';
import { Modal } from '../../../components/modal.js';
import { SwitchField } from '../../../components/switch-field.js';
import { fieldLabels } from '../../../content/post-editor.js';
import { passFocusOn } from '../../../lib/pass-focus.js';
import { useSite } from '../../../lib/site-context.js';
import { Compare } from './compare.js';
import { isToBePublished, toShownDate } from './publication.js';
import {
  canSave,
  describeForAuthor,
  describePublicState,
  describeSaveForReaders,
  hasWaitingChanges,
} from './publishing-words.js';
import type { SaverState } from './saver.js';
import { fromZonedInput, toDateWords, toZonedInput } from './zoned-time.js';

interface PublishingPanelProps {
  readonly state: SaverState;
  readonly problem: string | undefined;
  /** The problem with the time of the schedule. */
  readonly scheduleProblem: string | undefined;
  readonly isBusy: boolean;
  /** True for who decides what readers see. */
  readonly mayPublish: boolean;
  readonly onDate: (to: string | null) => void;
  readonly onDecide: (isPublished: boolean) => void;
  readonly onSchedule: (publishAt: string) => void;
  readonly onUnschedule: () => void;
}

/** Says what readers have of the post and decides what they get, and when. Its times are in the zone of the site. */
export function PublishingPanel(props: PublishingPanelProps) {
  const { state, problem, isBusy, mayPublish, onDate, onDecide, onUnschedule } = props;
  const { server } = state;
  const { timeZone } = useSite();
  const isPublished = server?.is_published ?? false;
  const isWanted = isToBePublished(state);
  const scheduledAt = server?.scheduled_at ?? null;
  return (
    <section className="panel side-panel publishing" aria-labelledby="publishing-title">
      <h2 id="publishing-title" tabIndex={-1}>
        Publishing
      </h2>
      <p className="publishing-state" data-live={isPublished || undefined}>
        <b>{describePublicState(state, timeZone)}</b>
        {isPublished && server ? <ExternalLink href={paths.blog(server.slug)}>View</ExternalLink> : null}
      </p>
      {mayPublish ? (
        <SwitchField
          label="Publish immediately"
          name="is_published"
          isOn={isWanted}
          hint={describeSaveForReaders(state)}
          onChange={onDecide}
        />
      ) : (
        <p>{describeForAuthor(state)}</p>
      )}
      <WhatGoesLive state={state} />
      {canSave(state, mayPublish) ? <DateField state={state} problem={problem} onDate={onDate} /> : null}
      <OfferedDate state={state} onDate={onDate} />
      {isPublished || isWanted || !mayPublish ? null : <ScheduleForm {...props} isPlanned={scheduledAt !== null} />}
      {scheduledAt !== null && mayPublish ? (
        <div className="stack">
          <Button
            ref={passFocusOn}
            kind="line"
            isSmall
            // Not disabled: the focus would be lost.
            aria-disabled={isBusy}
            onClick={() => !isBusy && onUnschedule()}
          >
            Remove the schedule
          </Button>
        </div>
      ) : null}
      <p className="small quiet">Times are those of {timeZone}.</p>
    </section>
  );
}

/** Takes the date that readers see. What is half typed stays: React would put the last whole date in its place. */
function DateField({ state, problem, onDate }: Pick<PublishingPanelProps, 'state' | 'problem' | 'onDate'>) {
  const { timeZone } = useSite();
  const input = useRef<HTMLInputElement>(null);
  const shown = toZonedInput(toShownDate(state), timeZone);
  const [first] = useState(shown);
  useLayoutEffect(() => {
    if (input.current !== null && input.current.value !== shown) input.current.value = shown;
  }, [shown]);
  return (
    <InputField
      ref={input}
      label={fieldLabels.published_date}
      name="published_date"
      type="datetime-local"
      defaultValue={first}
      error={problem}
      hint="Empty: when it is published for the first time."
      onChange={({ currentTarget }) => {
        const to = fromZonedInput(currentTarget.value, timeZone);
        // Half filled in: the browser reports it as empty, and so may take what was there away.
        if (to === null && currentTarget.validity.badInput) return;
        onDate(to);
      }}
    />
  );
}

/** Shows what changes for readers, before it does. */
function WhatGoesLive({ state }: Pick<PublishingPanelProps, 'state'>) {
  const { timeZone } = useSite();
  const [isShown, setIsShown] = useState(false);
  const { server, fields, date } = state;
  if (server === null || !hasWaitingChanges(state)) return null;
  return (
    <div className="stack">
      <Button kind="line" isSmall onClick={() => setIsShown(true)}>
        What goes live
      </Button>
      {isShown ? (
        <Modal title="What goes live" isWide onClose={() => setIsShown(false)}>
          <p>{describeSaveForReaders(state)}</p>
          {date ? (
            <p>
              The date becomes {toDateWords(date.to, timeZone)}; it is {toDateWords(server.published_date, timeZone)}{' '}
              now.
            </p>
          ) : null}
          <Compare
            before={server.saved}
            beforeName={server.is_published ? 'what readers see' : 'what was saved'}
            after={fields}
            afterName="what goes live"
          />
          <div className="row">
            <Button onClick={() => setIsShown(false)}>Close</Button>
          </div>
        </Modal>
      ) : null}
    </div>
  );
}

/** Offers a date that was typed once and not saved. It counts when it is taken and saved, and not before. */
function OfferedDate({ state, onDate }: Pick<PublishingPanelProps, 'state' | 'onDate'>) {
  const { timeZone } = useSite();
  const { offeredDate } = state;
  if (offeredDate === null || offeredDate.to === toShownDate(state)) return null;
  return (
    <div className="stack" role="status">
      <p className="small">
        With these edits, a date was chosen and not saved: {toDateWords(offeredDate.to, timeZone)}.
      </p>
      <Button kind="line" isSmall onClick={() => onDate(offeredDate.to)}>
        Use this date
      </Button>
    </div>
  );
}

interface ScheduleFormProps extends PublishingPanelProps {
  readonly isPlanned: boolean;
}

function ScheduleForm({ scheduleProblem, isBusy, onSchedule, isPlanned }: ScheduleFormProps) {
  const { timeZone } = useSite();
  const [value, setValue] = useState('');
  const publishAt = fromZonedInput(value, timeZone);
  const schedule = () => {
    if (publishAt !== null && !isBusy) onSchedule(publishAt);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // It would save the post and leave, without the plan.
    event.preventDefault();
    schedule();
  };
  return (
    <div className="schedule">
      <InputField
        // An element: beside others, React could not write a text anew where a browser translates the page.
        label={<span>{isPlanned ? 'Publish at another time' : 'Publish later'}</span>}
        name="publish_at"
        type="datetime-local"
        value={value}
        error={scheduleProblem}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={handleKey}
      />
      <Button
        kind="line"
        isSmall
        disabled={publishAt === null}
        // Not disabled: the focus would be lost.
        aria-disabled={isBusy}
        onClick={schedule}
      >
        Schedule
      </Button>
    </div>
  );
}
