/**
 * What is said with Telegram's Bot API: buttons, and the presses that come back. Everything that came over
 * the network is doubted. Pure; knows no secret but what it is handed.
 */

export const BUTTON_ACTIONS = ['approve', 'reject'] as const;
export type ButtonAction = (typeof BUTTON_ACTIONS)[number];

export interface Button {
  readonly text: string;
  /** At most 64 bytes, says the Bot API. */
  readonly data: string;
}

/** Longer ones are refused. */
const MAX_TEXT = 4_096;

/** @returns the text, cut where Telegram would take none of it. */
export function telegramText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

const LETTERS: Readonly<Record<ButtonAction, string>> = { approve: 'a', reject: 'r' };

/** @param proof that the button is ours, of at most 24 characters. */
export function buttonData(action: ButtonAction, message: string, proof: string): string {
  return `${LETTERS[action]}:${message}:${proof}`;
}

export interface ReadButton {
  readonly action: ButtonAction;
  /** Identifier of the alert message that carries it. */
  readonly message: string;
  readonly proof: string;
}

/** @returns null for what was never one of our buttons. */
export function readButton(data: string): ReadButton | null {
  const [, letter, message = '', proof = ''] = /^([ar]):(msg_[0-9a-f]{24}):([\w-]{1,24})$/.exec(data) ?? [];
  const action = BUTTON_ACTIONS.find((one) => LETTERS[one] === letter);
  return action === undefined ? null : { action, message, proof };
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

export interface Updates {
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
