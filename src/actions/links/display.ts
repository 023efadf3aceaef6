/**
 * The display of a payment link at a counter: the one payment that it shows, until the cashier or the shop's
 * program clears it. What it shows is in the store, so that a tablet may be restarted at any time.
 */
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { DISPLAY_KEY, LINK_ID } from '../../base/values/ids.js';
import type { Paisa } from '../../base/values/money.js';
import { type AmountFault, type LinkState, linkMeta, parseLinkAmount } from '../../domain/links/link.js';
import { DEFAULT_CUSTOMER, isOpen, PLACEHOLDER_EMAIL } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import {
  changeLink,
  displayedSession,
  displayWithBrand,
  insertLinkPayment,
  type LinkWithBrand,
  linkWithBrand,
  lockLink,
} from '../../store/tables/links.js';
import { creditedProof } from '../../store/tables/proofs.js';
import type { Core } from '../core/core.js';
import { cancelSession } from '../sessions/cancel-session.js';
import { type CreatedSession, createSession } from '../sessions/create-session.js';
import { type Checkout, loadCheckout } from '../sessions/load-checkout.js';
import { type OverBudget, useBudget } from '../strangers/use-budget.js';
import { freshState, type Link, linkOf } from './open-link-payment.js';

/** A display as its page shows it. */
export interface Display {
  readonly link: Link;
  /** Null at the start. */
  readonly payment: Checkout | null;
  /** Last four digits of the number that paid, where the report of the money shows them. */
  readonly payerEnd: string | null;
}

/** Loads a display by the key in its address. Writes nothing. @returns null for an unknown key. */
export async function loadDisplay(core: Core, key: string): Promise<Display | null> {
  if (!DISPLAY_KEY.test(key)) return null;
  const row = await core.store.read((db) => displayWithBrand.first(db, { hash: hashKey(key) }));
  return row === undefined ? null : displayOf(core, row);
}

async function displayOf(core: Core, row: LinkWithBrand): Promise<Display> {
  const link = await core.store.read((db) => linkOf(db, row, core.clock.now()));
  const payment = row.display_session === null ? null : await loadCheckout(core, row.display_session);
  return { link, payment, payerEnd: payment?.paid ? await payerEndOf(core, payment.id) : null };
}

async function payerEndOf(core: Core, session: string): Promise<string | null> {
  const proof = await core.store.read((db) => creditedProof.first(db, { session }));
  return /\d{4}$/.exec(proof?.payer?.trim() ?? '')?.[0] ?? null;
}

/**
 * @param id of a link. @param brandId brand that must own it; undefined for an operator.
 * @throws KashboxError `not_found`, the same for other brands' displays
 */
export async function requireDisplay(core: Core, id: string, brandId?: string): Promise<Link> {
  const link = await core.store.read(async (db) => {
    const row = LINK_ID.test(id) ? await linkWithBrand.first(db, { id }) : undefined;
    if (row === undefined || row.display_hash === null) return null;
    const isOwn = brandId === undefined || row.brand_id === brandId;
    return isOwn ? linkOf(db, row, core.clock.now()) : null;
  });
  if (link !== null) return link;
  throw new KashboxError('not_found', {
    message: 'This counter display does not exist',
    hint: 'Create one: kashbox links create --display --brand NAME',
  });
}

/** Notifies open pages of a display that it has changed. */
export const reportDisplay = ({ moved }: Pick<Core, 'moved'>, link: string) => moved.tell(link);

interface ShowOnDisplay {
  /** Link as loaded for this request. */
  readonly link: Link;
  readonly amountPaisa: Paisa;
  readonly description?: string;
  /** Base URL at which this service was reached. */
  readonly publicBase: string;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Opens a payment and shows it.
 * @throws KashboxError `amount_out_of_range`; `state_refused` while another payment is open there, or the
 * link takes none; `idempotency_conflict`
 */
export async function showOnDisplay(core: Core, input: ShowOnDisplay): Promise<CreatedSession> {
  const { link, amountPaisa, publicBase, description = '', idempotencyKey } = input;
  const { minPaisa, maxPaisa, brand } = link;
  if (amountPaisa < minPaisa || amountPaisa > maxPaisa) throw new KashboxError('amount_out_of_range');
  const created = await createSession(core, {
    brand,
    hosted: { successUrl: null, cancelUrl: null, webhookUrl: null, returnType: brand.returnType },
    cusName: DEFAULT_CUSTOMER,
    cusEmail: PLACEHOLDER_EMAIL,
    amountPaisa,
    deliveryPaisa: link.deliveryPaisa,
    // A display shows one code for one amount, and the next customer waits.
    takesParts: false,
    metaJson: linkMeta(link.id, new Map()),
    description,
    publicBase,
    idempotencyKey,
    // Nobody at a counter pays in USDT by the address on a display.
    holdsNothing: true,
    alongside: (db, session) => putOnDisplay(core, db, link, session),
  });
  reportDisplay(core, link.id);
  return created;
}

async function putOnDisplay(core: Core, db: Db, { id, brand }: Link, session: string): Promise<void> {
  await lockLink(db, id);
  const now = core.clock.now();
  const state = await freshState(db, id, now);
  if (state !== 'ACTIVE') {
    throw new KashboxError('state_refused', {
      message: `The counter display takes no payments: it is ${state}`,
      hint: `See it: kashbox links show ${id}`,
    });
  }
  const shown = await displayedSession.first(db, { link: id });
  if (shown !== undefined && isBusy(shown, now)) {
    throw new KashboxError('state_refused', {
      message: `The counter display shows payment ${shown.gateway_reference}, which is still open`,
      hint: 'Wait until it is paid, or cancel it: POST /api/v2/display/clear',
    });
  }
  const expiresAt = now + brand.sessionMinutes * 60_000;
  await insertLinkPayment(db, { session_id: session, link_id: id, opener: session, expires_at: expiresAt });
  await changeLink(db, id, { display_session: session });
}

type DisplayedSession = NonNullable<Awaited<ReturnType<typeof displayedSession.first>>>;

/** A customer may be paying it. What is under review, they have paid. */
const isBusy = (shown: DisplayedSession, now: number) => shown.reason !== 'review' && isOpen(shown, now);

type Typed =
  /** Also where another payment was opened in between: the display shows that. */
  | { readonly outcome: 'shown' }
  | { readonly outcome: 'fault'; readonly fault: AmountFault }
  | { readonly outcome: 'closed'; readonly state: Exclude<LinkState, 'ACTIVE'> }
  | OverBudget;

/** Opens the payment whose amount a cashier has typed; anyone with the display's address can. */
export async function typeOnDisplay(
  core: Core,
  { link, typed, publicBase }: { readonly link: Link; readonly typed: string; readonly publicBase: string },
): Promise<Typed> {
  if (link.state !== 'ACTIVE') return { outcome: 'closed', state: link.state };
  const amount = parseLinkAmount(link, typed);
  if (!amount.ok) return { outcome: 'fault', fault: amount.fault };
  const { brandId, merchantId } = link.brand;
  // Per display, since a shop's counters may share one address.
  const stranger = { brandId, merchantId, link: link.id, addressMark: null };
  const over = await core.store.write((db) => useBudget(core, db, 'payments', stranger));
  if (over !== null) return over;
  try {
    await showOnDisplay(core, { link, amountPaisa: amount.paisa, publicBase });
  } catch (error) {
    if (!isKashboxError(error, 'state_refused')) throw error;
  }
  return { outcome: 'shown' };
}

/**
 * Clears a display, and cancels its payment if that is open.
 * @param who `display` or `api`, for the audit log.
 * @returns the reference of the payment that was cancelled; null if none was open.
 */
export async function clearDisplay(core: Core, link: Link, who: string): Promise<string | null> {
  const shown = await core.store.read((db) => displayedSession.first(db, { link: link.id }));
  const isCancelled = shown !== undefined && (await cancelSession(core, shown.id, who));
  await leaveDisplay(core, link, shown?.id);
  return isCancelled ? shown.gateway_reference : null;
}

/** Goes back to the start, unless the payment is open. @param only session that must be the shown one. */
export async function leaveDisplay(core: Core, { id }: Link, only?: string): Promise<void> {
  await core.store.write(async (db) => {
    await lockLink(db, id);
    const shown = await displayedSession.first(db, { link: id });
    if (shown !== undefined && only !== undefined && shown.id !== only) return;
    if (shown === undefined || !isBusy(shown, core.clock.now())) {
      await changeLink(db, id, { display_session: null });
    }
  });
  reportDisplay(core, id);
}
