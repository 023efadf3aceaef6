/** Customers who pay in parts, owners who send money back, and cheats who imitate a transfer. */
import { cancelRefund, closeRefund } from '../../../src/actions/refunds/change-refund.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import type { RefundView } from '../../../src/actions/refunds/list-refunds.js';
import { sleep } from '../../../src/base/values/timers.js';
import { Chance } from '../machine/chance.js';
import { LOST } from '../machine/network.js';
import { claim } from './customers.js';
import { answerOf, type Shop } from './shop.js';
import type { World } from './world.js';

const who = 'operator';

/** Pays in two or three parts; some customers never bring the last. */
export async function payParts(world: World, seed: string): Promise<void> {
  const chance = new Chance(`parts ${seed}`);
  const shop = chance.pick(world.shops);
  const paisa = chance.whole(3_000, 500_000);
  const order = await shop.open(chance, paisa, true);
  if (order === null) return;
  const parts = chance.whole(2, 3);
  const part = Math.floor(paisa / parts);
  const paid = chance.is(0.3) ? parts - 1 : parts;
  for (let at = 0; at < paid; at += 1) {
    const amount = at === parts - 1 ? paisa - part * at : part;
    await sleep(world.timers, chance.whole(100, 5_000));
    const payment = { channel: 'mfs_a', shop: shop.index, paisa: amount, reference: null } as const;
    const money = world.wallets.pay(payment, chance);
    await claim({ world, chance, order, channel: 'mfs_a' }, money);
  }
}

/** Money that a customer has paid, or sent without paying for anything, goes back. */
export async function refund(world: World, seed: string): Promise<void> {
  const chance = new Chance(`refund ${seed}`);
  const shop = chance.pick(world.shops);
  const paisa = chance.whole(1_000, 100_000);
  const order = chance.is(0.6) ? await shop.open(chance, paisa) : null;
  const payment = { channel: 'mfs_a', shop: shop.index, paisa, reference: null } as const;
  const money = world.wallets.pay(payment, chance);
  if (order !== null) await claim({ world, chance, order, channel: 'mfs_a' }, money);
  else await sleep(world.timers, chance.whole(1_000, 10_000));
  // What the owner sends back need not pay for anything any more.
  if (order === null) world.observed.returned.add(money.reference);
  const of = order?.session ?? money.reference;
  const amountPaisa = chance.is(0.5) ? chance.whole(100, 2 * paisa) : undefined;
  const wanted = { amountPaisa, note: 'returned goods' };
  const byProgram = order !== null && chance.is(0.5);
  const create = async () => {
    if (!byProgram)
      return answerOf(await shop.call(chance, (core) => createRefund(core, { ...wanted, of, who }))) ?? [];
    // A program repeats its request with the same key until it has an answer.
    for (let left = 4; left > 0; left -= 1) {
      const answer = await shop.requestRefund(chance, { ...wanted, sessionId: of, idempotencyKey: seed });
      if (answer !== LOST) return answerOf(answer)?.refunds ?? [];
    }
    return [];
  };
  const answers = await Promise.all(chance.is(0.3) ? [create(), create(), create()] : [create()]);
  const made = new Map(answers.flat().map((view) => [view.id, view]));
  for (const view of made.values()) {
    world.observed.refunds.add(view.id);
    await sleep(world.timers, chance.whole(500, 4_000));
    await send({ world, chance, shop }, view);
  }
}

interface Owner {
  readonly world: World;
  readonly chance: Chance;
  readonly shop: Shop;
}

async function send(owner: Owner, { id, pay_to: payee, amount, payment_method }: RefundView): Promise<void> {
  const { world, chance, shop } = owner;
  if (payment_method !== 'mfs_a' || payee === null) return;
  const paisa = Number(amount.replace('.', ''));
  const sendBack = (change: Partial<{ paisa: number; payee: string }> = {}) =>
    world.wallets.sendBack({ shop: shop.index, paisa, payee, ...change }, chance);
  const usual = ['send', 'send', 'send'] as const;
  const way = chance.pick([...usual, 'twice', 'number', 'sum', 'cancel', 'hand', 'forget'] as const);
  world.trace.add('refund', id, way, amount);
  switch (way) {
    case 'send':
      return sendBack();
    case 'twice':
      sendBack();
      return sendBack();
    case 'number':
      return sendBack({ payee: '01799999999' });
    case 'sum':
      return sendBack({ paisa: paisa + 100 });
    case 'cancel':
      await shop.call(chance, (core) => cancelRefund(core, { id, note: 'a mistake', who }));
      if (chance.is(0.5)) sendBack();
      return;
    case 'hand': {
      world.observed.byHand.add(id);
      const reference = `HAND${chance.whole(1e6, 9e6)}`;
      await shop.call(chance, (core) => closeRefund(core, { id, reference, note: 'paid', force: true, who }));
      return;
    }
    case 'forget':
      return;
    default:
      way satisfies never;
  }
}

/** A text that says that money was sent back which is still there: the cheat would keep the refund. */
export async function forgeSent(world: World, seed: string): Promise<void> {
  const chance = new Chance(`sent ${seed}`);
  const shop = chance.pick(world.shops);
  const listed = await shop.call(chance, (core) =>
    core.store.read((db) =>
      db.query
        .selectFrom('refunds')
        .where('state', '=', 'PENDING')
        .where('payee', 'is not', null)
        .where('channel', '=', 'mfs_a')
        .select(['amount_paisa', 'payee'])
        .execute(),
    ),
  );
  const pending = answerOf(listed) ?? [];
  if (pending.length === 0) return;
  const { amount_paisa: paisa, payee } = chance.pick(pending);
  world.wallets.forgeSent({ shop: shop.index, paisa, payee: payee ?? '' }, chance);
}
