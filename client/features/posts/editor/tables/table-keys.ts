import type Quill from 'quill';
import type { Range } from 'quill';
import { asOneStep } from '../markdown/markdown-typing.js';
import { at } from '../uploads.js';
import { changeTable } from './table-actions.js';
import { findGrid } from './table-grid.js';

interface Context {
  readonly event: KeyboardEvent;
  readonly offset: number;
  readonly line: { length(): number };
}

type Handler = (this: { quill: Quill }, range: Range, context: Context) => boolean;

const key = (key: string, options: object, handler: Handler) => ({ key, ...options, handler });
const inTable = { format: ['table'] };

const clear = function (range) {
  return !clearCells(this.quill, range);
} satisfies Handler;

/**
 * Keys in tables: Tab leads from cell to cell and adds a row after the last one, Enter breaks the line within a cell, and
 * deleting leaves cells where they are. Shift+Tab in the first cell leaves the text.
 */
export const tableBindings: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(['tab', 'backspace', 'delete', 'enter', 'up', 'down'].map((name) => [`table ${name}`, null])),
  'cell tab': key('Tab', { shiftKey: null, ...inTable }, function ({ index }, { event }) {
    return !goToCell(this.quill, index, event.shiftKey ? -1 : 1);
  }),
  'cell enter': key('Enter', { shiftKey: null, ...inTable }, function (range) {
    const change = [...at(range.index), { insert: { 'soft-break': true } }];
    if (range.length > 0 && !clearCells(this.quill, range)) return true;
    this.quill.updateContents(change, 'user');
    this.quill.setSelection(range.index + 1, 0, 'silent');
    return false;
  }),
  'cell backspace': key('Backspace', { collapsed: true, offset: 0, ...inTable }, () => false),
  'cell delete': key('Delete', { collapsed: true, ...inTable }, (_range, { offset, line }) => {
    return offset < line.length() - 1;
  }),
  'cells backspace': key('Backspace', { collapsed: false }, clear),
  'cells delete': key('Delete', { collapsed: false }, clear),
  'after table': key('Backspace', { collapsed: true, offset: 0, format: { table: false } }, function (range) {
    return !goIntoTable(this.quill, range.index);
  }),
};

function goToCell(quill: Quill, index: number, step: 1 | -1): boolean {
  const grid = findGrid(quill, index);
  if (grid === null) return false;
  const at = grid.cells.findIndex((cell) => index >= cell.index && index < cell.index + cell.length);
  const next = grid.cells[at + step];
  if (next !== undefined) quill.setSelection(next.index, next.length - 1, 'user');
  else if (step === -1 || grid.isJoined) return false;
  else changeTable(quill, { index, length: 0 }, 'row-below');
  if (next === undefined) {
    // From the last cell to the first one of the row that came.
    const last = grid.cells.at(-1);
    if (last !== undefined) quill.setSelection(last.index + last.length, 0, 'silent');
  }
  return true;
}

/**
 * Empties the cells of a selection that begins and ends within one table.
 * @returns false if it does not
 */
export function clearCells(quill: Quill, { index, length }: Range): boolean {
  const grid = findGrid(quill, index);
  const last = grid?.cells.at(-1);
  if (grid === null || last === undefined || index + length >= last.index + last.length) return false;
  let done = 0;
  const change = grid.cells.flatMap((cell) => {
    const from = Math.max(index, cell.index);
    const to = Math.min(index + length, cell.index + cell.length - 1);
    if (to <= from) return [];
    const parts = [...at(from - done), { delete: to - from }];
    done = to;
    return parts;
  });
  if (change.length > 0) asOneStep(quill, () => quill.updateContents(change, 'user'));
  quill.setSelection(index, 0, 'silent');
  return true;
}

/** Deleting backwards after a table goes into its last cell; an empty line between goes. */
function goIntoTable(quill: Quill, index: number): boolean {
  const grid = index > 0 ? findGrid(quill, index - 1) : null;
  if (grid === null) return false;
  const [line] = quill.getLine(index);
  const isEmpty = line?.length() === 1 && index < quill.getLength() - 1;
  if (isEmpty) quill.deleteText(index, 1, 'user');
  quill.setSelection(index - 1, 0, 'user');
  return true;
}
