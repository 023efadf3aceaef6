/**
 * Writes an SMS as a wallet would send it: an example of its formats with other values. The only place that
 * generates texts of wallets, for simulated payments; the engine parses them as it does any other text. Pure.
 */
import { dhakaText } from '../../base/values/clock.js';
import type { RandomSource } from '../../base/values/ids.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import type { MfsChannel } from '../../domain/accounts/channels.js';
import type { Format, Role } from '../../domain/wallets/format.js';
import { WALLET } from '../../domain/wallets/index.js';
import type { IdRule } from '../../domain/wallets/wallet.js';
import { counterAt, datedPrefix } from './checks.js';
import { compileFile } from './compile.js';

interface WalletMoney {
  readonly channel: MfsChannel;
  /** The first of these that the wallet writes of money that needs nobody's word. */
  readonly kinds: readonly string[];
  readonly amountPaisa: Paisa;
  /** Time of the payment, milliseconds since the epoch. */
  readonly at: number;
  /** Text that the payer entered in the reference field; null for none. */
  readonly reference: string | null;
}

export interface WrittenSms {
  /** Sender as handsets show it. */
  readonly sender: string;
  readonly body: string;
  readonly trxId: string;
  /** True if the text repeats the reference: not all texts of a wallet do. */
  readonly hasReference: boolean;
}

/** Text that wallets write if the payer left the field empty. */
const NO_REFERENCE = 'N/A';
/** Balance of the receiver's wallet in addition to the payment. */
const REST_PAISA = 432_150;

/** @returns null where the wallet writes no such text. */
export function writeSms(money: WalletMoney, random: RandomSource): WrittenSms | null {
  const { channel, amountPaisa, at, reference } = money;
  const wallet = WALLET[channel];
  const examples = examplesOf(money);
  const found = examples.find(({ places }) => places.has('ref') === (reference !== null)) ?? examples[0];
  if (found === undefined) return null;
  const trxId = newTrxId(wallet.ids.rule, at, random);
  const isGrouped = wallet.texts.formats.some((format) =>
    format.examples.some(({ text }) => GROUPED.test(text)),
  );
  const sum = (paisa: Paisa) => (old: string) => old.replace(NUMBER, written(paisa, isGrouped));
  const values: Partial<Record<Role, (old: string) => string>> = {
    amount: sum(amountPaisa),
    balance: sum(amountPaisa + REST_PAISA),
    id: () => trxId,
    date: (old) => dateLike(old, at),
    ref: () => reference ?? NO_REFERENCE,
  };
  let body = found.text;
  const places = [...found.places].sort(([, [one]], [, [other]]) => other - one);
  for (const [role, [from, until]] of places) {
    const value = values[role]?.(body.slice(from, until));
    if (value !== undefined) body = body.slice(0, from) + value + body.slice(until);
  }
  const hasReference = reference !== null && found.places.has('ref');
  return { sender: wallet.senders.official, body, trxId, hasReference };
}

const GROUPED = /\d,\d{3}\b/;
const NUMBER = /\d[\d,]*(?:\.\d{1,2})?|\.\d{2}$/;

interface Example {
  readonly text: string;
  /** Start and end of the value of each slot in the text. */
  readonly places: ReadonlyMap<Role, readonly [from: number, until: number]>;
}

const knownExamples = new Map<string, Example[]>();

/** Caches the examples by wallet and kinds: formats never change while a process runs. */
function examplesOf(money: WalletMoney): Example[] {
  const key = `${money.channel} ${money.kinds.join(' ')}`;
  const known = knownExamples.get(key) ?? findExamples(money);
  knownExamples.set(key, known);
  return known;
}

function findExamples({ channel, kinds }: WalletMoney): Example[] {
  const { formats } = WALLET[channel].texts;
  for (const kind of kinds) {
    const found = formats
      .filter((format) => format.kind === kind && format.settle === 'auto')
      .flatMap((format) => placed(channel, format));
    if (found.length > 0) return found;
  }
  return [];
}

function placed(channel: MfsChannel, format: Format): Example[] {
  const compiled = compileFile({ channel, formats: [format] });
  return format.examples.flatMap(({ text }): Example[] => {
    for (const { positioned, roles } of compiled) {
      const indices = positioned.exec(text)?.indices;
      if (indices === undefined) continue;
      const places = roles.flatMap((role, at): [Role, [number, number]][] => {
        const place = indices[at + 1];
        return place === undefined ? [] : [[role, place]];
      });
      return [{ text, places: new Map(places) }];
    }
    return [];
  });
}

function written(paisa: Paisa, isGrouped: boolean): string {
  const plain = formatTaka(paisa);
  return isGrouped ? plain.replace(/\d(?=(?:\d{3})+\.)/g, '$&,') : plain;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** @param old a moment as the wallet writes it: `21/08/2026 12:35` or `31-JUL-26 04:50:30 pm`. */
function dateLike(old: string, at: number): string {
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = dhakaText(at).split(/\D/);
  if (old.includes('/')) return `${day}/${month}/${year}${old.charAt(10)}${hour}:${minute}`;
  const twelve = String(Number(hour) % 12 || 12).padStart(2, '0');
  const half = Number(hour) < 12 ? 'am' : 'pm';
  return `${day}-${MONTHS[Number(month) - 1]}-${year.slice(2)} ${twelve}:${minute}:${second} ${half}`;
}

/** Characters of ids, without X, because two X look like masked digits. */
const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWYZ';
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MINUTE_MS = 60_000;
/** A counter is known about so well. */
const COUNTER_SPREAD = 4_000_000;

/** Length of ids that begin with the prefix of a band. */
const BANDED_ID_SIGNS = 8;

/** @returns an id such as the wallet gives out then; nobody's. */
function newTrxId(rule: IdRule, at: number, random: RandomSource): string {
  switch (rule.rule) {
    case 'dated':
      return `${datedPrefix(at, rule.firstYear)}${number(random) % 10}${signs(random, 6)}`;
    case 'banded': {
      const band = rule.bands.find(({ fromMs, untilMs }) => at >= fromMs && at < untilMs);
      const prefix = band?.prefix ?? rule.bands.at(-1)?.prefix ?? '';
      return `${prefix}${signs(random, BANDED_ID_SIGNS - prefix.length)}`;
    }
    case 'counted':
      return String(Math.floor(counterAt(rule.marks, at, 1)) + (number(random) % COUNTER_SPREAD));
    case 'ulid': {
      // The transaction began some time before its text, and never after it.
      let rest = at - (number(random) % MINUTE_MS);
      let id = '';
      for (let length = 0; length < 10; length += 1) {
        id = `${CROCKFORD[rest % 32]}${id}`;
        rest = Math.floor(rest / 32);
      }
      return id;
    }
    default:
      return rule satisfies never;
  }
}

const number = (random: RandomSource) => Buffer.from(random(4)).readUInt32BE();

const signs = (random: RandomSource, count: number) =>
  [...random(count)].map((byte) => SIGNS[byte % SIGNS.length]).join('');
