import { createContext, useContext, type ReactNode } from 'react';
import type { AdminApi } from './admin-api.js';

const AdminApiContext = createContext<AdminApi | null>(null);

/** Makes the API of the admin area available to every screen in it. */
export function AdminApiProvider({ api, children }: { readonly api: AdminApi; readonly children: ReactNode }) {
  return <AdminApiContext value={api}>{children}</AdminApiContext>;
}

/** Returns the API in the name of the user for whom the admin area was opened. */
export function useAdminApi(): AdminApi {
  const api = useContext(AdminApiContext);
  if (!api) throw new Error('useAdminApi needs the admin area above it');
  return api;
}
