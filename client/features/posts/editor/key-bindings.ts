import type Quill from 'quill';
import type { Range } from 'quill';
import Block from 'quill/blots/block.js';
import { shortcutKey } from '../../../lib/shortcut-key.js';
import { MAX_INDENT } from './html/read-block.js';
import { tableBindings } from './tables/table-keys.js';
import { readMarkdownLine } from './markdown/markdown-typing.js';

/** Actions of keys beside editing. */
export interface KeyActions {
  readonly onLink: () => void;
  readonly onToolbar: () => void;
  /** Opens what the selected object can be edited with; false if it is none. */
  readonly onObject: (index: number) => boolean;
}

interface Context {
  readonly format: Readonly<Record<string, unknown>>;
}

type Handler = (this: { quill: Quill }, range: Range, context: Context) => boolean | undefined;

const INDENT = '  ';

/**
 * Tab is not a key of the editor: it leads on to what follows, so that nobody is caught in the text. Indenting has
 * Ctrl+] and Ctrl+[ instead (Cmd on a Mac).
 */
export function bindings({ onLink, onToolbar, onObject }: KeyActions): Record<string, unknown> {
  const without = ['indent', 'outdent', 'indent code-block', 'outdent code-block', 'remove tab', 'tab'];
  // Its signs are among those of Markdown.
  without.push('list autofill');
  const key = (key: string, options: object, handler: Handler) => ({ key, ...options, handler });
  return {
    ...Object.fromEntries(without.map((name) => [name, null])),
    ...tableBindings,
    'open object': key('Enter', {}, (range) => range.length !== 1 || !onObject(range.index)),
    'markdown line': key('Enter', { collapsed: true }, function ({ index }) {
      return !readMarkdownLine(this.quill, index);
    }),
    'line of its own': key('Enter', { format: ['list-start', 'filler'] }, splitLine),
    'room behind': key('Delete', { collapsed: true }, deleteRoom),
    'soft break': key('Enter', { shiftKey: true, format: { 'code-block': false } }, insertBreak),
    // Quill has Ctrl+Y on Windows only; people press it everywhere, and browsers would open the history of pages.
    'redo too': key('y', { shortKey: true }, function () {
      this.quill.history.redo();
      return false;
    }),
    link: key('k', { shortKey: true }, () => (onLink(), false)),
    toolbar: key('F10', { altKey: true }, () => (onToolbar(), false)),
    'indent more': key(']', { shortKey: true }, step(1)),
    'indent less': key('[', { shortKey: true }, step(-1)),
  };
}

/** Has the shortcuts work on keyboards of other scripts, too: Quill looks for Latin letters alone. */
export function understandOtherKeyboards({ root, container }: Quill): void {
  // On the way to the text, where Quill listens.
  container.addEventListener(
    'keydown',
    (event) => {
      const { code, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (event.target !== root || !(ctrlKey || metaKey)) return;
      const key = shortcutKey(event);
      if (key === event.key.toLowerCase()) return;
      const init = { key, code, ctrlKey, metaKey, shiftKey, altKey, cancelable: true };
      if (!root.dispatchEvent(new KeyboardEvent('keydown', init))) event.preventDefault();
    },
    { capture: true },
  );
}

const insertBreak: Handler = function (range) {
  this.quill.updateContents(
    [
      ...(range.index > 0 ? [{ retain: range.index }] : []),
      ...(range.length > 0 ? [{ delete: range.length }] : []),
      { insert: { 'soft-break': true } },
    ],
    'user',
  );
  this.quill.setSelection(range.index + 1, 0, 'silent');
  return false;
};

/**
 * Breaks a line whose end says more than how it looks: the item that follows goes on counting where Quill would begin to count
 * anew, and a line with words is no mere room beside an object.
 */
const splitLine: Handler = function ({ index, length }) {
  if (length > 0) this.quill.deleteText(index, length, 'user');
  const [line, offset] = this.quill.getLine(index);
  if (line === null || (length === 0 && line.length() === 1)) return true;
  const { filler: _room, ...formats } = line.formats();
  const rest = line.length() - 1 - offset;
  this.quill.updateContents(
    [
      ...(index > 0 ? [{ retain: index }] : []),
      { insert: '\n', ...(Object.keys(formats).length > 0 ? { attributes: formats } : {}) },
      ...(rest > 0 ? [{ retain: rest }] : []),
      { retain: 1, attributes: { 'list-start': null, filler: null } },
    ],
    'user',
  );
  this.quill.setSelection(index + 1, 0, 'silent');
  this.quill.focus();
  return false;
};

/** Takes the room away that parts a line from the block behind it: Quill would take the end that makes the line code or a quotation. */
const deleteRoom: Handler = function ({ index }) {
  const [line, offset] = this.quill.getLine(index);
  const [next] = this.quill.getLine(index + 1);
  const isAtEnd = line instanceof Block && offset === line.length() - 1;
  if (!isAtEnd || next === line || next?.length() !== 1 || next.formats()['filler'] === undefined) return true;
  this.quill.deleteText(index + 1, 1, 'user');
  return false;
};

function step(direction: 1 | -1): Handler {
  return function (range) {
    indent(this.quill, range, direction);
    return false;
  };
}

/** Indents the lines of the selection by one level, or code by two blanks. */
export function indent(quill: Quill, range: Range, direction: 1 | -1): void {
  for (const line of quill.getLines(range.index, Math.max(1, range.length))) {
    const place = quill.getIndex(line);
    const format = quill.getFormat(place, 0);
    if (format['code-block'] !== undefined) {
      if (direction === 1) quill.insertText(place, INDENT, 'user');
      else if (quill.getText(place, INDENT.length) === INDENT) quill.deleteText(place, INDENT.length, 'user');
    } else {
      const level = Math.min(MAX_INDENT, Math.max(0, Number(format['indent'] ?? 0) + direction));
      quill.formatLine(place, 1, 'indent', level === 0 ? false : level, 'user');
    }
  }
}
