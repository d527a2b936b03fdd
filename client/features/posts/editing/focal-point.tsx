import type { PointerEvent } from 'react';
import { readPoint } from '../../../../src/shared/contracts/post-input.js';
import { toPicture } from '../../../../src/shared/media.js';
import { Button } from '../../../components/button.js';
import { Disclosure } from '../../../components/disclosure.js';
import { editorMessages } from '../../../content/post-editor.js';

interface FocalPointProps {
  /** Address of the picture. */
  readonly url: string;
  /** As the form holds it; empty for the middle. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const MIDDLE = [50, 50] as const;

/**
 * Chooses the point that lists keep in view of a picture that they cut, by pressing it or with two sliders, and shows what
 * is left of it on a card. Nothing for pictures that readers are not shown.
 */
export function FocalPoint({ url, value, onChange }: FocalPointProps) {
  const picture = toPicture(url, undefined);
  if (picture === null) return null;
  const [left, top] = readPoint(value) ?? MIDDLE;
  const change = (point: readonly [number, number]) => onChange(point.join() === MIDDLE.join() ? '' : toText(point));
  const handlePress = (event: PointerEvent<HTMLElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    else if (event.buttons === 0) return;
    const { x, y, width, height } = event.currentTarget.getBoundingClientRect();
    change([toPercent((event.clientX - x) / width), toPercent((event.clientY - y) / height)]);
  };
  const image = { src: picture.src, srcSet: picture.sources.at(-1)?.srcset, sizes: '20rem', alt: '', draggable: false };
  return (
    <Disclosure summary={editorMessages.focalPoint}>
      <div className="focal-point" role="group" aria-label={editorMessages.focalPoint}>
        <p className="field-hint">{editorMessages.focalPointHint}</p>
        <div className="focal-picture" onPointerDown={handlePress} onPointerMove={handlePress}>
          <img {...image} width={picture.width} height={picture.height} />
          <span style={{ left: `${left}%`, top: `${top}%` }} />
        </div>
        <Slider label="From the left" name="image_focus" value={left} onChange={(across) => change([across, top])} />
        <Slider label="From the top" value={top} onChange={(down) => change([left, down])} />
        <figure>
          <img {...image} style={{ objectPosition: toText([left, top]) }} />
          <figcaption className="field-hint">On a card</figcaption>
        </figure>
        <Button kind="line" isSmall aria-disabled={value === ''} onClick={() => onChange('')}>
          Back to the middle
        </Button>
      </div>
    </Disclosure>
  );
}

interface SliderProps {
  readonly label: string;
  readonly name?: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Slider({ label, name, value, onChange }: SliderProps) {
  return (
    <label className="focal-slider">
      {label}
      <input
        type="range"
        name={name}
        min={0}
        max={100}
        value={value}
        aria-valuetext={`${value} percent`}
        onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
      />
      <output aria-hidden="true">{value}%</output>
    </label>
  );
}

function toText([left, top]: readonly [number, number]): string {
  return `${left}% ${top}%`;
}

function toPercent(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 100);
}
