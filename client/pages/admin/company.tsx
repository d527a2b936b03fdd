import { companyMessages as messages, describeFact, labelOfFact } from '../../content/company.js';
import { ScreenHead } from '../../features/admin/screen.js';
import { CompanyForm } from '../../features/company/company-form.js';
import { SettingsEditor } from '../../features/settings/settings-editor.js';
import { ImageField } from '../../features/uploads/image-field.js';

const KIND = {
  document: 'company',
  labelOf: labelOfFact,
  describe: (name: string, value: unknown) => describeFact(value, name),
};

/** The screen of the company (product.md 2.14). */
export function Component() {
  return (
    <>
      <ScreenHead title={messages.title} lede={messages.lede} />
      <SettingsEditor kind={KIND}>{(form) => <CompanyForm form={form} ImageField={ImageField} />}</SettingsEditor>
    </>
  );
}
