/**
 * How a brand's own look gets into its pages: a style that is allowed by its hash as the common one is, and
 * a logo in a box whose size is known before it is there. Other brands' pages carry nothing of it.
 */
import { type BrandLook, logoFacts } from '../../src/actions/brands/brand-look.js';
import { type Shade, shadesOf } from '../../src/domain/brands/colour.js';
import type { LogoFacts } from '../../src/domain/brands/logo.js';
import { hashOf } from './assets.js';

export interface LookStyle {
  readonly text: string;
  /** The source expression by which the Content-Security-Policy allows it. */
  readonly hash: string;
}

/** Each takes less than a KiB. */
const MAX_STYLES = 500;
/** In CSS pixels. */
const MAX_LOGO = { width: 96, height: 48 } as const;

const styles = new Map<string, LookStyle>();

/** @returns null for a brand that looks like every other. */
export function lookStyle({ colour, logo }: BrandLook): LookStyle | null {
  if (colour === null && logo === null) return null;
  const key = `${colour} ${logo}`;
  const known = styles.get(key);
  if (known !== undefined) return known;
  const facts = logoFacts({ logo });
  const text = `${colour === null ? '' : colourStyle(colour)}${facts === null ? '' : logoStyle(facts)}`;
  const style = { text, hash: hashOf(text) };
  if (styles.size >= MAX_STYLES) styles.clear();
  styles.set(key, style);
  return style;
}

function colourStyle(colour: string): string {
  const { light, dark } = shadesOf(colour);
  return `${rule(light)}@media(prefers-color-scheme:dark){${rule(dark)}}`;
}

const rule = ({ colour, text }: Shade) => `:root{--brand:${colour};--on-brand:${text}}`;

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

/**
 * @param base path below which all addresses are.
 * @returns the logo's address; null where there is none.
 */
export function logoPath(look: BrandLook, base: string): string | null {
  const facts = logoFacts(look);
  return facts === null ? null : `${base}/api/logo/${facts.file}`;
}

/** What chats and social networks show of a shared address, and what stands in the browser's tab. */
export interface Preview {
  readonly title: string;
  readonly text: string;
  readonly brand: string;
  readonly url: string | null;
  readonly image: string | null;
  readonly icon: string | null;
}

/**
 * @param of whose page it is and what it says of itself. `origin` is the scheme and host of its addresses;
 *   null where nobody has said by which customers come.
 */
export function previewOf(of: {
  readonly title: string;
  readonly text: string;
  readonly brand: string;
  readonly url: string | null;
  readonly look: BrandLook;
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
 * Whose page it is. Its domain is what the operator says, never what came with a payment.
 * @param label stands before the domain.
 */
export function shopContext(name: string, look: BrandLook, base: string, label: string) {
  return { name, label, domain: look.website, logo: logoPath(look, base) };
}
