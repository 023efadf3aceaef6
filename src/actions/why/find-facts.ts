/** Loads facts about payments and money, from which a cause is found. */
import type { Paisa } from '../../base/values/money.js';
import { type PayChannel, QR } from '../../domain/accounts/channels.js';
import { deviceState } from '../../domain/devices/device-state.js';
import { dueOn, restOf } from '../../domain/sessions/fees.js';
import { statusAt } from '../../domain/sessions/session.js';
import type { MoneyFacts, PaymentCase, PaymentFacts, PhoneFacts, SentFacts } from '../../domain/why/cause.js';
import { amountSpellings, canBeNamed, namesId, tellsAmount } from '../../domain/why/naming.js';
import type { Db } from '../../store/schema/index.js';
import { listedDevices, listSims } from '../../store/tables/devices.js';
import { textsHolding, textsWithoutAmount } from '../../store/tables/sms.js';
import {
  accountsForWhy,
  chosenForWhy,
  claimsForWhy,
  gapsForWhy,
  newestMoney,
  outsideForWhy,
  pushesForWhy,
  sentForWhy,
  sessionsForWhy,
  smsForWhy,
  sourcesOfReferences,
  sumsForWhy,
  type WhySession,
} from '../../store/tables/why.js';
import { parseReviewReasons } from './format-reasons.js';

/** Money with whose it is. */
export type OwnedMoney = MoneyFacts & { readonly merchant_id: string };

/** Fields that identify a text or push, before all of it is loaded. */
export interface MoneyBrief {
  readonly reference: string | null;
  readonly amount_paisa: number | null;
  readonly payer: string | null;
  readonly kind: string;
  /** Null for a text of no wallet. */
  readonly channel: PayChannel | null;
}

/** Maximum number of SMS or pushes: more than that do not help a reader. */
const MAX_MONEY = 50;

/**
 * @param given.references references to look up, regardless of age.
 * @param given.merchants ids of the merchants.
 * @param given.fits selects further money among the newest SMS and pushes.
 * @returns money, newest first.
 */
export async function findMoney(
  db: Db,
  given: {
    readonly merchants: readonly string[];
    readonly references: readonly string[];
    readonly since: number;
    readonly fits: (money: MoneyBrief) => boolean;
    /** Amount to look for in texts from which no amount was parsed. */
    readonly told?: Paisa | null;
  },
): Promise<OwnedMoney[]> {
  const { merchants, references, since, fits, told = null } = given;
  const spellings = [...new Set(references.flatMap((one) => [one, one.toUpperCase(), one.toLowerCase()]))];
  const named = await sourcesOfReferences(db, merchants, spellings);
  const newest = await newestMoney(db, merchants, since);
  const sms = newest.sms.filter(fits).slice(0, MAX_MONEY);
  const pushes = newest.pushes
    .filter((push) => fits({ ...push, kind: 'bank_push', channel: QR }))
    .slice(0, MAX_MONEY);
  const sources = named.map(({ source_id }) => source_id);
  const naming = await findNaming(db, { merchants, references, since });
  const telling = told === null ? [] : await findTelling(db, { merchants, since, paisa: told });
  const ids = [...sms.map(({ id }) => id), ...sources, ...naming.keys(), ...telling];
  const smsFound = (await smsMoney(db, ids)).map((one) => ({
    ...one,
    reference: one.reference ?? naming.get(one.id) ?? null,
  }));
  const pushesFound = await pushMoney(db, [...pushes.map(({ id }) => id), ...sources]);
  const known = new Set([...smsFound, ...pushesFound].map(({ id }) => id));
  const outside = named.filter(({ source_id }) => !known.has(source_id)).map(({ id }) => id);
  return [...smsFound, ...pushesFound, ...(await outsideMoney(db, outside))].sort((a, b) => b.at - a.at);
}

/**
 * Finds texts that name an id and are not money, such as forgeries; returns that id by the id of the SMS.
 * @param given.since milliseconds since the epoch; only a limited number of the newest texts is searched.
 */
async function findNaming(
  db: Db,
  given: { readonly merchants: readonly string[]; readonly references: readonly string[]; since: number },
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(given.references.filter(canBeNamed).map((one) => one.toUpperCase()))];
  const texts = await textsHolding(db, { ...given, words: ids });
  const named = texts.flatMap(({ id, body }) => {
    const found = ids.find((one) => namesId(body, one));
    return found === undefined ? [] : [[id, found] as const];
  });
  return new Map(named.slice(0, MAX_MONEY));
}

/** Finds ids of unparsed texts that contain this amount, such as texts of a bank or a QR payment. */
async function findTelling(
  db: Db,
  { paisa, ...given }: { readonly merchants: readonly string[]; readonly since: number; paisa: Paisa },
): Promise<string[]> {
  const texts = await textsWithoutAmount(db, { ...given, words: amountSpellings(paisa) });
  return texts.flatMap(({ id, body }) => (tellsAmount(body, paisa) ? [id] : [])).slice(0, MAX_MONEY);
}

async function smsMoney(db: Db, ids: readonly string[]): Promise<OwnedMoney[]> {
  const rows = ids.length === 0 ? [] : await smsForWhy(db, [...new Set(ids)]);
  const outgoing = rows.flatMap(({ kind, reference }) =>
    kind === 'outgoing' && reference !== null ? [reference] : [],
  );
  const transfers = outgoing.length === 0 ? [] : await sentForWhy(db, outgoing);
  return rows.map(({ proof_at, received_at, reasons, disputed_by, ...row }) => ({
    ...row,
    ...sentAs(row, transfers),
    source: 'sms' as const,
    doubts: row.settle === 'review' ? parseReviewReasons(reasons) : [],
    disputed: disputed_by !== null,
    at: proof_at ?? received_at,
  }));
}

/** @returns what is known of the transfer that an outgoing text reports. */
function sentAs(
  row: Pick<Awaited<ReturnType<typeof smsForWhy>>[number], 'kind' | 'merchant_id' | 'channel' | 'reference'>,
  transfers: Awaited<ReturnType<typeof sentForWhy>>,
): { readonly sent?: SentFacts } {
  const { kind, merchant_id, channel, reference } = row;
  const found = transfers.find(
    (one) => one.merchant_id === merchant_id && one.channel === channel && one.reference === reference,
  );
  if (kind !== 'outgoing' || found === undefined) return {};
  const { payee, reason, closed_as, closed_note, refund, payment } = found;
  return { sent: { payee, reason, closed_as, closed_note, refund, payment } };
}

async function pushMoney(db: Db, ids: readonly string[]): Promise<OwnedMoney[]> {
  const rows = ids.length === 0 ? [] : await pushesForWhy(db, [...new Set(ids)]);
  return rows.map(({ proof_at, received_at, state, settle, disputed_by, ...row }) => ({
    ...row,
    sender: null,
    doubts: [],
    disputed: disputed_by !== null,
    closed: null,
    source: 'push',
    channel: QR,
    recipient: null,
    kind: 'bank_push',
    // What the bank does not call settled is no money yet.
    settle: state === 'SETTLED' ? (settle ?? 'auto') : 'never',
    at: proof_at ?? received_at,
    stored_at: received_at,
    device: null,
  }));
}

async function outsideMoney(db: Db, proofIds: readonly string[]): Promise<OwnedMoney[]> {
  const rows = proofIds.length === 0 ? [] : await outsideForWhy(db, proofIds);
  return rows.map(({ created_at, disputed_by, ...row }) => ({
    ...row,
    sender: null,
    doubts: [],
    disputed: disputed_by !== null,
    closed: null,
    source: 'outside',
    stored_at: created_at,
    device: null,
  }));
}

function paymentFacts(session: WhySession, now: number): PaymentFacts {
  const { id, gateway_reference, brand, amount_paisa, cus_name, created_at, expires_at, closed_at } = session;
  const { channel, transaction_id, paid_paisa } = session;
  const due_paisa = session.status === 'COMPLETED' ? 0 : restOf(session);
  const told = statusAt(session, now);
  return {
    ...{ id, gateway_reference, brand, ...told, amount_paisa, cus_name, created_at, expires_at, closed_at },
    ...{ channel, transaction_id, paid_paisa, due_paisa },
  };
}

/** Phones that are not revoked. @param merchants whose; null for all. */
export async function findPhones(
  db: Db,
  merchants: readonly string[] | null,
  now: number,
): Promise<(PhoneFacts & { readonly merchant_id: string })[]> {
  const rows = (await listedDevices(db, null)).filter(
    ({ revoked_at, merchant_id }) =>
      revoked_at === null && (merchants === null || merchants.includes(merchant_id)),
  );
  const sims = await listSims(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, merchant_id, name, last_seen_at, problem, queued }) => ({
    ...{ merchant_id, name, last_seen_at, problem, queued },
    state: deviceState(false, last_seen_at, now),
    numbers: sims.filter(({ device_id }) => device_id === id).map(({ number }) => number),
  }));
}

/** A case with the identifiers that only the store knows. */
export interface FoundCase {
  readonly brandId: string;
  readonly merchantId: string;
  /** Case without its money, which is loaded once all cases are known. */
  readonly about: Omit<PaymentCase, 'money'>;
}

/** @returns those of that session, without its id. */
function rowsOf<Row extends { readonly session_id: string | null }>(
  { id }: WhySession,
  rows: readonly Row[],
) {
  return rows.filter(({ session_id }) => session_id === id).map(({ session_id: _, ...row }) => row);
}

/** Payments with their claims, reviews, accounts, gaps and phones; the newest payment first. */
export async function findCases(db: Db, ids: readonly string[], now: number): Promise<FoundCase[]> {
  if (ids.length === 0) return [];
  const sessions = await sessionsForWhy(db, ids);
  const merchants = [...new Set(sessions.map(({ merchant_id }) => merchant_id))];
  const brands = [...new Set(sessions.map(({ brand_id }) => brand_id))];
  const { claims, reviews } = await claimsForWhy(db, ids);
  const { credits, refunds } = await sumsForWhy(db, ids);
  const accounts = await accountsForWhy(db, brands);
  const chosen = await chosenForWhy(db, ids);
  const gaps = await gapsForWhy(db, merchants);
  const phones = await findPhones(db, merchants, now);
  return sessions.map((session) => ({
    brandId: session.brand_id,
    merchantId: session.merchant_id,
    about: {
      payment: paymentFacts(session, now),
      claims: rowsOf(session, claims).map((claim) => ({
        ...claim,
        payment: session.gateway_reference,
        due_paisa: dueOn(claim.channel, session).totalPaisa,
      })),
      reviews: rowsOf(session, reviews),
      credits: rowsOf(session, credits),
      refunds: rowsOf(session, refunds),
      accounts: accounts
        .filter(({ brand_id }) => brand_id === session.brand_id)
        .map(({ id, channel, type, number }) => ({
          ...{ channel, number },
          isHidden: chosen.some(
            (one) =>
              one.session_id === session.id && one.channel === channel && one.type === type && one.id !== id,
          ),
        })),
      gaps: gaps
        .filter(({ merchant_id }) => merchant_id === session.merchant_id)
        .map(({ merchant_id: _, ...gap }) => gap),
      phones: phones
        .filter(({ merchant_id }) => merchant_id === session.merchant_id)
        .map(({ merchant_id: _, ...phone }) => phone),
      window_hours: session.window_hours,
    },
  }));
}
