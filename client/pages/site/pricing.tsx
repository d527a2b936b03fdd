import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { pricingDrawing } from '../../content/drawings/pricing.js';
import { footnotes, plans, priceFactors } from '../../content/plans.js';
import { markId, PlanCard, PlanPrice } from '../../features/pricing/plan-card.js';
import { PriceScale } from '../../features/pricing/price-scale.js';
import { toOffers } from '../../lib/company-data.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

/** Pricing (product.md 2.6): the two plans and their footnotes. */
export function Component() {
  const site = useSite();
  const [managed, device] = plans;
  return (
    <>
      <Head
        title="Pricing"
        description={`Managed IT service for up to $${managed.price} per user per month, device support for up to $${device.price} per device per month. No tiers, and every client gets priority.`}
        jsonLd={[toOffers(site, plans), toBreadcrumbs(site, [{ name: 'Pricing', path: paths.pricing }])]}
      />
      <PageHeader
        drawing={pricingDrawing}
        title="Pricing"
        lede="Two plans, one level of service: priority support is part of both, without tiers or a fee per incident."
      />
      <section className="section" aria-label="Plans">
        <div className="wrap">
          <div className="price-row">
            <dl className="prices">
              {plans.map((plan) => (
                <PlanPrice key={plan.name} plan={plan} />
              ))}
            </dl>
            <div className="price-factors">
              <h2>What decides the price</h2>
              <p>{site.priceFactors ?? priceFactors}</p>
            </div>
          </div>
          <ul role="list" className="plans">
            {plans.map((plan) => (
              <PlanCard key={plan.name} plan={plan} isMain={plan === managed} />
            ))}
          </ul>
          <ul role="list" className="footnotes">
            {footnotes.map(({ mark, text }) => (
              <li key={mark} id={markId(mark)}>
                <b>{mark}</b> {text}
              </li>
            ))}
          </ul>
        </div>
      </section>
      <Section
        tone="ink"
        eyebrow="Compared"
        title="What the same month costs elsewhere"
        lede="Average managed service pricing comes in several tiers. Ours is one price, and it ends below where theirs begin."
      >
        <PriceScale />
      </Section>
      {site.first30Days ? (
        <Section layout="columns" title="Your first 30 days">
          <p className="lede">{site.first30Days}</p>
        </Section>
      ) : null}
      <section className="section" aria-labelledby="which-plan">
        <div className="wrap columns">
          <div className="stack">
            <p className="eyebrow">Not sure which?</p>
            <h2 id="which-plan">Tell us how many people and machines you have</h2>
          </div>
          <div className="stack">
            <p className="lede">We work out both plans with you, and say which of them costs you less.</p>
            <div className="row">
              <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
              <ButtonLink to={paths.notSure} kind="line">
                Not sure about IT Service?
              </ButtonLink>
            </div>
          </div>
        </div>
      </section>
    </>
  );
}
