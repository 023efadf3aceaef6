/**
 * Payments of every wallet as their SMS tell of them, with ids as they would be at that moment. All of it is
 * read from the wallet's descriptor: the first example that settles by itself, told anew.
 */
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { MfsChannel } from '../../../src/domain/accounts/channels.js';
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

/**
 * @param at when the money moves, milliseconds since the epoch.
 * @param n tells payments of one moment apart.
 */
export function walletPayment(channel: MfsChannel, taka: string, at: number, n = 0): WalletPayment {
  const { senders, texts } = WALLET[channel];
  const format = texts.formats.find(({ kind, settle }) => kind === 'received' && settle === 'auto');
  const [example] = format?.examples ?? [];
  if (example === undefined) throw new TypeError(`no example of ${channel} settles by itself`);
  const { amount = '', trx_id = '', at: time = '' } = example.values;
  const trxId = walletId(channel, at, n);
  const now = written(dhakaIso(at));
  const dated = written(time).reduce((text, old, way) => text.replace(old, now[way] ?? ''), example.text);
  const grouped = amount.replace(/(?<=\d)(?=\d{3}\.)/, ',');
  const text = dated.replace(trx_id, trxId).replace(dated.includes(grouped) ? grouped : amount, taka);
  return { sender: senders.official, trxId, text };
}
