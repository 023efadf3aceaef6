/**
 * Colour of a brand, and shades of it that are readable on the checkout page, in light and in dark mode: as
 * the colour of links, and as background of a button's text. WCAG 2.2, 1.4.3.
 */

/** Background colours of the cards and the page, equal to those in `daemon/checkout/style.css`. */
export const BACKGROUND_COLOURS = { light: ['#ffffff', '#eef1f4'], dark: ['#1b232b', '#11171d'] } as const;

const MIN_TEXT = 4.5;
/** Number of steps from a colour to black or to white. */
const STEPS = 100;

const WHITE = '#ffffff';
const BLACK = '#000000';

export interface Shade {
  /** `#rrggbb` */
  readonly colour: string;
  /** Colour of text on it, white or black. */
  readonly text: string;
}

interface Shades {
  readonly light: Shade;
  readonly dark: Shade;
}

/** @param typed `#0a7`, `#00aa77`, or without `#`. @returns `#rrggbb` in lower case, or null. */
export function parseColour(typed: string): string | null {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(typed.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 6 ? digits : digits.replace(/./g, '$&$&')}`;
}

/** @param colour `#rrggbb`. @returns it, or the nearest that is dark enough by day, light enough by night. */
export function deriveShades(colour: string): Shades {
  return {
    light: shadeOf(colour, BLACK, BACKGROUND_COLOURS.light),
    dark: shadeOf(colour, WHITE, BACKGROUND_COLOURS.dark),
  };
}

function shadeOf(colour: string, towards: string, grounds: readonly string[]): Shade {
  const isRead = (shade: string) => grounds.every((ground) => contrast(shade, ground) >= MIN_TEXT);
  let shade = colour;
  for (let step = 1; step <= STEPS && !isRead(shade); step += 1) shade = mixed(colour, towards, step / STEPS);
  // Of the two one always has 4.58 at least.
  return { colour: shade, text: contrast(shade, WHITE) >= MIN_TEXT ? WHITE : BLACK };
}

function mixed(colour: string, other: string, share: number): string {
  const ends = partsOf(other);
  const parts = partsOf(colour).map((part, at) => Math.round(part + ((ends[at] ?? 0) - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** @returns red, green and blue, 0 to 255. */
function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** @returns 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
