/** What people do: customers in all their ways, cheats, and the operator who is asked. */
import { authenticateGateway } from '../../../src/actions/access/authenticate-gateway.js';
import { sendDispatch } from '../../../src/actions/dispatches/send-dispatch.js';
import { approveReview, rejectReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { sleep } from '../../../src/base/values/timers.js';
import { type Channel, MFS_CHANNELS, type MfsChannel } from '../../../src/domain/accounts/channels.js';
import { Chance } from '../machine/chance.js';
import type { Way } from '../plan.js';
import { SESSION_MINUTES } from './ground.js';
import { approval, type Money } from './observed.js';
import { answerOf, type Opened } from './shop.js';
import type { World } from './world.js';

/** Answers after which a claim is kept, whatever comes of it. */
const KEPT = new Set([
  'completed',
  'under_review',
  'waiting',
  'transaction_not_found',
  'transaction_not_final',
]);
/** Answers after which it is no use to ask again. */
const FINAL = new Set(['completed', 'under_review', 'session_not_found', 'session_completed', 'over']);
const TRIES = 6;

interface Purchase {
  readonly world: World;
  readonly chance: Chance;
  readonly order: Opened;
  readonly channel: MfsChannel | 'bep20';
}

/** One customer, from the open payment to the end of their patience. */
export async function buy(world: World, seed: string, way: Way): Promise<void> {
  const chance = new Chance(`order ${seed}`);
  const shop = chance.pick(world.shops);
  const paisa = chance.is(0.3) ? 50_000 : chance.whole(1_000, 500_000);
  const order = await shop.open(chance, paisa);
  if (order === null) return;
  const channel = chance.is(0.2) ? 'bep20' : chance.pick(MFS_CHANNELS);
  const purchase: Purchase = { world, chance, order, channel };
  await rest(purchase, 200, 15_000);
  await act(purchase, way);
}

async function act(purchase: Purchase, way: Way): Promise<void> {
  const { world, chance, order, channel } = purchase;
  switch (way) {
    case 'named':
      return payNamed(purchase);
    case 'claims':
      return payAndClaim(purchase, dueOf(purchase));
    case 'early': {
      const money = pay(purchase, dueOf(purchase), null);
      if ((await claim(purchase, money)) && channel !== 'mfs_c') order.must = money;
      return;
    }
    case 'late':
      await sleep(world.timers, SESSION_MINUTES * 60_000 + chance.whole(0, 60_000));
      await claim(purchase, pay(purchase, dueOf(purchase), null));
      return;
    case 'twice':
      pay(purchase, dueOf(purchase), null);
      return payAndClaim(purchase, dueOf(purchase));
    case 'short':
      await claim(purchase, pay(purchase, dueOf(purchase) - 1n, order.paymentReference));
      return;
    case 'over':
      return payAndClaim(purchase, dueOf(purchase) + 100n);
    case 'mistyped':
      return mistype(purchase);
    case 'nothing':
      return;
    case 'cancels':
      await world.shops[order.shop]?.cancel(chance, order);
      if (chance.is(0.3)) await claim(purchase, pay(purchase, dueOf(purchase), null));
      return;
    case 'thief':
      return steal(purchase);
    case 'reversed': {
      const money = pay(purchase, dueOf(purchase), order.paymentReference);
      const claimed = claim(purchase, money);
      await rest(purchase, 100, 60_000);
      if (channel !== 'bep20') world.wallets.reverse(money, chance);
      await claimed;
      return;
    }
    default:
      way satisfies never;
  }
}

const rest = ({ world, chance }: Purchase, least: number, most: number) =>
  sleep(world.timers, chance.whole(least, most));

const dueOf = ({ order, channel }: Purchase): bigint =>
  channel === 'bep20' ? (order.units ?? 1n) : BigInt(order.paisa);

function pay({ world, chance, order, channel }: Purchase, amount: bigint, reference: string | null): Money {
  const { shop } = order;
  if (channel === 'bep20') return world.payOnChain(order, amount, chance);
  return world.wallets.pay({ channel, shop, paisa: Number(amount), reference }, chance);
}

async function payNamed(purchase: Purchase): Promise<void> {
  const { order, channel } = purchase;
  if (channel === 'bep20') return payAndClaim(purchase, dueOf(purchase));
  const money = pay(purchase, dueOf(purchase), order.paymentReference);
  // bKash repeats the reference in its text, and gives out ids that nobody can guess.
  if (order.paymentReference !== null && channel === 'mfs_a') order.must = money;
}

async function payAndClaim(purchase: Purchase, amount: bigint): Promise<void> {
  const money = pay(purchase, amount, null);
  await rest(purchase, 500, 20_000);
  if (await claim(purchase, money)) purchase.order.must = money;
}

/** Says what was paid, again and again until it is settled or patience ends. @returns whether it is kept. */
export async function claim(purchase: Purchase, { reference }: Pick<Money, 'reference'>): Promise<boolean> {
  const { world, chance, order, channel } = purchase;
  let isKept = false;
  for (let left = TRIES; left > 0; left -= 1) {
    const outcome = (await world.shops[order.shop]?.claim(chance, order, channel, reference)) ?? 'lost';
    world.trace.add('claim', order.session, reference, outcome);
    isKept ||= KEPT.has(outcome);
    if (FINAL.has(outcome)) break;
    await rest(purchase, 2_000, 15_000);
  }
  return isKept;
}

async function mistype(purchase: Purchase): Promise<void> {
  const { world, chance, order, channel } = purchase;
  const money = pay(purchase, dueOf(purchase), null);
  const at = chance.whole(3, money.reference.length - 1);
  const wrong = `${money.reference.slice(0, at)}${chance.pick(['7', '3', 'B'])}${money.reference.slice(at + 1)}`;
  if (wrong !== money.reference) await world.shops[order.shop]?.claim(chance, order, channel, wrong);
  await rest(purchase, 1_000, 8_000);
  if (await claim(purchase, money)) order.must = money;
}

/** Somebody else has seen the id and claims it for a payment of their own, of the same price. */
async function steal(purchase: Purchase): Promise<void> {
  const { world, chance, order } = purchase;
  const other = await world.shops[order.shop]?.open(chance, order.paisa);
  const money = pay(purchase, dueOf(purchase), null);
  const claims = [claim(purchase, money)];
  if (other) claims.push(claim({ ...purchase, order: other }, money));
  await Promise.all(claims);
}

/** A text that imitates a wallet's, or the word of a bribed node: its id is claimed for a payment. */
export async function forge(world: World, seed: string): Promise<void> {
  const chance = new Chance(`forgery ${seed}`);
  const shop = chance.pick(world.shops);
  const order = await shop.open(chance, 50_000);
  if (order?.units && chance.is(0.5)) {
    const reference = world.bribe(order, order.units, chance);
    await sleep(world.timers, chance.whole(6_000, 12_000));
    await claim({ world, chance, order, channel: 'bep20' }, { reference });
    return;
  }
  const reference = world.wallets.forge(shop.index, 50_000, chance);
  if (order !== null) await claim({ world, chance, order, channel: 'mfs_a' }, { reference });
}

/** Made-up ids on a payment that is open, until it takes no more. */
export async function guess(world: World, seed: string): Promise<void> {
  const chance = new Chance(`guesses ${seed}`);
  const shop = chance.pick(world.shops);
  const order = await shop.open(chance, 50_000);
  if (order === null) return;
  const known = world.observed.money.filter((money) => money.shop === shop.index).slice(-3);
  for (let left = 8; left > 0; left -= 1) {
    const channel: Channel = chance.pick(MFS_CHANNELS);
    const near = known.length > 0 ? chance.pick(known).reference : 'DHM1ABC2DE';
    const reference =
      channel === 'mfs_c' ? String(chance.whole(1e9, 4e9)) : `${near.slice(0, -1)}${chance.whole(0, 9)}`;
    // Who hits by chance is a thief, of whom there are others.
    if (world.observed.money.some((money) => money.reference === reference)) continue;
    await shop.claim(chance, order, channel, reference);
    await sleep(world.timers, chance.whole(50, 2_000));
  }
}

/** A program has an SMS sent, and asks again under the same key until it is acknowledged. */
export async function dispatch(world: World, seed: string): Promise<void> {
  const chance = new Chance(`dispatch ${seed}`);
  const phone = chance.pick(world.ground.phones);
  const message = `Your order ${seed} is on its way`;
  const input = { number: `0181${chance.whole(1_000_000, 9_999_999)}`, message, idempotencyKey: seed };
  for (let left = TRIES; left > 0; left -= 1) {
    const answer = await chance.pick(world.shops).call(chance, async (core) => {
      const gateway = await authenticateGateway(core, { keys: [phone.gatewayKey], ip: '203.0.113.9' });
      return sendDispatch(core, { ...input, gateway, who: null });
    });
    if (answerOf(answer) !== null) {
      world.observed.dispatched.push(message);
      return;
    }
    await sleep(world.timers, chance.whole(1_000, 8_000));
  }
}

/** A person looks at what waits for one: approves some, rejects others, leaves the rest. */
export async function operate(world: World, seed: string): Promise<void> {
  const chance = new Chance(`operator ${seed}`);
  const shop = chance.pick(world.shops);
  const listed = await shop.call(chance, (core) => listReviews(core, { state: 'OPEN', limit: 50 }));
  for (const { id, payment, reference } of answerOf(listed) ?? []) {
    const decision = { id, note: 'seen', who: 'operator' };
    if (chance.is(0.4)) {
      world.observed.approved.add(approval(payment, reference));
      await shop.call(chance, (core) => approveReview(core, decision));
    } else if (chance.is(0.3)) await shop.call(chance, (core) => rejectReview(core, decision));
  }
}
