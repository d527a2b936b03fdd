import { peopleMessages } from '../../content/people.js';
import { ScreenHead } from '../../features/admin/screen.js';
import { PeopleManager } from '../../features/people/people-manager.js';

/** The screen of people (product.md 2.14). */
export function Component() {
  return (
    <>
      <ScreenHead title={peopleMessages.title} lede={peopleMessages.lede} />
      <PeopleManager />
    </>
  );
}
