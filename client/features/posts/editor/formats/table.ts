import Quill, { Parchment } from 'quill';
import Block from 'quill/blots/block.js';
import Container from 'quill/blots/container.js';
import { readCell, type CellValue } from '../html/table-value.js';

const { Scope, Attributor } = Parchment;

/** A cell of a table, which is one line to the editor; its caption is a cell alone in the first row. */
export class TableCell extends Block {
  static override blotName = 'table';
  static override tagName = ['TD', 'TH'];

  static override create(value: unknown): HTMLElement {
    const { tag, part, scope, colspan, rowspan } = readCell(value);
    const node = document.createElement(tag);
    node.dataset['cell'] = String(value);
    if (part === 'caption') node.dataset['caption'] = 'true';
    if (colspan > 1) node.colSpan = colspan;
    if (rowspan > 1) node.rowSpan = rowspan;
    if (tag === 'th' && scope !== '') node.scope = scope;
    return node;
  }

  static override formats(node: HTMLElement): string | undefined {
    return node.dataset['cell'];
  }

  /** A cell is no heading, no item of a list and no code: text, its alignment and its direction are all that it has. */
  override format(name: string, value: unknown): void {
    const format = this.scroll.query(name, Scope.BLOCK);
    const isAnotherBlock = format !== null && !(format instanceof Attributor) && name !== TableCell.blotName;
    if (!isAnotherBlock || !value) super.format(name, value);
  }
}

/** Cells that stand side by side. */
class TableRow extends Container {
  static override blotName = 'table-row';
  static override tagName = 'TR';

  override checkMerge(): boolean {
    return super.checkMerge() && keyOf(this.domNode, 'row') === keyOf(this.next?.domNode, 'row');
  }

  override optimize(context: never): void {
    super.optimize(context);
    splitWhereKeyChanges(this, 'row');
  }
}

class TableBody extends Container {
  static override blotName = 'table-body';
  static override tagName = 'TBODY';

  override checkMerge(): boolean {
    return super.checkMerge() && keyOf(this.domNode, 'table') === keyOf(this.next?.domNode, 'table');
  }

  override optimize(context: never): void {
    super.optimize(context);
    splitWhereKeyChanges(this, 'table');
  }
}

class TableContainer extends Container {
  static override blotName = 'table-container';
  static override tagName = 'TABLE';

  override checkMerge(): boolean {
    return super.checkMerge() && keyOf(this.domNode, 'table') === keyOf(this.next?.domNode, 'table');
  }

  override optimize(context: never): void {
    super.optimize(context);
    splitWhereKeyChanges(this, 'table');
  }
}

TableContainer.allowedChildren = [TableBody];
TableBody.requiredContainer = TableContainer;
TableBody.allowedChildren = [TableRow];
TableRow.requiredContainer = TableBody;
TableRow.allowedChildren = [TableCell];
TableCell.requiredContainer = TableRow;

function keyOf(node: Node | undefined, name: 'table' | 'row'): string | undefined {
  if (!(node instanceof HTMLElement)) return undefined;
  const value = node.dataset['cell'] ?? node.querySelector<HTMLElement>('[data-cell]')?.dataset['cell'];
  if (value === undefined) return undefined;
  const cell: CellValue = readCell(value);
  return name === 'table' ? cell.table : `${cell.table} ${cell.row}`;
}

/** Cells of another table or row may have been put among these. */
function splitWhereKeyChanges(container: Container, name: 'table' | 'row'): void {
  container.children.forEach((child) => {
    if (child.next === null || child.parent !== container) return;
    if (keyOf(child.domNode, name) !== keyOf(child.next.domNode, name)) container.splitAfter(child);
  });
}

/** Makes tables known to Quill. */
export function registerTables(): void {
  for (const blot of [TableCell, TableRow, TableBody, TableContainer]) Quill.register(blot as never, true);
}
