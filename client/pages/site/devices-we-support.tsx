import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, PointList } from '../../components/card-grid.js';
import { FactsList } from '../../components/facts-list.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { devicesDrawing } from '../../content/drawings/devices.js';
import { compatibilityNotes, deviceCategories } from '../../content/devices.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  return (
    <>
      <Head
        title="Devices we Support"
        description={`The devices ${site.name} looks after: computers and laptops, mobile devices, displays, servers, office equipment, and network equipment, whatever the brand.`}
        jsonLd={[
          toBreadcrumbs(site, [
            { name: 'Why Choose Us?', path: paths.whyChooseUs },
            { name: 'Devices we Support', path: paths.devices },
          ]),
        ]}
      />
      <PageHeader
        drawing={devicesDrawing}
        title="Devices we Support"
        lede="If your team needs it to work, chances are we already look after one like it."
      />
      <Section eyebrow="Six categories" title="From the desk to the server closet">
        <PointList layout="rows">
          {deviceCategories.map(({ glyph, title, description, devices }) => (
            <Card key={title} glyph={glyph} title={title} text={description} features={devices} />
          ))}
        </PointList>
      </Section>
      <Section
        tone="muted"
        layout="columns"
        eyebrow="Compatibility"
        title="Will it work with what you have?"
        lede="Almost certainly. Here is where the line runs."
      >
        <FactsList
          facts={compatibilityNotes.map(({ term, description }) => ({
            label: term,
            value: <span className="facts-text">{description}</span>,
          }))}
        />
      </Section>
      <CallToAction
        title="Not sure about a device?"
        lede="Send us the maker and the model, and we’ll tell you where you stand."
      >
        <ButtonLink to={paths.contact}>Ask Us About It</ButtonLink>
      </CallToAction>
    </>
  );
}
