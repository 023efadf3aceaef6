/**
 * A file as a brand's logo: what it is by its content, whether it is whole and harmless, and what is kept of
 * it. Loads a parser: to be imported only where a logo was given.
 */
import { createHash } from 'node:crypto';
import { PNG_SIGNATURE, readPng } from './png.js';
import { looksLikeSvg, readSvg } from './svg.js';
import { checkRatio, type Size, Unfit } from './unfit.js';
import { isWebp, readWebp } from './webp.js';

/** Largest file in bytes: half of a minute on the slowest networks, beside a page that is there already. */
export const MAX_LOGO_BYTES = 32 * 1024;

/** What a brand says of its logo. */
export interface LogoFacts extends Size {
  /** In its address, made of what is in it, so that another logo has another address: `<32 hex>.png`. */
  readonly file: string;
  readonly bytes: number;
}

export type ReadLogo =
  | { readonly ok: true; readonly facts: LogoFacts; readonly content: Buffer }
  /** `fault` is the end of a sentence, `advice` one of its own. */
  | { readonly ok: false; readonly fault: string; readonly advice: string };

/** @param bytes of a file; its name says nothing. @returns what is kept of it: the picture alone. */
export function readLogo(bytes: Buffer): ReadLogo {
  try {
    if (bytes.length > MAX_LOGO_BYTES) {
      const advice = 'Save it smaller: 256 pixels, or as SVG or WebP.';
      throw new Unfit(`is larger than ${MAX_LOGO_BYTES / 1024} KiB`, advice);
    }
    const [ending, { content, width, height }] = pictureIn(bytes);
    checkRatio({ width, height });
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
    return { ok: true, facts: { file: `${hash}.${ending}`, width, height, bytes: content.length }, content };
  } catch (error) {
    if (error instanceof Unfit) return { ok: false, fault: error.message, advice: error.advice };
    throw error;
  }
}

function pictureIn(bytes: Buffer) {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return ['png', readPng(bytes)] as const;
  if (isWebp(bytes)) return ['webp', readWebp(bytes)] as const;
  if (looksLikeSvg(bytes)) return ['svg', readSvg(bytes)] as const;
  throw new Unfit('is no PNG, WebP or SVG', 'Save it as one of them; its name alone does not make it one.');
}
