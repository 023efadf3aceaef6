/** Why a file cannot be a logo, thrown inside the readers of this folder and caught by `readLogo`. */
export class Unfit extends Error {
  /**
   * @param fault a sentence's end: "is cut off".
   * @param advice what to do, a sentence.
   */
  constructor(
    fault: string,
    readonly advice: string,
  ) {
    super(fault);
  }
}

export const damaged = (where: string) =>
  new Unfit(`is damaged or cut off: ${where}`, 'Export the picture again, and copy the file whole.');

export const animated = () => new Unfit('is animated', 'Export a single picture of it.');

/** Of a picture made of pixels, or of the drawing area of an SVG. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What a logo may be, in pixels; the page shows it 48 pixels high at most. */
const MIN_SIDE = 16;
const MAX_SIDE = 1_024;
const MAX_RATIO = 4;

/** Asked for before anything is unpacked, since a small file may promise any size. @throws Unfit */
export function checkPixels({ width, height }: Size): void {
  if (Math.min(width, height) >= MIN_SIDE && Math.max(width, height) <= MAX_SIDE) return;
  throw new Unfit(
    `has ${width} x ${height} pixels`,
    `Save it with ${MIN_SIDE} to ${MAX_SIDE} pixels on each side; 256 are enough.`,
  );
}

/** @throws Unfit for a strip that would be unreadable beside a name */
export function checkRatio({ width, height }: Size): void {
  if (Math.max(width, height) <= MAX_RATIO * Math.min(width, height)) return;
  const advice = `Cut it so that one side is at most ${MAX_RATIO} times the other.`;
  throw new Unfit('is too long or too narrow to be seen beside a name', advice);
}
