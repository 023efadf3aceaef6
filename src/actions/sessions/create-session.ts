/**
 * Creates a payment session for a brand, hosted or headless. A shop that did not receive the response repeats
 * the request with the same idempotency key, and gets the payment that it created the first time, in its
 * current state.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { newGatewayReference, newPaymentReference, newSessionId } from '../../base/values/ids.js';
import type { Paisa } from '../../base/values/money.js';
import { storableText } from '../../base/values/text.js';
import type { MethodEntry } from '../../channels/channel.js';
import { describeMethods } from '../../channels/index.js';
import type { Settings } from '../../config/settings.js';
import { isOnChain } from '../../domain/accounts/channels.js';
import type { OrderItem } from '../../domain/sessions/order-items.js';
import type { ReturnMethod } from '../../domain/sessions/redirect.js';
import { MAX_SESSION_PAISA, MIN_SESSION_PAISA } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { insertSession, nameSession } from '../../store/tables/sessions.js';
import type { BrandContact, BrandContext } from '../brands/brand-context.js';
import type { BrandAccount } from '../core/account-cache.js';
import type { Core } from '../core/core.js';
import { answerOnce } from '../input/idempotency.js';
import { chooseAccounts, hasChoice, lockChoice } from './choose-accounts.js';
import { asksForMore, NO_QUOTES, quoteAmounts, type SessionQuotes } from './quote-session.js';

/**
 * Return addresses and webhook of a hosted payment; the addresses are validated before
 * (actions/input/fields).
 */
export interface HostedReturn {
  /** Address after success; null, like `cancelUrl`, without a shop: the customer stays on the checkout. */
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  /** Null means the brand's own address. */
  readonly webhookUrl: string | null;
  readonly returnType: ReturnMethod;
}

export interface CreateSession {
  readonly brand: BrandContext;
  /** Null for a headless session. */
  readonly hosted: HostedReturn | null;
  readonly cusName: string;
  /** Empty where the customer gave none. */
  readonly cusEmail: string;
  readonly amountPaisa: Paisa;
  /** JSON text of the merchant's object (domain/sessions/payment-record), or null. */
  readonly metaJson: string | null;
  /** Order lines that add up to the amount; none by default. */
  readonly items?: readonly OrderItem[];
  /** Text for the customer; empty by default. */
  readonly description?: string;
  /** True if several proofs may pay it together; default: as the brand has it. */
  readonly takesParts?: boolean | undefined;
  /** Rest of the order that is due on delivery, in addition to `amountPaisa`; default 0. */
  readonly deliveryPaisa?: Paisa;
  /** Address at which the caller reached this service, with base path; default: that of the settings. */
  readonly publicBase?: string;
  /**
   * True if the caller has not authenticated with a key: no amount is held for the session until its customer
   * requests one (quote-session).
   */
  readonly holdsNothing?: boolean;
  /** Writes related rows in the same database transaction; if it throws, no session is created. */
  readonly alongside?: (db: Db, session: string) => Promise<void>;
  /** Idempotency key: for 24 hours, the same key, order and brand return the same session (`answerOnce`). */
  readonly idempotencyKey?: string | undefined;
}

export interface CreatedSession {
  readonly id: string;
  readonly gatewayReference: string;
  /** Reference that the payer may write into the wallet's field; null in the rare case that none is free. */
  readonly paymentReference: string | null;
  readonly brand: BrandContact;
  readonly methods: readonly MethodEntry[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** @throws KashboxError `amount_out_of_range`, `idempotency_conflict`, and what `alongside` throws */
export async function createSession(core: Core, input: CreateSession): Promise<CreatedSession> {
  const { brand, hosted, amountPaisa, items = [], description = '' } = input;
  const flow = hosted === null ? 'headless' : 'hosted';
  if (amountPaisa < MIN_SESSION_PAISA[flow] || amountPaisa > MAX_SESSION_PAISA) {
    throw new KashboxError('amount_out_of_range');
  }
  const timed = { brand_id: brand.brandId, accounts_stamp: brand.accountsVersion };
  // Before they are read: an account that is disabled meanwhile was shown to a payment from before.
  const now = core.clock.now();
  const accounts = await core.store.read((db) => core.accounts.of(db, timed));
  const id = newSessionId(core.random);
  const gatewayReference = newGatewayReference(core.random);
  const expiresAt = now + brand.sessionMinutes * 60_000;
  const fees = hosted === null || brand.fees === '{}' ? null : brand.fees;
  const row = {
    id,
    brand_id: brand.brandId,
    gateway_reference: gatewayReference,
    flow,
    status: 'PENDING',
    reason: 'initiated',
    cus_name: storableText(input.cusName),
    cus_email: storableText(input.cusEmail),
    amount_paisa: amountPaisa,
    meta_data: input.metaJson,
    items: items.length === 0 ? null : JSON.stringify(items),
    description: storableText(description) || null,
    misses: 0,
    created_at: now,
    expires_at: expiresAt,
    closed_at: null,
    success_url: hosted?.successUrl ?? null,
    cancel_url: hosted?.cancelUrl ?? null,
    webhook_url: hosted?.webhookUrl ?? null,
    return_type: hosted?.returnType ?? null,
    fees,
    takes_parts: (input.takesParts ?? brand.takesParts) ? 1 : 0,
    delivery_paisa: input.deliveryPaisa ?? 0,
  } as const;
  const { name, mobile, whatsapp, email } = brand;
  let soldOut: SessionQuotes['soldOut'] = [];
  const answer = (opened: OpenedSession): CreatedSession => {
    soldOut = opened.soldOut;
    return {
      id,
      gatewayReference,
      paymentReference: opened.paymentReference,
      brand: { name, mobile, whatsapp, email },
      methods: describeMethods(opened.shown, opened.quotedAmounts),
      expiresAt,
    };
  };
  const created = await openWith(core, input, row, accounts, answer);
  for (const account of soldOut) core.soldOut.tell(account);
  return created;
}

async function openWith(
  core: Core,
  input: CreateSession,
  row: NewSession,
  accounts: readonly BrandAccount[],
  answer: (opened: OpenedSession) => CreatedSession,
): Promise<CreatedSession> {
  const { alongside, idempotencyKey: key } = input;
  if (key === undefined && alongside === undefined && !asksForMore(accounts) && !hasChoice(accounts)) {
    return answer({ ...(await openPlain(core, row)), shown: accounts });
  }
  return core.store.write(async (db) => {
    const open = async () => answer(await openQuoted(core, db, input, row, accounts));
    if (key === undefined) return open();
    const { brandId } = input.brand;
    return answerOnce(db, { scope: brandId, key, request: repeatedFields(input), now: row.created_at }, open);
  });
}

type NewSession = Omit<Parameters<typeof insertSession>[1], 'payment_reference'>;

interface OpenedSession extends SessionQuotes {
  readonly paymentReference: string | null;
  /** Accounts that its customer is shown. */
  readonly shown: readonly BrandAccount[];
}

/** Creates a session that needs only taka and has no choice of numbers, which is a single row. */
async function openPlain(core: Core, row: NewSession): Promise<Omit<OpenedSession, 'shown'>> {
  const reference = referenceFor(core, 1);
  const isNamed = await core.store.write((db) => insertSession(db, named(row, reference)));
  // Rarely: a session without a reference is paid by transaction ids alone.
  const paymentReference = isNamed ? reference : await core.store.write((db) => nameLater(core, db, row));
  return { paymentReference, ...NO_QUOTES };
}

async function openQuoted(
  core: Core,
  db: Db,
  { brand, publicBase = baseOf(core.settings), alongside, holdsNothing }: CreateSession,
  row: NewSession,
  accounts: readonly BrandAccount[],
): Promise<OpenedSession> {
  const { id, gateway_reference: gatewayReference, expires_at: expiresAt, fees, amount_paisa } = row;
  const unpaid = { fees: fees ?? null, amount_paisa, paid_paisa: 0, paid_fee_paisa: 0 };
  const reference = referenceFor(core, 1);
  await lockChoice(db, brand.merchantId, accounts);
  const isNamed = await insertSession(db, named(row, reference));
  const paymentReference = isNamed ? reference : await nameLater(core, db, row);
  // Before the quotes: only what is shown has an amount or a code.
  const choosing = { session: { ...row, ...unpaid }, brand };
  const shown = await chooseAccounts(core, db, choosing, accounts);
  const quotes = await quoteAmounts(core, db, {
    session: { id, gatewayReference, paymentReference, expiresAt, ...unpaid },
    brandId: brand.brandId,
    merchantId: brand.merchantId,
    accounts: holdsNothing ? shown.filter(({ channel }) => !isOnChain(channel)) : shown,
    publicBase,
  });
  await alongside?.(db, id);
  return { paymentReference, shown, ...quotes };
}

/** Number of short references tried. If all are in use, the busy merchant gets longer ones. */
const SHORT_TRIES = 3;
const TRIES = 12;

const referenceFor = (core: Core, attempt: number) =>
  newPaymentReference(core.random, attempt <= SHORT_TRIES ? 5 : 6);

const named = (row: NewSession, reference: string) => ({ ...row, payment_reference: reference });

/** @returns the reference of a session whose first one was in use; null in the case that none was free. */
async function nameLater(core: Core, db: Db, row: NewSession): Promise<string | null> {
  for (let attempt = 2; attempt <= TRIES; attempt += 1) {
    const reference = referenceFor(core, attempt);
    if (await nameSession(db, named(row, reference))) return reference;
  }
  return null;
}

/** Base address of this installation's daemon, as far as a command can know it. */
function baseOf({ publicUrl, host, port, basePath }: Settings): string {
  const origin = publicUrl === '' ? `https://${host.includes(':') ? `[${host}]` : host}:${port}` : publicUrl;
  return `${origin}${basePath}`;
}

/** @returns the fields of a request that must be equal for it to count as a repetition. */
function repeatedFields(input: CreateSession): object {
  const { hosted, cusName, cusEmail, amountPaisa, metaJson, items = [], description = '' } = input;
  const { takesParts = null, deliveryPaisa = 0 } = input;
  const meta: unknown = metaJson === null ? null : JSON.parse(metaJson);
  return { hosted, cusName, cusEmail, amountPaisa, meta, items, description, takesParts, deliveryPaisa };
}
