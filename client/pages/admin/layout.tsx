import { useState } from 'react';
import { Outlet, useNavigate } from 'react-router-dom';
import type { Role } from '../../../src/shared/contracts/roles.js';
import { paths } from '../../../src/shared/paths.js';
import { AdminGate } from '../../features/admin/admin-gate.js';
import { AdminShell, type AreaCount } from '../../features/admin/admin-shell.js';
import { AccountSlot } from '../../features/auth/account-slot.js';
import { forgetIsAdmin } from '../../features/auth/fetch-me.js';
import { PasswordDialog } from '../../features/auth/password-dialog.js';
import { EnquiryCount } from '../../features/enquiries/enquiry-count.js';
import { Brand } from '../../features/shell/brand.js';
import { ThemeSwitch } from '../../features/shell/theme-switch.js';
import { useSite } from '../../lib/site-context.js';
import adminStyles from '../../styles/admin.css?url';

/** The frame of the admin area. Its style sheet is its own: public pages load nothing of this area. */
export function Component() {
  const navigate = useNavigate();
  const { timeZone } = useSite();
  const [role, setRole] = useState<Role | null>(null);
  const [enquiries, setEnquiries] = useState<AreaCount>();
  return (
    <>
      <link rel="stylesheet" href={adminStyles} precedence="admin" />
      <AdminShell
        role={role}
        {...(enquiries && { counts: { [paths.admin.enquiries]: enquiries } })}
        brand={<Brand />}
        account={<AccountSlot place="header" onSignedOut={() => void navigate(paths.home)} />}
        foot={
          <>
            <span className="quiet small">Times of {timeZone.replaceAll('_', ' ')}</span>
            <ThemeSwitch />
          </>
        }
      >
        <AdminGate onDenied={forgetIsAdmin} onAdmitted={setRole} PasswordDialog={PasswordDialog}>
          {role === 'admin' ? <EnquiryCount onCount={setEnquiries} /> : null}
          <Outlet />
        </AdminGate>
      </AdminShell>
    </>
  );
}
