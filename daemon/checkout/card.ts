/**
 * Preview card of a link or a payment: the picture that chats and social networks show with its address.
 * Its text is shaped by HarfBuzz into outlines, because resvg's own layout puts Bangla vowel signs in the
 * wrong place; resvg only fills the outlines. Both are loaded with the first card. Knows neither request nor
 * store.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font } from 'harfbuzzjs';

/**
 * Size in pixels that Facebook recommends for `og:image`
 * (https://developers.facebook.com/docs/sharing/webmasters/images). WhatsApp shows no picture above 300 KB.
 */
export const CARD = { width: 1_200, height: 630 } as const;

export interface CardContent {
  readonly title: string;
  /** Formatted; null if the customer chooses it, or nobody else may see it. */
  readonly amount: string | null;
  readonly shop: string;
  /** Colours `#rrggbb` of the brand and of text on it. */
  readonly colour: string;
  readonly onColour: string;
  /** A PNG or JPEG as a `data:` address; null draws the first letter of the shop's name. */
  readonly logo: string | null;
}

/** Some hundred cards. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024;

/** Cards by content, those used last at the end. */
const cards = new Map<string, Buffer>();
let cachedBytes = 0;

/** Takes about a tenth of a second for a new card. @returns a PNG of 1200 x 630 pixels. */
export async function drawCard(content: CardContent): Promise<Buffer> {
  const key = JSON.stringify(content);
  tools ??= loadTools();
  const { fonts, rasterise } = await tools;
  const known = cards.get(key);
  if (known !== undefined) {
    cards.delete(key);
    cards.set(key, known);
    return known;
  }
  const card = rasterise(drawSvg(fonts, content));
  cards.set(key, card);
  cachedBytes += card.length;
  for (const [oldest, { length }] of cards) {
    if (cachedBytes <= MAX_CACHED_BYTES) break;
    cards.delete(oldest);
    cachedBytes -= length;
  }
  return card;
}

interface Fonts {
  readonly regular: Shaper;
  readonly bold: Shaper;
}

interface Tools {
  readonly fonts: Fonts;
  rasterise(svg: string): Buffer;
}

let tools: Promise<Tools> | undefined;

async function loadTools(): Promise<Tools> {
  const { resolve } = createRequire(import.meta.url);
  const folder = '@expo-google-fonts/noto-sans-bengali';
  const [resvg, harfbuzz, wasm, regular, bold] = await Promise.all([
    import('@resvg/resvg-wasm'),
    import('harfbuzzjs'),
    readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')),
    readFile(resolve(`${folder}/400Regular/NotoSansBengali_400Regular.ttf`)),
    readFile(resolve(`${folder}/700Bold/NotoSansBengali_700Bold.ttf`)),
  ]);
  await resvg.initWasm(wasm);
  const open = (bytes: Buffer) => openShaper(harfbuzz, new Uint8Array(bytes).buffer);
  return {
    fonts: { regular: open(regular), bold: open(bold) },
    rasterise: (svg) => {
      const drawing = new resvg.Resvg(svg);
      const image = drawing.render();
      const png = Buffer.from(image.asPng());
      image.free();
      drawing.free();
      return png;
    },
  };
}

/** Units of the font in the size of its letters. */
const UNITS = 1_000;

interface Shaped {
  /** In units of the font. */
  readonly width: number;
  /** @returns path data in units of the font; y grows upwards. */
  path(): string;
}

/** Turns a line of text into outlines, without the characters that the font does not have. */
type Shaper = (text: string) => Shaped;

/** Runs of Bangla, and of everything else: HarfBuzz shapes one script at a time. Joiners belong to Bangla. */
const RUNS = /[\u0964\u0965\u0980-\u09ff\u200c\u200d]+|[^\u0964\u0965\u0980-\u09ff\u200c\u200d]+/gu;
const JOINER = /[\u200c\u200d]/;
/** Joiners of emoji. */
const STRAY_JOINERS = /(?<![\u0980-\u09ff])[\u200c\u200d]+/g;

function openShaper(hb: typeof import('harfbuzzjs'), file: ArrayBuffer): Shaper {
  const font = new hb.Font(new hb.Face(new hb.Blob(file)));
  return (text) => {
    const parts: { readonly glyph: number; readonly x: number; readonly y: number }[] = [];
    let width = 0;
    for (const run of drawable(font, text).match(RUNS) ?? []) {
      const buffer = new hb.Buffer();
      buffer.addText(run);
      buffer.guessSegmentProperties();
      hb.shape(font, buffer);
      const positions = buffer.getGlyphPositions();
      for (const [at, { codepoint: glyph }] of buffer.getGlyphInfos().entries()) {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[at] ?? {};
        parts.push({ glyph, x: width + xOffset, y: yOffset });
        width += xAdvance;
      }
    }
    const path = () => parts.map(({ glyph, x, y }) => moved(font.glyphToPath(glyph), x, y)).join('');
    return { width, path };
  };
}

/** @returns the text without emoji and letters of other scripts, which would be empty boxes. */
function drawable(font: Font, text: string): string {
  const letters = [...text.normalize('NFC')].filter((letter) => {
    return JOINER.test(letter) || font.nominalGlyph(letter.codePointAt(0) ?? 0) !== undefined;
  });
  return letters.join('').replace(STRAY_JOINERS, '').replace(/\s+/g, ' ').trim();
}

/** Moves a path whose commands take pairs of absolute coordinates. */
function moved(path: string, x: number, y: number): string {
  let isX = false;
  return path.replace(/-?[\d.]+/g, (number) => {
    isX = !isX;
    return String(Number(number) + (isX ? x : y));
  });
}

const EDGE = 80;
const INK = '#16202b';
const SOFT = '#52606d';
/** Diameter of the circle with the first letter, and maximum height of a logo. */
const SEAL = 120;
const LOGO_WIDTH = 3 * SEAL;
const GAP = 32;
const NAME_SIZE = 44;
const TITLE_SIZE = 66;
const TITLE_LINE = 92;
const TITLE_LINES = 2;
const AMOUNT_SIZE = 104;
/** Height of the band below. */
const BAND = 28;

function drawSvg({ regular, bold }: Fonts, content: CardContent): string {
  const { title, amount, shop, colour, logo } = content;
  const { width, height } = CARD;
  const nameFrom = EDGE + (logo === null ? SEAL : LOGO_WIDTH) + GAP;
  const name = fitLines(regular, shop, NAME_SIZE, width - EDGE - nameFrom, 1);
  const titles = fitLines(bold, title, TITLE_SIZE, width - 2 * EDGE, TITLE_LINES);
  const top = amount === null ? 350 : 300;
  // The name of the shop follows its letter, and ends at the right edge opposite a logo of any width.
  const nameAt = logo === null ? { x: nameFrom, share: 0 } : { x: width - EDGE, share: 1 };
  const parts = [
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<rect y="${height - BAND}" width="${width}" height="${BAND}" fill="${colour}"/>`,
    logo === null ? drawSeal(bold, content) : drawLogo(logo),
    ...name.map((line) => outline(regular(line), { ...nameAt, y: 155, size: NAME_SIZE, fill: SOFT })),
    ...titles.map((line, at) =>
      outline(bold(line), { x: EDGE, y: top + at * TITLE_LINE, size: TITLE_SIZE, fill: INK }),
    ),
    amount === null ? '' : outline(bold(amount), { x: EDGE, y: 540, size: AMOUNT_SIZE, fill: colour }),
  ];
  const size = `width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts.join('')}</svg>`;
}

function drawLogo(href: string): string {
  const box = `x="${EDGE}" y="${EDGE}" width="${LOGO_WIDTH}" height="${SEAL}"`;
  return `<image ${box} preserveAspectRatio="xMinYMid" href="${href}"/>`;
}

function drawSeal(bold: Shaper, { shop, colour, onColour }: CardContent): string {
  const middle = EDGE + SEAL / 2;
  const letter = outline(bold(firstLetter(bold, shop)), {
    ...{ x: middle, y: middle + 24, size: 66, fill: onColour },
    share: 0.5,
  });
  return `<circle cx="${middle}" cy="${middle}" r="${SEAL / 2}" fill="${colour}"/>${letter}`;
}

/** @returns the first letter or digit with its vowel signs, as the font can draw it. */
function firstLetter(bold: Shaper, name: string): string {
  const found = graphemes(name).find((letter) => /[\p{L}\p{N}]/u.test(letter) && bold(letter).width > 0);
  return found?.toUpperCase() ?? '৳';
}

interface Place {
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  /** Of the letters, in pixels. */
  readonly size: number;
  readonly fill: string;
  /** Share of the width that is to the left of `x`. */
  readonly share?: number;
}

function outline({ path, width }: Shaped, { x, y, size, fill, share = 0 }: Place): string {
  const scale = size / UNITS;
  const transform = `translate(${x - width * scale * share} ${y}) scale(${scale} ${-scale})`;
  return `<path fill="${fill}" transform="${transform}" d="${path()}"/>`;
}

const segmenter = new Intl.Segmenter('bn');

/** @returns letters with their vowel signs: what may not be cut. */
const graphemes = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Breaks a text at its spaces into lines, at most `most`; what is too long ends with an ellipsis. */
function fitLines(shape: Shaper, text: string, size: number, width: number, most: number): string[] {
  const fits = (line: string) => (shape(line).width * size) / UNITS <= width;
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== '' && lines.length < most) {
    if (fits(rest)) return [...lines, rest];
    const isLast = lines.length === most - 1;
    const end = isLast ? '…' : '';
    const letters = graphemes(rest);
    let [count, tooMany] = [1, letters.length];
    while (tooMany - count > 1) {
      const middle = Math.floor((count + tooMany) / 2);
      if (fits(`${letters.slice(0, middle).join('')}${end}`)) count = middle;
      else tooMany = middle;
    }
    const cut = letters.slice(0, count).join('');
    const space = `${cut}${letters[count]}`.search(/\s\S*$/);
    const line = space > 0 && !isLast ? cut.slice(0, space) : cut;
    rest = rest.slice(line.length).trim();
    lines.push(`${line.trim()}${end}`);
  }
  return lines;
}
