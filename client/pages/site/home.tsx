import { homeTexts } from '../../../src/shared/contracts/page-texts/home.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Card, CardGrid } from '../../components/card-grid.js';
import { FactsList, PhoneLink } from '../../components/facts-list.js';
import { Section } from '../../components/section.js';
import { ExampleTicket } from '../../features/home/example-ticket.js';
import { PriceScale } from '../../features/pricing/price-scale.js';
import { Tagline } from '../../features/home/tagline.js';
import { toBusiness } from '../../lib/company-data.js';
import { Head } from '../../lib/head.js';
import { shownOf } from '../../lib/page-texts.js';
import { usePricedTexts, usePrices } from '../../lib/prices.js';
import { useSite } from '../../lib/site-context.js';

/** Home (product.md 2.3): hero, services, pricing model, contact. */
export function Component() {
  const site = useSite();
  const texts = usePricedTexts(homeTexts);
  const prices = usePrices();
  return (
    <>
      <Head title={texts.title} description={texts.description} jsonLd={[toBusiness(site, texts.business, prices)]} />
      <Hero />
      {texts.services.length > 0 ? (
        <Section isTight title={texts.services_title} lede={texts.services_lede}>
          <CardGrid>
            {texts.services.map(({ glyph, title, description, features }, index) => (
              <Card key={index} glyph={glyph} title={title} text={description} features={features} />
            ))}
          </CardGrid>
        </Section>
      ) : null}
      <Section tone="ink" title={texts.pricing_title} lede={texts.pricing_lede}>
        <PriceScale />
      </Section>
      <GetInTouch />
    </>
  );
}

function Hero() {
  const site = useSite();
  const texts = usePricedTexts(homeTexts);
  const facts = shownOf(texts.facts, site);
  return (
    <section className="hero" aria-labelledby="tagline">
      <div className="wrap">
        <div className="hero-copy">
          <p className="eyebrow">{texts.eyebrow}</p>
          <h1 id="tagline">
            <Tagline text={texts.tagline} />
          </h1>
          <p className="lede">{texts.lede}</p>
          <div className="row">
            <ButtonLink to={paths.contact}>Get IT Support Now</ButtonLink>
            <PhoneLink phone={site.phone} className="link" />
          </div>
          {facts.length > 0 ? (
            <ul role="list" className="facts">
              {facts.map(({ strong, text }, index) => (
                <li key={index}>
                  <b>{strong}</b> {text}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
        <ExampleTicket />
      </div>
    </section>
  );
}

function GetInTouch() {
  const site = useSite();
  const texts = usePricedTexts(homeTexts);
  return (
    <section className="section" aria-labelledby="get-in-touch">
      <div className="wrap columns">
        <div className="stack">
          <h2 id="get-in-touch">{texts.touch_title}</h2>
          <p className="lede">{texts.touch_lede}</p>
          <ButtonLink to={paths.contact}>Schedule a Consultation</ButtonLink>
        </div>
        <FactsList
          facts={[
            { label: 'Phone', value: <PhoneLink phone={site.phone} /> },
            { label: 'Email', value: <a href={`mailto:${site.email}`}>{site.email}</a> },
            { label: 'Remote', value: site.areaRemote },
            { label: 'On-site', value: site.areaOnsite },
          ]}
        />
      </div>
    </section>
  );
}
