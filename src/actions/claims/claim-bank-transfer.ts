/** Records a customer's claim of a bank transfer, with the uploaded slip; an operator confirms it. */
import { createHash } from 'node:crypto';
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId } from '../../base/values/ids.js';
import { BANK } from '../../domain/accounts/channels.js';
import { parseBankReference } from '../../domain/matching/reference.js';
import { MAX_SLIP_BYTES, type SlipType, slipType } from '../../domain/reviews/slip.js';
import type { Db } from '../../store/schema/index.js';
import { type HostedSession, hostedSession } from '../../store/tables/checkout.js';
import {
  insertSlip,
  markSlip,
  putReview,
  reviewsOfSession,
  takeSlipRoom,
} from '../../store/tables/reviews.js';
import { lockSession } from '../../store/tables/sessions.js';
import { raiseAlert, raiseReviewAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';
import { loadCheckout } from '../sessions/load-checkout.js';
import { putUnderReview } from '../sessions/transition-session.js';
import { recordClaim } from '../settlement/record-claim.js';
import type { OverBudget } from '../strangers/use-budget.js';
import { useForVerification } from './decide-claim.js';

interface ClaimBankTransfer {
  readonly sessionId: string;
  /** The bank's reference of the transfer, as typed. */
  readonly text: string;
  /** Complete picture or PDF; null if the customer uploaded none. */
  readonly slip: Buffer | null;
  /** Keyed hash of the customer's IP address; absent if the address is unknown. */
  readonly addressMark?: string | undefined;
}

export type BankClaimed =
  /** `slip` is null where none came, or one was kept before. */
  | { readonly outcome: 'under_review'; readonly brand: string; readonly slip: SlipResult | null }
  | { readonly outcome: 'completed' }
  | { readonly outcome: 'no_reference' }
  | OverBudget
  /** Neither PNG nor JPEG nor PDF, or more than 2 MiB. */
  | { readonly outcome: 'slip_unreadable' | 'slip_too_large' }
  | { readonly outcome: 'too_many_attempts' | 'method_unavailable' | 'over' };

/** Limit of different transfers claimed for one payment. */
const MAX_CLAIMS = 5;

/**
 * Records the claim. The session stays PENDING and does not expire until the manual verification is decided.
 * A slip that exceeds the brand's daily limit is not stored, but the claim is.
 */
export async function claimBankTransfer(core: Core, input: ClaimBankTransfer): Promise<BankClaimed> {
  const reference = parseBankReference(input.text);
  if (reference === null) return { outcome: 'no_reference' };
  const { slip } = input;
  if (slip !== null && slip.length > MAX_SLIP_BYTES) return { outcome: 'slip_too_large' };
  const mediaType = slip === null ? null : slipType(slip);
  if (slip !== null && mediaType === null) return { outcome: 'slip_unreadable' };
  const checkout = await loadCheckout(core, input.sessionId);
  if (checkout === null) return { outcome: 'over' };
  if (checkout.state === 'completed') return { outcome: 'completed' };
  if (!checkout.takes.includes(BANK)) {
    return { outcome: checkout.takes.length === 0 ? 'over' : 'method_unavailable' };
  }
  const { addressMark = null } = input;
  const newSlip = slip !== null && mediaType !== null ? { bytes: slip, mediaType } : null;
  const kept = { reference, slip: newSlip, addressMark };
  const claimed = await core.store.write((db) => keep(core, db, checkout.id, kept));
  if (claimed.outcome === 'under_review') core.moved.tell(checkout.id);
  return claimed;
}

interface Transfer {
  readonly reference: string;
  readonly slip: NewSlip | null;
  readonly addressMark: string | null;
}

async function keep(
  core: Core,
  db: Db,
  sessionId: string,
  { reference, slip, addressMark }: Transfer,
): Promise<BankClaimed> {
  // The same form sent twice at once is one claim, and claims sent at once are counted.
  await lockSession(db, sessionId);
  const session = await hostedSession.first(db, { id: sessionId });
  if (session === undefined) return { outcome: 'over' };
  if (session.status === 'COMPLETED') return { outcome: 'completed' };
  if (session.status === 'FAILED' && session.reason === 'rejected') return { outcome: 'over' };
  const now = core.clock.now();
  const known = (await reviewsOfSession(db, session.id)).filter((review) => review.channel === BANK);
  const same = known.find((review) => review.reference === reference);
  if (same?.state === 'REJECTED') return { outcome: 'over' };
  if (same === undefined && known.length >= MAX_CLAIMS) return { outcome: 'too_many_attempts' };
  const customer = { session: session.id, brandId: session.brand_id, merchantId: session.merchant_id };
  const over = same ? null : await useForVerification(core, db, { ...customer, addressMark });
  if (over !== null) return over;
  const id = same?.id ?? newRowId(core.random, now, 'review');
  if (same === undefined) await open(core, db, session, id, reference);
  const brand = { id: session.brand_id, name: session.brand_name, merchantId: session.merchant_id };
  const isNew = slip !== null && same?.slip !== 'kept';
  const outcome = isNew ? await keepSlip(core, db, { review: id, brand }, slip) : null;
  return { outcome: 'under_review', brand: brand.id, slip: outcome };
}

async function open(
  core: Core,
  db: Db,
  session: HostedSession,
  review: string,
  reference: string,
): Promise<void> {
  const now = core.clock.now();
  const reason = 'bank_transfer' as const;
  const claim = { session: session.id, channel: BANK, reference, reason } as const;
  await putReview.first(db, { ...claim, id: review, proof: null, now });
  await raiseReviewAlert(core, db, { ...claim, id: review });
  await recordClaim(core, db, { ...claim, merchant: session.merchant_id, state: 'REVIEW' });
  await putUnderReview(core, db, session, 'customer', { reason, channel: BANK, reference });
}

const MIB = 1024 * 1024;

interface NewSlip {
  readonly bytes: Buffer;
  readonly mediaType: SlipType;
}

/** Owner of a slip: the verification, and the brand that the customer pays. */
interface SlipOwner {
  readonly review: string;
  readonly brand: { readonly id: string; readonly name: string; readonly merchantId: string };
}

/** `room_ended`: there was no room either, and this was the first slip of that day without any. */
type SlipResult = 'kept' | 'no_room' | 'room_ended';

/**
 * Anyone may upload, so there is a daily limit: above it the claim has no slip, and operators get an alert.
 */
async function keepSlip(core: Core, db: Db, owner: SlipOwner, slip: NewSlip): Promise<SlipResult> {
  const { review, brand } = owner;
  const { slipMibADay } = core.settings;
  const now = core.clock.now();
  const day = dhakaIso(now).slice(0, 10);
  const room = { brand: brand.id, day, bytes: slip.bytes.length, mostBytes: slipMibADay * MIB };
  if (!(await takeSlipRoom(db, room))) {
    await markSlip(db, [review], 'no_room');
    const told = await raiseAlert(core, db, {
      kind: 'slips.full',
      merchantId: brand.merchantId,
      incident: `slips.full:${brand.id}:${day}`,
      detail: { brand: brand.name, day, mib: slipMibADay },
    });
    return told === 'raised' ? 'room_ended' : 'no_room';
  }
  await insertSlip(db, {
    review_id: review,
    media_type: slip.mediaType,
    bytes: slip.bytes.length,
    sha256: createHash('sha256').update(slip.bytes).digest('hex'),
    content: slip.bytes.toString('base64'),
    created_at: now,
  });
  await markSlip(db, [review], 'kept');
  return 'kept';
}
