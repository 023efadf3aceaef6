/**
 * Receives a bank's push: stores it unchanged and parses it with its acquirer's map. Money becomes a proof,
 * and waiting claims settle in the same database transaction.
 */
import { hash } from 'node:crypto';
import { newRowId } from '../../base/values/ids.js';
import { storableText } from '../../base/values/text.js';
import { classifyRepeat } from '../../domain/matching/push-repeat.js';
import type { Db, PushTable } from '../../store/schema/index.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { changePush, insertPush, pushBefore } from '../../store/tables/pushes.js';
import type { AcquirerContext } from '../access/authenticate-acquirer.js';
import type { Core } from '../core/core.js';
import { disputeByPush } from '../settlement/dispute-money.js';
import { NONE, notifyListeners } from '../settlement/settle-claim.js';
import { contradiction, isRepeatedPush, parsePushBytes, storedBody } from './push-row.js';
import { creditPush } from './settle-push.js';

interface TakePush {
  readonly acquirer: AcquirerContext;
  /** Content type of the request; empty if it has none. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface TakenPush {
  /** Id of the stored row, or of the row that this push repeats or contradicts. */
  readonly id: string;
  /** `kept`: it cannot be read. `contradiction`: of money that has moved it says otherwise than before. */
  readonly state: 'stored' | 'duplicate' | 'kept' | 'contradiction';
}

/** Stores and settles a push. Everything stored is durable when this returns. */
export async function receivePush(core: Core, input: TakePush): Promise<TakenPush> {
  const row = rowOf(core, input);
  const { taken, met } = await core.store.write(async (db) => {
    await lockMerchant(db, row.merchant_id);
    const taken = await storePush(core, db, row);
    const isMoney = taken.state === 'stored' && row.state === 'SETTLED';
    if (!isMoney) return { taken, met: NONE };
    const { isSuspended } = input.acquirer;
    return { taken, met: await creditPush(core, db, { ...row, id: taken.id }, isSuspended) };
  });
  notifyListeners(core, met);
  return taken;
}

function rowOf(core: Core, { acquirer, contentType, bytes }: TakePush): PushTable {
  const now = core.clock.now();
  return {
    id: newRowId(core.random, now, 'push'),
    acquirer_id: acquirer.acquirerId,
    merchant_id: acquirer.merchantId,
    dedupe_key: hash('sha256', bytes, 'hex'),
    content_type: storableText(contentType.slice(0, 100)),
    body: storedBody(bytes),
    received_at: now,
    ...parsePushBytes(bytes, contentType, acquirer.rules.map),
  };
}

async function storePush(core: Core, db: Db, row: PushTable): Promise<TakenPush> {
  const state = row.state === 'UNREAD' ? 'kept' : 'stored';
  if (await insertPush(db, row)) return { id: row.id, state };
  const before = await pushBefore(db, row);
  if (before === undefined) throw new TypeError('a push was refused as a repetition of none');
  if (isRepeatedPush(before)) return { id: before.id, state: 'duplicate' };
  const repeat = classifyRepeat(before, row);
  switch (repeat) {
    case 'same':
      return { id: before.id, state: before.state === 'UNREAD' ? 'kept' : 'duplicate' };
    case 'news': {
      const { id: _id, dedupe_key: _key, acquirer_id: _acquirer, merchant_id: _merchant, ...news } = row;
      await changePush(db, before.id, news);
      return { id: before.id, state: 'stored' };
    }
    case 'contradiction': {
      const by = await keepContradiction(core, db, row);
      await disputeByPush(core, db, { source: before.id, by });
      return { id: before.id, state: 'contradiction' };
    }
    default:
      return repeat satisfies never;
  }
}

/** @returns the id of its row. */
async function keepContradiction(core: Core, db: Db, row: PushTable): Promise<string> {
  const id = newRowId(core.random, core.clock.now(), 'push');
  await insertPush(db, { ...row, id, ...contradiction(row) });
  return id;
}
