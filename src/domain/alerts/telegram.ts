/**
 * What is said with Telegram's Bot API: buttons, and the presses that come back. Everything that came over
 * the network is doubted. Pure; knows no secret but what it is handed.
 */

/** Every button that there is: the compiler then names the place that must say what a press of it does. */
const BUTTONS = [
  { action: 'approve', letter: 'a', title: 'Approve' },
  { action: 'approve_anyway', letter: 'y', title: 'Approve anyway' },
  { action: 'reject', letter: 'r', title: 'Reject' },
] as const;

export type ButtonAction = (typeof BUTTONS)[number]['action'];

export const buttonTitle = (action: ButtonAction): string => rowOf(action).title;

function rowOf(action: ButtonAction) {
  const row = BUTTONS.find((one) => one.action === action);
  if (row === undefined) throw new TypeError(`no button ${action}`);
  return row;
}

export interface Button {
  readonly text: string;
  /** At most 64 bytes, says the Bot API. */
  readonly data: string;
}

/** One row of buttons, as `reply_markup` of a message; nothing where there are none. */
export function keyboardOf(buttons: readonly Button[]) {
  if (buttons.length === 0) return {};
  const row = buttons.map(({ text, data }) => ({ text, callback_data: data }));
  return { reply_markup: { inline_keyboard: [row] } };
}

/** Longer ones are refused. */
const MAX_TEXT = 4_096;

/** @returns the text, cut where Telegram would take none of it. */
export function telegramText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

/** What a button stands for. */
export interface ButtonMeaning {
  readonly action: ButtonAction;
  /** Identifier of the alert message that carries it. */
  readonly message: string;
  /** Version of the facts that the message shows; null where it shows none, as those of earlier versions. */
  readonly facts: string | null;
}

/** @param proof that the button is ours, of at most 20 characters. */
export function buttonData({ action, message, facts }: ButtonMeaning, proof: string): string {
  return [rowOf(action).letter, message, ...(facts === null ? [] : [facts]), proof].join(':');
}

export interface ReadButton extends ButtonMeaning {
  readonly proof: string;
}

/** @returns null for what was never one of our buttons. */
export function readButton(data: string): ReadButton | null {
  const shape = /^(\w):(msg_[0-9a-f]{24}):(?:([0-9a-f]{12}):)?([\w-]{1,20})$/;
  const [, letter, message = '', facts = null, proof = ''] = shape.exec(data) ?? [];
  const row = BUTTONS.find((one) => one.letter === letter);
  return row === undefined ? null : { action: row.action, message, facts, proof };
}

/** One press of a button. */
export interface Press {
  /** What is answered. */
  readonly query: string;
  readonly user: string;
  /** As the user calls themself; may be empty. */
  readonly name: string;
  /** Null where the message is not in a chat that the bot sees. */
  readonly chat: string | null;
  /** Telegram's number of the message in its chat. */
  readonly messageNumber: number;
  readonly data: string;
}

interface Updates {
  readonly presses: readonly Press[];
  /** The number of the first update that is not among these; null where there was none. */
  readonly next: number | null;
}

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
/** Telegram's numbers fit into 52 bits. */
const idOf = (value: unknown) => (Number.isSafeInteger(value) ? String(value) : null);

/** @param result of `getUpdates`. What is no press, or lacks something, is passed over. */
export function readUpdates(result: unknown): Updates {
  const updates = Array.isArray(result) ? result.map(fields) : [];
  const numbers = updates.map(({ update_id: id }) => Number(idOf(id) ?? -1)).filter((id) => id >= 0);
  return {
    presses: updates.flatMap(({ callback_query: query }) => readPress(fields(query)) ?? []),
    next: numbers.length === 0 ? null : Math.max(...numbers) + 1,
  };
}

function readPress(query: Fields): Press | null {
  const from = fields(query.from);
  const message = fields(query.message);
  const user = idOf(from.id);
  const id = textOf(query.id);
  if (user === null || id === '') return null;
  const name = [from.first_name, from.last_name].map(textOf).join(' ').trim();
  return {
    query: id,
    user,
    name: name === '' ? textOf(from.username) : name,
    chat: idOf(fields(message.chat).id),
    messageNumber: Number(idOf(message.message_id) ?? 0),
    data: textOf(query.data),
  };
}
