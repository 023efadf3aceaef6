/**
 * What is decided on may change before it is written, where units of work run side by side. A unit that holds
 * the session's row makes the race last as long as the test wants.
 */
import test from 'ava';
import type { Updateable } from 'kysely';
import type { Core } from '../../../src/actions/core/core.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { creditProof, findHolder } from '../../../src/actions/settlement/credit-proof.js';
import { openReview } from '../../../src/actions/settlement/record-claim.js';
import type { Db, SessionTable } from '../../../src/store/schema/index.js';
import { putObservedProof } from '../../../src/store/tables/proofs.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { until } from '../../helpers/until.js';

const HOUR = 3_600_000;

/**
 * @param beside done in the same unit of work.
 * @returns once the session's row is changed and held; `release` commits the change.
 */
async function holdSession(
  core: Core,
  id: string,
  change: Updateable<SessionTable>,
  beside: (db: Db) => Promise<unknown> = async () => {},
) {
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let entered: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const over = core.store.write(async (db) => {
    await beside(db);
    await db.query.updateTable('sessions').set(change).where('id', '=', id).execute();
    entered();
    await gate;
  });
  await held;
  return async () => {
    release();
    await over;
  };
}

const seenProof = (merchant_id: string) => ({
  merchant_id,
  amount_paisa: null,
  recipient: '34355667',
  payer: null,
  kind: 'order',
  settle: 'auto' as const,
  at: 0,
  source_id: 'acc_1',
  created_at: 0,
  aliases: '[]',
  units: '4166700000000000000',
  evidence: '{}',
});

/** Resolves when some statement waits for a lock. */
async function untilBlocked(core: Core): Promise<void> {
  const question =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await until(async () => (await core.store.read((db) => db.execute(question, []))).length > 0);
}

test('postgres: a session that comes under review while it is being closed is not closed', async (t) => {
  const { clock, core, shop } = await scene(t, 'postgres');
  const id = await shop.order(50_000);
  clock.advance(HOUR);
  const release = await holdSession(core, id, { reason: 'review' });
  const expiring = expireSessions(core);
  await untilBlocked(core);
  await release();
  t.is(await expiring, 0);
  const session = await core.store.read((db) =>
    db.query.selectFrom('sessions').select(['status', 'reason']).executeTakeFirst(),
  );
  t.deepEqual(session, { status: 'PENDING', reason: 'review' });
});

test('postgres: a session that comes under review while it is being paid leaves no review open', async (t) => {
  const { core, shop, money } = await scene(t, 'postgres');
  const id = await shop.order(50_000);
  const { trxId, text } = money('500.00');
  await shop.receive(text);
  const asked = {
    session: id,
    channel: 'mfs_a',
    reference: trxId,
    reason: 'late_claim',
    proof: null,
  } as const;
  const release = await holdSession(core, id, { reason: 'review' }, (db) => openReview(core, db, asked));
  const answering = answer(core, shop, id, trxId);
  await untilBlocked(core);
  await release();
  t.is(await answering, 'completed');
  t.deepEqual(
    (await rows(core, 'reviews')).map(({ state }) => state),
    ['APPROVED'],
  );
});

test('postgres: a session closed while it is sent to review leaves no open review', async (t) => {
  const { core, shop, money } = await scene(t, 'postgres');
  const id = await shop.order(50_000);
  const { trxId, text } = money('500.01');
  await shop.receive(text);
  const release = await holdSession(core, id, { status: 'FAILED', reason: 'cancelled' });
  const answering = answer(core, shop, id, trxId);
  await untilBlocked(core);
  await release();
  t.is(await answering, 'session_not_found');
  t.deepEqual(await rows(core, 'reviews'), []);
});

test('postgres: the later of two credits of one exchange payment under different ids is decided again', async (t) => {
  const { core, shop } = await scene(t, 'postgres');
  const { brandId: brand_id, merchantId } = shop.brand;
  const [winner, loser] = [await shop.order(50_000), await shop.order(50_000)];
  const orderId = '331726482920497152';
  const shown = { channel: 'exchange_pay' as const, scope: 'binance', otherNames: [orderId] };
  const crediting = async (id: string, reference: string) => {
    const proof = { ...shown, id: `prf_${reference}`, reference };
    await core.store.write((db) => putObservedProof.all(db, { ...seenProof(merchantId), ...proof }));
    const session = { id, brand_id, paid_paisa: 0 };
    return { session, proof, paisa: 50_000, feePaisa: 0, restPaisa: 0, by: 'rule' };
  };
  const ahead = await crediting(winner, 'M_P_1');
  const behind = await crediting(loser, 'M_P_2');
  let entered: () => void = () => {};
  let release: () => void = () => {};
  const written = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = core.store.write(async (db) => {
    const outcome = await creditProof(core, db, ahead);
    entered();
    await gate;
    return outcome;
  });
  await written;
  const holders: unknown[] = [];
  const later = core.store.write(async (db) => {
    const holder = await findHolder(db, merchantId, behind.proof);
    holders.push(holder);
    return holder.by === 'nobody' ? creditProof(core, db, behind) : 'taken';
  });
  await untilBlocked(core);
  release();
  t.deepEqual([await first, await later], ['credited', 'taken']);
  t.deepEqual(holders, [{ by: 'nobody' }, { by: 'merchant', session: winner }]);
  const transactions = await rows(core, 'transactions');
  t.deepEqual(
    transactions.map(({ session_id }) => session_id),
    [winner],
  );
});
