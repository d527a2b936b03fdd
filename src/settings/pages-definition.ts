import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Clock } from '../shared/clock.js';
import { editedPages, isEditedPage, textFields, textsOf } from '../shared/contracts/page-texts/page-texts.js';
import { cleanValue, findMisfits, findTextProblems } from '../shared/contracts/page-texts/text-input.js';
import {
  CHANGED,
  PAGES_DOCUMENT,
  PublishedTexts,
  SiteService,
  toMoment,
  type SiteMoment,
} from '../site/site.service.js';
import { nearestOf } from '../shared/nearest.js';
import type { SettingsDefinition, SettingsReading } from './settings-definition.js';
import type { SettingsContent } from './settings-document.entity.js';
import { SettingsRefusedError, type SettingProblem } from './settings.errors.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * The texts of pages as a document: values by names such as `pricing.plans`, and only those that are not as they came.
 * Beside them it has the moments at which pages were changed.
 */
@Injectable()
export class PagesDefinition implements SettingsDefinition {
  readonly name = PAGES_DOCUMENT;
  readonly subject = 'the texts of pages';
  readonly notes = [CHANGED];

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly site: SiteService,
    private readonly clock: Clock,
  ) {}

  read(content: unknown): SettingsReading {
    const { edits } = new PublishedTexts(content, this.config.site.timeZone);
    const values = [...textFields].map(([name, { page, fallback }]) => {
      const own: Values = edits[page];
      const field = name.slice(page.length + 1);
      return [name, Object.hasOwn(own, field) ? own[field] : fallback, Object.hasOwn(own, field)] as const;
    });
    return {
      values: Object.fromEntries(values.map(([name, value]) => [name, value])),
      sources: Object.fromEntries(values.map(([name, , isOwn]) => [name, isOwn ? 'setting' : 'fallback'])),
    };
  }

  /**
   * A value that is null is one as it came.
   * @param pathOf the place that a problem is named by
   */
  check(given: Values, pathOf: (path: string) => string = (path) => path): Values {
    const problems: SettingProblem[] = [];
    const values: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given)) {
      const field = textFields.get(name);
      if (field === undefined) {
        problems.push({ path: pathOf(name), message: explainUnknownText(name) });
        continue;
      }
      values[name] = value === null ? field.fallback : cleanValue(field, value);
      problems.push(...findTextProblems(field.page, field, values[name], name).map(at(pathOf)));
    }
    if (problems.length > 0) throw new SettingsRefusedError(problems);
    return values;
  }

  /** @throws SettingsRefusedError for texts that do not fit together */
  checkWhole(content: SettingsContent, pathOf: (path: string) => string = (path) => path): void {
    const misfits = findMisfits(new PublishedTexts(content, this.config.site.timeZone).values);
    if (misfits.length > 0) throw new SettingsRefusedError(misfits.map(at(pathOf)));
  }

  /** Texts as they came are not stored: a later release may bring better ones. */
  apply(content: SettingsContent, values: Values): SettingsContent {
    const before = this.read(content).values;
    const next: Record<string, unknown> = { ...content };
    const changed = new Set<string>();
    for (const [name, value] of Object.entries(values)) {
      const field = textFields.get(name);
      if (field === undefined) continue;
      if (!isDeepStrictEqual(before[name], value)) changed.add(field.page);
      if (isDeepStrictEqual(field.fallback, value)) delete next[name];
      else next[name] = value;
    }
    if (changed.size === 0) return next;
    const moments = typeof content[CHANGED] === 'object' ? content[CHANGED] : {};
    const now = this.clock.now().toISOString();
    return { ...next, [CHANGED]: { ...moments, ...Object.fromEntries([...changed].map((page) => [page, now])) } };
  }

  toMoment(content: SettingsContent): SiteMoment {
    return toMoment(this.config, this.site.content, content);
  }
}

const at =
  (pathOf: (path: string) => string) =>
  ({ path, message }: SettingProblem): SettingProblem => ({ path: pathOf(path), message });

/** Says that there is no such text, and which one may be meant. */
function explainUnknownText(name: string): string {
  const [page = ''] = name.split('.');
  if (!isEditedPage(page)) {
    const nearest = nearestOf(page, editedPages);
    return nearest === undefined
      ? `there is no such page; there are ${editedPages.join(', ')}`
      : `there is no such page; did you mean ${nearest}?`;
  }
  const fields = Object.keys(textsOf(page).fields);
  const nearest = nearestOf(name.slice(page.length + 1), fields);
  return nearest === undefined
    ? `there is no such text; there are ${fields.join(', ')}`
    : `there is no such text; did you mean ${page}.${nearest}?`;
}
