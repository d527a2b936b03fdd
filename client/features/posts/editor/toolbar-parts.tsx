import * as Tooltip from '@radix-ui/react-tooltip';
import type { ReactNode } from 'react';
import { Icon } from '../../../components/icon.js';
import { toolbarSigns, type ToolbarSign } from './toolbar-signs.js';

interface ToolButtonProps {
  readonly icon: ToolbarSign;
  readonly label: string;
  /** As `aria-keyshortcuts` has it, for example `Control+B`. */
  readonly keys?: string | undefined;
  /** State of a toggle; undefined for a button that acts once. */
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  /** State of a button that opens further tools. */
  readonly isExpanded?: boolean;
  readonly onPress: () => void;
}

/** A button of the toolbar; its name and its keys appear when it is pointed at or reached by keyboard. */
export function ToolButton({ icon, label, keys, isPressed, isDisabled, isExpanded, onPress }: ToolButtonProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <button
          type="button"
          className="tool"
          aria-label={label}
          aria-keyshortcuts={keys}
          aria-pressed={isPressed}
          aria-disabled={isDisabled}
          aria-expanded={isExpanded}
          // A press leaves the selection where it is.
          onMouseDown={(event) => event.preventDefault()}
          onClick={isDisabled ? undefined : onPress}
        >
          <Icon shape={toolbarSigns[icon]} />
        </button>
      </Tooltip.Trigger>
      <ToolTip>
        {label}
        {keys === undefined ? null : <kbd>{keys.replace('Control', 'Ctrl').replaceAll('+', ' + ')}</kbd>}
      </ToolTip>
    </Tooltip.Root>
  );
}

function ToolTip({ children }: { readonly children: ReactNode }) {
  return (
    <Tooltip.Portal>
      <Tooltip.Content className="tooltip" sideOffset={6} collisionPadding={8}>
        {children}
      </Tooltip.Content>
    </Tooltip.Portal>
  );
}

/** One of the choices of a list: its value in the editor, `''` for none, and its name. */
export type Choice = readonly [value: string, name: string];

interface ToolSelectProps {
  readonly icon?: ToolbarSign;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  /** True when the chosen value is a color, to be shown as one. */
  readonly isColor?: boolean;
  /** True when parts of the selection have different values: each of them can be chosen for all, also none. */
  readonly isMixed?: boolean;
  readonly onChoose: (value: string) => void;
}

/** No value of a format. */
const MIXED = 'mixed';

/** A list of the toolbar. It is the browser's own, with everything that people know of it. */
export function ToolSelect(props: ToolSelectProps) {
  const { icon, label, value, choices, isColor = false, isMixed = false, onChoose } = props;
  const isKnown = isMixed || choices.some(([known]) => known === value);
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <span className={icon === undefined ? 'tool-select' : 'tool-select tool-select-small'}>
          {icon === undefined ? null : <Icon shape={toolbarSigns[icon]} />}
          {isColor ? <span className="tool-color" style={{ backgroundColor: value || 'currentcolor' }} /> : null}
          <select aria-label={label} value={isMixed ? MIXED : value} onChange={(event) => onChoose(event.target.value)}>
            {isMixed ? <option value={MIXED}>Mixed</option> : null}
            {choices.map(([known, name]) => (
              <option key={known} value={known}>
                {name}
              </option>
            ))}
            {isKnown ? null : <option value={value}>{isColor ? 'Another color' : value || 'Mixed'}</option>}
          </select>
        </span>
      </Tooltip.Trigger>
      <ToolTip>{label}</ToolTip>
    </Tooltip.Root>
  );
}
