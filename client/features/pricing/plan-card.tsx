import { formatPrice } from '../../../src/shared/contracts/page-texts/prices.js';
import type { Plan } from '../../../src/shared/contracts/page-texts/pricing.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Ticks } from '../../components/ticks.js';

/** The most that a plan costs, in a list of descriptions. */
export function PlanPrice({ plan }: { readonly plan: Plan }) {
  return (
    <div>
      <dt>{plan.name}</dt>
      <dd className="plan-price">
        <span>up to</span> <b>{formatPrice(plan.price)}</b>{' '}
        <span>
          per {plan.unit} per {plan.period}
        </span>
      </dd>
    </div>
  );
}

/** One plan with its features and a button. */
export function PlanCard({ plan, isMain }: { readonly plan: Plan; readonly isMain: boolean }) {
  return (
    <li className="plan">
      <h2>{plan.name}</h2>
      <p className="quiet">{plan.summary}</p>
      <ButtonLink to={paths.contact} kind={isMain ? 'primary' : 'line'}>
        Get Started
        <span className="visually-hidden"> with {plan.name}</span>
      </ButtonLink>
      {plan.features.length > 0 ? <Ticks isLarge items={plan.features.map(toItem)} /> : null}
    </li>
  );
}

function toItem({ text, mark }: Plan['features'][number]) {
  if (mark === 'none') return text;
  return (
    <>
      {text.slice(0, text.lastIndexOf(' ') + 1)}
      {/* The mark never stands on a line of its own. */}
      <span className="whole">
        {text.slice(text.lastIndexOf(' ') + 1)}
        <a className="mark" href={`#${markId(mark)}`} aria-label={mark === 'one' ? 'one asterisk' : 'two asterisks'}>
          {asterisks[mark]}
        </a>
      </span>
    </>
  );
}

/** The marks of features that have a footnote. */
export const marks = ['one', 'two'] as const;

type Mark = (typeof marks)[number];

/** Marks as they are printed. */
export const asterisks: Readonly<Record<Mark, string>> = { one: '*', two: '**' };

/** Id of the footnote that a mark refers to. */
export function markId(mark: Mark): string {
  return `footnote-${asterisks[mark].length}`;
}
