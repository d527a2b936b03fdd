import { useId, useState, type SubmitEvent } from 'react';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { peopleMessages as messages, type Right } from '../../content/people.js';
import { RightField } from './right-field.js';
import type { PeopleActions } from './use-people.js';

/** Asks whom to invite, and what they may do. What was typed stays when it was refused. */
export function InviteForm({ actions }: { readonly actions: PeopleActions }) {
  const id = useId();
  const [email, setEmail] = useState('');
  const [right, setRight] = useState<Right>('author');

  const handleSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    // Whoever is typed meanwhile is the next one.
    if (await actions.invite(email.trim(), right)) setEmail((typed) => (typed === email ? '' : typed));
  };

  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{messages.inviteTitle}</h2>
      <form className="people-invite" onSubmit={(event) => void handleSubmit(event)}>
        <InputField
          label="Email address"
          type="email"
          name="email"
          autoComplete="off"
          required
          maxLength={255}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <RightField label="What they may do" value={right} onChange={setRight} />
        <Button type="submit" aria-disabled={actions.isBusy}>
          Invite
        </Button>
      </form>
    </section>
  );
}
