/**
 * An SVG as a logo: read by a strict XML parser, judged element by element, and written again from what was
 * allowed. No byte of the file is passed on. Anything else is refused by its name, for what it could do in
 * a browser is beyond counting: scripts, links, styles, references that multiply, pictures from elsewhere.
 */
import { isUtf8 } from 'node:buffer';
import sax from 'sax';
import { type Attribute, forbidden, keptAttributes } from './svg-attributes.js';
import { checkRatio, damaged, type Size, Unfit } from './unfit.js';

const SVG = 'http://www.w3.org/2000/svg';
const DRAWN =
  'svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath';
const ALLOWED = DRAWN.split(' ');
/** Say something of the picture and show nothing; left out with all that is in them. */
const REMARKS = ['title', 'desc', 'metadata'];
/** Where a renderer would have to go deep, or be busy for long. */
const MAX_DEPTH = 40;
const MAX_ELEMENTS = 2_000;
/** Of what it is drawn in. */
const MAX_UNITS = 1e6;
/** Pixels of its longer side, as it is written: a drawing of any units is as good in any size. */
const SIDE = 256;

export function looksLikeSvg(bytes: Buffer): boolean {
  return isUtf8(bytes) && /^\ufeff?\s*</.test(bytes.toString('utf8', 0, 200));
}

/** @returns the same drawing, written again. @throws Unfit */
export function readSvg(bytes: Buffer): Size & { readonly content: Buffer } {
  const drawing = new Drawing();
  const parser = sax.parser(true, { xmlns: true });
  parser.onerror = () => {
    throw damaged(`line ${parser.line + 1} is no well-formed XML`);
  };
  parser.ondoctype = () => {
    throw forbidden('<!DOCTYPE>: delete that line');
  };
  parser.onsgmldeclaration = () => {
    throw forbidden('a declaration (<!…>)');
  };
  parser.onprocessinginstruction = ({ name, body }) => {
    const isUtf = !/encoding\s*=/i.test(body) || /encoding\s*=\s*["']utf-?8["']/i.test(body);
    if (name !== 'xml' || !isUtf)
      throw forbidden(`<?${name}?>${name === 'xml' ? ' of another encoding' : ''}`);
  };
  parser.onopentag = (tag) => {
    const { name, local, uri, attributes } = tag as sax.QualifiedTag;
    const given = Object.values(attributes).map((one) => ({ ...one, space: one.uri }));
    drawing.open(uri === SVG ? local : `${name} `, given);
  };
  parser.onclosetag = () => drawing.close();
  parser.ontext = (text) => drawing.text(text);
  parser.oncdata = (text) => drawing.text(text);
  parser.write(bytes.toString('utf8').replace(/^\ufeff/, '')).close();
  return drawing.done();
}

/** @returns the same shape in the pixels that it is shown with at most. */
function shownSize({ width, height }: Size): Size {
  const scale = SIDE / Math.max(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** What has been written of a drawing so far. */
class Drawing {
  private readonly written: string[] = [];
  private readonly path: string[] = [];
  private elements = 0;
  /** How much was written when an element was opened; 0 once one has been closed. */
  private opened = 0;
  private size: Size | null = null;

  /** @param name of an element of SVG; of any other one with a space behind it. */
  open(name: string, given: readonly Attribute[]): void {
    const isRemark = this.isRemark();
    this.path.push(name);
    this.elements += 1;
    if (this.elements > MAX_ELEMENTS || this.path.length > MAX_DEPTH) throw forbidden('too many elements');
    const isRoot = this.path.length === 1;
    // The parser would take a second root, too.
    if (isRoot && (name !== 'svg' || this.size !== null)) throw damaged('it is no SVG');
    if (isRemark || REMARKS.includes(name)) return;
    if (!ALLOWED.includes(name) || (name === 'svg' && !isRoot)) throw forbidden(`<${name.trim()}>`);
    const kept = keptAttributes(name, given);
    // Each of many shapes clipped by many others, each of which is: that multiplies.
    if (this.path.includes('clipPath') && kept.has('clip-path')) throw forbidden('a clip in a clip');
    if (isRoot) this.measure(kept);
    const attributes = [...kept].map(([key, value]) => ` ${key}="${escaped(value)}"`);
    this.written.push(`<${name}${isRoot ? ` xmlns="${SVG}"` : ''}${attributes.join('')}>`);
    this.opened = this.written.length;
  }

  close(): void {
    const isWritten = !this.isRemark();
    const name = this.path.pop();
    if (!isWritten) return;
    const isEmpty = this.opened === this.written.length;
    const [last = ''] = this.written.slice(-1);
    if (isEmpty) this.written.splice(-1, 1, `${last.slice(0, -1)}/>`);
    else this.written.push(`</${name}>`);
    this.opened = 0;
  }

  text(text: string): void {
    if (text.trim() !== '' && !this.isRemark()) throw forbidden('text');
  }

  done(): Size & { readonly content: Buffer } {
    if (this.size === null) throw damaged('it is no SVG');
    return { ...this.size, content: Buffer.from(this.written.join('')) };
  }

  private isRemark(): boolean {
    return this.path.some((name) => REMARKS.includes(name));
  }

  /** It is written with a size in pixels, whatever it is drawn in. */
  private measure(kept: Map<string, string>): void {
    const [, , w, h] = (kept.get('viewBox') ?? '').split(/[\s,]+/).map(Number);
    const [width = Number.NaN, height = Number.NaN] = kept.has('viewBox')
      ? [w, h]
      : ['width', 'height'].map((side) => Number((kept.get(side) ?? '').replace(/px$/, '')));
    if (!(width > 0 && height > 0 && width <= MAX_UNITS && height <= MAX_UNITS)) {
      throw new Unfit('is an SVG without a size', 'Export it with a viewBox, or save it as PNG.');
    }
    checkRatio({ width, height });
    this.size = shownSize({ width, height });
    kept.set('viewBox', kept.get('viewBox') ?? `0 0 ${width} ${height}`);
    kept.set('width', String(this.size.width));
    kept.set('height', String(this.size.height));
    for (const name of ['x', 'y', 'id']) kept.delete(name);
  }
}

const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
