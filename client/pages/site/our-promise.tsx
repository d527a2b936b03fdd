import { promiseTexts } from '../../../src/shared/contracts/page-texts/our-promise.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, CardGrid } from '../../components/card-grid.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { promiseDrawing } from '../../content/drawings/promise.js';
import { Head } from '../../lib/head.js';
import { shownOf, usePageTexts } from '../../lib/page-texts.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  const texts = usePageTexts(promiseTexts);
  const guarantees = shownOf(texts.guarantees, site);
  return (
    <>
      <Head
        title={texts.title}
        description={texts.description}
        jsonLd={[
          toBreadcrumbs(site, [
            { name: 'Why Choose Us?', path: paths.whyChooseUs },
            { name: texts.title, path: paths.ourPromise },
          ]),
        ]}
      />
      <PageHeader drawing={promiseDrawing} title={texts.title} lede={texts.lede} />
      {guarantees.length > 0 ? (
        <Section eyebrow={texts.guarantees_eyebrow} title={texts.guarantees_title}>
          <CardGrid columns={2}>
            {guarantees.map(({ glyph, title, description, points }, index) => (
              <Card key={index} glyph={glyph} title={title} text={description} features={points} />
            ))}
          </CardGrid>
        </Section>
      ) : null}
      {texts.steps.length > 0 || site.guaranteeTerms ? (
        <Section
          tone="muted"
          layout="columns"
          eyebrow={texts.steps_eyebrow}
          title={texts.steps_title}
          lede={texts.steps_lede}
        >
          <div className="stack">
            {texts.steps.length > 0 ? (
              <ol className="steps">
                {texts.steps.map(({ title, description }, index) => (
                  <li key={index}>
                    <h3>{title}</h3>
                    <p className="quiet">{description}</p>
                  </li>
                ))}
              </ol>
            ) : null}
            {site.guaranteeTerms ? (
              <div>
                <h3>The terms</h3>
                <p className="quiet">{site.guaranteeTerms}</p>
              </div>
            ) : null}
          </div>
        </Section>
      ) : null}
      <CallToAction title={texts.closing_title} lede={texts.closing_lede}>
        <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
      </CallToAction>
    </>
  );
}
