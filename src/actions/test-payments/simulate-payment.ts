/**
 * Simulates the wallet for a payment of a test brand: writes the SMS that the wallet would send, and stores
 * it as if a phone had sent it; if the text names no payment, it also claims the money as the customer would.
 * After that, everything runs as usual. Payments of a live brand cannot be simulated.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import { type WrittenSms, writeSms } from '../../channels/mfs/index.js';
import {
  CHANNEL,
  isMfsAccountType,
  KINDS_OF_TYPE,
  type MfsAccountType,
  type MfsChannel,
} from '../../domain/accounts/channels.js';
import type { Scenario } from '../../domain/accounts/test-accounts.js';
import type { Disagreement } from '../../domain/matching/matching.js';
import { dueOn } from '../../domain/sessions/fees.js';
import { audit } from '../../store/tables/audit.js';
import { type SimulatedSession, simulatedSession } from '../../store/tables/sessions.js';
import { brandContext } from '../brands/brand-context.js';
import { decideClaim } from '../claims/decide-claim.js';
import type { BrandAccount } from '../core/account-cache.js';
import type { Core } from '../core/core.js';
import { takeSms } from '../sms/take-sms.js';
import { overBudget, useBudget } from '../strangers/use-budget.js';

interface SimulateOptions {
  /** Session id or gateway reference. */
  readonly payment: string;
  /** Absent for the first that the brand has. */
  readonly channel?: MfsChannel | undefined;
  /** Type of the channel's account; absent for the first account. */
  readonly type?: MfsAccountType | undefined;
  readonly play: Scenario;
  readonly who: string;
}

type SimulationOutcome = 'completed' | 'part' | 'under_review' | 'refused' | 'waiting';

export interface SimulatedMoney {
  /** Session id. */
  readonly payment: string;
  /** `part`: a rest is due. `waiting`: the SMS is here, and nobody has claimed it yet. */
  readonly outcome: SimulationOutcome;
  /** Field that disagrees; null unless it was refused. */
  readonly about: Disagreement | null;
  readonly channel: MfsChannel;
  readonly type: MfsAccountType;
  /** The account to which it was paid. */
  readonly number: string;
  /** BDT with two decimals. */
  readonly amount: string;
  readonly transaction_id: string;
  /** The SMS word for word. */
  readonly sender: string;
  readonly text: string;
}

/**
 * @throws KashboxError `not_found`; `state_refused` if the payment belongs to no test brand, or is over;
 * `method_unavailable`; `too_many_attempts`; `day_limit_reached`; `merchant_suspended`
 */
export async function simulatePayment(core: Core, input: SimulateOptions): Promise<SimulatedMoney> {
  const session = await requirePlayable(core, input.payment);
  const account = await accountFor(core, session, input);
  await useForPlay(core, session);
  const { channel, type, number } = account;
  const now = core.clock.now();
  const duePaisa = dueOn(channel, session).totalPaisa;
  const amountPaisa = paisaOf(input.play, duePaisa);
  const isOld = input.play === 'old';
  const at = isOld ? session.created_at - (session.proof_window_hours + 1) * HOUR_MS : now;
  const money = { channel, amountPaisa, at, kinds: kindsOf(input.play, type) };
  const reference = input.play === 'unclaimed' ? null : session.payment_reference;
  const sms = writeSms({ ...money, reference }, core.random);
  if (sms === null) throw new KashboxError('method_unavailable');
  const heard = await take(core, session, number, sms, isOld ? at : now);
  await core.store.write((db) => {
    const after = { channel, number, play: input.play, transaction_id: sms.trxId };
    return audit(core, db, input.who, 'test.pay', session.id, { after });
  });
  const { outcome, about } = heard ?? (await claim(core, session, channel, sms, input.play));
  return {
    ...{ payment: session.id, outcome, about, channel, type, number },
    amount: formatTaka(amountPaisa),
    ...{ transaction_id: sms.trxId, sender: sms.sender, text: sms.body },
  };
}

const HOUR_MS = 3_600_000;
const DIFFERENCE_PAISA = 1_000;

function paisaOf(play: Scenario, due: Paisa): Paisa {
  const difference = Math.min(DIFFERENCE_PAISA, Math.floor(due / 2));
  if (play === 'less') return due - difference;
  return play === 'more' ? due + DIFFERENCE_PAISA : due;
}

/** Kinds of SMS to write; for another type, those that every wallet has come first. */
function kindsOf(play: Scenario, type: MfsAccountType): readonly string[] {
  const own = KINDS_OF_TYPE[type];
  if (play !== 'other_type') return own;
  const all = [KINDS_OF_TYPE.personal, KINDS_OF_TYPE.payment, KINDS_OF_TYPE.agent].flat();
  return all.filter((kind) => !own.includes(kind));
}

async function requirePlayable(core: Core, payment: string): Promise<SimulatedSession> {
  const session = await core.store.read((db) =>
    simulatedSession.first(db, { id: payment.trim().toLowerCase(), reference: payment.trim().toUpperCase() }),
  );
  if (session === undefined) {
    throw new KashboxError('not_found', {
      message: `There is no payment "${echoed(payment)}"`,
      hint: 'List those of test brands with `kashbox payments list --test`.',
    });
  }
  if (session.test_of === null) {
    throw new KashboxError('state_refused', {
      message: `${session.gateway_reference} is a payment of "${session.brand}", which takes real money: payments cannot be simulated there`,
      hint: 'Create a test brand: `kashbox brands create --test`.',
    });
  }
  if (session.status === 'COMPLETED') {
    throw new KashboxError('session_completed');
  }
  if (session.misses >= core.settings.missesPerSession) throw new KashboxError('too_many_attempts');
  return session;
}

/** Counts against the day's budget: simulated ids are kept, and anyone with the link could fill the disk. */
async function useForPlay(core: Core, { brand_id: brandId, merchant_id: merchantId }: SimulatedSession) {
  const brand = { brandId, merchantId, link: null, addressMark: null };
  const over = await core.store.write((db) => useBudget(core, db, 'plays', brand));
  if (over !== null) throw overBudget(over, 'This brand has reached its daily limit of simulated payments');
}

type WalletAccount = BrandAccount & { readonly channel: MfsChannel; readonly type: MfsAccountType };

/** @throws KashboxError `method_unavailable` */
async function accountFor(
  core: Core,
  session: SimulatedSession,
  { channel, type }: Pick<SimulateOptions, 'channel' | 'type'>,
): Promise<WalletAccount> {
  const accounts = await core.store.read((db) => core.accounts.shownIn(db, session));
  const fitting = accounts.filter(
    (account): account is WalletAccount =>
      CHANNEL[account.channel].kind === 'sms' &&
      isMfsAccountType(account.type) &&
      (channel === undefined || account.channel === channel) &&
      (type === undefined || account.type === type),
  );
  const wanted = fitting.find((account) => account.type === 'personal') ?? fitting[0];
  if (wanted === undefined) throw new KashboxError('method_unavailable');
  return wanted;
}

type SimulationResult = Pick<SimulatedMoney, 'outcome' | 'about'>;

/** @returns null where the text alone has decided nothing. */
async function take(
  core: Core,
  session: SimulatedSession,
  number: string,
  { sender, body }: WrittenSms,
  receivedAtMs: number,
): Promise<SimulationResult | null> {
  const message = { id: 'played', sender, body, receivedAtMs, simSlot: null };
  const { settled, parts, reviewed } = await takeSms(core, {
    merchantId: session.merchant_id,
    source: { kind: 'played' },
    messages: [message],
    recipientOf: () => number,
  });
  if (settled.includes(session.id)) return { outcome: 'completed', about: null };
  if (parts.includes(session.id)) return { outcome: 'part', about: null };
  return reviewed.includes(session.id) ? { outcome: 'under_review', about: null } : null;
}

/** Claims the money as the customer on the page, or the shop, would. */
async function claim(
  core: Core,
  session: SimulatedSession,
  channel: MfsChannel,
  { trxId }: WrittenSms,
  play: Scenario,
): Promise<SimulationResult> {
  if (play === 'unclaimed') return { outcome: 'waiting', about: null };
  const brand = await brandContext(core, session.brand_id);
  const question = { brand, sessionId: session.id, method: channel, reference: trxId } as const;
  const verdict = await decideClaim(core, { ...question, source: 'customer' });
  switch (verdict.outcome) {
    case 'completed':
    case 'part':
    case 'under_review':
      return { outcome: verdict.outcome, about: null };
    case 'disagrees':
      return { outcome: 'refused', about: verdict.about };
    default:
      return { outcome: 'waiting', about: null };
  }
}
