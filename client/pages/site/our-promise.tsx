import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, CardGrid } from '../../components/card-grid.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { promiseDrawing } from '../../content/drawings/promise.js';
import { guaranteesOf, guaranteeSteps } from '../../content/guarantees.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  return (
    <>
      <Head
        title="Our Promise"
        description={`Four guarantees from ${site.name} for every client: 100% satisfaction, top-tier security, IT that feels in-house, and monitoring that notices trouble early.`}
        jsonLd={[
          toBreadcrumbs(site, [
            { name: 'Why Choose Us?', path: paths.whyChooseUs },
            { name: 'Our Promise', path: paths.ourPromise },
          ]),
        ]}
      />
      <PageHeader
        drawing={promiseDrawing}
        title="Our Promise"
        lede="Every client gets all of it. There is no tier in which we promise less."
      />
      <Section eyebrow="Four guarantees" title="What you can count on">
        <CardGrid columns={2}>
          {guaranteesOf(site.claims).map(({ glyph, title, description, points }) => (
            <Card key={title} glyph={glyph} title={title} text={description} features={points} />
          ))}
        </CardGrid>
      </Section>
      <Section
        tone="muted"
        layout="columns"
        eyebrow="If we fall short"
        title="How to hold us to it"
        lede="A promise is worth what happens when something goes wrong."
      >
        <div className="stack">
          <ol className="steps">
            {guaranteeSteps.map(({ title, description }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p className="quiet">{description}</p>
              </li>
            ))}
          </ol>
          {site.guaranteeTerms ? (
            <div>
              <h3>The terms</h3>
              <p className="quiet">{site.guaranteeTerms}</p>
            </div>
          ) : null}
        </div>
      </Section>
      <CallToAction
        title="Put us to the test"
        lede="Bring us a problem that has been open for too long, and see how we treat it."
      >
        <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
      </CallToAction>
    </>
  );
}
