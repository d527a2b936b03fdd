import { ScreenHead } from '../../features/admin/screen.js';
import { EnquiryManager } from '../../features/enquiries/enquiry-manager.js';
import { ExportButtons } from '../../features/enquiries/export-buttons.js';

/** The screen of enquiries. */
export function Component() {
  return (
    <>
      <ScreenHead title="Enquiries" lede="What people wrote with the contact form, and whether it reached your mailbox">
        <ExportButtons />
      </ScreenHead>
      <EnquiryManager />
    </>
  );
}
