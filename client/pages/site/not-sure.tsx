import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { notSureDrawing } from '../../content/drawings/not-sure.js';
import { doubts } from '../../content/doubts.js';
import { toQuestions } from '../../lib/company-data.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  return (
    <>
      <Head
        title="Not sure about IT Service?"
        description="Too small, too expensive, already covered, nothing broken: four honest doubts about paying for IT service, answered plainly and without a sales pitch."
        jsonLd={[
          toQuestions(doubts),
          toBreadcrumbs(site, [
            { name: 'Why Choose Us?', path: paths.whyChooseUs },
            { name: 'Not sure about IT Service?', path: paths.notSure },
          ]),
        ]}
      />
      <PageHeader
        drawing={notSureDrawing}
        title="Not sure about IT Service?"
        lede="Doubt is reasonable. These are the four doubts we hear most, and what we honestly answer."
      />
      <Section>
        <div className="doubts">
          {doubts.map(({ doubt, short, answer }) => (
            <article key={doubt}>
              <h2>“{doubt}”</h2>
              <div className="stack">
                <p className="doubt-short">{short}</p>
                <p className="quiet">{answer}</p>
              </div>
            </article>
          ))}
        </div>
      </Section>
      <CallToAction title="Still not sure?" lede="Tell us your doubt. If you’re better off without us, we’ll say so.">
        <ButtonLink to={paths.contact}>Talk It Over With Us</ButtonLink>
        <ButtonLink to={paths.pricing} kind="line">
          See the Price
        </ButtonLink>
      </CallToAction>
    </>
  );
}
