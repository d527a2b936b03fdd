import { Badge } from '../../components/badge.js';

const events: readonly { readonly time: string; readonly what: string; readonly how: string }[] = [
  { time: '9:02', what: 'Reported', how: 'by email' },
  { time: '9:05', what: 'Picked up', how: 'by a technician, not a queue' },
  { time: '9:11', what: 'Connected', how: 'remotely, cause found' },
  { time: '9:24', what: 'Fixed', how: 'on all three desks, update held back' },
];

/** A ticket's life from report to fixed: the artifact of the hero, made up and marked as an example. */
export function ExampleTicket() {
  return (
    <figure className="ticket" aria-label="Example of a support ticket, from report to fixed">
      <div className="ticket-head">
        <span>Ticket 4127</span>
        <Badge kind="signal">Example</Badge>
      </div>
      <p className="ticket-title">Shared drive gone after an update</p>
      <p className="ticket-who">Front desk, three people waiting</p>
      <ol role="list" className="ticket-steps">
        {events.map(({ time, what, how }) => (
          <li key={time}>
            <time dateTime={time.padStart(5, '0')}>{time}</time>
            <span>
              <b>{what}</b> {how}
            </span>
          </li>
        ))}
      </ol>
      <figcaption className="ticket-foot">
        <span>Everyone back at work</span>
        <span>No extra charge</span>
      </figcaption>
    </figure>
  );
}
