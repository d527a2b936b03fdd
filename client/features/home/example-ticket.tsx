import { homeTexts } from '../../../src/shared/contracts/page-texts/home.js';
import { Badge } from '../../components/badge.js';
import { usePricedTexts } from '../../lib/prices.js';

/** A ticket's life from report to fixed: the artifact of the hero, made up and marked as an example. */
export function ExampleTicket() {
  const texts = usePricedTexts(homeTexts);
  return (
    <figure className="ticket" aria-label="Example of a support ticket, from report to fixed">
      <div className="ticket-head">
        <span>{texts.ticket_number}</span>
        <Badge kind="signal">Example</Badge>
      </div>
      <p className="ticket-title">{texts.ticket_title}</p>
      <p className="ticket-who">{texts.ticket_who}</p>
      {texts.ticket_steps.length > 0 ? (
        <ol role="list" className="ticket-steps">
          {texts.ticket_steps.map(({ time, what, how }, index) => (
            <li key={index}>
              <Time words={time} />
              <span>
                <b>{what}</b> {how}
              </span>
            </li>
          ))}
        </ol>
      ) : null}
      <figcaption className="ticket-foot">
        <span>{texts.ticket_end}</span>
        <span>{texts.ticket_cost}</span>
      </figcaption>
    </figure>
  );
}

/** A time of day, for programs as well where it is one. */
function Time({ words }: { readonly words: string }) {
  return /^\d\d?:\d\d$/.test(words) ? <time dateTime={words.padStart(5, '0')}>{words}</time> : <span>{words}</span>;
}
