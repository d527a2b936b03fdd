const base = (document: string) => `/api/admin/settings/${encodeURIComponent(document)}`;

/** The addresses of a document of settings in the API. Pages of visitors need not load them. */
export const settingsPaths = {
  settings: base,
  settingsDraft: (document: string) => `${base(document)}/draft`,
  settingsPublication: (document: string) => `${base(document)}/publication`,
  settingsPreview: (document: string) => `${base(document)}/preview`,
  settingsVersions: (document: string) => `${base(document)}/versions`,
  settingsRestore: (document: string, version: number) => `${base(document)}/versions/${version}/restore`,
};
