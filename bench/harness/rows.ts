/** Rows as they stand in a store that has been in use for long, written with bare SQL: they are many. */
import { join } from 'node:path';
import { dhakaIso } from '../../src/base/values/clock.js';
import { newRowId, systemRandom } from '../../src/base/values/ids.js';
import { smsDedupeKey } from '../../src/domain/sms/sms-identity.js';
import type { PlainProof, SmsTable } from '../../src/store/schema/index.js';
import { SqliteFile, type SqliteValue } from '../../src/store/sqlite-driver.js';
import { WALLET } from '../../test/helpers/shop/shop.js';
import { nextSms, PAISA } from './shop.js';

/** Whose SMS they are. */
export interface Owner {
  readonly merchantId: string;
  readonly deviceId: string;
}

/** An SMS of 500 taka as the daemon stores it. */
export function smsRow({ merchantId, deviceId }: Owner, at = Date.now()): SmsTable & { trx_id: string } {
  const { reference, body } = nextSms(at);
  return {
    id: newRowId(systemRandom, at, 'sms'),
    merchant_id: merchantId,
    device_id: deviceId,
    source: 'relay',
    dedupe_key: smsDedupeKey({ merchantId, sender: 'bKash', body, receivedAtMs: at, trxId: reference }),
    sender: 'bKash',
    body,
    received_at: at,
    sim_slot: 1,
    recipient: WALLET,
    smsc: null,
    sender_type: null,
    channel: 'mfs_a',
    source_name: null,
    kind: 'received',
    settle: 'auto',
    amount_paisa: PAISA,
    fee_paisa: 0,
    balance_paisa: 9_873_119,
    payer: '01900000001',
    payee: null,
    trx_id: reference,
    at: dhakaIso(at),
    reasons: '["checks_passed"]',
    format: 'bkash-received',
    stored_at: at,
  };
}

function proofRow(sms: SmsTable & { trx_id: string }): PlainProof {
  return {
    id: newRowId(systemRandom, sms.stored_at, 'proof'),
    merchant_id: sms.merchant_id,
    channel: 'mfs_a',
    reference: sms.trx_id,
    amount_paisa: sms.amount_paisa,
    recipient: sms.recipient,
    payer: sms.payer,
    kind: sms.kind,
    settle: 'auto',
    at: sms.received_at,
    source_id: sms.id,
    created_at: sms.stored_at,
    named: null,
  };
}

/** @returns a function that inserts one row of the shape of `sample`. */
export function inserter(raw: SqliteFile, table: string, sample: object): (row: object) => void {
  const columns = Object.keys(sample);
  const marks = columns.map(() => '?').join(', ');
  const insert = raw.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
  return (row) => void insert.run(...(Object.values(row) as SqliteValue[]));
}

/** Recent enough for every one of them to pay a session that is opened now. */
const SPREAD_MS = 20 * 3_600_000;
const PER_TRANSACTION = 10_000;
/** Random keys in five indexes: with a small cache the filling takes longer than the questions. */
const FILL_CACHE_KIB = -1_000_000;

/**
 * Puts so many SMS and their proofs into the store of a home that nobody has open.
 * @param wanted how many references to return, taken evenly from all of them.
 */
export function fillStore(home: string, owner: Owner, count: number, wanted: number): string[] {
  const raw = new SqliteFile(join(home, 'kashbox.db'));
  try {
    raw.exec('PRAGMA synchronous = OFF');
    raw.exec(`PRAGMA cache_size = ${FILL_CACHE_KIB}`);
    const sample = smsRow(owner);
    const insertSms = inserter(raw, 'sms', sample);
    const insertProof = inserter(raw, 'proofs', proofRow(sample));
    const start = Date.now() - SPREAD_MS;
    const references: string[] = [];
    const insertFrom = (first: number) => {
      raw.exec('BEGIN');
      for (let index = first; index < Math.min(count, first + PER_TRANSACTION); index += 1) {
        const sms = smsRow(owner, start + Math.floor((index * SPREAD_MS) / count));
        insertSms(sms);
        insertProof(proofRow(sms));
        if (index >= (references.length * count) / wanted) references.push(sms.trx_id);
      }
      raw.exec('COMMIT');
    };
    for (let first = 0; first < count; first += PER_TRANSACTION) insertFrom(first);
    return references;
  } finally {
    raw.close();
  }
}
