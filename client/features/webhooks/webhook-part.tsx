import type { WebhookDeliveryItem } from '../../../src/shared/contracts/webhooks.js';
import { Button } from '../../components/button.js';
import { Disclosure } from '../../components/disclosure.js';
import { FactLine } from '../../components/fact-line.js';
import { FetchFailure } from '../../components/fetch-failure.js';
import { Moment } from '../../components/moment.js';
import { OutcomeNotice } from '../../components/outcome.js';
import { describeDelivery, webhookMessages as messages } from '../../content/webhooks.js';
import { useWebhooks, useWebhookTest } from './use-webhooks.js';

/** The messages to another system, and a way to try it; nothing where there is none, which has to be known for that. */
export function WebhookPart() {
  const webhooks = useWebhooks();
  const { data } = webhooks;
  const test = useWebhookTest();
  // The activity beside it says when both wait for a network.
  if (data === undefined && webhooks.isPaused) return null;
  if (data === undefined) return <FetchFailure query={webhooks} message={messages.fetchFailed} isListShown={false} />;
  if (data.host === null && data.deliveries.length === 0) return null;
  const failed = data.deliveries.filter(
    ({ state, attempts }) => state === 'failed' || (state === 'waiting' && attempts > 0),
  );
  const sum = failed.length === 0 ? '' : ` (${failed.length} not delivered)`;
  return (
    <div className="webhooks">
      <Disclosure summary={`Messages to ${data.host ?? 'another system'}${sum}`}>
        <p className="quiet">{messages.lede}</p>
        {data.host === null ? null : (
          <Button kind="line" isSmall aria-disabled={test.isBusy} onClick={() => void test.send()}>
            {messages.test}
          </Button>
        )}
        <OutcomeNotice outcome={test.outcome} onDismiss={test.dismiss} />
        {data.deliveries.length === 0 ? (
          <p className="list-note">{messages.empty}</p>
        ) : (
          <ol role="list" className="audit-lines">
            {data.deliveries.map((delivery) => (
              <li key={delivery.id}>
                <Delivery delivery={delivery} />
              </li>
            ))}
          </ol>
        )}
      </Disclosure>
    </div>
  );
}

function Delivery({ delivery }: { readonly delivery: WebhookDeliveryItem }) {
  const { created_at: at, text, attempts } = delivery;
  return (
    <>
      <p>{text}</p>
      <FactLine>
        <Moment at={at} />
        <span>{describeDelivery(delivery)}</span>
        {attempts > 1 ? <span>{attempts} tries</span> : null}
      </FactLine>
    </>
  );
}
