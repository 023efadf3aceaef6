/**
 * What stands on the screen, as data: lines of spans, each with its place, its width in cells and its tone.
 * Pure. Knows neither what it shows nor how a terminal is told.
 */
import { cut, pad, printable, textWidth } from '../base/values/cells.js';

/** What a piece of text means; the painter knows how each looks with and without colours. */
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

export interface Span {
  /** Cell at which it begins, from 0. */
  readonly x: number;
  /** Exactly `width` cells, blanks included. */
  readonly text: string;
  readonly width: number;
  readonly tone: Tone;
}

export type Line = readonly Span[];
export type Frame = readonly Line[];

/** A text and its meaning; without a tone it is plain. */
export interface Cell {
  readonly text: string;
  /** Said instead where the text does not fit: the first of them that does, or else the last, cut. */
  readonly shorter?: readonly string[];
  /** Columns of a row that it takes, itself and those behind it; 1 if absent. */
  readonly spans?: number;
  readonly tone?: Tone;
}

/** A cell of data: whatever a stranger has written, it is text of that width and nothing else. */
export function spanOf(cell: Cell, x: number, width: number, align?: 'right'): Span {
  const forms = [cell.text, ...(cell.shorter ?? [])].map(printable);
  const fitting = forms.find((form) => textWidth(form) <= width) ?? forms.at(-1) ?? '';
  const text = pad(cut(fitting, width), width, align);
  return { x, text, width, tone: cell.tone ?? 'plain' };
}

/** Cells one after the other, one blank between them, cut at the edge and filled up to it. */
export function flow(cells: readonly Cell[], x: number, width: number, gap = 1): Line {
  const spans: Span[] = [];
  let used = 0;
  for (const cell of cells) {
    const space = spans.length === 0 ? 0 : gap;
    const wanted = textWidth(printable(cell.text));
    const room = Math.min(wanted, width - used - space);
    if (room <= 0) continue;
    if (space > 0) spans.push(blank(x + used, space));
    spans.push(spanOf(cell, x + used + space, room));
    used += space + room;
  }
  if (used < width) spans.push(blank(x + used, width - used));
  return spans;
}

export function blank(x: number, width: number): Span {
  return { x, text: ' '.repeat(width), width, tone: 'plain' };
}

/** One sign again and again: signs of our own, one cell each. */
export function rule(sign: string, x: number, width: number, tone: Tone): Span {
  return { x, text: sign.repeat(width), width, tone };
}

/** The line as a person reads it, for tests and captures. */
export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}
