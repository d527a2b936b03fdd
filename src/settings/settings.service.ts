import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { AuditService, type AuditDetails } from '../audit/audit.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type {
  RestoredSettings,
  SettingsDraftInput,
  SettingsVersionItem,
  SettingsVersions,
  SettingsView,
} from '../shared/contracts/settings.js';
import type { WaitingSettings } from '../shared/contracts/overview.js';
import { SiteService, type SiteMoment } from '../site/site.service.js';
import { SETTINGS_DEFINITIONS, type SettingsDefinition } from './settings-definition.js';
import type { SettingsContent } from './settings-document.entity.js';
import { addToDraft, findChanged, findClashes, findDormant, findWaiting } from './settings-draft.js';
import {
  SettingsStoreService,
  type DocumentChange,
  type ReadDocument,
  type StoredDocument,
  type StoredVersion,
} from './settings-store.service.js';
import {
  InvalidSettingsException,
  SettingsChangedException,
  SettingsNotFoundException,
  SettingsRefusedError,
  SettingsVersionNotFoundException,
} from './settings.errors.js';

/** Versions in a part of their list. */
const LISTED_VERSIONS = 20;

type Decide = (
  stored: StoredDocument,
  definition: SettingsDefinition,
  em: EntityManager,
) => Promise<DocumentChange | null>;

/** Drafts, publications and versions of every document of settings. For administrators. */
@Injectable()
export class SettingsService {
  constructor(
    private readonly store: SettingsStoreService,
    private readonly site: SiteService,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
    @Inject(SETTINGS_DEFINITIONS) private readonly definitions: readonly SettingsDefinition[],
  ) {}

  /** @throws SettingsNotFoundException */
  async find(actor: Actor, document: string): Promise<SettingsView> {
    const definition = await this.open(actor, document);
    return toView(definition, await this.store.read(definition.name));
  }

  /** Lists the drafts that wait to be published. */
  async listWaiting(actor: Actor): Promise<WaitingSettings[]> {
    await this.roles.requireAdmin(actor);
    const views = await Promise.all(
      this.definitions.map(async (definition) => ({
        document: definition.name,
        ...toView(definition, await this.store.read(definition.name)),
      })),
    );
    return views.flatMap(({ document, draft, changed_at, changed_by }) =>
      draft === null ? [] : [{ document, changes: Object.keys(draft).length, changed_at, changed_by }],
    );
  }

  /**
   * Puts values into the draft. Those that somebody else changed meanwhile, and the writer did not, stay as they are.
   * @throws SettingsChangedException for values that both changed; nothing was written
   * @throws InvalidSettingsException, SettingsNotFoundException
   */
  async saveDraft(
    actor: Actor,
    document: string,
    { revision, values: given, seen = {} }: SettingsDraftInput,
  ): Promise<SettingsView> {
    return await this.change(actor, document, async (stored, definition, em) => {
      const reading = definition.read(stored.content);
      const wanted = check(definition, given);
      await hold(definition, em, wanted);
      const now = { ...reading.values, ...findWaiting(reading, stored.draft) };
      // A screen that was loaded anew has the revision of now, and may hold what was typed before.
      const named = Object.entries(wanted).filter(([name]) => Object.hasOwn(seen, name));
      const compared = revision === stored.revision ? Object.fromEntries(named) : wanted;
      const clashes = findClashes(now, compared, seen);
      if (clashes.length > 0) throw await this.tellChanged(definition, em, clashes);
      const draft = addToDraft(reading, stored.draft, wanted);
      return isDeepStrictEqual(draft, stored.draft ?? {}) ? null : { content: stored.content, draft };
    });
  }

  /** Throws the draft away. @throws SettingsChangedException, SettingsNotFoundException */
  async discardDraft(actor: Actor, document: string, revision: number): Promise<SettingsView> {
    return await this.change(actor, document, async (stored, definition, em) => {
      await this.requireRevision(definition, em, stored, revision);
      const reading = definition.read(stored.content);
      const names = Object.keys(findWaiting(reading, stored.draft));
      if (names.length === 0) return null;
      await this.record(em, actor, definition, 'settings.draft_discarded', { changed: names.join(', ') });
      return { content: stored.content, draft: findDormant(reading, stored.draft) };
    });
  }

  /**
   * Publishes the draft as it was seen, all of it or, if a value of it is refused, nothing.
   * @throws SettingsChangedException, InvalidSettingsException, SettingsNotFoundException
   */
  async publish(actor: Actor, document: string, revision: number): Promise<SettingsView> {
    const view = await this.change(actor, document, async (stored, definition, em) => {
      await this.requireRevision(definition, em, stored, revision);
      const reading = definition.read(stored.content);
      const waiting = check(definition, findWaiting(reading, stored.draft));
      const changed = Object.keys(waiting);
      if (changed.length === 0) return null;
      await hold(definition, em, waiting);
      await this.record(em, actor, definition, 'settings.published', { changed: changed.join(', ') });
      const content = definition.apply(stored.content, waiting);
      refuse(() => definition.checkWhole?.(content));
      return { content, draft: findDormant(reading, stored.draft) };
    });
    await this.site.refresh();
    return view;
  }

  /** Lists the kept versions, newest first. @throws SettingsNotFoundException */
  async listVersions(actor: Actor, document: string, before?: number): Promise<SettingsVersions> {
    const definition = await this.open(actor, document);
    // One more tells what the last of the part changed.
    const rows = await this.store.listVersions(definition.name, { limit: LISTED_VERSIONS + 1, before });
    const items = rows.slice(0, LISTED_VERSIONS).map((row, index) => toVersionItem(definition, row, rows[index + 1]));
    return { items, next_before: rows.length > LISTED_VERSIONS ? (items.at(-1)?.version ?? null) : null };
  }

  /**
   * Makes a draft of a version, in the place of the draft that is there. It is published as any other.
   * @throws SettingsVersionNotFoundException, SettingsChangedException, SettingsNotFoundException
   */
  async restore(actor: Actor, document: string, version: number, revision: number): Promise<RestoredSettings> {
    let leftAside: string[] = [];
    const view = await this.change(actor, document, async (stored, definition, em) => {
      await this.requireRevision(definition, em, stored, revision);
      const [kept] = await this.store.listVersions(definition.name, { limit: 1, before: version + 1, em });
      if (kept?.version !== version) throw new SettingsVersionNotFoundException();
      const reading = definition.read(stored.content);
      // What nobody had said then is no more said by coming back.
      const wanted = findWaiting({ ...reading, unconfirmed: [] }, definition.read(kept.content).values);
      const allowed: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(wanted))
        if (await isAllowed(definition, em, { [name]: value })) allowed[name] = value;
      leftAside = Object.keys(wanted).filter((name) => !Object.hasOwn(allowed, name));
      const draft = addToDraft(reading, findDormant(reading, stored.draft), allowed);
      await this.record(em, actor, definition, 'settings.version_restored', { version });
      return { content: stored.content, draft };
    });
    return { ...view, left_aside: leftAside };
  }

  /**
   * Returns the site with a draft in it, as it would be after its publication. Who may see it has been asked.
   * @throws SettingsNotFoundException
   */
  async previewMoment(document: string): Promise<SiteMoment> {
    const definition = this.definitionOf(document);
    const { content, draft } = await this.store.read(definition.name);
    return definition.toMoment(definition.apply(content, findWaiting(definition.read(content), draft)));
  }

  /** Checks that there is something to be seen, and that the actor may. @throws SettingsNotFoundException */
  async requirePreview(actor: Actor, document: string): Promise<void> {
    await this.open(actor, document);
  }

  private async open(actor: Actor, document: string): Promise<SettingsDefinition> {
    await this.roles.requireAdmin(actor);
    return this.definitionOf(document);
  }

  private definitionOf(document: string): SettingsDefinition {
    const definition = this.definitions.find(({ name }) => name === document);
    if (definition === undefined) throw new SettingsNotFoundException();
    return definition;
  }

  private async change(actor: Actor, document: string, decide: Decide): Promise<SettingsView> {
    const definition = await this.open(actor, document);
    await this.store.change(actor, definition.name, (stored, em) => decide(stored, definition, em));
    return toView(definition, await this.store.read(definition.name));
  }

  private async requireRevision(
    definition: SettingsDefinition,
    em: EntityManager,
    stored: StoredDocument,
    revision: number,
  ): Promise<void> {
    if (revision !== stored.revision) throw await this.tellChanged(definition, em);
  }

  private async tellChanged(
    definition: SettingsDefinition,
    em: EntityManager,
    names: readonly string[] = [],
  ): Promise<SettingsChangedException> {
    return new SettingsChangedException(toView(definition, await this.store.read(definition.name, em)), names);
  }

  private async record(
    em: EntityManager,
    actor: Actor,
    { name, subject }: SettingsDefinition,
    action: string,
    details: AuditDetails,
  ): Promise<void> {
    await this.audit.record(em, actor, { action, subjectType: 'settings', subjectId: name, subject, details });
  }
}

function check(definition: SettingsDefinition, given: Readonly<Record<string, unknown>>) {
  return refuse(() => definition.check(given));
}

async function hold(
  definition: SettingsDefinition,
  em: EntityManager,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    await definition.hold?.(em, values);
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Runs a check, and refuses as the API does. */
function refuse<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw toRefusal(error);
  }
}

function toRefusal(error: unknown): unknown {
  return error instanceof SettingsRefusedError ? new InvalidSettingsException(error.problems) : error;
}

/** A value of an old version may break a rule of today, or name what is not there any more. */
async function isAllowed(
  definition: SettingsDefinition,
  em: EntityManager,
  values: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  try {
    await definition.hold?.(em, definition.check(values));
    return true;
  } catch (error) {
    if (error instanceof SettingsRefusedError) return false;
    throw error;
  }
}

function toView(definition: SettingsDefinition, document: ReadDocument): SettingsView {
  const { revision, version, content, draft, changedAt, changedBy, changedByKind } = document;
  const reading = definition.read(content);
  const waiting = findWaiting(reading, draft);
  return {
    revision,
    version,
    values: reading.values,
    sources: reading.sources,
    unconfirmed: [...(reading.unconfirmed ?? [])],
    draft: Object.keys(waiting).length > 0 ? waiting : null,
    changed_at: changedAt?.toISOString() ?? null,
    changed_by: changedBy,
    changed_by_kind: changedByKind,
  };
}

function toVersionItem(
  definition: SettingsDefinition,
  row: StoredVersion,
  former: StoredVersion | undefined,
): SettingsVersionItem {
  // What was before the oldest one is not known any more, unless there was nothing.
  const before: SettingsContent = former?.content ?? (row.version === 1 ? {} : row.content);
  return {
    version: row.version,
    published_at: row.publishedAt.toISOString(),
    published_by: row.publishedBy,
    published_by_kind: row.publishedByKind,
    changed: findChanged(definition.read({}), before, row.content).filter((name) => !definition.notes?.includes(name)),
  };
}
