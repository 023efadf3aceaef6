/** Anything that was read, as lines of words and values: the details of a row. Pure; knows no shape. */
import { textWidth, wrap } from '../base/values/cells.js';

export interface SheetLine {
  /** Blanks before it. */
  readonly indent: number;
  readonly word: string;
  readonly value: string;
}

const NONE = '–';
const INDENT = 2;
const WORD_WIDTH = 20;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+06:00$/;

/** @param width cells of the window: longer values go on in the next line. */
export function sheetOf(thing: object, width: number): readonly SheetLine[] {
  return linesOf(thing, 0).flatMap((line) => wrapped(line, width));
}

function linesOf(thing: object, indent: number): SheetLine[] {
  return Object.entries(thing).flatMap(([name, value]: [string, unknown]) => {
    const word = name.replaceAll('_', ' ');
    if (typeof value !== 'object' || value === null) return [{ indent, word, value: textOf(value) }];
    if (!Array.isArray(value)) return [{ indent, word, value: '' }, ...linesOf(value, indent + INDENT)];
    const items: readonly unknown[] = value;
    if (items.every((item) => typeof item !== 'object' || item === null)) {
      return [{ indent, word, value: items.length === 0 ? NONE : items.map(textOf).join(', ') }];
    }
    return items.flatMap((item, at) => [
      { indent, word: `${word} ${at + 1}`, value: '' },
      ...linesOf(Object(item), indent + INDENT),
    ]);
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return NONE;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return ISO_TIME.test(text) ? text.slice(0, 19).replace('T', ' ') : text;
}

export function valueColumn(line: SheetLine): number {
  return line.indent + Math.max(WORD_WIDTH, textWidth(line.word) + 1);
}

/** Line breaks of the value are kept, and its words, unless one is longer than a line. */
function wrapped(line: SheetLine, width: number): SheetLine[] {
  const room = Math.max(8, width - valueColumn(line) - 1);
  const parts = line.value.split(/\r?\n/).flatMap((part) => wrap(part, room));
  const pieces = parts.flatMap((part) => cutUp(part, room));
  const [first = '', ...rest] = pieces;
  return [{ ...line, value: first }, ...rest.map((value) => ({ indent: line.indent, word: '', value }))];
}

/** Pieces of at most so many cells. */
export function cutUp(text: string, room: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const sign of text) {
    const width = textWidth(sign);
    if (used + width > room) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += sign;
    used += width;
  }
  return [...pieces, piece];
}
