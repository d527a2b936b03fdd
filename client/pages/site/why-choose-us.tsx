import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, PointList } from '../../components/card-grid.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { whyDrawing } from '../../content/drawings/why.js';
import { benefits, missionStatement, whyTopics } from '../../content/benefits.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  return (
    <>
      <Head
        title="Why Choose Us?"
        description={`Six reasons small businesses choose ${site.name}: one flat price, priority for every client, security at no charge, and one contact for everything with a plug.`}
        jsonLd={[toBreadcrumbs(site, [{ name: 'Why Choose Us?', path: paths.whyChooseUs }])]}
      />
      <PageHeader
        drawing={whyDrawing}
        title="Why Choose Us?"
        lede="Because IT should be the part of your day that you don’t think about."
      />
      <Section eyebrow="Six good reasons" title="What changes when we look after it">
        <PointList>
          {benefits.map(({ glyph, title, description }) => (
            <Card key={title} glyph={glyph} title={title} text={description} />
          ))}
        </PointList>
      </Section>
      <Section tone="muted" layout="columns" eyebrow="Our mission" title="What we are here for">
        <p className="mission">{missionStatement}</p>
      </Section>
      <Topics />
      <CallToAction
        title="Ask us the hard questions"
        lede="The first conversation is free, and you’re welcome to bring your doubts."
      >
        <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
        <ButtonLink to={paths.pricing} kind="line">
          See the Price
        </ButtonLink>
      </CallToAction>
    </>
  );
}

function Topics() {
  return (
    <Section eyebrow="Look closer" title="Three things people ask first">
      <ul role="list" className="topics">
        {whyTopics.map(({ path, title, description }) => (
          <li key={path}>
            <h3>
              <a href={paths[path]}>
                {title}
                <Icon shape={signs.forward} />
              </a>
            </h3>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
