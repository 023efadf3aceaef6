/** Payments of every wallet as their SMS tell of them, with ids as they would be at that moment. */
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { MfsChannel } from '../../../src/domain/accounts/channels.js';
import { bkashId, bkashText } from './shop.js';

export interface WalletPayment {
  readonly sender: string;
  readonly trxId: string;
  readonly text: string;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The time part of a ULID. */
export function upayId(ms: number): string {
  let [id, left] = ['', ms];
  for (let place = 0; place < 10; place += 1) {
    id = CROCKFORD[left % 32] + id;
    left = Math.floor(left / 32);
  }
  return id;
}

/** Rocket's counter at 2026-08-21, and its pace. */
const ROCKET_MS = Date.UTC(2026, 7, 21);
const ROCKET_ID = 6_868_000_000;
const ROCKET_A_SECOND = 41;

/** @param n tells payments of one second apart. */
export function rocketId(ms: number, n = 0): string {
  return String(ROCKET_ID + Math.floor(((ms - ROCKET_MS) / 1_000) * ROCKET_A_SECOND) + n);
}

/** Nagad's counter somewhere in 2026, 69 a second. */
export function nagadId(ms: number, n = 0): string {
  const value = 36 ** 5 * 30 + Math.floor(((ms - ROCKET_MS) / 1_000) * 69) + n;
  return `75${value.toString(36).toUpperCase().padStart(6, '0')}`;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

function written(ms: number) {
  const [date = '', time = ''] = dhakaIso(ms).slice(0, 19).split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  const hour = Number(time.slice(0, 2));
  const clock = `${String(hour % 12 || 12).padStart(2, '0')}${time.slice(2)} ${hour < 12 ? 'am' : 'pm'}`;
  return {
    minutes: `${day}/${month}/${year} ${time.slice(0, 5)}`,
    seconds: `${day}-${MONTHS[Number(month) - 1]}-${year.slice(2)} ${clock}`,
  };
}

/**
 * @param at when the money moves, milliseconds since the epoch.
 * @param n tells payments of one moment apart.
 */
export function walletPayment(channel: MfsChannel, taka: string, at: number, n = 0): WalletPayment {
  const { minutes, seconds } = written(at);
  switch (channel) {
    case 'mfs_a': {
      const trxId = bkashId(at, n);
      return { sender: 'bKash', trxId, text: bkashText({ taka, trxId, at }) };
    }
    case 'mfs_b': {
      const trxId = nagadId(at, n);
      const lines = [`Amount: Tk ${taka}`, 'Sender: 01811000081', 'Ref: N/A', `TxnID: ${trxId}`];
      return {
        sender: 'NAGAD',
        trxId,
        text: ['Money Received.', ...lines, 'Balance: Tk 98431.25', minutes].join('\n'),
      };
    }
    case 'mfs_c': {
      const trxId = rocketId(at, n);
      const text = `Tk${taka} received from A/C:***268 Fee:Tk0, Your A/C Balance: Tk90,828.29 TxnId:${trxId} Date:${seconds}.`;
      return { sender: '16216', trxId, text };
    }
    case 'mfs_d': {
      const trxId = upayId(at + n);
      const text = `Tk. ${taka} has been received from 01911000102. Ref-. Balance Tk. 94977.68. TrxID ${trxId} at ${minutes}.`;
      return { sender: 'upay', trxId, text };
    }
    default:
      return channel satisfies never;
  }
}
