/**
 * Which attributes the drawing of a logo may have, each with the form of its value. Nothing here names a
 * place outside of the file, runs anything or refers to itself.
 */
import { Unfit } from './unfit.js';

const NUMBER = '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?';
const NUMBERS = `[\\s,]*(?:${NUMBER}[\\s,]*)*`;
const LOCAL = '#[\\w.-]{1,100}';
const whole = (pattern: string, flags = '') => new RegExp(`^(?:${pattern})$`, flags);

const LENGTH = whole(`${NUMBER}(?:px|pt|pc|mm|cm|in|em|%)?`, 'i');
const WORDS = /^[a-z][a-z -]{0,60}$/i;
const PAINT = whole(`[a-z]+|#[0-9a-f]{3,8}|(?:rgb|hsl)a?\\([\\d\\s.,%/deg+-]*\\)|url\\(${LOCAL}\\)`, 'i');
const PATH = /^[\s\d.,e+\-mzlhvcsqta]*$/i;
const TRANSFORM = /^[\s,]*(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s.,eE+-]*\)[\s,]*)*$/;

const named = (names: string, form: RegExp) => names.split(' ').map((name) => [name, form] as const);

/** Also as parts of `style`. */
const LOOKS = new Map([
  ...named('fill stroke color stop-color', PAINT),
  ...named('stroke-width stroke-miterlimit opacity fill-opacity stroke-opacity stop-opacity', LENGTH),
  ...named('fill-rule clip-rule stroke-linecap stroke-linejoin display visibility', WORDS),
  ...named('clip-path', whole(`none|url\\(${LOCAL}\\)`)),
]);
const SHAPES = new Map([
  ...named('x y width height rx ry cx cy r x1 y1 x2 y2 fx fy fr offset', LENGTH),
  ...named('d', PATH),
  ...named('points viewBox', whole(NUMBERS, 'i')),
  ...named('transform gradientTransform', TRANSFORM),
  ...named('gradientUnits spreadMethod clipPathUnits preserveAspectRatio', WORDS),
  ...named('id', /^[\w.-]{1,100}$/),
]);

/** Left out, since there is no text, style sheet or program that they could mean something to. */
const IDLE_NAMES =
  /^(?:class|version|baseProfile|role|focusable|enable-background|(?:data|aria|font|text|letter|word|line|white|writing|-inkscape)-.*)$/;
/** What editors write for everything that they do not use. */
const IDLE_VALUES =
  /^(?:none|normal|auto|visible|accumulate|inherit|ltr|sRGB|linearRGB|geometricPrecision|0|1)?$/i;

const PLAIN = 'Export it as plain SVG, with all text as paths, or save it as PNG.';

/** @returns the error of what no logo may hold. @param what as the file has it: `<script>`, `onload`. */
export const forbidden = (what: string) => new Unfit(`is an SVG that holds ${what}`, PLAIN);

export interface Attribute {
  readonly name: string;
  readonly value: string;
  /** Name of its namespace, empty where it has none. */
  readonly space: string;
}

const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';
const GRADIENTS = ['linearGradient', 'radialGradient'];

/** @returns the attributes to write again. @throws Unfit naming the first that no logo may have. */
export function keptAttributes(element: string, given: readonly Attribute[]): Map<string, string> {
  const kept = new Map<string, string>();
  for (const { name, value, space } of given) {
    const local = name.slice(name.indexOf(':') + 1);
    if (/^on/i.test(local) || (space === XML && local === 'base')) throw forbidden(`"${name}"`);
    if (name === 'xmlns' || space === XMLNS) continue;
    if (local === 'href' && (space === '' || space === XLINK)) {
      if (!GRADIENTS.includes(element) || !whole(LOCAL).test(value)) throw forbidden(`a link ("${name}")`);
      kept.set('href', value);
    } else if (space === '' && name === 'style') {
      for (const [property, text] of declarations(value)) keep(kept, property, text, LOOKS.get(property));
    } else if (space === '') {
      keep(kept, name, value.trim(), SHAPES.get(name) ?? LOOKS.get(name));
    }
  }
  return kept;
}

function keep(kept: Map<string, string>, name: string, value: string, form: RegExp | undefined): void {
  if (form?.test(value) === true) kept.set(name, value);
  else if (!IDLE_NAMES.test(name) && !IDLE_VALUES.test(value)) {
    throw forbidden(form === undefined ? `"${name}"` : `"${name}" with a value that is none of a drawing`);
  }
}

/** @returns the parts of `style`, which has neither comments, escapes nor places to load from. */
function declarations(style: string): [property: string, value: string][] {
  if (/[\\@]|\/\*|url\((?!#)/i.test(style)) throw forbidden('"style" with more than plain values');
  return style
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [property = '', ...value] = part.split(':');
      return [property.trim().toLowerCase(), value.join(':').trim()];
    });
}
