import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RestoredSettings, SettingsPreview, SettingsView } from '../../../src/shared/contracts/settings.js';
import { paths } from '../../../src/shared/paths.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import type { Outcome } from '../../components/outcome.js';
import { nameOfChanger, settingsMessages as messages } from '../../content/settings.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { takeOver } from '../../lib/admin-queries.js';
import { isSameValue, type SettingsKind } from './settings-kind.js';
import { useSettingsAttempts } from './use-settings-attempts.js';
import type { SettingsForm } from './use-settings-form.js';

const api = adminPaths;
const PUBLISHED: Outcome = {
  kind: 'success',
  ...messages.published,
  takesFocus: true,
  link: { label: 'See the page', to: paths.home },
};
const keyOf = (document: string) => ['settings', document] as const;

/** The key of the list of versions of a document. */
export const versionsKeyOf = (document: string) => ['settings-versions', document] as const;

/** A document of settings with its draft. */
export function useSettings(document: string) {
  const calls = useAdminApi();
  return useQuery({
    queryKey: keyOf(document),
    queryFn: ({ signal }) => calls.get<SettingsView>(api.settings(document), { signal, isBackground: true }),
  });
}

/** Actions of a screen that edits settings, one at a time. The page tells how each ended. */
export function useSettingsActions(kind: SettingsKind, form: SettingsForm) {
  const { document } = kind;
  const calls = useAdminApi();
  const queries = useQueryClient();
  const show = (view: SettingsView) => {
    takeOver(queries, keyOf(document), view);
    // Also a draft that is saved, or refused, tells of what somebody else has published.
    if (view.version !== form.view.version) void queries.invalidateQueries({ queryKey: versionsKeyOf(document) });
  };
  const attempts = useSettingsAttempts(kind, form, show);
  const { run, setClashes } = attempts;

  /** Saves what was typed, if anything was. Returns the document as it is then. */
  const keep = async (): Promise<SettingsView> => {
    if (form.typed.length === 0) return form.view;
    const input = form.toInput();
    const view = await calls.put<SettingsView>(api.settingsDraft(document), { revision: form.view.revision, ...input });
    show(view);
    goOn(form, view, input.values, Object.keys(input.values));
    form.tell({});
    setClashes([]);
    return view;
  };

  const save = () =>
    run(messages.notSaved, async () => {
      await keep();
      // The bar says where it is.
      return null;
    });

  const publish = () =>
    run(messages.notPublished, async () => {
      const view = await keep();
      if (hasUnseen(form, view)) {
        const text = `${nameOfChanger(view)} changed the draft meanwhile. Look at what will change now, and publish then.`;
        return { kind: 'error', title: messages.notPublished, text };
      }
      show(await calls.post<SettingsView>(api.settingsPublication(document), { revision: view.revision }));
      return PUBLISHED;
    });

  const discard = () =>
    run(messages.notDiscarded, async () => {
      const typed = form.toTyped();
      const { revision, draft } = form.view;
      const path = api.settingsDraft(document);
      const view = draft === null ? form.view : await calls.delete<SettingsView>(path, { query: { revision } });
      show(view);
      goOn(form, view, typed, Object.keys(view.values));
      form.tell({});
      setClashes([]);
      return { kind: 'success', ...messages.discarded, takesFocus: true };
    });

  const restore = (version: number) =>
    run(messages.notRestored, async () => {
      const typed = form.toTyped();
      const { left_aside: left, ...view } = await calls.post<RestoredSettings>(api.settingsRestore(document, version), {
        revision: form.view.revision,
      });
      show(view);
      goOn(form, view, typed, Object.keys(view.values));
      return describeRestored(kind, version, left, view);
    });

  /** Saves, and opens the real page with the draft in a tab of its own. */
  const preview = async () => {
    // A tab that nobody fills would stay empty.
    if (attempts.isBusy) return false;
    // At once, or the browser takes it for something that nobody asked for.
    const tab = window.open('', '_blank');
    return await run(messages.noPreview, async () => {
      try {
        await keep();
        const address = toAddress(kind, await calls.post<SettingsPreview>(api.settingsPreview(document)));
        if (tab === null) return { kind: 'success', ...messages.previewReady, link: { label: 'Open it', to: address } };
        tab.location.href = address;
        return null;
      } catch (error) {
        tab?.close();
        throw error;
      }
    });
  };

  const settle = (name: string, isMine: boolean) => {
    if (isMine) form.takeAsSeen(name, { ...form.view.values, ...form.view.draft }[name]);
    else form.forget({ [name]: form.values[name] });
    setClashes((former) => former.filter((other) => other !== name));
  };

  return { ...attempts, save, publish, discard, restore, preview, settle };
}

/**
 * Forgets what was handed in. What was typed since goes on from how the document stands now: it would clash with what its
 * own writer did before.
 * @param names of what this writer has just decided
 */
function goOn(
  form: SettingsForm,
  view: SettingsView,
  handedIn: Readonly<Record<string, unknown>>,
  names: readonly string[],
): void {
  form.forget(handedIn);
  const now = { ...view.values, ...view.draft };
  for (const name of names) form.takeAsSeen(name, now[name]);
}

/** Returns true when something waits that whoever publishes has not looked at. */
function hasUnseen({ changed, typed, view: seen }: SettingsForm, view: SettingsView): boolean {
  const isAdded = Object.keys(view.draft ?? {}).some((name) => !changed.includes(name));
  const isOther = (name: string) => !typed.includes(name) && !isSameValue(view.draft?.[name], seen.draft?.[name]);
  return isAdded || Object.keys(seen.draft ?? {}).some(isOther);
}

function describeRestored(kind: SettingsKind, version: number, left: readonly string[], view: SettingsView): Outcome {
  const lines = left.map((name) => `${kind.labelOf(name)} stays as it is: it is locked, or not allowed any more.`);
  const text = view.draft === null ? messages.restoredSame : messages.restored;
  return { kind: 'success', title: `Version ${version} is back`, text, takesFocus: true, lines };
}

/** Returns the address of the page of a preview that is looked at first. */
function toAddress({ previewPath = '/' }: SettingsKind, { path }: SettingsPreview): string {
  return path + previewPath.slice(1);
}

/** See {@link useSettingsActions}. */
export type SettingsActions = ReturnType<typeof useSettingsActions>;
