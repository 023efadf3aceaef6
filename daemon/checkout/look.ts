/**
 * Pictures and colours of a brand on its pages: a style that is allowed by its hash, like the common one, a
 * logo in a box whose size is known before the logo is loaded, and the icon in the browser's tab. Pages of
 * other brands contain none of it.
 */
import { type BrandTheme, logoFacts, markFacts } from '../../src/actions/brands/brand-theme.js';
import type { PayChannel } from '../../src/domain/accounts/channels.js';
import { deriveShades, type Shade } from '../../src/domain/brands/colour.js';
import type { PictureFacts } from '../../src/domain/brands/picture.js';
import { cspHash } from './assets.js';

export interface LookStyle {
  readonly text: string;
  /** Content-Security-Policy source expression that allows the style. */
  readonly hash: string;
  /** Colour of the brand in light and in dark mode; null if it has none. */
  readonly shades: ReturnType<typeof deriveShades> | null;
}

/** Each takes less than a KiB. */
const MAX_STYLES = 500;
/** Maximum size in CSS pixels. */
const MAX_LOGO = { width: 96, height: 48 } as const;

const styles = new Map<string, LookStyle>();

/** @returns null for a brand that looks like every other. */
export function brandStyle({ colour, logo }: BrandTheme): LookStyle | null {
  if (colour === null && logo === null) return null;
  const key = `${colour} ${logo}`;
  const known = styles.get(key);
  if (known !== undefined) return known;
  const facts = logoFacts({ logo });
  const shades = colour === null ? null : deriveShades(colour);
  const text = `${shades === null ? '' : colourStyle(shades)}${facts === null ? '' : logoStyle(facts)}`;
  const style = { text, hash: cspHash(text), shades };
  if (styles.size >= MAX_STYLES) styles.clear();
  styles.set(key, style);
  return style;
}

function colourStyle({ light, dark }: ReturnType<typeof deriveShades>): string {
  return `${rule(light)}@media(prefers-color-scheme:dark){${rule(dark)}}`;
}

const rule = ({ colour, text }: Shade) => `:root{--main:${colour};--on-main:${text}}`;

/**
 * The box has its size from the start. The picture has none of its own and stays inline: only then does a
 * browser that could not load it show nothing in its place, neither a broken icon nor its light ground. That
 * is light by night, too, since most logos are made for paper.
 */
function logoStyle({ width, height }: PictureFacts): string {
  // More pixels than it has would only blur it.
  const scale = Math.min(MAX_LOGO.width / width, MAX_LOGO.height / height, 1);
  const [w, h] = [width, height].map((length) => Math.max(1, Math.round(length * scale)));
  return (
    `.shop span{flex:none;width:${w}px;height:${h}px;margin-right:12px;` +
    'line-height:0}.shop img{max-width:100%;max-height:100%;border-radius:4px;background:#fff}'
  );
}

/** @param base path before all addresses. @returns the address of the logo; null if the brand has none. */
export function logoPath(look: BrandTheme, base: string): string | null {
  const facts = logoFacts(look);
  return facts === null ? null : picturePath(facts, base);
}

/** @returns the address of the brand's own picture of a channel; null if it has none. */
export function markPath(look: BrandTheme, channel: PayChannel, base: string): string | null {
  const facts = markFacts(look)[channel];
  return facts === undefined ? null : picturePath(facts, base);
}

const picturePath = ({ file }: PictureFacts, base: string) => `${base}/api/picture/${file}`;

/** A conjunct of Bangla letters is one grapheme. */
const graphemes = new Intl.Segmenter('bn', { granularity: 'grapheme' });

/** @returns the first letter or digit of a brand's name as a capital; the sign of the taka if it has none. */
export function monogram(name: string): string {
  for (const { segment } of graphemes.segment(name)) {
    if (/^[\p{L}\p{N}]/u.test(segment)) return segment.toUpperCase();
  }
  return '৳';
}

/** Main colour of the page (`--main` in `style.css`), for brands without their own. */
const MAIN: Shade = { colour: '#00644b', text: '#ffffff' };

/** @returns an icon with the brand's monogram as a `data:` address, in which only what must be is escaped. */
function monogramIcon(name: string, look: BrandTheme): string {
  const { colour, text } = brandStyle(look)?.shades?.light ?? MAIN;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 16 16"><circle r="8" fill="${colour}"/>` +
    `<text y="4" fill="${text}" font-family="sans-serif" font-size="11" text-anchor="middle">` +
    `${monogram(name)}</text></svg>`;
  return `data:image/svg+xml,${svg.replace(/["#<>]/g, encodeURIComponent)}`;
}

/** Data shown in link previews of chats and social networks, and in the browser's tab. */
export interface Preview {
  readonly title: string;
  readonly text: string;
  readonly brand: string;
  readonly url: string | null;
  readonly image: string | null;
  readonly icon: string;
}

/**
 * @param of brand and texts of the page. `origin` is the scheme and host of its addresses; null if no setting
 * names them.
 */
export function buildPreview(of: {
  readonly title: string;
  readonly text: string;
  readonly brand: string;
  readonly url: string | null;
  readonly look: BrandTheme;
  readonly base: string;
  readonly origin: string | null;
}): Preview {
  const { title, text, brand, url, origin } = of;
  const logo = logoPath(of.look, of.base);
  return {
    title,
    text,
    brand,
    url,
    icon: logo ?? monogramIcon(brand, of.look),
    image: logo === null || origin === null ? null : `${origin}${logo}`,
  };
}

/**
 * Shop at the top of a page, with its logo or else its monogram. Its domain is the operator's setting, never
 * one from a payment.
 * @param label text before the domain.
 */
export function shopContext(name: string, look: BrandTheme, base: string, label: string) {
  const logo = logoPath(look, base);
  return { name, label, domain: look.website, logo, monogram: logo === null ? monogram(name) : null };
}
