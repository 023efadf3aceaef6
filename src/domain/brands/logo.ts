/**
 * A file as a brand's logo: what it is by its first bytes, and whether a page can show it. It goes out as it
 * is, as an `<img>` under a policy that lets it run and load nothing. Loads a package: to be imported only
 * where a logo was given.
 */
import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';

/** Maximum size. Loads in half a minute on the slowest networks, while the page is already visible. */
export const MAX_LOGO_BYTES = 32 * 1024;
/** Minimum width and height in pixels; the page shows a logo at most 48 pixels high. */
const MIN_SIDE = 16;
const MAX_SIDE = 1_024;
const MAX_RATIO = 4;

/** File extensions by image type (as `image-size` reports it); only types that browsers display. */
const ENDINGS: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpg', webp: 'webp' };

export interface LogoFacts {
  /** File name in its URL, a hash of its content, so that another logo has another URL: `<32 hex>.png`. */
  readonly file: string;
  /** Width in pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

type ReadLogo =
  | { readonly ok: true; readonly facts: LogoFacts }
  /** `fault` is the end of a sentence, `advice` one of its own. */
  | { readonly ok: false; readonly fault: string; readonly advice: string };

/** @param bytes of a file; its name says nothing. */
export function parseLogo(bytes: Buffer): ReadLogo {
  if (bytes.length > MAX_LOGO_BYTES) {
    const advice = 'Save it smaller: 256 pixels, or as WebP.';
    return { ok: false, fault: `is larger than ${MAX_LOGO_BYTES / 1024} KiB`, advice };
  }
  const { type = '', width, height } = measured(bytes);
  const ending = ENDINGS[type];
  if (ending === undefined) {
    const advice = 'Save it as one of them; its name alone does not make it one.';
    return { ok: false, fault: 'is not a PNG, JPEG or WebP, or is truncated', advice };
  }
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < MIN_SIDE || long > MAX_SIDE) {
    const advice = `Save it with ${MIN_SIDE} to ${MAX_SIDE} pixels on each side; 256 are enough.`;
    return { ok: false, fault: `has ${width} x ${height} pixels`, advice };
  }
  if (long > MAX_RATIO * short) {
    const advice = `Cut it so that one side is at most ${MAX_RATIO} times the other.`;
    return { ok: false, fault: 'is too long or too narrow to be seen next to a name', advice };
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { ok: true, facts: { file: `${hash}.${ending}`, width, height, bytes: bytes.length } };
}

function measured(bytes: Buffer): ReturnType<typeof imageSize> {
  try {
    return imageSize(bytes);
  } catch {
    return { width: 0, height: 0 };
  }
}
