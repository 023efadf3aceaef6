/** The simulator's customers as commands of fast-check, against two real daemons' cores on one store. */
import fc from 'fast-check';
import { claimCheckout } from '../../src/actions/claims/claim-checkout.js';
import { verifyClaim } from '../../src/actions/claims/verify-claim.js';
import type { Core } from '../../src/actions/core/core.js';
import {
  recordAttempt,
  sendNotification,
  takeNotifications,
} from '../../src/actions/notifications/deliver-notification.js';
import { syncDevice } from '../../src/actions/relay/sync-device.js';
import { approveReview, rejectReview } from '../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../src/actions/reviews/list-reviews.js';
import { cancelSession } from '../../src/actions/sessions/cancel-session.js';
import { createSession } from '../../src/actions/sessions/create-session.js';
import { expireSessions } from '../../src/actions/sessions/transition-session.js';
import { isKashboxError } from '../../src/base/errors/errors.js';
import { dhakaIso, dhakaText } from '../../src/base/values/clock.js';
import { formatTaka } from '../../src/base/values/money.js';
import { writeSms } from '../../src/channels/mfs/index.js';
import { KINDS_OF_TYPE, type MfsChannel } from '../../src/domain/accounts/channels.js';
import type { NotificationSender } from '../../src/notify/send.js';
import { dueLanes } from '../../src/store/tables/notifications.js';
import type { Shop } from '../helpers/shop/shop.js';
import type { TestClock } from '../helpers/stores/engines.js';
import type { Chance } from './machine/chance.js';
import { approval, type Money, type Observed, type Order, type Told } from './world/observed.js';
import { HOSTED } from './world/shop.js';

const CHANNEL: MfsChannel = 'mfs_a';
const KEPT = new Set(['completed', 'under_review', 'waiting', 'transaction_not_found']);

/** What is seen of a history from outside. */
export interface Model {
  readonly observed: Observed;
  readonly orders: (Order & { readonly reference: string | null; readonly isHosted: boolean })[];
  /** SMS on their way, each to be delivered at least once. */
  readonly waiting: { readonly sender: string; readonly body: string }[];
  /** Who has claimed money, and the payment that its payer named. */
  readonly wanted: Map<Money, Set<string>>;
}

export interface Real {
  readonly cores: readonly Core[];
  readonly clock: TestClock;
  readonly shop: Shop;
  readonly chance: Chance;
}

type Act = (model: Model, real: Real, pick: number, core: Core) => Promise<unknown>;

/** A command that does nothing where there is nothing to do it with. */
class Step implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly name: string,
    private readonly pick: number,
    private readonly act: Act,
  ) {}

  check = () => true;

  async run(model: Model, real: Real): Promise<void> {
    const core = real.cores[this.pick % real.cores.length];
    if (core !== undefined) await this.act(model, real, this.pick, core);
  }

  toString = () => `${this.name}(${this.pick})`;
}

const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

async function open({ orders, observed }: Model, { shop }: Real, pick: number, core: Core): Promise<void> {
  const amountPaisa = pick % 3 === 0 ? 50_000 : 1_000 + (pick % 9_999);
  const isHosted = pick % 2 === 0;
  const made = await createSession(core, {
    brand: shop.brand,
    hosted: isHosted ? HOSTED : null,
    cusName: 'Customer',
    cusEmail: '',
    amountPaisa,
    metaJson: null,
  });
  const { id: session, paymentReference: reference } = made;
  const order = { session, shop: 0, paisa: amountPaisa, units: null, must: null, reference, isHosted };
  orders.push(order);
  observed.orders.push(order);
}

/** Pays in full, with the payment reference or without, or a taka less or more. */
async function pay(model: Model, { clock, chance }: Real, pick: number): Promise<void> {
  const order = at(model.orders, pick);
  if (order === undefined) return;
  const amount = order.paisa + (pick % 7 === 0 ? -100 : pick % 5 === 0 ? 100 : 0);
  const reference = pick % 2 === 0 ? order.reference : null;
  const kinds = KINDS_OF_TYPE.personal;
  const sms = writeSms(
    { channel: CHANNEL, kinds, amountPaisa: amount, at: clock.now(), reference },
    chance.bytes,
  );
  if (sms === null) throw new Error('the wallet writes no SMS');
  const known = { channel: CHANNEL, reference: sms.trxId, amount: BigInt(amount), shop: 0, session: null };
  const money: Money = { ...known, isReversed: false, isReal: true };
  model.observed.money.push(money);
  if (reference !== null) wantedBy(model, money, order.session);
  model.waiting.push({ sender: sms.sender, body: sms.body });
}

async function deliver(model: Model, { shop, clock }: Real, pick: number, core: Core): Promise<void> {
  const [sms] = model.waiting.splice(pick % Math.max(1, model.waiting.length), 1);
  if (sms === undefined) return;
  const message = { id: `m${pick}`, ...sms, received_at: dhakaIso(clock.now()), sim_slot: 1 };
  const copies = pick % 4 === 0 ? [message, message] : [message];
  const bring = () => syncDevice(core, { device: shop.device, messages: copies, health: null });
  await bring();
  if (pick % 5 === 0) await bring();
  model.observed.stored.add(sms.body);
}

async function claim(model: Model, { shop }: Real, pick: number, core: Core): Promise<void> {
  const order = at(model.orders, pick);
  const money = at(model.observed.money, pick % 3 === 0 ? pick : model.observed.money.length - 1);
  if (order === undefined || money === undefined) return;
  const isWrong = pick % 11 === 0;
  const reference = isWrong ? `${money.reference.slice(0, -1)}7` : money.reference;
  const outcome = await outcomeOf(core, shop, order, reference);
  if (outcome === 'completed') model.observed.completed.push({ session: order.session, reference });
  if (isWrong) return;
  wantedBy(model, money, order.session);
  if (KEPT.has(outcome) && money.amount === BigInt(order.paisa)) order.must = money;
}

function wantedBy({ wanted }: Model, money: Money, session: string): void {
  wanted.set(money, (wanted.get(money) ?? new Set()).add(session));
}

async function outcomeOf(core: Core, { brand }: Shop, order: Model['orders'][number], text: string) {
  const { session: sessionId, isHosted } = order;
  try {
    const { outcome } = isHosted
      ? await claimCheckout(core, { sessionId, channel: CHANNEL, text })
      : await verifyClaim(core, { brand, sessionId, method: CHANNEL, reference: text });
    return outcome;
  } catch (error) {
    if (isKashboxError(error)) return error.code as string;
    throw error;
  }
}

/** Several things at one moment, on both daemons. */
const atOnce =
  (...acts: readonly Act[]): Act =>
  (model, real, pick) =>
    Promise.all(acts.map((act, nth) => act(model, real, pick + nth, real.cores[nth % 2] as Core)));

async function reverse({ observed, waiting }: Model, { clock }: Real, pick: number): Promise<void> {
  const money = at(observed.money, pick);
  if (money === undefined || money.isReversed) return;
  money.isReversed = true;
  const taka = formatTaka(Number(money.amount));
  const when = dhakaText(clock.now()).slice(0, 16);
  const body = `Your received amount Tk ${taka} has been reversed. TrxID ${money.reference} at ${when}`;
  waiting.push({ sender: 'bKash', body });
}

async function decide({ observed }: Model, { shop }: Real, pick: number, core: Core): Promise<void> {
  const open = await listReviews(core, { state: 'OPEN', brand: shop.brand.brandId, limit: 50 });
  const review = at(open, pick);
  if (review === undefined) return;
  const decision = { id: review.id, note: 'seen', who: 'operator' };
  try {
    if (pick % 2 === 0) {
      observed.approved.add(approval(review.payment, review.reference));
      await approveReview(core, decision);
    } else await rejectReview(core, decision);
  } catch (error) {
    if (!isKashboxError(error)) throw error;
  }
}

async function cancel({ orders }: Model, _real: Real, pick: number, core: Core): Promise<void> {
  const order = at(orders, pick);
  if (order?.isHosted) await cancelSession(core, order.session);
}

async function pass(_model: Model, { clock }: Real, pick: number, core: Core): Promise<void> {
  clock.advance((pick % 60) * 1_000);
  await expireSessions(core);
}

/** Sends what is due, some of it in vain. */
async function tell({ observed }: Model, { clock }: Real, pick: number, core: Core): Promise<void> {
  const lanes = await core.store.read(dueLanes);
  const taken = await takeNotifications(
    core,
    lanes.map(({ lane }) => ({ lane, room: 5 })),
  );
  const sender: NotificationSender = {
    send: async ({ content }) => {
      const bare = { answer: null, redirect: null, ms: 1, retryAfterS: null };
      if (pick % 3 === 0) return { ...bare, outcome: 'timeout', status: null, detail: 'no answer' };
      const {
        session_id: session,
        id,
        event,
        sequence,
      } = JSON.parse(content) as Told & { readonly session_id: string };
      observed.told.push({ session, id, event, sequence, content });
      return { ...bare, outcome: 'delivered', status: 200, detail: 'answered 200' };
    },
  };
  for (const notification of taken) {
    const result = await sendNotification(core, sender, notification);
    await recordAttempt(core, notification, result, { at: clock.now(), askedBy: 'schedule' });
  }
}

const ACTS: readonly (readonly [name: string, act: Act])[] = [
  ['open', open],
  ['open', open],
  ['pay', pay],
  ['pay', pay],
  ['deliver', deliver],
  ['deliver', deliver],
  ['claim', claim],
  ['claim', claim],
  ['two claims', atOnce(claim, claim)],
  ['claim and SMS', atOnce(claim, deliver)],
  ['SMS and SMS', atOnce(deliver, deliver)],
  ['claim and expiry', atOnce(claim, pass)],
  ['decision and claim', atOnce(decide, claim)],
  ['two decisions', atOnce(decide, decide)],
  ['reverse', reverse],
  ['decide', decide],
  ['cancel', cancel],
  ['pass', pass],
  ['tell', tell],
  ['tell at once', atOnce(tell, tell)],
];

/** Histories of so many commands at most. */
export const histories = (most: number) =>
  fc.commands(
    ACTS.map(([name, act]) => fc.nat({ max: 100_000 }).map((pick) => new Step(name, pick, act))),
    { maxCommands: most, size: 'max' },
  );

const ROUNDS = 12;
const LONG_MS = 26 * 3_600_000;

/** Brings what is on its way, lets all time pass, and tells everything. */
export async function finish(model: Model, real: Real): Promise<void> {
  const [core] = real.cores;
  if (core === undefined) return;
  // Where two want the same money, one of them does not get it.
  for (const order of model.orders) {
    if (order.must !== null && (model.wanted.get(order.must)?.size ?? 0) > 1) order.must = null;
  }
  while (model.waiting.length > 0) await deliver(model, real, 1, core);
  real.clock.advance(real.shop.brand.sessionMinutes * 60_000);
  await expireSessions(core);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { length } = model.observed.told;
    await tell(model, real, 1, core);
    if (model.observed.told.length === length && round > 1) break;
    real.clock.advance(LONG_MS);
  }
}
