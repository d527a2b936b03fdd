import { EntityManager, LockMode, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { SavedAnswerRecord } from '../shared/contracts/enquiries.js';
import type { SavedAnswerInput } from '../shared/contracts/enquiry-queries.js';
import { SavedAnswerChangedException, SavedAnswerNameException } from './enquiry.errors.js';
import { SavedAnswer, type SavedAnswerRow } from './saved-answer.entity.js';

/** Keeps texts that administrators begin answers with. All administrators share them. */
@Injectable()
export class SavedAnswersService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
  ) {}

  /** All of them, by name. */
  async list(actor: Actor): Promise<SavedAnswerRecord[]> {
    await this.roles.requireAdmin(actor);
    const rows = await this.em.fork({ disableTransactions: true }).find(SavedAnswer, {}, { orderBy: { name: 'asc' } });
    return rows.map(present);
  }

  /**
   * Adds one, or changes it. Saved again in the same words, it changes nothing.
   * @throws SavedAnswerChangedException, SavedAnswerNameException
   */
  async save(actor: Actor, id: string, { version, ...input }: SavedAnswerInput): Promise<SavedAnswerRecord> {
    await this.roles.requireAdmin(actor);
    const name = input.name.trim();
    const text = input.text.replace(/\r\n?/g, '\n').trim();
    try {
      return await this.em.fork().transactional(async (em) => {
        const row = await em.findOne(SavedAnswer, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (row?.name === name && row.text === text) return present(row);
        if ((row?.version ?? 0) !== version) throw new SavedAnswerChangedException();
        const saved = row ?? em.create(SavedAnswer, { id, name, text });
        if (row !== null) Object.assign(row, { name, text, version: version + 1 });
        await em.flush();
        return present(saved);
      });
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) throw new SavedAnswerNameException(name);
      throw error;
    }
  }

  /** Removes one. Answers that were sent with it stay. */
  async remove(actor: Actor, id: string): Promise<void> {
    await this.roles.requireAdmin(actor);
    await this.em.fork().nativeDelete(SavedAnswer, { id });
  }
}

function present({ id, name, text, version }: SavedAnswerRow): SavedAnswerRecord {
  return { id, name, text, version };
}
