/** The program that an export for WordPress names as its writer: by it, an import knows our own. */
export const EXPORT_GENERATOR = 'it-support-website';
