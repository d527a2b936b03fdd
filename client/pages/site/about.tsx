import { aboutTexts } from '../../../src/shared/contracts/page-texts/about.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, PointList } from '../../components/card-grid.js';
import { FactsList } from '../../components/facts-list.js';
import { PageHeader } from '../../components/page-header.js';
import { RichText, toRichFacts } from '../../components/rich-text.js';
import { Section } from '../../components/section.js';
import { aboutDrawing } from '../../content/drawings/about.js';
import { Head } from '../../lib/head.js';
import { shownOf, usePageTexts } from '../../lib/page-texts.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  const texts = usePageTexts(aboutTexts);
  return (
    <>
      <Head
        title={texts.title}
        description={texts.description}
        jsonLd={[toBreadcrumbs(site, [{ name: texts.title, path: paths.about }])]}
      />
      <PageHeader drawing={aboutDrawing} title={texts.title} lede={texts.lede} />
      <Story />
      {texts.values.length > 0 ? (
        <Section tone="muted" eyebrow={texts.values_eyebrow} title={texts.values_title}>
          <PointList>
            {texts.values.map(({ glyph, title, description }, index) => (
              <Card key={index} glyph={glyph} title={title} text={description} />
            ))}
          </PointList>
        </Section>
      ) : null}
      <CallToAction title={texts.closing_title} lede={texts.closing_lede}>
        <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
      </CallToAction>
    </>
  );
}

function Story() {
  const site = useSite();
  const texts = usePageTexts(aboutTexts);
  return (
    <Section>
      <div className="columns">
        <div className="prose">
          <h2>{texts.story_title}</h2>
          <RichText text={texts.story} facts={toRichFacts(site)} />
        </div>
        <CompanyFacts />
      </div>
    </Section>
  );
}

/** The company in a few lines, without the claims that are switched off. */
function CompanyFacts() {
  return <FactsList facts={shownOf(usePageTexts(aboutTexts).facts, useSite())} />;
}
