/** Parts of payments, refunds and transfers as rows, for tests of what reads them. */
import type { Core } from '../../../src/actions/core/core.js';
import { creditProof } from '../../../src/actions/settlement/credit-proof.js';
import { newRowId } from '../../../src/base/values/ids.js';
import type { RefundTable } from '../../../src/store/schema/index.js';
import { audit } from '../../../src/store/tables/audit.js';
import { insertRefund, insertSent } from '../../../src/store/tables/refunds.js';
import { type Shop, WALLET } from './shop.js';

const proofOf = (core: Core, reference: string) =>
  core.store.read((db) =>
    db.query.selectFrom('proofs').where('reference', '=', reference).selectAll().executeTakeFirstOrThrow(),
  );

/** Credits money that has come as a part. @param restPaisa still due after it. */
export async function creditPart(core: Core, session: string, reference: string, restPaisa: number) {
  const proof = await proofOf(core, reference);
  await core.store.write(async (db) => {
    const { brand_id, paid_paisa } = await db.query
      .selectFrom('sessions')
      .where('id', '=', session)
      .select(['brand_id', 'paid_paisa'])
      .executeTakeFirstOrThrow();
    const paisa = proof.amount_paisa ?? 0;
    const owner = { id: session, brand_id, paid_paisa };
    await creditProof(core, db, { session: owner, proof, paisa, feePaisa: 0, restPaisa, by: 'rule' });
  });
}

/** A refund of that money with the transfer that completed it. */
export async function plantSent(core: Core, shop: Shop, reference_of_money: string) {
  const at = core.clock.now();
  const id = newRowId(core.random, at, 'sent');
  const money = { channel: 'mfs_a', reference: 'DHL1', sender: WALLET, payee: '01711000081' } as const;
  await core.store.write((db) =>
    insertSent(db, {
      ...{ id, merchant_id: shop.merchantId, ...money, units: null, amount_paisa: 1, fee_paisa: 500 },
      ...{ balance_paisa: null, at, source_id: null, reason: null, created_at: at },
    }),
  );
  const done = { state: 'COMPLETED', closed_at: at, reference: 'DHL1', sent_id: id } as const;
  await plantRefund(core, shop, { ...done, reference_of_money, amount_paisa: 1 });
}

/** A refund of that money; of a completed one the sum of its payment and the audit entry are written, too. */
export async function plantRefund(
  core: Core,
  shop: Shop,
  refund: Partial<RefundTable> & { readonly reference_of_money: string },
): Promise<string> {
  const { reference_of_money, ...change } = refund;
  const proof = await proofOf(core, reference_of_money);
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'refund');
  await core.store.write(async (db) => {
    const credit = await db.query
      .selectFrom('transactions')
      .where('proof_id', '=', proof.id)
      .select(['session_id', 'brand_id'])
      .executeTakeFirst();
    const row: RefundTable = {
      id,
      merchant_id: shop.merchantId,
      brand_id: credit?.brand_id ?? null,
      session_id: credit?.session_id ?? null,
      proof_id: proof.id,
      channel: proof.channel,
      amount_paisa: proof.amount_paisa ?? 0,
      units: null,
      shown: proof.payer,
      payee: proof.payer,
      note: 'returned goods',
      state: 'PENDING',
      created_at: now,
      created_by: 'cli:test',
      closed_at: null,
      closed_by: null,
      reference: null,
      fee_paisa: null,
      sent_id: null,
      ...change,
    };
    await insertRefund(db, row);
    if (row.state !== 'COMPLETED') return;
    const { session_id: session, channel, payee, amount_paisa: paisa, reference, sent_id: sent } = row;
    const after = { session, channel, payee, paisa, reference, sent };
    await audit(core, db, 'cli:test', 'refund.close', id, { after });
    await db.query
      .updateTable('sessions')
      .set((column) => ({ refunded_paisa: column('refunded_paisa', '+', row.amount_paisa) }))
      .where('id', '=', row.session_id ?? '')
      .execute();
  });
  return id;
}
