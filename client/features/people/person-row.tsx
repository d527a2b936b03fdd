import { useId, useState } from 'react';
import type { Person } from '../../../src/shared/contracts/people.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Modal } from '../../components/modal.js';
import {
  describeEnd,
  describePosts,
  describeTakingBack,
  nameOf,
  peopleMessages as messages,
  questionBefore,
  rightOf,
  type Right,
} from '../../content/people.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { formatMoment } from '../../lib/format-moment.js';
import { useSite } from '../../lib/site-context.js';
import { RightField } from './right-field.js';
import type { PeopleActions } from './use-people.js';

interface PersonRowProps {
  readonly person: Person;
  readonly actions: PeopleActions;
}

/** Somebody with what they may do, when they were here, and what can be done about it. */
export function PersonRow({ person, actions }: PersonRowProps) {
  const id = useId();
  const [isAsking, setIsAsking] = useState(false);
  const [chosen, setChosen] = useState<Right | null>(null);
  /** Asked for, and not answered yet: a second press asks for nothing. */
  const [asked, setAsked] = useState<Right | null>(null);
  const isSelf = useAdminApi().person.userId === person.id;
  const name = nameOf(person);
  const present = asked ?? rightOf(person);
  const right = chosen ?? present;

  const handleChange = async () => {
    if (right === present) return;
    const question = questionBefore(person, right);
    if (question === null || confirm(question)) {
      setAsked(right);
      await actions.change(person, right);
    }
    // Refused or not, the list has what they may do now. What was chosen meanwhile is the next one.
    const withoutThis = (latest: Right | null) => (latest === right ? null : latest);
    setAsked(withoutThis);
    setChosen(withoutThis);
  };

  return (
    <article className="person-row" aria-labelledby={id}>
      <div className="row-text">
        <h2 id={id}>
          {name} {isSelf ? <Badge kind="quiet">You</Badge> : null}
          {person.is_invited ? <Badge kind="accent">Invited</Badge> : null}
        </h2>
        {person.email && person.email !== name ? <p className="quiet">{person.email}</p> : null}
        <Facts person={person} />
      </div>
      <div className="person-rights">
        <div className="choice-field">
          {/* A choice alone changes nothing: with the arrow keys, each that is passed is one. */}
          <RightField
            label={
              <>
                May do<span className="visually-hidden">: {name}</span>
              </>
            }
            value={right}
            onChange={setChosen}
          />
          <Button kind="line" aria-disabled={right === present} onClick={() => void handleChange()}>
            Change<span className="visually-hidden">: {name}</span>
          </Button>
        </div>
        <div className="row-actions">
          {person.email ? (
            <a className="btn btn-line btn-small" href={toActivity(person.email)}>
              What they did<span className="visually-hidden">: {name}</span>
            </a>
          ) : null}
          {person.is_invited && person.email ? (
            <Button
              kind="line"
              isSmall
              aria-disabled={actions.isBusy}
              onClick={() => void actions.invite(person.email ?? '', rightOf(person))}
            >
              {messages.again}
              <span className="visually-hidden"> to {name}</span>
            </Button>
          ) : null}
          <Button kind="line" isSmall className="btn-danger" onClick={() => setIsAsking(true)}>
            {/* An element: beside others, React could not write a text anew where a browser translates the page. */}
            <span>{person.is_invited ? 'Withdraw' : 'Take back'}</span>
            <span className="visually-hidden">: {name}</span>
          </Button>
        </div>
      </div>
      {isAsking ? (
        <TakeBackDialog person={person} isSelf={isSelf} actions={actions} onClose={() => setIsAsking(false)} />
      ) : null}
    </article>
  );
}

function Facts({ person }: { readonly person: Person }) {
  const { timeZone } = useSite();
  const { last_sign_in_at: last, has_second_factor: hasFactor, posts } = person;
  const written = describePosts(posts);
  return (
    <p className="row-meta">
      {person.is_invited ? <span>Invitation: {describeEnd(person, timeZone)}</span> : null}
      <span>{last ? `Signed in last on ${formatMoment(last, timeZone)}` : 'Never signed in'}</span>
      <span>{hasFactor ? 'Has a second factor' : 'No second factor'}</span>
      {written ? <span>{written}</span> : null}
      {person.is_of_provider ? <span>By the sign-in provider</span> : null}
    </p>
  );
}

interface TakeBackDialogProps extends PersonRowProps {
  readonly isSelf: boolean;
  readonly onClose: () => void;
}

/** Says what happens before it does. */
function TakeBackDialog({ person, isSelf, actions, onClose }: TakeBackDialogProps) {
  const title = person.is_invited ? 'Withdraw the invitation?' : `Take the role back from ${nameOf(person)}?`;
  const handleTakeBack = async () => {
    onClose();
    await actions.takeBack(person);
  };
  return (
    <Modal title={title} onClose={onClose}>
      <ul className="outcome-lines">
        {describeTakingBack(person, isSelf).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div className="row">
        <Button kind="line" className="btn-danger" onClick={() => void handleTakeBack()}>
          {person.is_invited ? 'Withdraw' : 'Take back'}
        </Button>
        <Button kind="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Modal>
  );
}

function toActivity(email: string): string {
  return `${paths.admin.audit}?${new URLSearchParams({ actor: email }).toString()}`;
}
