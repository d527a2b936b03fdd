interface IconProps {
  /** The path of the drawing, which `signs` and `glyphs` name. */
  readonly shape: string;
  /** A glyph, 40 by 40, instead of a sign, 20 by 20. */
  readonly isLarge?: boolean;
}

/** A line drawing beside words that say the same, or inside a control that has a name of its own. */
export function Icon({ shape, isLarge = false }: IconProps) {
  return (
    <svg
      className={isLarge ? 'glyph' : 'icon'}
      viewBox={isLarge ? '0 0 40 40' : '0 0 20 20'}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shape} />
    </svg>
  );
}
