/** A question at the bottom of the window: what it is about, what was typed, which keys answer it. Pure. */
import { printable, textWidth, wrap } from '../base/values/cells.js';
import { type Ask, type Field, isUnread, type Subject } from './ask.js';
import { type Cell, flow, type Piece, pieceOf, type Tone } from './frame.js';
import { cutUp } from './sheet.js';

const WORDS: Readonly<Record<Subject['act'], { readonly does: string; readonly doing: string }>> = {
  approve: { does: 'approve', doing: 'Approving …' },
  reject: { does: 'reject', doing: 'Rejecting …' },
  replay: { does: 'send again', doing: 'Making it due …' },
  close_gap: { does: 'close', doing: 'Closing …' },
};

/** @returns as many lines as it takes, each exactly as wide; the last ones say what to press. */
export function askLines(ask: Ask, width: number): Piece[][] {
  const field = ask.fields[ask.at];
  const { state } = ask;
  return [
    ...textRows(ask.question.join(' '), 'title', width),
    ...ask.fields.slice(0, ask.at).flatMap(({ word, text }) => textRows(`${word}: ${text}`, 'plain', width)),
    ...(state.kind === 'refused' ? textRows(state.says, 'bad', width) : []),
    ...(field !== undefined ? fieldRows(field, width) : confirmRows(ask, width)),
  ];
}

/** Whole lines of a text of ours or of strangers, a blank before each. */
export function textRows(text: string, tone: Tone, width: number): Piece[][] {
  const room = Math.max(1, width - 2);
  const lines = wrap(printable(text), room).flatMap((line) => cutUp(line, room));
  return lines.map((line) => [pieceOf({ text: ` ${line}`, tone }, width)]);
}

function fieldRows({ word, text }: Field, width: number): Piece[][] {
  const label = ` ${word}: `;
  const room = Math.max(1, width - label.length - 2);
  const keys = { text: ' Enter goes on, Esc leaves', tone: 'dim' } as const;
  return [flow([{ text: `${label}${endOf(text, room)}_`, tone: 'focus' }, keys], width)];
}

/** The end of a text, where it is being typed. */
function endOf(text: string, room: number): string {
  const signs = [...printable(text)];
  let width = textWidth(signs.join(''));
  while (width > room) width -= textWidth(signs.shift() ?? '');
  return signs.join('');
}

function confirmRows(ask: Ask, width: number): Piece[][] {
  const { subject, less, state, fields } = ask;
  if (isUnread(ask)) return [flow([{ text: ' Reading the facts …', tone: 'focus' }], width)];
  const { does, doing } = WORDS[subject.act];
  if (state.kind === 'running') return [flow([{ text: ` ${doing}`, tone: 'focus' }], width)];
  const keys: readonly (readonly [string, string])[] = [
    ['y', does],
    ...(less === 'offered' ? [['l', `${does}, also if less came in`] as const] : []),
    ['Esc', 'leave'],
    ...(fields.length > 0 ? [['Backspace', 'change the note'] as const] : []),
  ];
  return [keyCells(keys, width)];
}

/** Keys and what they do; in a narrow window the last ones go. */
export function keyCells(keys: readonly (readonly [string, string])[], width: number): Piece[] {
  let free = width;
  const cells = keys.flatMap(([key, does], at): Cell[] => {
    free -= key.length + does.length + (at === 0 ? 2 : 3);
    if (free < 0) return [];
    return [
      { text: ` ${key}`, tone: 'title' },
      { text: does, tone: 'dim' },
    ];
  });
  return flow(cells, width);
}
