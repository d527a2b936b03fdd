import * as Tooltip from '@radix-ui/react-tooltip';
import type { ReactNode, Ref } from 'react';
import type { EditorState } from './editor-session.js';
import type { TableAction } from './tables/table-actions.js';
import { alignments, backgrounds, colors, fonts, headings, languages, sizes } from './toolbar-choices.js';
import { ToolButton, ToolSelect } from './toolbar-parts.js';
import { useRovingFocus } from './use-roving-focus.js';

/** Actions of the toolbar on the editor. */
export interface ToolbarActions {
  readonly format: (name: string, value: unknown) => void;
  readonly setLanguage: (language: string) => void;
  readonly indent: (direction: 1 | -1) => void;
  readonly clean: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly openLink: () => void;
  readonly chooseImages: () => void;
  readonly describeImage: () => void;
  readonly openVideo: () => void;
  readonly openFormula: () => void;
  readonly openFootnote: () => void;
  readonly insertTable: () => void;
  readonly changeTable: (action: TableAction) => void;
  readonly leave: () => void;
}

interface ToolbarProps {
  /** Id of the text box that it belongs to. */
  readonly controls: string;
  readonly label: string;
  readonly state: EditorState;
  readonly actions: ToolbarActions;
  readonly ref: Ref<HTMLDivElement>;
}

/**
 * The tools of the editor, one stop for Tab: arrow keys, Home and End walk along it, Escape leads back into the text
 * (WAI-ARIA authoring practices, toolbar). Alt+F10 leads here from the text.
 */
export function Toolbar({ controls, label, state, actions, ref }: ToolbarProps) {
  const rove = useRovingFocus(actions.leave);
  return (
    <Tooltip.Provider>
      <div className="tools" role="toolbar" aria-label={label} aria-controls={controls} ref={ref} {...rove}>
        <Group>
          <ToolButton icon="undo" label="Undo" keys="Control+Z" onPress={actions.undo} />
          <ToolButton icon="redo" label="Redo" keys="Control+Shift+Z" onPress={actions.redo} />
        </Group>
        <LineTools state={state} actions={actions} />
        <TextTools state={state} actions={actions} />
        {state.table === null ? null : <TableTools table={state.table} actions={actions} />}
        <ObjectTools state={state} actions={actions} />
        <LookTools state={state} actions={actions} />
      </div>
    </Tooltip.Provider>
  );
}

interface ToolsProps {
  readonly state: EditorState;
  readonly actions: ToolbarActions;
}

function Group({ children }: { readonly children: ReactNode }) {
  return <div className="tool-group">{children}</div>;
}

function LineTools({ state: { formats }, actions: { format, indent, setLanguage } }: ToolsProps) {
  const { list, blockquote } = formats;
  const code = formats['code-block'];
  const isChecklist = list === 'checked' || list === 'unchecked';
  return (
    <Group>
      <ToolSelect
        label="Paragraph style"
        value={asText(formats['header'])}
        choices={headings}
        onChoose={(value) => format('header', value === '' ? false : Number(value))}
      />
      <ToolButton
        icon="bullet"
        label="Bulleted list"
        isPressed={list === 'bullet'}
        onPress={() => format('list', list === 'bullet' ? false : 'bullet')}
      />
      <ToolButton
        icon="ordered"
        label="Numbered list"
        isPressed={list === 'ordered'}
        onPress={() => format('list', list === 'ordered' ? false : 'ordered')}
      />
      <ToolButton
        icon="checked"
        label="Checklist"
        isPressed={isChecklist}
        onPress={() => format('list', isChecklist ? false : 'unchecked')}
      />
      <ToolButton icon="outdent" label="Indent less" keys="Control+[" onPress={() => indent(-1)} />
      <ToolButton icon="indent" label="Indent more" keys="Control+]" onPress={() => indent(1)} />
      <ToolButton
        icon="quote"
        label="Quotation"
        isPressed={blockquote === true}
        onPress={() => format('blockquote', blockquote !== true)}
      />
      <ToolButton
        icon="codeBlock"
        label="Code block"
        isPressed={code !== undefined}
        onPress={() => format('code-block', code === undefined ? 'plain' : false)}
      />
      {code === undefined ? null : (
        <ToolSelect label="Language of the code" value={asText(code)} choices={languages} onChoose={setLanguage} />
      )}
    </Group>
  );
}

function TextTools({ state: { formats }, actions: { format, openLink } }: ToolsProps) {
  const toggle = (name: string) => () => format(name, formats[name] !== true);
  const isOn = (name: string) => formats[name] === true;
  return (
    <Group>
      <ToolButton icon="bold" label="Bold" keys="Control+B" isPressed={isOn('bold')} onPress={toggle('bold')} />
      <ToolButton icon="italic" label="Italic" keys="Control+I" isPressed={isOn('italic')} onPress={toggle('italic')} />
      <ToolButton
        icon="underline"
        label="Underline"
        keys="Control+U"
        isPressed={isOn('underline')}
        onPress={toggle('underline')}
      />
      <ToolButton icon="strike" label="Strikethrough" isPressed={isOn('strike')} onPress={toggle('strike')} />
      <ToolButton icon="code" label="Code" isPressed={isOn('code')} onPress={toggle('code')} />
      <ToolButton
        icon="link"
        label="Link"
        keys="Control+K"
        isPressed={formats['link'] !== undefined}
        onPress={openLink}
      />
    </Group>
  );
}

function ObjectTools({ state, actions }: ToolsProps) {
  return (
    <Group>
      <ToolButton icon="image" label="Picture" onPress={actions.chooseImages} />
      <ToolButton
        icon="describe"
        label="Describe the picture"
        isDisabled={state.imageIndex === null}
        onPress={actions.describeImage}
      />
      <ToolButton icon="table" label="Table" onPress={actions.insertTable} />
      <ToolButton icon="video" label="Video" onPress={actions.openVideo} />
      <ToolButton icon="footnote" label="Footnote" onPress={actions.openFootnote} />
      <ToolButton icon="formula" label="Formula" onPress={actions.openFormula} />
    </Group>
  );
}

interface TableToolsProps {
  readonly table: NonNullable<EditorState['table']>;
  readonly actions: ToolbarActions;
}

/** Tools for the table that the cursor is in. */
function TableTools({ table: { hasHeader, isJoined }, actions: { changeTable } }: TableToolsProps) {
  const tool = (action: TableAction) => ({ isDisabled: isJoined, onPress: () => changeTable(action) });
  return (
    <Group>
      <ToolButton icon="rowAbove" label="Add row above" {...tool('row-above')} />
      <ToolButton icon="rowBelow" label="Add row below" {...tool('row-below')} />
      <ToolButton icon="columnBefore" label="Add column before" {...tool('column-before')} />
      <ToolButton icon="columnAfter" label="Add column after" {...tool('column-after')} />
      <ToolButton icon="deleteRow" label="Delete row" {...tool('delete-row')} />
      <ToolButton icon="deleteColumn" label="Delete column" {...tool('delete-column')} />
      <ToolButton icon="tableHeader" label="Header row" isPressed={hasHeader} onPress={() => changeTable('header')} />
      <ToolButton icon="deleteTable" label="Delete table" onPress={() => changeTable('delete')} />
    </Group>
  );
}

function LookTools({ state: { formats }, actions: { format, clean } }: ToolsProps) {
  const choose = (name: string) => (value: string) => format(name, value === '' ? false : value);
  const list = (name: string) => ({ value: asText(formats[name]), onChoose: choose(name) });
  return (
    <Group>
      <ToolSelect icon="align" label="Alignment" choices={alignments} {...list('align')} />
      <ToolSelect icon="font" label="Font" choices={fonts} {...list('font')} />
      <ToolSelect icon="size" label="Size" choices={sizes} {...list('size')} />
      <ToolSelect icon="color" label="Text color" choices={colors} isColor {...list('color')} />
      <ToolSelect icon="background" label="Highlight" choices={backgrounds} isColor {...list('background')} />
      <ToolButton icon="clean" label="Clear formatting" onPress={clean} />
    </Group>
  );
}

function asText(value: string | number | boolean | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
