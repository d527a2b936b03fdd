import { Outlet, useNavigate } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { AdminGate } from '../../features/admin/admin-gate.js';
import { AdminShell } from '../../features/admin/admin-shell.js';
import { AccountSlot } from '../../features/auth/account-slot.js';
import { forgetIsAdmin } from '../../features/auth/fetch-me.js';
import { PasswordDialog } from '../../features/auth/password-dialog.js';
import { Brand } from '../../features/shell/brand.js';
import { ThemeSwitch } from '../../features/shell/theme-switch.js';
import adminStyles from '../../styles/admin.css?url';

/** The frame of the admin area. Its style sheet is its own: public pages load nothing of this area. */
export function Component() {
  const navigate = useNavigate();
  return (
    <>
      <link rel="stylesheet" href={adminStyles} precedence="admin" />
      <AdminShell
        brand={<Brand />}
        account={<AccountSlot place="header" onSignedOut={() => void navigate(paths.home)} />}
        foot={<ThemeSwitch />}
      >
        <AdminGate onDenied={forgetIsAdmin} PasswordDialog={PasswordDialog}>
          <Outlet />
        </AdminGate>
      </AdminShell>
    </>
  );
}
