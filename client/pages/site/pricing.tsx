import { pricingTexts } from '../../../src/shared/contracts/page-texts/pricing.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { pricingDrawing } from '../../content/drawings/pricing.js';
import { asterisks, markId, marks, PlanCard, PlanPrice } from '../../features/pricing/plan-card.js';
import { PriceScale } from '../../features/pricing/price-scale.js';
import { toOffers } from '../../features/pricing/offers-data.js';
import { Head } from '../../lib/head.js';
import { usePricedTexts } from '../../lib/prices.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

/** Pricing (product.md 2.6): the two plans and their footnotes. */
export function Component() {
  const site = useSite();
  const texts = usePricedTexts(pricingTexts);
  return (
    <>
      <Head
        title={texts.title}
        description={texts.description}
        jsonLd={[toOffers(site, texts.plans), toBreadcrumbs(site, [{ name: texts.title, path: paths.pricing }])]}
      />
      <PageHeader drawing={pricingDrawing} title={texts.title} lede={texts.lede} />
      <section className="section" aria-label="Plans">
        <div className="wrap">
          <div className="price-row">
            <dl className="prices">
              {texts.plans.map((plan, index) => (
                <PlanPrice key={index} plan={plan} />
              ))}
            </dl>
            <div className="price-factors">
              <h2>{texts.factors_title}</h2>
              <p>{site.priceFactors ?? texts.factors}</p>
            </div>
          </div>
          <ul role="list" className="plans">
            {texts.plans.map((plan, index) => (
              <PlanCard key={index} plan={plan} isMain={index === 0} />
            ))}
          </ul>
          <ul role="list" className="footnotes">
            {marks.map((mark) => (
              <li key={mark} id={markId(mark)}>
                <b>{asterisks[mark]}</b> {texts[`footnote_${mark}`]}
              </li>
            ))}
          </ul>
        </div>
      </section>
      <Section tone="ink" eyebrow={texts.compared_eyebrow} title={texts.compared_title} lede={texts.compared_lede}>
        <PriceScale />
      </Section>
      {site.first30Days ? (
        <Section layout="columns" title={texts.first_days_title}>
          <p className="lede">{site.first30Days}</p>
        </Section>
      ) : null}
      <section className="section" aria-labelledby="which-plan">
        <div className="wrap columns">
          <div className="stack">
            <p className="eyebrow">{texts.closing_eyebrow}</p>
            <h2 id="which-plan">{texts.closing_title}</h2>
          </div>
          <div className="stack">
            <p className="lede">{texts.closing_lede}</p>
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
