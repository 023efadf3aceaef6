/**
 * The rule of payment references against 10,000 random SMS, in the soak 100,000: what is credited is exactly
 * what fits, and nothing is ever credited to another payment. Amounts and references are few, so that most
 * texts nearly fit.
 */
import test from 'ava';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { takeSms } from '../../../src/actions/sms/take-sms.js';
import { formatTaka } from '../../../src/base/values/money.js';
import { rows, scene } from '../../helpers/shop/scene.js';
import { bkashId, bkashText, WALLET } from '../../helpers/shop/shop.js';
import { amount } from '../../helpers/tiers.js';

const WORLDS = amount(2, 20);
const SESSIONS = 200;
const TEXTS = 5_000;
const BATCH = 500;
const PRICES = [10_000, 10_001, 10_100, 50_000];
const SIGNS = '23456789CFHJKMNPRTWXY';

/** The same numbers from 0 to 1 for the same seed. */
function repeatable(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

for (let world = 1; world <= WORLDS; world += 1) {
  test(`world ${world}: every random SMS settles the payment that it names and fits, or none`, async (t) => {
    const next = repeatable(world);
    const one = <Item>(list: ArrayLike<Item>) => list[Math.floor(next() * list.length)] as Item;
    const { clock, core, shop } = await scene(t, 'sqlite');
    const open = new Map<string, { readonly id: string; readonly paisa: number }>();
    for (let n = 0; n < SESSIONS; n += 1) {
      const amountPaisa = one(PRICES);
      const customer = { cusName: 'Customer', cusEmail: '', metaJson: null };
      const { id, paymentReference } = await createSession(core, {
        ...{ brand: shop.brand, hosted: null, amountPaisa },
        ...customer,
      });
      open.set(paymentReference ?? '', { id, paisa: amountPaisa });
    }
    const references = [...open.keys()];
    const mistyped = (reference: string) => {
      const at = Math.floor(next() * reference.length);
      return `${reference.slice(0, at)}${one(SIGNS)}${reference.slice(at + 1)}`;
    };
    const written: readonly (() => string)[] = [
      () => one(references),
      () => one(references),
      () => `${one(['order', 'for', '17'])} ${one(references).toLowerCase()}`,
      () => mistyped(one(references)),
      () => `${one(references)} ${one(references)}`,
      () => `${one(references)}${one(SIGNS)}`,
      () => `${one(references).slice(0, 4)} ${one(SIGNS)}`,
      () => Array.from({ length: 5 }, () => one(SIGNS)).join(''),
    ];

    /** By session the id of the money that pays it. */
    const expected = new Map<string, string>();
    for (let from = 0; from < TEXTS; from += BATCH) {
      const messages = Array.from({ length: BATCH }, (_, at) => {
        const trxId = bkashId(clock.now(), from + at);
        const paisa = one(PRICES);
        const ref = one(written)();
        const isOwn = next() < 0.8;
        const named = new Set(
          ref
            .toUpperCase()
            .split(' ')
            .filter((word) => open.has(word)),
        );
        const session = open.get([...named][0] ?? '');
        const fits = named.size === 1 && isOwn && session?.paisa === paisa;
        if (fits && session !== undefined && !expected.has(session.id)) expected.set(session.id, trxId);
        return {
          id: trxId,
          sender: 'bKash',
          body: bkashText({ taka: formatTaka(paisa), trxId, at: clock.now(), ref }),
          receivedAtMs: clock.now(),
          simSlot: isOwn ? 1 : 2,
        };
      });
      await takeSms(core, {
        merchantId: shop.merchantId,
        source: { kind: 'relay', deviceId: shop.deviceId },
        recipientOf: ({ simSlot }) => (simSlot === 1 ? WALLET : '01711000002'),
        messages,
      });
      clock.advance(1_000);
    }
    const credited = await rows(core, 'transactions');
    t.deepEqual(new Map(credited.map((row) => [row.session_id, row.reference])), expected);
    t.true(expected.size > SESSIONS / 2);
    t.is((await rows(core, 'proofs')).length, TEXTS);
  });
}
