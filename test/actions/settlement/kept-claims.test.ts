/** Which of a session's claims are asked for again at exchanges and nodes, and its price. */
import test from 'ava';
import fc from 'fast-check';
import { keepClaim, reviewOfClaim } from '../../../src/actions/settlement/record-claim.js';
import { newRowId } from '../../../src/base/values/ids.js';
import type { PayChannel } from '../../../src/domain/accounts/channels.js';
import { putReview } from '../../../src/store/tables/reviews.js';
import { rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

const RECHECK_MS = 2_000;
const PRICE = { amount_paisa: 50_000, paid_paisa: 0, paid_fee_paisa: 0 };
const open = (id: string, fees: string | null = null) =>
  ({ id, status: 'PENDING', reason: 'initiated', expires_at: 0, fees, ...PRICE }) as const;

interface Kept {
  readonly channel: 'exchange_pay' | 'bep20';
  readonly reference: string;
  /** The block in which it was seen; null where nobody has seen it. */
  readonly block: number | null;
}

const kept = fc.record({
  channel: fc.constantFrom('exchange_pay', 'bep20'),
  reference: fc.constantFrom('A', 'B', 'C', 'D'),
  block: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 2 }),
}) as fc.Arbitrary<Kept>;

/**
 * The rule in other words: each claim is asked for two seconds after it was made, until three others that
 * nobody has seen were made after it; what was seen is always asked for.
 */
function expected(claims: readonly Kept[], start: number) {
  const next = new Map<string, { at: number | null; block: number | null }>();
  for (const [n, { channel, reference, block }] of claims.entries()) {
    const key = `${channel} ${reference}`;
    next.delete(key);
    next.set(key, { at: start + n + RECHECK_MS, block });
    if (block !== null) continue;
    const unseen = [...next].filter(([, one]) => one.block === null && one.at !== null);
    for (const [old] of unseen.slice(0, -3)) next.set(old, { at: null, block: null });
  }
  return Object.fromEntries([...next].map(([key, { at, block }]) => [key, [at, block]]));
}

for (const engine of engines) {
  test(`${engine}: of the ids that nobody has seen the three newest are asked for again`, async (t) => {
    const { clock, core, shop } = await scene(t, engine);
    await fc.assert(
      fc.asyncProperty(fc.array(kept, { minLength: 1, maxLength: 12 }), async (claims) => {
        const session = await shop.order(50_000);
        const start = clock.now();
        for (const claim of claims) {
          await core.store.write((db) =>
            keepClaim(core, db, open(session), {
              merchant: shop.merchantId,
              reason: 'not_seen_yet',
              ...claim,
            }),
          );
          clock.advance(1);
        }
        const found = (await rows(core, 'claims')).filter(({ session_id }) => session_id === session);
        const told = found.map((row) => [`${row.channel} ${row.reference}`, [row.next_at, row.block]]);
        t.deepEqual(Object.fromEntries(told), expected(claims, start));
      }),
      { numRuns: 25 },
    );
  });

  test(`${engine}: a claim that is looked for by its price says what its session costs there, and no other does`, async (t) => {
    const { core, shop } = await scene(t, engine);
    const session = open(await shop.order(50_000), '{"mfs_c":{"fixedPaisa":925,"basisPoints":0}}');
    const channels: PayChannel[] = [
      'qr_interbank',
      'mfs_a',
      'mfs_b',
      'mfs_c',
      'mfs_d',
      'bep20',
      'exchange_pay',
    ];
    for (const channel of [...channels, 'mfs_c'] as const) {
      const claim = {
        merchant: shop.merchantId,
        channel,
        reference: 'A',
        reason: 'not_seen_yet',
        block: null,
      };
      const isNew = await core.store.write((db) => keepClaim(core, db, session, claim));
      t.is(isNew, channels.includes(channel), channel);
      channels.splice(channels.indexOf(channel), 1);
    }
    const prices = (await rows(core, 'claims')).map((row) => [
      row.channel,
      row.due_paisa,
      row.next_at !== null,
    ]);
    t.deepEqual(Object.fromEntries(prices.map(([channel, ...rest]) => [channel, rest])), {
      qr_interbank: [50_000, false],
      mfs_a: [null, false],
      mfs_b: [50_000, false],
      mfs_c: [50_925, false],
      mfs_d: [50_000, false],
      bep20: [null, true],
      exchange_pay: [null, true],
    });
  });

  test(`${engine}: a rejection by an operator applies only to that id on that channel`, async (t) => {
    const { clock, core, shop } = await scene(t, engine);
    const session = await shop.order(50_000);
    const asked = { session, proof: null, reason: 'late_claim', now: clock.now() } as const;
    const claim = (channel: PayChannel, reference: string) =>
      core.store.read(
        async (db) => (await reviewOfClaim(db, { session, channel, reference }))?.state === 'REJECTED',
      );
    await core.store.write(async (db) => {
      for (const reference of ['A', 'B']) {
        const id = newRowId(core.random, clock.now(), 'review');
        await putReview.first(db, { ...asked, id, channel: 'mfs_a', reference });
      }
      const refused = { state: 'REJECTED' } as const;
      await db.query.updateTable('reviews').set(refused).where('reference', '=', 'A').execute();
    });
    t.true(await claim('mfs_a', 'A'));
    t.deepEqual(await Promise.all([claim('mfs_a', 'B'), claim('mfs_b', 'A'), claim('mfs_a', 'C')]), [
      false,
      false,
      false,
    ]);
  });
}
