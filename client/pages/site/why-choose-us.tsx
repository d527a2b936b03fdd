import { whyTexts } from '../../../src/shared/contracts/page-texts/why-choose-us.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, PointList } from '../../components/card-grid.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { whyDrawing } from '../../content/drawings/why.js';
import { whyTopics } from '../../content/why-topics.js';
import { Head } from '../../lib/head.js';
import { usePageTexts } from '../../lib/page-texts.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  const texts = usePageTexts(whyTexts);
  return (
    <>
      <Head
        title={texts.title}
        description={texts.description}
        jsonLd={[toBreadcrumbs(site, [{ name: texts.title, path: paths.whyChooseUs }])]}
      />
      <PageHeader drawing={whyDrawing} title={texts.title} lede={texts.lede} />
      {texts.benefits.length > 0 ? (
        <Section eyebrow={texts.benefits_eyebrow} title={texts.benefits_title}>
          <PointList>
            {texts.benefits.map(({ glyph, title, description }, index) => (
              <Card key={index} glyph={glyph} title={title} text={description} />
            ))}
          </PointList>
        </Section>
      ) : null}
      <Section tone="muted" layout="columns" eyebrow={texts.mission_eyebrow} title={texts.mission_title}>
        <p className="mission">{texts.mission}</p>
      </Section>
      <Topics />
      <CallToAction title={texts.closing_title} lede={texts.closing_lede}>
        <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
        <ButtonLink to={paths.pricing} kind="line">
          See the Price
        </ButtonLink>
      </CallToAction>
    </>
  );
}

function Topics() {
  const texts = usePageTexts(whyTexts);
  return (
    <Section eyebrow={texts.topics_eyebrow} title={texts.topics_title}>
      <ul role="list" className="topics">
        {whyTopics.map(({ path, title, text }) => (
          <li key={path}>
            <h3>
              <a href={paths[path]}>
                {title}
                <Icon shape={signs.forward} />
              </a>
            </h3>
            <p>{texts[text]}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
