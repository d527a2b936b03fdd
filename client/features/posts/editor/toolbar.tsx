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
  /** Null where there is no library. */
  readonly openLibrary: (() => void) | null;
  readonly describeImage: () => void;
  readonly openVideo: () => void;
  readonly openFormula: () => void;
  readonly openFootnote: () => void;
  readonly openDefinitions: () => void;
  readonly insertDivider: () => void;
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
  /** True while the second row with the rarer tools is shown. */
  readonly isMoreOpen: boolean;
  readonly onMore: () => void;
  readonly ref: Ref<HTMLDivElement>;
}

/**
 * The tools of the editor, one stop for Tab: arrow keys, Home and End walk along it, Escape leads back into the text
 * (WAI-ARIA authoring practices, toolbar). Alt+F10 leads here from the text. One row has what is used most and what the
 * place of the cursor allows; 'More' opens the rest.
 */
export function Toolbar({ controls, label, state, actions, isMoreOpen, onMore, ref }: ToolbarProps) {
  const rove = useRovingFocus(actions.leave);
  const tools = { state, actions };
  const isInCode = state.formats['code-block'] !== undefined;
  return (
    <Tooltip.Provider>
      <div className="tools" role="toolbar" aria-label={label} aria-controls={controls} ref={ref} {...rove}>
        <div className="tool-row">
          <Group>
            <ToolButton icon="undo" label="Undo" keys="Control+Z" onPress={actions.undo} />
            <ToolButton icon="redo" label="Redo" keys="Control+Shift+Z" onPress={actions.redo} />
          </Group>
          {isInCode ? <CodeTools {...tools} /> : <TextTools {...tools} />}
          {state.table === null ? <LineTools {...tools} /> : <TableTools table={state.table} actions={actions} />}
          <ObjectTools {...tools} />
          <ToolButton icon="more" label="More" isExpanded={isMoreOpen} onPress={onMore} />
        </div>
        {isMoreOpen ? (
          <div className="tool-row tool-row-more">
            <MoreTextTools {...tools} />
            {state.table === null ? <MoreLineTools {...tools} /> : null}
            <MoreObjectTools {...tools} />
            <LookTools {...tools} />
          </div>
        ) : null}
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

function CodeTools({ state: { formats }, actions: { format, setLanguage } }: ToolsProps) {
  return (
    <Group>
      <ToolButton icon="codeBlock" label="Code block" isPressed onPress={() => format('code-block', false)} />
      <ToolSelect
        label="Language of the code"
        value={asText(formats['code-block'])}
        choices={languages}
        onChoose={setLanguage}
      />
    </Group>
  );
}

function TextTools({ state, actions: { format, openLink } }: ToolsProps) {
  const { formats, mixed, table } = state;
  const tool = toggles(state, format);
  return (
    <Group>
      {table === null ? (
        <ToolSelect
          label="Paragraph style"
          value={asText(formats['header'])}
          isMixed={mixed.has('header')}
          choices={headings}
          onChoose={(value) => format('header', value === '' ? false : Number(value))}
        />
      ) : null}
      <ToolButton icon="bold" label="Bold" keys="Control+B" {...tool('bold')} />
      <ToolButton icon="italic" label="Italic" keys="Control+I" {...tool('italic')} />
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

function MoreTextTools({ state, actions: { format, clean } }: ToolsProps) {
  const tool = toggles(state, format);
  const { script } = state.formats;
  return (
    <Group>
      <ToolButton icon="underline" label="Underline" keys="Control+U" {...tool('underline')} />
      <ToolButton icon="strike" label="Strikethrough" {...tool('strike')} />
      <ToolButton icon="code" label="Code" {...tool('code')} />
      <ToolButton icon="mark" label="Marked" {...tool('mark')} />
      <ToolButton
        icon="sub"
        label="Subscript"
        isPressed={script === 'sub'}
        onPress={() => format('script', script === 'sub' ? false : 'sub')}
      />
      <ToolButton
        icon="super"
        label="Superscript"
        isPressed={script === 'super'}
        onPress={() => format('script', script === 'super' ? false : 'super')}
      />
      <ToolButton icon="clean" label="Clear formatting" onPress={clean} />
    </Group>
  );
}

/** Makes the state and the press of a button that switches a format on and off. */
function toggles({ formats }: EditorState, format: ToolbarActions['format']) {
  return (name: string) => ({
    isPressed: formats[name] === true,
    onPress: () => format(name, formats[name] !== true),
  });
}

function LineTools({ state: { formats }, actions: { format } }: ToolsProps) {
  const { list, blockquote } = formats;
  return (
    <Group>
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
        icon="quote"
        label="Quotation"
        isPressed={blockquote === true}
        onPress={() => format('blockquote', blockquote !== true)}
      />
    </Group>
  );
}

function MoreLineTools({ state: { formats }, actions: { format, indent } }: ToolsProps) {
  const { list, direction } = formats;
  const isChecklist = list === 'checked' || list === 'unchecked';
  const isCode = formats['code-block'] !== undefined;
  return (
    <Group>
      <ToolButton
        icon="checked"
        label="Checklist"
        isPressed={isChecklist}
        onPress={() => format('list', isChecklist ? false : 'unchecked')}
      />
      {isCode ? null : (
        <ToolButton
          icon="codeBlock"
          label="Code block"
          isPressed={false}
          onPress={() => format('code-block', 'plain')}
        />
      )}
      <ToolButton icon="outdent" label="Indent less" keys="Control+[" onPress={() => indent(-1)} />
      <ToolButton icon="indent" label="Indent more" keys="Control+]" onPress={() => indent(1)} />
      <ToolButton
        icon="direction"
        label="Right to left"
        isPressed={direction === 'rtl'}
        onPress={() => format('direction', direction === 'rtl' ? false : 'rtl')}
      />
    </Group>
  );
}

function ObjectTools({ state, actions }: ToolsProps) {
  return (
    <Group>
      <ToolButton icon="image" label="Picture" onPress={actions.chooseImages} />
      {state.imageIndex === null ? null : (
        <ToolButton icon="describe" label="Describe the picture" onPress={actions.describeImage} />
      )}
      {state.table === null ? <ToolButton icon="table" label="Table" onPress={actions.insertTable} /> : null}
    </Group>
  );
}

function MoreObjectTools({ state: { table }, actions }: ToolsProps) {
  return (
    <Group>
      {actions.openLibrary ? (
        <ToolButton icon="library" label="Picture from the library" onPress={actions.openLibrary} />
      ) : null}
      <ToolButton icon="footnote" label="Footnote" onPress={actions.openFootnote} />
      <ToolButton icon="formula" label="Formula" onPress={actions.openFormula} />
      {table === null ? <ToolButton icon="definitions" label="Definitions" onPress={actions.openDefinitions} /> : null}
      {table === null ? <ToolButton icon="video" label="Video" onPress={actions.openVideo} /> : null}
      {table === null ? <ToolButton icon="divider" label="Line across" onPress={actions.insertDivider} /> : null}
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

function LookTools({ state: { formats, mixed }, actions: { format } }: ToolsProps) {
  const choose = (name: string) => (value: string) => format(name, value === '' ? false : value);
  const list = (name: string) => ({
    value: asText(formats[name]),
    isMixed: mixed.has(name),
    onChoose: choose(name),
  });
  return (
    <Group>
      <ToolSelect icon="align" label="Alignment" choices={alignments} {...list('align')} />
      <ToolSelect icon="font" label="Font" choices={fonts} {...list('font')} />
      <ToolSelect icon="size" label="Size" choices={sizes} {...list('size')} />
      <ToolSelect icon="color" label="Text color" choices={colors} isColor {...list('color')} />
      <ToolSelect icon="background" label="Highlight" choices={backgrounds} isColor {...list('background')} />
    </Group>
  );
}

function asText(value: string | number | boolean | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
