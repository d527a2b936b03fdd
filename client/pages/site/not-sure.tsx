import { notSureTexts } from '../../../src/shared/contracts/page-texts/not-sure.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { notSureDrawing } from '../../content/drawings/not-sure.js';
import { toQuestions } from '../../features/not-sure/questions-data.js';
import { Head } from '../../lib/head.js';
import { usePricedTexts } from '../../lib/prices.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  const texts = usePricedTexts(notSureTexts);
  return (
    <>
      <Head
        title={texts.title}
        description={texts.description}
        jsonLd={[
          toQuestions(texts.doubts),
          toBreadcrumbs(site, [
            { name: 'Why Choose Us?', path: paths.whyChooseUs },
            { name: texts.title, path: paths.notSure },
          ]),
        ]}
      />
      <PageHeader drawing={notSureDrawing} title={texts.title} lede={texts.lede} />
      {texts.doubts.length > 0 ? (
        <Section>
          <div className="doubts">
            {texts.doubts.map(({ doubt, short, answer }, index) => (
              <article key={index}>
                <h2>“{doubt}”</h2>
                <div className="stack">
                  <p className="doubt-short">{short}</p>
                  <p className="quiet">{answer}</p>
                </div>
              </article>
            ))}
          </div>
        </Section>
      ) : null}
      <CallToAction title={texts.closing_title} lede={texts.closing_lede}>
        <ButtonLink to={paths.contact}>Talk It Over With Us</ButtonLink>
        <ButtonLink to={paths.pricing} kind="line">
          See the Price
        </ButtonLink>
      </CallToAction>
    </>
  );
}
