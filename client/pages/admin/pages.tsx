import { useParams } from 'react-router-dom';
import { isEditedPage } from '../../../src/shared/contracts/page-texts/page-texts.js';
import { paths } from '../../../src/shared/paths.js';
import { pageLabel, pageTextMessages as messages, textsKind } from '../../content/page-texts.js';
import { ScreenHead } from '../../features/admin/screen.js';
import { PageFields } from '../../features/page-texts/page-fields.js';
import { PageRows } from '../../features/page-texts/page-rows.js';
import { SettingsEditor } from '../../features/settings/settings-editor.js';

/** The screens of pages (product.md 2.14): the list of all, and the form of one. What waits is that of all pages. */
export function Component() {
  const { page } = useParams();
  if (page === undefined) {
    return (
      <>
        <ScreenHead title={messages.title} lede={messages.lede} />
        <SettingsEditor key="all" kind={textsKind}>
          {(form) => <PageRows form={form} />}
        </SettingsEditor>
      </>
    );
  }
  const back = (
    <a className="btn btn-line" href={paths.admin.pages}>
      All pages
    </a>
  );
  if (!isEditedPage(page)) return <ScreenHead title="There is no such page">{back}</ScreenHead>;
  return (
    <>
      <ScreenHead key={page} title={`Page: ${pageLabel(page)}`} lede={`What ${paths[page]} says`}>
        {back}
      </ScreenHead>
      <SettingsEditor key={page} kind={{ ...textsKind, previewPath: paths[page] }}>
        {(form) => <PageFields page={page} form={form} />}
      </SettingsEditor>
    </>
  );
}
