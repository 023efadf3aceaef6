/**
 * Telegram's Bot API: buttons, and the presses that come back. Input from the network is not trusted: each
 * button contains a code under a key of this installation, which proves that it was made here. Pure; the keys
 * are passed in.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { asRecord } from '../../base/values/fields.js';

/** Decision that a press of a button makes on a verification; src/actions carries it out. */
export type Decision = 'approve' | 'reject';

interface ButtonRow {
  /** Code of the action in the button data; must never change, because the messages in chats keep it. */
  readonly letter: string;
  readonly title: string;
  readonly decision: Decision;
  /** True if the first press only shows the facts when some of them speak against the money. */
  readonly isWarned: boolean;
  /** Texts below which the button appears: questions and warnings. */
  readonly below: readonly ('question' | 'warning')[];
}

/** Every button that there is: one more is a row. */
const BUTTONS = {
  approve: { letter: 'a', title: 'Approve', decision: 'approve', isWarned: true, below: ['question'] },
  approve_anyway: {
    letter: 'y',
    title: 'Approve anyway',
    decision: 'approve',
    isWarned: false,
    below: ['warning'],
  },
  reject: {
    letter: 'r',
    title: 'Reject',
    decision: 'reject',
    isWarned: false,
    below: ['question', 'warning'],
  },
} as const satisfies Readonly<Record<string, ButtonRow>>;

type ButtonAction = keyof typeof BUTTONS;

const ACTIONS = Object.keys(BUTTONS) as readonly ButtonAction[];

export const buttonRow = (action: ButtonAction): ButtonRow => BUTTONS[action];

export interface Button {
  readonly text: string;
  /** Callback data; at most 64 bytes, a limit of the Bot API. */
  readonly data: string;
}

/** @returns one row of buttons as `reply_markup` of a message; an empty object if there are none. */
export function toReplyMarkup(buttons: readonly Button[]) {
  if (buttons.length === 0) return {};
  const row = buttons.map(({ text, data }) => ({ text, callback_data: data }));
  return { reply_markup: { inline_keyboard: [row] } };
}

/** Maximum length of a message; the Bot API rejects longer ones. */
const MAX_TEXT = 4_096;

/** @returns the text, cut where Telegram would take none of it. */
export function telegramText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

/** Verified content of a button. */
export interface ReadButton {
  readonly action: ButtonAction;
  /** Identifier of the alert message that carries it. */
  readonly message: string;
  /** Version of the facts shown; null if none are, as in messages of earlier versions. */
  readonly facts: string | null;
}

/** Derives keys of this installation by purpose. */
interface Keys {
  deriveKey(purpose: string): Uint8Array;
}

/** @param carried what the message says of itself. @returns the buttons below such a text. */
export function buttonsBelow(
  keys: Keys,
  text: ButtonRow['below'][number],
  carried: Omit<ReadButton, 'action'>,
): Button[] {
  return ACTIONS.filter((action) => buttonRow(action).below.includes(text)).map((action) => {
    const { letter, title } = buttonRow(action);
    const { message, facts } = carried;
    const words = [letter, message, ...(facts === null ? [] : [facts])];
    return { text: title, data: [...words, proofOf(keys, { ...carried, action })].join(':') };
  });
}

const SHAPE = /^(\w):(msg_[0-9a-f]{24}):(?:([0-9a-f]{12}):)?([\w-]{1,20})$/;

/** @returns null if the button was not made here for this message, this action and these facts. */
export function parseButton(keys: Keys, data: string): ReadButton | null {
  const [, letter, message = '', facts = null, proof = ''] = SHAPE.exec(data) ?? [];
  const action = ACTIONS.find((one) => buttonRow(one).letter === letter);
  if (action === undefined) return null;
  const button = { action, message, facts };
  const expected = Buffer.from(proofOf(keys, button));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected) ? button : null;
}

const PROOF_BYTES = 12;

function proofOf(keys: Keys, { action, message, facts }: ReadButton): string {
  const meant = [action, message, ...(facts === null ? [] : [facts])].join(' ');
  const digest = createHmac('sha256', keys.deriveKey('telegram buttons')).update(meant).digest();
  return digest.subarray(0, PROOF_BYTES).toString('base64url');
}

/** One press of a button. */
export interface Press {
  /** Id of the callback query, needed to answer it. */
  readonly query: string;
  readonly user: string;
  /** Display name of the user; may be empty. */
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

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
/** Telegram's numbers fit into 52 bits. */
const idOf = (value: unknown) => (Number.isSafeInteger(value) ? String(value) : null);

/** @param result of `getUpdates`. Updates that are not button presses, or are incomplete, are skipped. */
export function parseUpdates(result: unknown): Updates {
  const updates = Array.isArray(result) ? result.map(asRecord) : [];
  const numbers = updates.map(({ update_id: id }) => Number(idOf(id) ?? -1)).filter((id) => id >= 0);
  return {
    presses: updates.flatMap(({ callback_query: query }) => parsePress(asRecord(query)) ?? []),
    next: numbers.length === 0 ? null : Math.max(...numbers) + 1,
  };
}

function parsePress(query: ReturnType<typeof asRecord>): Press | null {
  const from = asRecord(query.from);
  const message = asRecord(query.message);
  const user = idOf(from.id);
  const id = textOf(query.id);
  if (user === null || id === '') return null;
  const name = [from.first_name, from.last_name].map(textOf).join(' ').trim();
  return {
    query: id,
    user,
    name: name === '' ? textOf(from.username) : name,
    chat: idOf(asRecord(message.chat).id),
    messageNumber: Number(idOf(message.message_id) ?? 0),
    data: textOf(query.data),
  };
}
