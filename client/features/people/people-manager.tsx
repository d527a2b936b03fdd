import { Fetched } from '../../components/fetched.js';
import { OutcomeNotice } from '../../components/outcome.js';
import { peopleMessages as messages } from '../../content/people.js';
import { InviteForm } from './invite-form.js';
import { PersonRow } from './person-row.js';
import { usePeople, usePeopleActions } from './use-people.js';

/** Lists everybody who has a role; they are invited, changed and taken back here. */
export function PeopleManager() {
  const actions = usePeopleActions();
  return (
    <div className="people">
      <InviteForm actions={actions} />
      <OutcomeNotice outcome={actions.outcome} onDismiss={actions.dismiss} />
      <Fetched query={usePeople()} messages={messages}>
        {(people) => (
          <ul role="list" className="people-rows">
            {people.map((person) => (
              <li key={person.id}>
                <PersonRow person={person} actions={actions} />
              </li>
            ))}
          </ul>
        )}
      </Fetched>
    </div>
  );
}
