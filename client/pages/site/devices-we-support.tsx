import { devicesTexts } from '../../../src/shared/contracts/page-texts/devices.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, PointList } from '../../components/card-grid.js';
import { FactsList } from '../../components/facts-list.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { devicesDrawing } from '../../content/drawings/devices.js';
import { Head } from '../../lib/head.js';
import { usePageTexts } from '../../lib/page-texts.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  const texts = usePageTexts(devicesTexts);
  return (
    <>
      <Head
        title={texts.title}
        description={texts.description}
        jsonLd={[
          toBreadcrumbs(site, [
            { name: 'Why Choose Us?', path: paths.whyChooseUs },
            { name: texts.title, path: paths.devices },
          ]),
        ]}
      />
      <PageHeader drawing={devicesDrawing} title={texts.title} lede={texts.lede} />
      {texts.categories.length > 0 ? (
        <Section eyebrow={texts.categories_eyebrow} title={texts.categories_title}>
          <PointList layout="rows">
            {texts.categories.map(({ glyph, title, description, devices }, index) => (
              <Card key={index} glyph={glyph} title={title} text={description} features={devices} />
            ))}
          </PointList>
        </Section>
      ) : null}
      {texts.notes.length > 0 ? (
        <Section
          tone="muted"
          layout="columns"
          eyebrow={texts.notes_eyebrow}
          title={texts.notes_title}
          lede={texts.notes_lede}
        >
          <FactsList
            facts={texts.notes.map(({ term, description }) => ({
              label: term,
              value: <span className="facts-text">{description}</span>,
            }))}
          />
        </Section>
      ) : null}
      <CallToAction title={texts.closing_title} lede={texts.closing_lede}>
        <ButtonLink to={paths.contact}>Ask Us About It</ButtonLink>
      </CallToAction>
    </>
  );
}
