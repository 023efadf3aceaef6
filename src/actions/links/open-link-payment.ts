/** A payment link as its page shows it, and the payment that is opened when somebody presses its button. */
import { LINK_ID } from '../../base/values/ids.js';
import type { Paisa } from '../../base/values/money.js';
import type { PictureFacts } from '../../domain/brands/picture.js';
import {
  type AmountFault,
  type LinkAmounts,
  type LinkField,
  type LinkState,
  type LinkValues,
  linkMeta,
  linkStateAt,
  openerMark,
  parseFieldValue,
  parseLinkAmount,
  parseLinkFields,
  type ValueFault,
} from '../../domain/links/link.js';
import {
  parseQuantity,
  parseSuggestedColumn,
  QUANTITY,
  type QuantityFault,
} from '../../domain/links/quantity.js';
import { DEFAULT_CUSTOMER, PLACEHOLDER_EMAIL } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import {
  findOpenLinkPayment,
  insertLinkPayment,
  type LinkWithBrand,
  linkFacts,
  linkWithBrand,
  lockLink,
  paidByLink,
} from '../../store/tables/links.js';
import { type BrandContext, toBrandContext } from '../brands/brand-context.js';
import { type BrandTheme, pictureFacts } from '../brands/brand-theme.js';
import type { Core } from '../core/core.js';
import { createSession } from '../sessions/create-session.js';
import { type OverBudget, useBudget } from '../strangers/use-budget.js';

export interface Link extends LinkAmounts {
  readonly id: string;
  /** Empty where the seller said nothing. */
  readonly title: string;
  /** With line breaks; empty where the seller said nothing. */
  readonly description: string;
  readonly fields: readonly LinkField[];
  /** Maximum number of pieces; null where the customer does not choose. */
  readonly maxQuantity: number | null;
  /** Amounts that the page offers. */
  readonly suggested: readonly Paisa[];
  readonly image: PictureFacts | null;
  /** True if its payments may come in parts. */
  readonly takesParts: boolean;
  /** Rest of the order that is due on delivery; 0 for none. */
  readonly deliveryPaisa: Paisa;
  readonly state: LinkState;
  readonly brand: BrandContext;
  readonly look: BrandTheme;
}

/** Loads a link for customers. Writes nothing. @returns null if there is no such link. */
export async function loadLink(core: Core, id: string): Promise<Link | null> {
  if (!LINK_ID.test(id)) return null;
  return core.store.read(async (db) => {
    const row = await linkWithBrand.first(db, { id });
    return row === undefined || row.display_hash !== null ? null : linkOf(db, row, core.clock.now());
  });
}

export async function linkOf(db: Db, row: LinkWithBrand, now: number): Promise<Link> {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    maxQuantity: row.max_quantity,
    suggested: parseSuggestedColumn(row.suggested),
    image: pictureFacts(row.image),
    takesParts: row.link_takes_parts === 1 || row.takes_parts === 1,
    deliveryPaisa: row.delivery_paisa,
    minPaisa: row.min_paisa,
    maxPaisa: row.max_paisa,
    fields: parseLinkFields(row.fields),
    state: await stateOfLink(db, row, now),
    brand: brandOf(row),
    look: { website: row.website, colour: row.colour, logo: row.logo, marks: row.marks },
  };
}

/** @returns the state of a link as it is in this database transaction. */
export async function freshState(db: Db, id: string, now: number): Promise<LinkState> {
  const facts = await linkFacts.first(db, { id });
  return facts === undefined ? 'DISABLED' : stateOfLink(db, { ...facts, id }, now);
}

/** Determines the state of a link; its payments are counted only if it has a maximum. */
async function stateOfLink(
  db: Db,
  link: Parameters<typeof linkStateAt>[0] & { readonly id: string },
  now: number,
): Promise<LinkState> {
  const paid = link.max_payments === null ? undefined : await paidByLink.first(db, { link: link.id });
  return linkStateAt(link, Number(paid?.count ?? 0), now);
}

function brandOf({ brand_id: id, ...row }: LinkWithBrand): BrandContext {
  return toBrandContext({ ...row, id });
}

interface OpenLinkPayment {
  /** Link as loaded for this request. */
  readonly link: Link;
  /** The browser's own random text. */
  readonly browser: string;
  /** Amount as entered; used only if the customer chooses the amount. */
  readonly amount: string;
  /** Number of pieces as entered, used only if the customer chooses it; absent or empty for one. */
  readonly quantity?: string;
  readonly values: ReadonlyMap<string, string>;
  /** Base URL at which the customer reached this service. */
  readonly publicBase: string;
  /** Keyed hash of the customer's IP address; absent if the address is unknown. */
  readonly addressMark?: string | undefined;
}

export interface LinkFormErrors {
  readonly amount: AmountFault | null;
  readonly quantity: QuantityFault | null;
  /** Errors by field name. */
  readonly fields: ReadonlyMap<string, ValueFault>;
}

type LinkOpened =
  /** `session` is new, or the one that this browser has open with the same entries. */
  | { readonly outcome: 'opened'; readonly session: string }
  | { readonly outcome: 'faults'; readonly faults: LinkFormErrors }
  /** The link takes no payments, or no longer. */
  | { readonly outcome: 'closed'; readonly state: Exclude<LinkState, 'ACTIVE'> }
  /** Too many payments were opened that day. */
  | OverBudget;

/**
 * Creates the payment like any other one, with the settings of its brand. Its metadata contains the link and
 * the entered values; a field `name` is also the customer's name, a field `email` the e-mail address.
 */
export async function openLinkPayment(core: Core, input: OpenLinkPayment): Promise<LinkOpened> {
  const { link } = input;
  if (link.state !== 'ACTIVE') return { outcome: 'closed', state: link.state };
  const amount = parseLinkAmount(link, input.amount);
  const quantity = parseQuantity(link.maxQuantity, input.quantity ?? '');
  const { values, faults } = parseValues(link.fields, input.values);
  if (!amount.ok || !quantity.ok || faults.size > 0) {
    const faultOf = <F>(read: { ok: true } | { ok: false; fault: F }) => (read.ok ? null : read.fault);
    const found = { amount: faultOf(amount), quantity: faultOf(quantity), fields: faults };
    return { outcome: 'faults', faults: found };
  }
  if (link.maxQuantity !== null) values.set(QUANTITY.name, String(quantity.pieces));
  const total = amount.paisa * quantity.pieces;
  const opener = openerMark(input.browser, total, values);
  const known = await core.store.read((db) => openSession(core, db, link, opener));
  if (known !== undefined) return { outcome: 'opened', session: known };
  try {
    const over = await core.store.write((db) => useForPayment(core, db, input));
    if (over !== null) return over;
    return { outcome: 'opened', session: await newSession(core, input, total, values, opener) };
  } catch (error) {
    if (error instanceof LinkPaymentConflict) return error.outcome;
    throw error;
  }
}

/** Charges the anonymous budget in an earlier database transaction, so that a refusal's alert is kept. */
function useForPayment(core: Core, db: Db, { link, addressMark }: OpenLinkPayment) {
  const { brandId, merchantId } = link.brand;
  return useBudget(core, db, 'payments', {
    brandId,
    merchantId,
    link: link.id,
    addressMark: addressMark ?? null,
  });
}

/** Thrown when the link was closed or the payment was opened in the meantime; rolls back the new payment. */
class LinkPaymentConflict extends Error {
  constructor(readonly outcome: LinkOpened) {
    super(`a payment link was ${outcome.outcome} meanwhile`);
  }
}

async function newSession(
  core: Core,
  { link, publicBase }: OpenLinkPayment,
  amountPaisa: Paisa,
  values: LinkValues,
  opener: string,
): Promise<string> {
  const { id } = await createSession(core, {
    brand: link.brand,
    hosted: { successUrl: null, cancelUrl: null, webhookUrl: null, returnType: link.brand.returnType },
    cusName: values.get('name') ?? DEFAULT_CUSTOMER,
    cusEmail: values.get('email') ?? PLACEHOLDER_EMAIL,
    amountPaisa,
    deliveryPaisa: link.deliveryPaisa,
    takesParts: link.takesParts,
    metaJson: linkMeta(link.id, values),
    publicBase,
    holdsNothing: true,
    alongside: async (db, session) => {
      await lockLink(db, link.id);
      const state = await freshState(db, link.id, core.clock.now());
      if (state !== 'ACTIVE') throw new LinkPaymentConflict({ outcome: 'closed', state });
      const known = await openSession(core, db, link, opener);
      if (known !== undefined) throw new LinkPaymentConflict({ outcome: 'opened', session: known });
      await insertLinkPayment(db, {
        ...{ session_id: session, link_id: link.id, opener },
        expires_at: core.clock.now() + link.brand.sessionMinutes * 60_000,
      });
    },
  });
  return id;
}

async function openSession(core: Core, db: Db, link: Link, opener: string): Promise<string | undefined> {
  return (await findOpenLinkPayment.first(db, { link: link.id, opener, now: core.clock.now() }))?.id;
}

function parseValues(fields: readonly LinkField[], typed: OpenLinkPayment['values']) {
  const values = new Map<string, string>();
  const faults = new Map<string, ValueFault>();
  for (const field of fields) {
    const read = parseFieldValue(field, typed.get(field.name) ?? '');
    if (!read.ok) faults.set(field.name, read.fault);
    else if (read.value !== '') values.set(field.name, read.value);
  }
  return { values, faults };
}
