/**
 * Payments of every wallet as their SMS tell of them, with ids as they would be at that moment. All of it is
 * read from the wallet's descriptor: the first example that settles by itself, told anew.
 */
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { MfsChannel } from '../../../src/domain/accounts/channels.js';
import type { FormatExample } from '../../../src/domain/wallets/format.js';
import { WALLET } from '../../../src/domain/wallets/index.js';
import type { CounterSample, IdBand } from '../../../src/domain/wallets/wallet.js';
import { bkashId } from './shop.js';

export interface WalletPayment {
  readonly sender: string;
  readonly trxId: string;
  readonly text: string;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The time part of a ULID. */
function ulidId(ms: number): string {
  let [id, left] = ['', ms];
  for (let place = 0; place < 10; place += 1) {
    id = CROCKFORD[left % 32] + id;
    left = Math.floor(left / 32);
  }
  return id;
}

/** A counter from one of its known moments on. */
function countedId(marks: readonly CounterSample[], ms: number, perSecond: number, n: number): string {
  const mark = marks.findLast((one) => one.ms <= ms) ?? { ms, value: 0 };
  return String(mark.value + Math.floor(((ms - mark.ms) / 1_000) * perSecond) + n);
}

/** A counter that began with the band of that time. */
function bandedId(bands: readonly IdBand[], ms: number, perSecond: number, n: number): string {
  const band = bands.findLast(({ fromMs }) => fromMs <= ms) ?? { prefix: '', fromMs: ms };
  const signs = 8 - band.prefix.length;
  const value = (Math.floor(((ms - band.fromMs) / 1_000) * perSecond) + n) % 36 ** signs;
  return `${band.prefix}${value.toString(36).toUpperCase().padStart(signs, '0')}`;
}

/** @returns the id that a wallet gives out at that moment, or `n` steps later. */
export function walletId(channel: MfsChannel, ms: number, n = 0): string {
  const { rule, guessable } = WALLET[channel].ids;
  const perSecond = guessable?.kind === 'counter' ? guessable.perSecond : 1;
  switch (rule.rule) {
    case 'dated':
      return bkashId(ms, n);
    case 'counted':
      return countedId(rule.marks, ms, perSecond, n);
    case 'banded':
      return bandedId(rule.bands, ms, perSecond, n);
    case 'ulid':
      return ulidId(ms + n);
    default:
      return rule satisfies never;
  }
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Each way in which wallets write a time. */
function written(iso: string): readonly string[] {
  const [date = '', time = ''] = iso.slice(0, 19).split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  const hour = Number(time.slice(0, 2));
  const clock = `${String(hour % 12 || 12).padStart(2, '0')}${time.slice(2)} ${hour < 12 ? 'am' : 'pm'}`;
  return [
    `${day}/${month}/${year} ${time.slice(0, 5)}`,
    `${day}-${MONTHS[Number(month) - 1]}-${year.slice(2)} ${clock}`,
  ];
}

/** What differs from the example: amounts in taka with two decimals, numbers as the text shows them. */
interface Told {
  readonly taka: string;
  readonly balance?: string;
  readonly number?: string;
  /** When the money moves, milliseconds since the epoch. */
  readonly at: number;
  /** Tells payments of one moment apart. */
  readonly n?: number;
}

function tellAnew(channel: MfsChannel, { text, values }: FormatExample, told: Told): WalletPayment {
  const trxId = walletId(channel, told.at, told.n);
  const now = written(dhakaIso(told.at));
  const dated = written(values.at ?? '').reduce((all, old, way) => all.replace(old, now[way] ?? ''), text);
  const swaps = [
    [values.trx_id, trxId],
    [values.amount, told.taka],
    [values.balance, told.balance],
    [values.to ?? values.from, told.number],
  ] as const;
  const body = swaps.reduce((all, [old = '', next = old]) => {
    const grouped = old.replace(/(?<=\d)(?=\d{3}\.)/, ',');
    return all.replace(all.includes(grouped) ? grouped : old, next);
  }, dated);
  return { sender: WALLET[channel].senders.official, trxId, text: body };
}

/** @returns the payment of a customer. */
export function walletPayment(
  channel: MfsChannel,
  taka: string,
  at: number,
  n = 0,
  more: Pick<Told, 'balance' | 'number'> = {},
): WalletPayment {
  const format = WALLET[channel].texts.formats.find(
    ({ kind, settle }) => kind === 'received' && settle === 'auto',
  );
  const [example] = format?.examples ?? [];
  if (example === undefined) throw new TypeError(`no example of ${channel} settles by itself`);
  return tellAnew(channel, example, { taka, at, n, ...more });
}

/** @returns money that the shop sends to a customer, and its fee. */
export function walletTransfer(channel: MfsChannel, told: Told): WalletPayment & { readonly fee: string } {
  const examples = WALLET[channel].texts.formats.flatMap((format) => format.examples);
  const example = examples.find(({ values }) => values.to !== undefined);
  if (example === undefined) throw new TypeError(`no example of ${channel} sends money`);
  return { ...tellAnew(channel, example, told), fee: example.values.fee ?? '0.00' };
}
