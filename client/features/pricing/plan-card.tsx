import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Ticks } from '../../components/ticks.js';
import type { Plan, PlanFeature } from '../../content/plans.js';

/** The most that a plan costs, in a list of descriptions. */
export function PlanPrice({ plan }: { readonly plan: Plan }) {
  return (
    <div>
      <dt>{plan.name}</dt>
      <dd className="plan-price">
        <span>up to</span> <b>${plan.price}</b>{' '}
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
      <Ticks isLarge items={plan.features.map(toItem)} />
    </li>
  );
}

function toItem({ text, mark }: PlanFeature) {
  if (!mark) return text;
  return (
    <>
      {text.slice(0, text.lastIndexOf(' ') + 1)}
      {/* The mark never stands on a line of its own. */}
      <span className="whole">
        {text.slice(text.lastIndexOf(' ') + 1)}
        <a className="mark" href={`#${markId(mark)}`} aria-label={mark === '*' ? 'one asterisk' : 'two asterisks'}>
          {mark}
        </a>
      </span>
    </>
  );
}

/** Id of the footnote that a mark refers to. */
export function markId(mark: '*' | '**'): string {
  return `footnote-${mark.length}`;
}
