import { useState } from 'react';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { Button } from '../../components/button.js';
import { enquiryMessages as messages } from '../../content/enquiries.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { describeError, isAccessDenied } from '../../lib/api-errors.js';
import { fetchFile } from '../../lib/fetch-file.js';
import { saveFile } from '../../lib/save-file.js';
import { toParams, useEnquiryFilter, type EnquiryFilter } from './use-enquiries.js';

type Format = 'csv' | 'json';

const FORMATS: readonly Format[] = ['csv', 'json'];

function toAddress(format: Format, filter: EnquiryFilter): string {
  return `${adminPaths.enquiriesExport}?${toParams(filter).toString()}&format=${format}`;
}

/** The enquiries of the list, with its filters, as a file. */
export function ExportButtons() {
  const api = useAdminApi();
  const [filter] = useEnquiryFilter();
  const [busy, setBusy] = useState<Format | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const handleExport = async (format: Format) => {
    if (busy) return;
    setBusy(format);
    setFailure(null);
    try {
      const address = toAddress(format, filter);
      saveFile(await api.withSession((token) => fetchFile(address, token)), `enquiries.${format}`);
    } catch (error) {
      if (!isAccessDenied(error)) setFailure(`${messages.exportFailed}: ${describeError(error)}`);
    } finally {
      setBusy(null);
    }
  };

  return (
    <>
      {FORMATS.map((format) => (
        <Button key={format} kind="line" aria-disabled={busy !== null} onClick={() => void handleExport(format)}>
          Export {format.toUpperCase()}
        </Button>
      ))}
      <p role="alert" className="enquiry-failing">
        {failure}
      </p>
    </>
  );
}
