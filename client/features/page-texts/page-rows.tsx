import { editedPages, type EditedPage } from '../../../src/shared/contracts/page-texts/page-texts.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge } from '../../components/badge.js';
import { countTexts, pageLabel } from '../../content/page-texts.js';
import type { TextForm } from './text-form.js';

/** Every page that has texts, with what of it waits and what is not as it came. */
export function PageRows({ form }: { readonly form: TextForm }) {
  return (
    <ul role="list" className="text-page-rows">
      {editedPages.map((page) => (
        <li key={page}>
          <PageRow page={page} form={form} />
        </li>
      ))}
    </ul>
  );
}

function PageRow({ page, form }: { readonly page: EditedPage; readonly form: TextForm }) {
  const isOf = (name: string) => name.startsWith(`${page}.`);
  const waiting = form.changed.filter(isOf).length;
  const own = Object.keys(form.values).filter((name) => isOf(name) && form.sourceOf(name) === 'setting').length;
  return (
    <a href={paths.admin.pageTexts(page)} className="text-page-row">
      <b>{pageLabel(page)}</b>
      <span className="quiet">{paths[page]}</span>
      <span className="row-meta">
        <span>{own === 0 ? 'As it came' : countTexts(own, 'of your own')}</span>
        {waiting > 0 ? <Badge kind="signal">{countTexts(waiting, 'to be published')}</Badge> : null}
      </span>
    </a>
  );
}
