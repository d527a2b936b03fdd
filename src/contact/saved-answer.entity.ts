import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A text that administrators begin answers with. */
export const SavedAnswer = defineEntity({
  name: 'SavedAnswer',
  tableName: 'saved_answers',
  properties: {
    /** Made by the browser. */
    id: p.uuid().primary(),
    name: p.string().length(100).unique(),
    /** Plain text; `{name}` stands for the name of whoever wrote. */
    text: p.text(),
    /** Counts changes, so that the later of two is told of the earlier one. */
    version: p.integer().default(1),
  },
});

/** A row of {@link SavedAnswer}. */
export type SavedAnswerRow = InferEntity<typeof SavedAnswer>;
