import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { InputField } from '../../../components/field.js';
import { SwitchField } from '../../../components/switch-field.js';
import { fieldLabels } from '../../../content/post-editor.js';
import { useSite } from '../../../lib/site-context.js';
import { isToBePublished, toShownDate } from './publication.js';
import type { SaverState } from './saver.js';
import { describeMoment, fromZonedInput, toDateWords, toZonedInput } from './zoned-time.js';

interface PublishingPanelProps {
  readonly state: SaverState;
  readonly problem: string | undefined;
  /** The problem with the time of the schedule. */
  readonly scheduleProblem: string | undefined;
  readonly isBusy: boolean;
  readonly onDate: (to: string | null) => void;
  readonly onDecide: (isPublished: boolean) => void;
  readonly onSchedule: (publishAt: string) => void;
  readonly onUnschedule: () => void;
}

/** Publication and schedule of the post. */
export function PublishingPanel(props: PublishingPanelProps) {
  const { state, problem, isBusy, onDate, onDecide, onUnschedule } = props;
  const { server } = state;
  const { timeZone } = useSite();
  const isPublished = server?.is_published ?? false;
  const isWanted = isToBePublished(state);
  const scheduledAt = server?.scheduled_at ?? null;
  return (
    <section className="panel side-panel" aria-labelledby="publishing-title">
      <h2 id="publishing-title">Publishing</h2>
      <p className="small">
        <PostStateWords state={state} />
      </p>
      <SwitchField
        label="Publish immediately"
        name="is_published"
        isOn={isWanted}
        hint={toSwitchHint(isPublished, isWanted)}
        onChange={onDecide}
      />
      <InputField
        label={fieldLabels.published_date}
        name="published_date"
        type="datetime-local"
        value={toZonedInput(toShownDate(state), timeZone)}
        error={problem}
        hint={`In ${timeZone}. Empty: when it is published for the first time.`}
        onChange={({ currentTarget }) => {
          const to = fromZonedInput(currentTarget.value, timeZone);
          // Half filled in: the browser reports it as empty, and so may take what was there away.
          if (to === null && currentTarget.validity.badInput) return;
          onDate(to);
        }}
      />
      <OfferedDate state={state} onDate={onDate} />
      {scheduledAt !== null ? (
        <div className="stack">
          <Button kind="line" isSmall disabled={isBusy} onClick={onUnschedule}>
            Remove the schedule
          </Button>
        </div>
      ) : null}
      {isPublished || isWanted ? null : <ScheduleForm {...props} isPlanned={scheduledAt !== null} />}
    </section>
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

function toSwitchHint(isPublished: boolean, isWanted: boolean): string {
  if (isPublished) return isWanted ? 'Readers see your changes once you save.' : 'Saving takes the post off the site.';
  return isWanted ? 'Saving publishes the post.' : 'Saving keeps it a draft.';
}

function PostStateWords({ state: { server } }: Pick<PublishingPanelProps, 'state'>) {
  const { timeZone } = useSite();
  if (!server) return 'Not saved yet.';
  if (server.scheduled_at !== null)
    return `Scheduled for ${describeMoment(server.scheduled_at, timeZone)} (${timeZone}).`;
  return server.is_published ? `Published, dated ${server.published.short}.` : 'Draft: only administrators see it.';
}

interface ScheduleFormProps extends PublishingPanelProps {
  readonly isPlanned: boolean;
}

function ScheduleForm({ scheduleProblem, isBusy, onSchedule, isPlanned }: ScheduleFormProps) {
  const { timeZone } = useSite();
  const [value, setValue] = useState('');
  const publishAt = fromZonedInput(value, timeZone);
  return (
    <div className="schedule">
      <InputField
        label={isPlanned ? 'Publish at another time' : 'Publish later'}
        name="publish_at"
        type="datetime-local"
        value={value}
        error={scheduleProblem}
        hint={`In ${timeZone}.`}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button
        kind="line"
        isSmall
        disabled={publishAt === null || isBusy}
        onClick={() => publishAt !== null && onSchedule(publishAt)}
      >
        Schedule
      </Button>
    </div>
  );
}
