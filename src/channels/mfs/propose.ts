/**
 * Proposes a template for a text: which of its parts are an amount, an id, a payer, a balance, a time. Looks
 * for the shapes of values that slots have; everything else is literal. An operator confirms the proposal.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { normalise } from './normalise.js';
import { findSlot } from './slots.js';
import { literalTemplate } from './template.js';

/** Values that an operator can mark in a text, and the slots that each can have, best first. */
const MARKED = {
  amount: ['amount', 'amount:after', 'amount:plain'],
  id: ['id', 'id:any'],
  payer: ['payer', 'name'],
  balance: ['balance', 'balance:maybe'],
  date: ['date', 'date:named', 'date:short', 'date:iso', 'day'],
} as const;

export type MarkedValue = keyof typeof MARKED;
export const MARKED_VALUES = Object.keys(MARKED) as readonly MarkedValue[];

/** Parts of a text that an operator has marked; an empty text says that it has no such value. */
export interface Marks extends Readonly<Partial<Record<MarkedValue, string>>> {
  /** Words that differ from text to text and are not used. */
  readonly skip?: readonly string[];
}

/** Part of a text with the slot that it is written as. */
interface SlotPlace {
  readonly slot: string;
  readonly from: number;
  readonly until: number;
}

export interface Proposal {
  readonly template: string;
  /** The part of the text for each value; absent if it has none. */
  readonly parts: Readonly<Partial<Record<MarkedValue, string>>>;
}

/**
 * @param alike other texts of the same wording: words that differ among them are not literal.
 * @throws KashboxError `invalid_input` if a marked part is not in the text once, or has another shape.
 */
export function proposeTemplate(body: string, marks: Marks = {}, alike: readonly string[] = []): Proposal {
  const { text } = normalise(body);
  const places: SlotPlace[] = [];
  const claim = (place: SlotPlace) => {
    if (places.every(({ from, until }) => place.until <= from || place.from >= until)) places.push(place);
  };
  for (const name of MARKED_VALUES) {
    const part = marks[name];
    if (part !== undefined && part !== '') places.push(markedPlace(text, name, part));
  }
  for (const part of marks.skip ?? []) places.push({ slot: 'skip', ...placeOf(text, part) });
  const slots: readonly string[] = MARKED_VALUES.flatMap((name) => (name in marks ? MARKED[name] : []));
  for (const place of findPlaces(text)) if (!slots.includes(place.slot)) claim(place);
  for (const place of differingWords(text, alike)) {
    const word = text.slice(place.from, place.until);
    const hasId = 'id' in marks || places.some(({ slot }) => isIdSlot(slot));
    claim(hasId || word.length < SHORTEST_ID ? place : { ...place, slot: idSlot(word) });
  }
  places.sort((one, other) => one.from - other.from);
  let template = '';
  let end = 0;
  for (const { slot, from, until } of places) {
    template += `${literalTemplate(text.slice(end, from))}{${slot}}`;
    end = until;
  }
  template += literalTemplate(text.slice(end));
  const parts = MARKED_VALUES.flatMap((name) => {
    const place = places.find(({ slot }) => (MARKED[name] as readonly string[]).includes(slot));
    return place === undefined ? [] : [[name, text.slice(place.from, place.until)] as const];
  });
  return { template, parts: Object.fromEntries(parts) };
}

const isIdSlot = (slot: string) => (MARKED.id as readonly string[]).includes(slot);
const idSlot = (word: string) => (/^[0-9A-Za-z]{8,20}$/.test(word) ? 'id' : 'id:any');

/** A word with a digit in it, without the punctuation around it. */
const WORD_WITH_DIGIT = /\b(?=[^\s]*\d)[0-9A-Za-z](?:[0-9A-Za-z/_.*-]{0,38}[0-9A-Za-z])?/g;
/** Shorter words are counters and the like. */
const SHORTEST_ID = 5;

/** Finds words that not all texts have, to be skipped. */
function differingWords(text: string, alike: readonly string[]): SlotPlace[] {
  const others = alike.map((body) => normalise(body).text);
  return [...text.matchAll(WORD_WITH_DIGIT)].flatMap(({ 0: word, index }) =>
    others.every((other) => other.includes(word))
      ? []
      : [{ slot: 'skip', from: index, until: index + word.length }],
  );
}

function placeOf(text: string, part: string): Omit<SlotPlace, 'slot'> {
  const plain = normalise(part).text;
  const from = plain === '' ? -1 : text.indexOf(plain);
  if (from < 0) throw fault(`"${part}" is not in the text`, 'Copy it from the text exactly.');
  if (text.includes(plain, from + 1)) {
    throw fault(`"${part}" is in the text more than once`, 'Mark more of it, such as the currency word.');
  }
  return { from, until: from + plain.length };
}

function markedPlace(text: string, name: MarkedValue, part: string): SlotPlace {
  const place = placeOf(text, part);
  for (const slot of MARKED[name]) {
    const pattern = new RegExp(findSlot(slot)?.source ?? '', 'y');
    pattern.lastIndex = place.from;
    // A slot for any words takes as few as it can.
    const end = slot === 'name' ? place.until : pattern.test(text) ? pattern.lastIndex : -1;
    if (end === place.until) return { slot, ...place };
  }
  throw fault(`"${part}" is not written like a value for --${name}`, 'The slots: docs/sms-formats.md.');
}

function fault(message: string, hint: string): KashboxError {
  return new KashboxError('invalid_input', { message, hint });
}

const sourceOf = (slot: string) => findSlot(slot)?.source ?? '';

const ID_AFTER_LABEL =
  /(?:t(?:x|xn|rx|rnx)|trans(?:action)?|ref(?:erence)?)[ ._-]?(?:id|no|number)\.?\s?[:#=-]?\s?(?=[^\s]*\d)([0-9A-Za-z][0-9A-Za-z/_.-]{2,38}[0-9A-Za-z])/i;
/** Only if no other label names an id: wallets call that what the payer typed. */
const ID_AFTER_REF = /\bref(?:erence)?\s?[:#]\s?(?=[^\s]*\d)([0-9A-Za-z][0-9A-Za-z/_-]{4,38}[0-9A-Za-z])/i;
const ACCOUNT = /(?:\ba\/?c|\baccount|\bacc)\b[^\dXx*\n]{0,12}(?=[^\s]*\d)([\dXx*][\dXx*-]{2,23})/gi;
const PAYER = /(?<![\dXx*])(?:\+?88)?01[\d*Xx][\d*Xx]{6,8}(?![\dXx*])/;
const NAME = /\bfrom:? ([A-Za-z][^\n.,;]{0,39}?)(?=[.,;\n]| on | to | at | and | via |$)/;
const MONEY = new RegExp(
  `(?<amount>${sourceOf('amount')})|(?<overdraft>${sourceOf('overdraft')})|(?<after>${sourceOf('amount:after')})` +
    `|(?<=\\b(?:amount|amt)\\s?:\\s?)(?<plain>${sourceOf('amount:plain')})`,
  'gi',
);

/** Lists values by their shapes; where two overlap the first has the place. */
function findPlaces(text: string): SlotPlace[] {
  const places: SlotPlace[] = [];
  const put = (slot: string, found: RegExpExecArray | RegExpMatchArray | null) => {
    if (found === null || found.index === undefined) return;
    const [all, part = all] = found;
    const from = found.index + all.lastIndexOf(part);
    places.push({ slot, from, until: from + part.length });
  };
  const date = MARKED.date.find((slot) => new RegExp(sourceOf(slot)).test(text));
  if (date !== undefined) put(date, new RegExp(sourceOf(date)).exec(text));
  const id = ID_AFTER_LABEL.exec(text) ?? ID_AFTER_REF.exec(text);
  put(idSlot(id?.[1] ?? ''), id);
  for (const found of text.matchAll(ACCOUNT)) put('account', found);
  places.push(...findMoney(text));
  const payer = PAYER.exec(text);
  put('payer', payer);
  if (payer === null) put('name', NAME.exec(text));
  return places;
}

const BALANCE = /\b(?:balance|bal|c\/b)\b[^\d]{0,25}$/i;
const FEE = /\b(?:fee|charge|vat|commission|comm)\b[^\d]{0,10}$/i;

/** The first amount that is neither a balance nor a fee came in; later amounts are not used. */
function findMoney(text: string): SlotPlace[] {
  const seen = new Set<string>();
  let end = 0;
  return [...text.matchAll(MONEY)].flatMap((found) => {
    const before = text.slice(end, found.index);
    end = found.index + found[0].length;
    const { overdraft, after, plain } = found.groups ?? {};
    const isNumber = after !== undefined || plain !== undefined;
    const amount = after !== undefined ? 'amount:after' : plain !== undefined ? 'amount:plain' : 'amount';
    const label = BALANCE.test(before) ? 'balance' : FEE.test(before) ? 'fee' : amount;
    const role = label === amount ? 'amount' : label;
    const slot =
      overdraft !== undefined
        ? 'overdraft'
        : seen.has(role) || (isNumber && role !== 'amount')
          ? 'comm'
          : label;
    seen.add(role);
    // Without its currency word an amount that is not used stays as it is written.
    return slot === 'comm' && isNumber ? [] : [{ slot, from: found.index, until: end }];
  });
}

/** @returns the text with a sign in place of every value: texts of one wording have the same shape. */
export function shapeOf(body: string): string {
  return proposeTemplate(body).template.replace(WORD_WITH_DIGIT, '#');
}
