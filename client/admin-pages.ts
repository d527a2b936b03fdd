import type { PageModule } from './routes.js';

const modules = import.meta.glob<PageModule>('./pages/admin/*.tsx');

/**
 * Imports a screen of the admin area, or the frame around them. Their names, and those of what they need, are in a file of
 * their own: nobody else's browser has any use for them.
 */
export async function importAdminPage(file: string): Promise<PageModule> {
  const importPage = modules[`./pages/${file}.tsx`];
  if (!importPage) throw new Error(`There is no page client/pages/${file}.tsx`);
  return await importPage();
}
