import { useNavigate, useParams } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { EnquiryScreen } from '../../features/enquiries/enquiry-screen.js';
import { ScreenHead } from '../../features/admin/screen.js';

/** The screen of one enquiry. */
export function Component() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  return (
    <>
      <ScreenHead title="Enquiry">
        <a className="btn btn-line" href={paths.admin.enquiries}>
          All enquiries
        </a>
      </ScreenHead>
      <EnquiryScreen key={id} id={id} onErased={() => void navigate(paths.admin.enquiries)} />
    </>
  );
}
