import type { CableDrawing } from '../lib/cables.js';

interface CablesProps {
  readonly drawing: CableDrawing;
  readonly width: number;
  readonly height: number;
  /** Fills its box and crops the rest, instead of showing all of itself. */
  readonly isCropped?: boolean;
}

/** A drawing of cables and lamps. It decorates: readers of the page's text miss nothing. */
export function Cables({ drawing: { paths, lamps, lit }, width, height, isCropped = false }: CablesProps) {
  return (
    <svg
      className="cables"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={isCropped ? 'xMidYMid slice' : undefined}
      aria-hidden="true"
    >
      {paths.map((path, index) => (
        <path key={index} d={path} />
      ))}
      <path className="lamps" d={lamps} />
      <path className="lamps lit" d={lit} />
    </svg>
  );
}
