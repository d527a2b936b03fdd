import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, PointList } from '../../components/card-grid.js';
import { FactsList } from '../../components/facts-list.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { aboutDrawing } from '../../content/drawings/about.js';
import { companyValues } from '../../content/values.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  return (
    <>
      <Head
        title="About Us"
        description={`${site.name} looks after IT for small and growing businesses. Our story, and the four values we work by: reliability, simplicity, affordability, partnership.`}
        jsonLd={[toBreadcrumbs(site, [{ name: 'About Us', path: paths.about }])]}
      />
      <PageHeader
        drawing={aboutDrawing}
        title="About Us"
        lede="We are the IT department of companies that don’t have one."
      />
      <Story />
      <Section tone="muted" eyebrow="Our values" title="The way we work">
        <PointList>
          {companyValues.map(({ glyph, title, description }) => (
            <Card key={title} glyph={glyph} title={title} text={description} />
          ))}
        </PointList>
      </Section>
      <CallToAction
        title="See whether we’re a fit"
        lede="Tell us about your team and what slows it down. Talking costs nothing, and the answer will be a straight one."
      >
        <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
      </CallToAction>
    </>
  );
}

function Story() {
  const { name } = useSite();
  return (
    <Section>
      <div className="columns">
        <div className="prose">
          <h2>Why we started</h2>
          <p>
            In most small companies, IT is nobody’s job. Somebody is good with computers, so the printer, the passwords,
            and the backup that may or may not be running all end up on one desk, on top of the work that person was
            hired for.
          </p>
          <p>
            Often the way out is a provider with several tiers. The cheap one answers slowly, the good one costs more
            than the problem, and security is an extra on top of either.
          </p>
          <p>
            {name} is the way out we would have wanted ourselves: one flat price per user, priority support for every
            client, and top-tier security at no charge. We come by when a job needs hands, and we explain what we did in
            words that need no glossary.
          </p>
        </div>
        <CompanyFacts />
      </div>
    </Section>
  );
}

/** The company in a few lines, without the claims that are switched off. */
function CompanyFacts() {
  const { claims, areaRemote, areaOnsite, contactPerson } = useSite();
  const facts = [
    contactPerson !== null && { label: 'Who answers', value: contactPerson },
    claims.founded && { label: 'Founded', value: 'August 2025' },
    claims.clients && { label: 'Trusted by', value: 'Over 100 businesses' },
    { label: 'Price', value: 'One flat rate per user, no tiers' },
    { label: 'Remote', value: areaRemote },
    { label: 'On-site', value: areaOnsite },
  ];
  return <FactsList facts={facts.filter((fact) => fact !== false)} />;
}
