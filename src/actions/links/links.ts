/** Payment links as an operator sees them: listed, created, changed and disabled. */
import { refuse } from '../../base/errors/refuse.js';
import { hashKey } from '../../base/io/secret.js';
import { newDisplayKey, newLinkId } from '../../base/values/ids.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import {
  type LinkField,
  lineFault,
  linkStateAt,
  MAX_FIELDS,
  parseLinkField,
  parseLinkFields,
} from '../../domain/links/link.js';
import { parseSuggestedColumn } from '../../domain/links/quantity.js';
import { MAX_SESSION_PAISA, MIN_SESSION_PAISA } from '../../domain/sessions/session.js';
import { audit } from '../../store/tables/audit.js';
import { type CountedLink, changeLink, insertLink, listedLinks } from '../../store/tables/links.js';
import type { Page } from '../../store/tables/list-position.js';
import { pictureFacts, pictureView } from '../brands/brand-theme.js';
import type { Core } from '../core/core.js';
import { advanceField, takaField, validateInteger } from '../input/fields.js';
import { cursorBy, type PagedInput, paginate } from '../input/pages.js';
import { idOfBrand, requireBrand, requireLink } from '../input/require-row.js';
import { definedColumns, diffRow } from '../input/row-change.js';
import { defineView } from '../input/view.js';
import { reportDisplay } from './display.js';
import { checkImage, detailColumns, keepImage, type LinkDetails } from './link-details.js';

export type LinkView = ReturnType<typeof linkView>;

/** View of a link. Second argument: current time, ms since the epoch, and the base of link URLs. */
export const linkView = defineView<CountedLink, { readonly now: number; readonly base: string }>()(
  ({ same, times, time, taka }) => ({
    ...same('id', 'brand', 'title'),
    state: (row, { now }) => linkStateAt(row, Number(row.paid), now),
    /** Null where the customer chooses it, from `min` to `max`. */
    amount: (row) => (row.min_paisa === row.max_paisa ? formatTaka(row.min_paisa) : null),
    min: taka('min_paisa'),
    max: taka('max_paisa'),
    fields: (row) =>
      parseLinkFields(row.fields).map(({ name, label, isRequired }) => ({
        name,
        label,
        required: isRequired,
      })),
    until: time('ends_at'),
    /** Maximum number of payments; null for unlimited. */
    count: (row) => row.max_payments,
    /** Number of payments opened; `paid` is the number of them that are paid. */
    opened: (row) => Number(row.opened),
    paid: (row) => Number(row.paid),
    ...times('created_at', 'disabled_at'),
    /** Not found of a display, which has a page for the counter alone. */
    url: (row, { base }) => `${base}/pay/${row.id}`,
    ...same('description'),
    /** Maximum number of pieces of one payment; null where the customer does not choose. */
    quantity: (row) => row.max_quantity,
    /** Amounts that the page offers. */
    suggest: (row) => parseSuggestedColumn(row.suggested).map(formatTaka),
    /** Picture on the page: its type, its size in pixels and in bytes. */
    image: (row) => pictureView(pictureFacts(row.image)),
    /** True if its own payments may come in parts, also where those of its brand do not. */
    parts: (row) => row.link_takes_parts === 1,
    /** For an advance: what is due on delivery, in addition to `amount`; else null. */
    due_on_delivery: (row) => (row.delivery_paisa === 0 ? null : formatTaka(row.delivery_paisa)),
    /** True of a counter display; its address is shown once. */
    display: (row) => row.display_hash !== null,
  }),
);

interface ListLinks extends PagedInput {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  /** https address of the daemon, with its base path. */
  readonly base: string;
}

/** Pages of links, newest first. @throws KashboxError `not_found` if there is no such brand */
export function linkPages(core: Core, input: ListLinks): AsyncGenerator<LinkView[]> {
  const given = { now: core.clock.now(), base: input.base };
  const since = input.sinceMs ?? null;
  const read = (page: Page) =>
    core.store.read(async (db) =>
      listedLinks(db, { ...page, brandId: await idOfBrand(db, input.brand), since }),
    );
  return paginate(input, read, cursorBy('created_at'), (row) => linkView(row, given));
}

/**
 * @param typed id or address of a link.
 * @param base as `ListLinks` has it.
 * @throws KashboxError `not_found`
 */
export async function showLink(core: Core, typed: string, base: string): Promise<LinkView> {
  const row = await core.store.read((db) => requireLink(db, typed));
  return linkView(row, { now: core.clock.now(), base });
}

export interface CreateLink extends LinkDetails {
  /** Identifier or name. */
  readonly brand: string;
  /** Taka in plain digits; without it both limits. */
  readonly amount?: string | undefined;
  /** Part of the amount that is paid now; the rest is due on delivery. */
  readonly advance?: string | undefined;
  /** True if its payments may come in parts. */
  readonly parts?: boolean | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** Title shown to the customer, 1 to 100 characters; undefined or empty for none. */
  readonly title?: string | undefined;
  /** Milliseconds since the epoch: from then on it takes no payment. */
  readonly until?: number | undefined;
  /** Maximum number of payments; undefined for unlimited. */
  readonly count?: number | undefined;
  /** Each as `parseLinkField` (domain/links/link) takes it. */
  readonly fields?: readonly string[] | undefined;
  /** True for a counter display: without amounts it takes any. */
  readonly display?: boolean | undefined;
  /** https address of the daemon, with its base path, for the answer. */
  readonly base: string;
  readonly who: string;
}

const MAX_TITLE = 100;
const MAX_COUNT = 1_000_000;

/** A link with the address of its display, which is shown only when it is made. */
export type NewLink = LinkView & { readonly display_url?: string };

/** @throws KashboxError `not_found`, `invalid_input`, `amount_out_of_range`, `amount_decimals` */
export async function createLink(core: Core, input: CreateLink): Promise<NewLink> {
  const now = core.clock.now();
  const { until, count } = input;
  if (input.display) refuseForDisplay(input);
  if (until !== undefined && until <= now) refuse('until is in the past', 'Give a time in the future.');
  const limits = limitsOf(input);
  const fields = JSON.stringify(fieldsField(input.fields ?? []));
  const { min_paisa: minPaisa, max_paisa: maxPaisa, delivery_paisa: deliveryPaisa } = limits;
  const shape = { minPaisa, maxPaisa, deliveryPaisa, fields };
  const image = await checkImage(input.image);
  const display = input.display ? newDisplay(core, input.base) : null;
  const columns = {
    title: titleOf(input.title),
    ...limits,
    fields,
    ...{ description: '', max_quantity: null, suggested: '[]' },
    ...detailColumns(input, shape),
    image: image.column ?? null,
    display_hash: display?.hash ?? null,
    display_session: null,
    takes_parts: input.parts ? 1 : 0,
    ends_at: until ?? null,
    max_payments: count === undefined ? null : validateInteger('count', count, 1, MAX_COUNT),
    created_at: now,
    disabled_at: null,
  };
  return core.store.write(async (db) => {
    const brand = await requireBrand(db, input.brand);
    const row = { id: newLinkId(core.random), brand_id: brand.id, ...columns };
    while (!(await insertLink(db, row))) row.id = newLinkId(core.random);
    await keepImage(db, row.id, image);
    await audit(core, db, input.who, 'link.create', row.id, { after: row });
    const view = linkView(await requireLink(db, row.id), { now, base: input.base });
    return display === null ? view : { ...view, display_url: display.url };
  });
}

/** @returns a new key of a display, as its hash and in its address. */
function newDisplay({ random }: Core, base: string) {
  const key = newDisplayKey(random);
  return { hash: hashKey(key), url: `${base}/display/${key}` };
}

/** @throws KashboxError `invalid_input` for what only customers could fill in */
function refuseForDisplay({ fields = [], quantity, suggest, parts }: CreateLink): void {
  if (fields.length === 0 && quantity === undefined && suggest === undefined && !parts) return;
  refuse(
    'A counter display has no fields, quantity, suggested amounts and parts',
    'Leave --field, --quantity, --suggest and --parts out: the cashier types the amount.',
  );
}

function titleOf(text = ''): string {
  const title = text.trim().normalize('NFC');
  const fault = title === '' ? null : lineFault(title, MAX_TITLE);
  return fault === null ? title : refuse(`title ${fault}`, 'Type it again, short and on one line.');
}

/** A fixed amount is one whose limits are the same. */
function limitsOf({ amount, advance, min, max, display }: CreateLink) {
  const hint = 'Give --amount 500, or let the customer choose: --min 100 --max 5000.';
  if (amount !== undefined) {
    if (min !== undefined || max !== undefined) refuse('amount cannot be combined with min or max', hint);
    const { amountPaisa, deliveryPaisa } = advanceField(limitOf('amount', amount), advance);
    return { min_paisa: amountPaisa, max_paisa: amountPaisa, delivery_paisa: deliveryPaisa };
  }
  if (advance !== undefined) refuse('advance needs a fixed amount', 'Give --amount 1000 --advance 200.');
  if (display && min === undefined && max === undefined) {
    return { min_paisa: MIN_SESSION_PAISA.hosted, max_paisa: MAX_SESSION_PAISA, delivery_paisa: 0 };
  }
  if (min === undefined || max === undefined) refuse('There is no amount', hint);
  const [least, most] = [limitOf('min', min), limitOf('max', max)];
  if (least > most) refuse('min is more than max', hint);
  return { min_paisa: least, max_paisa: most, delivery_paisa: 0 };
}

function limitOf(name: string, text: string): Paisa {
  const paisa = takaField(text);
  const least = MIN_SESSION_PAISA.hosted;
  if (paisa >= least && paisa <= MAX_SESSION_PAISA) return paisa;
  return refuse(
    `${name} must be from ${formatTaka(least)} to ${formatTaka(MAX_SESSION_PAISA)} taka`,
    'Give an amount within these limits.',
  );
}

function fieldsField(texts: readonly string[]): readonly LinkField[] {
  const hint = "Write --field size=Size, or --field 'name*=Your name' for one that must be filled in.";
  const fields = texts.map((text) => {
    const read = parseLinkField(text);
    return read.ok ? read.field : refuse(`field: ${read.fault}`, hint);
  });
  if (fields.length > MAX_FIELDS) refuse(`A link may have at most ${MAX_FIELDS} fields`, 'Leave some out.');
  const names = new Set(fields.map(({ name }) => name));
  if (names.size < fields.length) refuse('Two fields have the same name', 'Give each a name of its own.');
  return fields;
}

/**
 * Payments that it has opened may still be paid. A link that is disabled stays so, without an audit row.
 * @param input.link its id or address. @param input.base as `ListLinks` has it.
 * @throws KashboxError `not_found`
 */
export async function disableLink(
  core: Core,
  input: { readonly link: string; readonly base: string; readonly who: string },
): Promise<LinkView> {
  return core.store.write(async (db) => {
    const now = core.clock.now();
    const row = await requireLink(db, input.link);
    const given = { now, base: input.base };
    if (row.disabled_at !== null) return linkView(row, given);
    await changeLink(db, row.id, { disabled_at: now });
    const change = { before: { disabled_at: null }, after: { disabled_at: now } };
    await audit(core, db, input.who, 'link.disable', row.id, change);
    return linkView({ ...row, disabled_at: now }, given);
  });
}

interface UpdateLink extends LinkDetails {
  /** True to give a display another address; the one before stops immediately. */
  readonly newDisplay?: boolean | undefined;
  /** Id or address. */
  readonly link: string;
  /** https address of the daemon, with its base path, for the answer. */
  readonly base: string;
  readonly who: string;
}

/**
 * Changes what a link shows and offers. Its price, title and fields never change.
 * @throws KashboxError `not_found`, `invalid_input`
 */
export async function updateLink(core: Core, input: UpdateLink): Promise<NewLink> {
  const image = await checkImage(input.image);
  const display = input.newDisplay ? newDisplay(core, input.base) : null;
  const updated = await core.store.write(async (db) => {
    const row = await requireLink(db, input.link);
    const given = { now: core.clock.now(), base: input.base };
    if (display !== null && row.display_hash === null) {
      refuse('This link has no counter display', 'Create one: kashbox links create --display --brand NAME');
    }
    const { min_paisa: minPaisa, max_paisa: maxPaisa, delivery_paisa: deliveryPaisa, fields } = row;
    const shape = { minPaisa, maxPaisa, deliveryPaisa, fields };
    const change = diffRow(row, {
      ...detailColumns(input, shape),
      ...definedColumns({ image: image.column, display_hash: display?.hash }),
    });
    if (change === null) return linkView(row, given);
    await changeLink(db, row.id, change.after);
    if (change.after.image !== undefined) await keepImage(db, row.id, image);
    await audit(core, db, input.who, 'link.update', row.id, change);
    return linkView({ ...row, ...change.after }, given);
  });
  if (display === null) return updated;
  // Its open page learns that it has expired.
  reportDisplay(core, updated.id);
  return { ...updated, display_url: display.url };
}
