/** A color by how light, how strong and which it is (Björn Ottosson's Oklab, in polar form). */
export interface Oklch {
  /** From 0, black, to 1, white. */
  readonly lightness: number;
  /** From 0, grey, to about 0.3. */
  readonly chroma: number;
  /** In degrees. */
  readonly hue: number;
}

type Triple = readonly [number, number, number];

const HEX = /^#[0-9a-f]{6}$/;

/** Returns true for a color as it is stored: `#005e50`. */
export function isHexColor(text: string): boolean {
  return HEX.test(text);
}

/** Returns a color as `#005e50`; one that screens cannot show is made weaker until they can. */
export function toHex({ lightness, chroma, hue }: Oklch): string {
  let [low, high] = [0, chroma];
  if (isShown(toLinear({ lightness, chroma, hue }))) low = chroma;
  else {
    for (let step = 0; step < 20; step += 1) {
      const middle = (low + high) / 2;
      if (isShown(toLinear({ lightness, chroma: middle, hue }))) low = middle;
      else high = middle;
    }
  }
  const bytes = toLinear({ lightness, chroma: low, hue }).map((value) => {
    const bounded = Math.min(1, Math.max(0, value));
    return Math.round(255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055));
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Reads a color as {@link toHex} writes it. */
export function fromHex(color: string): Oklch {
  const [red, green, blue] = toChannels(color);
  const [l, m, s] = [
    Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue),
    Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue),
    Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue),
  ] as const;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const chroma = Math.hypot(a, b);
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    // What is left of a grey by rounding has no hue.
    chroma: chroma < 0.002 ? 0 : chroma,
    hue: (Math.atan2(b, a) * 180) / Math.PI,
  };
}

/** Returns the contrast of two colors as WCAG 2 measures it, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red, green, blue] = toChannels(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Red, green and blue as amounts of light. */
function toChannels(color: string): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function toLinear({ lightness, chroma, hue }: Oklch): Triple {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const [l, m, s] = [
    (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ] as const;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function isShown(linear: Triple): boolean {
  return linear.every((value) => value > -0.0005 && value < 1.0005);
}
