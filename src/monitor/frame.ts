/**
 * Screen content as data: lines of spans, each with its position, width in cells and tone. Pure. Knows
 * neither the meaning of the content nor terminal sequences.
 */
import { cut, pad, printable, textWidth, wrap } from '../base/values/cells.js';

/** Meaning of a piece of text; the painter maps it to a style with or without colours. */
export type Tone =
  | 'plain'
  | 'dim'
  | 'title'
  | 'focus'
  | 'good'
  | 'warn'
  | 'bad'
  | 'info'
  | 'selected'
  | 'alarm';

export interface StyledText {
  /** Exactly `width` cells, blanks included. */
  readonly text: string;
  readonly width: number;
  readonly tone: Tone;
}

export interface PlacedPiece extends StyledText {
  /** Cell at which it begins, from 0. */
  readonly x: number;
}

export type Line = readonly PlacedPiece[];
export type Frame = readonly Line[];

/** A text and its meaning; without a tone it is plain. */
export interface Cell {
  readonly text: string;
  /** Shorter forms for a text that does not fit: the first that fits is used, else the last one, cut. */
  readonly shorter?: readonly string[];
  /** Number of columns that the cell covers, including its own; default: 1. */
  readonly spans?: number;
  readonly tone?: Tone;
}

/** @returns the pieces one after the other from the left edge on, without empty ones. */
export function layoutLine(pieces: readonly StyledText[]): Line {
  let x = 0;
  return pieces
    .filter(({ width }) => width > 0)
    .map((piece) => {
      x += piece.width;
      return { x: x - piece.width, ...piece };
    });
}

/** A cell of data: whatever a stranger has written, it is text of that width and nothing else. */
export function renderCell(cell: Cell, width: number, align?: 'right'): StyledText {
  const forms = [cell.text, ...(cell.shorter ?? [])].map(printable);
  const fitting = forms.find((form) => textWidth(form) <= width) ?? forms.at(-1) ?? '';
  return { text: pad(cut(fitting, width), width, align), width, tone: cell.tone ?? 'plain' };
}

/** Cells one after the other, one blank between them, cut at the edge and filled up to it. */
export function flow(cells: readonly Cell[], width: number): StyledText[] {
  const pieces: StyledText[] = [];
  let left = width;
  for (const cell of cells) {
    const space = pieces.length === 0 ? 0 : 1;
    const room = Math.min(textWidth(printable(cell.text)), left - space);
    if (room <= 0) continue;
    pieces.push(blank(space), renderCell(cell, room));
    left -= space + room;
  }
  return [...pieces, blank(left)];
}

export const blank = (width: number): StyledText => rule(' ', width, 'plain');

/** One sign again and again: signs of our own, one cell each. */
export const rule = (sign: string, width: number, tone: Tone): StyledText => ({
  text: sign.repeat(Math.max(0, width)),
  width,
  tone,
});

/** Plain text of a line, for tests and captures. */
export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

export interface DetailLine {
  /** Blanks before it. */
  readonly indent: number;
  readonly word: string;
  readonly value: string;
}

const NONE = '–';
const INDENT = 2;
const WORD_WIDTH = 20;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+06:00$/;

/** @param width window width in cells; longer values continue on the next line. */
export function formatDetails(thing: object, width: number): readonly DetailLine[] {
  return linesOf(thing, 0).flatMap((line) => wrapped(line, width));
}

function linesOf(thing: object, indent: number): DetailLine[] {
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

export function valueColumn(line: DetailLine): number {
  return line.indent + Math.max(WORD_WIDTH, textWidth(line.word) + 1);
}

/** Line breaks of the value are kept, and its words, unless one is longer than a line. */
function wrapped(line: DetailLine, width: number): DetailLine[] {
  const room = Math.max(8, width - valueColumn(line) - 1);
  const parts = line.value.split(/\r?\n/).flatMap((part) => wrap(part, room));
  const pieces = parts.flatMap((part) => splitToWidth(part, room));
  const [first = '', ...rest] = pieces;
  return [{ ...line, value: first }, ...rest.map((value) => ({ indent: line.indent, word: '', value }))];
}

/** Splits a text into pieces of at most `room` cells. */
export function splitToWidth(text: string, room: number): string[] {
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
