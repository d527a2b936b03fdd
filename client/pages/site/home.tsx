import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Card, CardGrid } from '../../components/card-grid.js';
import { FactsList, PhoneLink } from '../../components/facts-list.js';
import { Section } from '../../components/section.js';
import { plans } from '../../content/plans.js';
import { services } from '../../content/services.js';
import { ExampleTicket } from '../../features/home/example-ticket.js';
import { PriceScale } from '../../features/pricing/price-scale.js';
import { toBusiness } from '../../lib/company-data.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';

/** Home (product.md 2.3): hero, services, pricing model, contact. */
export function Component() {
  const site = useSite();
  return (
    <>
      <Head
        title="IT Support for Small and Growing Businesses"
        description={`IT support for small and growing businesses: one flat price per user, priority for every client, security at no charge. Remote ${site.areaRemote.toLowerCase()}, on-site in ${site.areaOnsite}.`}
        jsonLd={[toBusiness(site)]}
      />
      <Hero />
      <Section isTight title="Our Services" lede="Everything a small company expects of its own IT department.">
        <CardGrid>
          {services.map(({ glyph, title, description, features }) => (
            <Card key={title} glyph={glyph} title={title} text={description} features={features} />
          ))}
        </CardGrid>
      </Section>
      <Section
        tone="ink"
        title="Our Pricing Model"
        lede="One price you can say in a sentence: no tiers, no fee per incident, no upgrade to be taken seriously."
      >
        <PriceScale />
      </Section>
      <GetInTouch />
    </>
  );
}

function Hero() {
  const site = useSite();
  const [managed] = plans;
  return (
    <section className="hero" aria-labelledby="tagline">
      <div className="wrap">
        <div className="hero-copy">
          <p className="eyebrow">IT support for small and growing businesses</p>
          <h1 id="tagline">
            <span className="whole">Your Trusted IT Team -</span>{' '}
            <span className="whole">Simple. Reliable. Affordable</span>
          </h1>
          <p className="lede">One flat price per user. Every client gets priority. Security is never an upgrade.</p>
          <div className="row">
            <ButtonLink to={paths.contact}>Get IT Support Now</ButtonLink>
            <PhoneLink phone={site.phone} className="link" />
          </div>
          <ul role="list" className="facts">
            <li>
              <b>Up to ${managed.price}</b> per user, per month
            </li>
            <li>
              <b>Remote</b> {site.areaRemote.toLowerCase()}
            </li>
            <li>
              <b>On-site</b> in {site.areaOnsite}
            </li>
            {site.claims.clients ? (
              <li>
                <b>Over 100</b> businesses trust us
              </li>
            ) : null}
          </ul>
        </div>
        <ExampleTicket />
      </div>
    </section>
  );
}

function GetInTouch() {
  const site = useSite();
  return (
    <section className="section" aria-labelledby="get-in-touch">
      <div className="wrap columns">
        <div className="stack">
          <h2 id="get-in-touch">Get In Touch</h2>
          <p className="lede">
            Tell us what keeps breaking. A first call is free, and you leave it with a plan whether or not you hire us.
          </p>
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
