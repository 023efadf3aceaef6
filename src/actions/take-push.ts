/**
 * A push of a bank comes in: stored whole before anybody acts on it, read by its acquirer's map, and where
 * money has moved it becomes a proof. Who was waiting for it is settled in the same unit of work.
 */

import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { newRowId } from '../base/ids.js';
import { storableText } from '../base/text.js';
import { type PushBody, type ReadPush, readPush } from '../channels/qr-interbank/push-body.js';
import { repeatOf } from '../domain/push-repeat.js';
import { insertMany } from '../store/hot.js';
import type { Db, ProofTable, PushTable } from '../store/schema.js';
import { lockMerchant } from '../store/tables/merchants.js';
import { changePush, insertPush, pushBefore } from '../store/tables/pushes.js';
import type { AcquirerContext } from './authenticate-acquirer.js';
import type { Core } from './core.js';
import { QR } from './payer-claims.js';
import { settlePush } from './settle-push.js';
import { type Met, tellMet } from './take-sms.js';

export interface TakePush {
  readonly acquirer: AcquirerContext;
  /** As the request names it; empty where it names none. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface TakenPush {
  /** Of the row that it is, or of the one that it repeats. */
  readonly id: string;
  /** `kept`: it cannot be read. `contradiction`: of money that has moved it says otherwise than before. */
  readonly state: 'stored' | 'duplicate' | 'kept' | 'contradiction';
}

const NOBODY: Met = { settled: [], reviewed: [], refused: [] };

/** When this returns, what was taken is durable. */
export async function takePush(core: Core, input: TakePush): Promise<TakenPush> {
  const row = rowOf(core, input);
  const { taken, met } = await core.store.write(async (db) => {
    await lockMerchant(db, row.merchant_id);
    const taken = await storePush(core, db, row);
    const isMoney = taken.state === 'stored' && row.state === 'SETTLED';
    return { taken, met: isMoney ? await credit(core, db, input, { ...row, id: taken.id }) : NOBODY };
  });
  tellMet(core, met);
  return taken;
}

function rowOf(core: Core, { acquirer, contentType, bytes }: TakePush): PushTable {
  const now = core.clock.now();
  const body: PushBody = { bytes, type: bodyType(contentType, bytes) };
  return {
    id: newRowId(core.random, now, 'push'),
    acquirer_id: acquirer.acquirerId,
    merchant_id: acquirer.merchantId,
    dedupe_key: hash('sha256', bytes, 'hex'),
    content_type: storableText(contentType.slice(0, 100)),
    body: isUtf8(bytes) ? storableText(bytes.toString('utf8')) : `base64:${bytes.toString('base64')}`,
    received_at: now,
    ...readColumns(readPush(body, acquirer.rules.map)),
  };
}

/** Some acquirers name no type, or a wrong one. */
function bodyType(contentType: string, bytes: Buffer): PushBody['type'] {
  if (/urlencoded/i.test(contentType)) return 'form';
  return /json/i.test(contentType) || /^\s*[{[]/.test(bytes.toString('latin1', 0, 100)) ? 'json' : 'form';
}

type ReadColumns = Omit<
  PushTable,
  'id' | 'acquirer_id' | 'merchant_id' | 'dedupe_key' | 'content_type' | 'body' | 'received_at'
>;

function readColumns(read: ReadPush): ReadColumns {
  if (read.outcome === 'unreadable') {
    const fault = read.faults.join('; ');
    const nothing = { payer: null, merchant_code: null, bill: null, paid_at: null, status: null };
    return { state: 'UNREAD', fault, reference: null, amount_paisa: null, ...nothing };
  }
  const { reference, payer, merchant, bill, paidAt, status } = read.fields;
  const text = (value: string | null) => (value === null ? null : storableText(value));
  return {
    state: read.outcome === 'paid' ? 'SETTLED' : 'UNSETTLED',
    fault: null,
    reference,
    amount_paisa: read.outcome === 'paid' ? read.amountPaisa : null,
    payer: text(payer),
    merchant_code: text(merchant),
    bill: text(bill),
    paid_at: paidAt,
    status: text(status),
  };
}

async function storePush(core: Core, db: Db, row: PushTable): Promise<TakenPush> {
  const state = row.state === 'UNREAD' ? 'kept' : 'stored';
  if (await insertPush(db, row)) return { id: row.id, state };
  const before = await pushBefore(db, row);
  if (before === undefined) throw new TypeError('a push was refused as a repetition of none');
  const repeat = repeatOf(before, row);
  switch (repeat) {
    case 'same':
      return { id: before.id, state: before.state === 'UNREAD' ? 'kept' : 'duplicate' };
    case 'news': {
      const { id: _id, dedupe_key: _key, acquirer_id: _acquirer, merchant_id: _merchant, ...news } = row;
      await changePush(db, before.id, news);
      return { id: before.id, state: 'stored' };
    }
    case 'contradiction':
      await keepContradiction(core, db, row);
      return { id: before.id, state: 'contradiction' };
    default:
      return repeat satisfies never;
  }
}

/** For a person to see: perhaps the bank has taken the money back. */
async function keepContradiction(core: Core, db: Db, row: PushTable): Promise<void> {
  const said = row.state === 'SETTLED' ? 'something else' : `"${row.status ?? 'nothing'}"`;
  await insertPush(db, {
    ...row,
    id: newRowId(core.random, core.clock.now(), 'push'),
    state: 'UNREAD',
    fault: `says ${said} of ${row.reference ?? ''}, which was paid before`,
    reference: null,
  });
}

async function credit(core: Core, db: Db, { acquirer }: TakePush, row: PushTable): Promise<Met> {
  const proof = proofOf(core, row);
  const [fresh] = await insertMany(db, 'proofs', [proof], 'id');
  if (fresh === undefined || acquirer.isSuspended) return NOBODY;
  return settlePush(core, db, {
    merchantId: row.merchant_id,
    proof,
    amountPaisa: row.amount_paisa ?? 0,
    payer: row.payer,
    merchant: row.merchant_code,
    bill: row.bill,
    at: proof.at,
  });
}

function proofOf(core: Core, row: PushTable): ProofTable {
  const now = core.clock.now();
  return {
    id: newRowId(core.random, now, 'proof'),
    merchant_id: row.merchant_id,
    channel: QR,
    reference: row.reference ?? '',
    amount_paisa: row.amount_paisa,
    recipient: row.merchant_code,
    payer: row.payer,
    kind: 'bank_push',
    settle: 'auto',
    // A bank's clock may be ahead, its money is not.
    at: Math.min(row.paid_at ?? now, now),
    source_id: row.id,
    created_at: now,
    scope: row.acquirer_id,
    aliases: JSON.stringify(row.bill === null ? [] : [row.bill]),
    units: null,
    evidence: null,
  };
}
