/**
 * A file as a brand's logo, or as its picture for a channel: what it is by its first bytes, and whether a
 * page can show it. It goes out as it is, as an `<img>` under a policy that lets it run and load nothing.
 * Loads a package: to be imported only where a picture was given.
 */
import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';

interface PictureLimits {
  readonly maxKib: number;
  /** Width and height in pixels. */
  readonly minSide: number;
  readonly maxSide: number;
  /** Maximum ratio of the longer to the shorter side. */
  readonly maxRatio: number;
  /** Pixels that are enough for the page on the sharpest screens. */
  readonly enough: number;
}

/** 32 KiB load in half a minute on the slowest networks, while the page is already visible. */
const LOGO: PictureLimits = { maxKib: 32, minSide: 16, maxSide: 1_024, maxRatio: 4, enough: 256 };
/** A page shows up to eight of them, each in place of two letters. */
const MARK: PictureLimits = { maxKib: 16, minSide: 32, maxSide: 512, maxRatio: 2, enough: 128 };

/** File extensions by image type (as `image-size` reports it); only types that browsers display. */
const ENDINGS: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpg', webp: 'webp' };

export interface PictureFacts {
  /** File name in its URL, a hash of its content, so that another picture has another URL: `<32 hex>.png`. */
  readonly file: string;
  /** Width in pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

type ReadPicture =
  | { readonly ok: true; readonly facts: PictureFacts }
  /** `fault` is the end of a sentence, `advice` one of its own. */
  | { readonly ok: false; readonly fault: string; readonly advice: string };

/** @param bytes of a file; its name says nothing. */
export const parseLogo = (bytes: Buffer) => parsePicture(bytes, LOGO);

/** @param bytes of a file. */
export const parseMark = (bytes: Buffer) => parsePicture(bytes, MARK);

function parsePicture(
  bytes: Buffer,
  { maxKib, minSide, maxSide, maxRatio, enough }: PictureLimits,
): ReadPicture {
  if (bytes.length > maxKib * 1024) {
    return { ok: false, fault: `is larger than ${maxKib} KiB`, advice: 'Save it smaller, or as WebP.' };
  }
  const { type = '', width, height } = measured(bytes);
  const ending = ENDINGS[type];
  if (ending === undefined) {
    const advice = 'Save it as one of them; its name alone does not make it one.';
    return { ok: false, fault: 'is not a PNG, JPEG or WebP, or is truncated', advice };
  }
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < minSide || long > maxSide) {
    const advice = `Save it with ${minSide} to ${maxSide} pixels on each side; ${enough} are enough.`;
    return { ok: false, fault: `has ${width} x ${height} pixels`, advice };
  }
  if (long > maxRatio * short) {
    const advice = `Cut it so that one side is at most ${maxRatio} times the other.`;
    return { ok: false, fault: 'is too long or too narrow for its place on the page', advice };
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
