/**
 * Logo and colours of a brand on its pages: a style that is allowed by its hash, like the common one, and a
 * logo in a box whose size is known before the logo is loaded. Pages of other brands contain none of it.
 */
import { type BrandTheme, logoFacts } from '../../src/actions/brands/brand-theme.js';
import { deriveShades, type Shade } from '../../src/domain/brands/colour.js';
import type { LogoFacts } from '../../src/domain/brands/logo.js';
import { cspHash } from './assets.js';

export interface LookStyle {
  readonly text: string;
  /** Content-Security-Policy source expression that allows the style. */
  readonly hash: string;
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
  const text = `${colour === null ? '' : colourStyle(colour)}${facts === null ? '' : logoStyle(facts)}`;
  const style = { text, hash: cspHash(text) };
  if (styles.size >= MAX_STYLES) styles.clear();
  styles.set(key, style);
  return style;
}

function colourStyle(colour: string): string {
  const { light, dark } = deriveShades(colour);
  return `${rule(light)}@media(prefers-color-scheme:dark){${rule(dark)}}`;
}

const rule = ({ colour, text }: Shade) => `:root{--main:${colour};--on-main:${text}}`;

/**
 * The box has its size from the start. The picture has none of its own and stays inline: only then does a
 * browser that could not load it show nothing in its place, neither a broken icon nor its light ground. That
 * is light by night, too, since most logos are made for paper.
 */
function logoStyle({ width, height }: LogoFacts): string {
  // More pixels than it has would only blur it.
  const scale = Math.min(MAX_LOGO.width / width, MAX_LOGO.height / height, 1);
  const [w, h] = [width, height].map((length) => Math.max(1, Math.round(length * scale)));
  return (
    `.shop{display:flex;align-items:center}.shop span{flex:none;width:${w}px;height:${h}px;margin-right:12px;` +
    'line-height:0}.shop img{max-width:100%;max-height:100%;border-radius:4px;background:#fff}'
  );
}

/** @param base path before all addresses. @returns the address of the logo; null if the brand has none. */
export function logoPath(look: BrandTheme, base: string): string | null {
  const facts = logoFacts(look);
  return facts === null ? null : `${base}/api/logo/${facts.file}`;
}

/** Data shown in link previews of chats and social networks, and in the browser's tab. */
export interface Preview {
  readonly title: string;
  readonly text: string;
  readonly brand: string;
  readonly url: string | null;
  readonly image: string | null;
  readonly icon: string | null;
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
  const icon = logoPath(of.look, of.base);
  return {
    title,
    text,
    brand,
    url,
    icon,
    image: icon === null || origin === null ? null : `${origin}${icon}`,
  };
}

/**
 * Shop at the top of a page. Its domain is the operator's setting, never one from a payment.
 * @param label text before the domain.
 */
export function shopContext(name: string, look: BrandTheme, base: string, label: string) {
  return { name, label, domain: look.website, logo: logoPath(look, base) };
}
