/**
 * Creates a brand with its first Brand Key and its webhook secret, and changes its public profile, theme,
 * webhook address, time limits and checkout.
 */
import { refuse } from '../../base/errors/refuse.js';
import { newRowId, newWebhookSecret } from '../../base/values/ids.js';
import { echoed } from '../../base/values/text.js';
import { MAX_PROOF_WINDOW_HOURS, MAX_SESSION_MINUTES, privateWebhooks } from '../../config/settings.js';
import { PAY_CHANNELS } from '../../domain/accounts/channels.js';
import { TEST_ACCOUNTS } from '../../domain/accounts/test-accounts.js';
import type { ReceiptSms } from '../../domain/dispatches/receipt-text.js';
import { toDestination } from '../../domain/notifications/fair-share.js';
import type { WebhookFormat } from '../../domain/notifications/notification.js';
import { findPlugin, NO_PLUGIN, PLUGIN_NAMES } from '../../domain/plugins/plugins.js';
import { type Fees, parseFee, parseFees } from '../../domain/sessions/fees.js';
import type { Dialect, MetadataAs, StatusAs } from '../../domain/sessions/payment-record.js';
import type { ReturnMethod } from '../../domain/sessions/redirect.js';
import type { BrandKeyTable, BrandTable, Db, MerchantTable } from '../../store/schema/index.js';
import { insertKey } from '../../store/tables/access.js';
import { insertAccount, renewAccountsVersion } from '../../store/tables/accounts.js';
import { audit } from '../../store/tables/audit.js';
import { changeBrand, insertBrand } from '../../store/tables/brands.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { insertMerchant } from '../../store/tables/merchants.js';
import { giveUpDue, redirectDue } from '../../store/tables/notifications.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import {
  emailField,
  nameField,
  type OnOff,
  phoneField,
  takaField,
  validateInteger,
  webhookUrlField,
} from '../input/fields.js';
import { requireBrand, requireMerchant } from '../input/require-row.js';
import { definedColumns, diffRow, ifGiven, nameTaken, renaming } from '../input/row-change.js';
import { issueBrandKey } from '../keys/keys.js';
import { checkLook, type GivenLook, keepPictures, themeColumns, type ValidatedTheme } from './brand-theme.js';
import { type BrandView, brandView } from './brand-view.js';

/** Fields of a brand. Absent ones stay unchanged, or start with the setting's value. */
export interface BrandProfile extends GivenLook {
  readonly mobile?: string | undefined;
  readonly whatsapp?: string | undefined;
  readonly email?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly webhookFormat?: WebhookFormat | undefined;
  readonly sessionMinutes?: number | undefined;
  readonly proofWindowHours?: number | undefined;
  readonly dialect?: Dialect | undefined;
  readonly metadataAs?: MetadataAs | undefined;
  readonly statusAs?: StatusAs | undefined;
  readonly returnType?: ReturnMethod | undefined;
  /** Name of a program (domain/plugins/plugins) whose settings apply; explicit settings override them. */
  readonly plugin?: string | undefined;
  readonly receiptSms?: ReceiptSms | undefined;
  /** Each such as `mfs_a=1.85%` (domain/sessions/fees); channels that are not named keep theirs. */
  readonly fees?: readonly string[] | undefined;
  /** If a payment may come in parts. */
  readonly parts?: OnOff | undefined;
  /** Taka that its API key may refund in a day, or `off`. */
  readonly apiRefunds?: string | undefined;
}

/** Both are shown once and never again. */
export interface BrandSecrets {
  readonly brand_key: string;
  readonly webhook_secret: string;
}

/**
 * @param present current values of the brand.
 * @param allowed webhook addresses allowed in addition to public ones (config/settings, `privateWebhooks`).
 * @returns the validated columns that were given.
 * @throws KashboxError `invalid_input`
 */
function brandColumns(
  profile: BrandProfile,
  present: Pick<BrandTable, 'fees' | 'dialect'>,
  allowed: boolean | 'loopback',
) {
  const { mobile, whatsapp, email, webhookUrl, sessionMinutes, proofWindowHours } = profile;
  return definedColumns({
    mobile: ifGiven(mobile, (text) => phoneField('mobile', text)),
    whatsapp: ifGiven(whatsapp, (text) => phoneField('whatsapp', text)),
    email: ifGiven(email, (text) => emailField('email', text)),
    webhook_url: ifGiven(webhookUrl, (text) => webhookUrlField('webhook-url', text, allowed)),
    session_minutes: ifGiven(sessionMinutes, (count) =>
      validateInteger('session-minutes', count, 1, MAX_SESSION_MINUTES),
    ),
    proof_window_hours: ifGiven(proofWindowHours, (count) =>
      validateInteger('proof-window-hours', count, 1, MAX_PROOF_WINDOW_HOURS),
    ),
    ...answerColumns(profile, present.dialect),
    receipt_sms: profile.receiptSms,
    fees: ifGiven(profile.fees, (texts) => feesField(texts, present.fees)),
    takes_parts: ifGiven(profile.parts, (parts) => Number(parts === 'on')),
    refund_day_limit_paisa: ifGiven(profile.apiRefunds, dayLimitField),
  });
}

/** @returns paisa, or null for `off`. */
function dayLimitField(text: string): number | null {
  if (text.trim().toLowerCase() === 'off') return null;
  const paisa = /\d/.test(text) ? takaField(text) : 0;
  if (paisa > 0) return paisa;
  refuse(
    'api-refunds must be an amount, or off',
    'Write the taka that may be refunded in a day, 5000, or off.',
  );
}

/** Answers of a brand without a named program. */
const PLAIN = {
  dialect: 'standard',
  metadata_as: 'object',
  status_as: 'upper',
  webhook_format: 'json',
  return_type: 'GET',
} as const;

/** Columns of the answers to the shop's program: the program's row, overridden by explicit settings. */
function answerColumns(profile: BrandProfile, present: Dialect) {
  const { plugin, metadataAs, statusAs, returnType, webhookFormat } = profile;
  // Form receivers are old PHP programs, which expect the record at the top level of verify.
  const isForForms = plugin === undefined && webhookFormat === 'form' && present !== 'strict';
  const dialect = profile.dialect ?? (isForForms ? 'flat' : undefined);
  const isAnsweredDifferently = plugin !== undefined || dialect !== undefined;
  return {
    ...(plugin === undefined ? {} : pluginColumns(plugin)),
    ...definedColumns({ webhook_format: webhookFormat, dialect, metadata_as: metadataAs }),
    ...definedColumns({ status_as: statusAs, return_type: returnType }),
    // Forgets recognised programs, which may be the old ones.
    ...(isAnsweredDifferently ? { called_by: '' } : {}),
  };
}

function pluginColumns(name: string) {
  if (name === NO_PLUGIN) return { plugin: null, ...PLAIN };
  const plugin = findPlugin(name);
  if (plugin === null) {
    refuse(
      `plugin "${echoed(name)}" is unknown`,
      `Write one of ${PLUGIN_NAMES.join(', ')}; ${NO_PLUGIN} removes it.`,
    );
  }
  const { dialect, metadataAs, statusAs, webhookFormat, returnType } = plugin;
  return {
    plugin: name,
    dialect,
    metadata_as: metadataAs,
    status_as: statusAs,
    webhook_format: webhookFormat,
    return_type: returnType,
  };
}

/** @returns JSON text, always in one order, so that the same fees are the same text. */
function feesField(texts: readonly string[], present: string): string {
  const fees: Record<string, Fees[keyof Fees]> = { ...parseFees(present) };
  for (const text of texts) {
    const read = parseFee(text);
    if (!read.ok) {
      refuse(
        `fee: ${read.fault}`,
        `Write mfs_a=1.85%, bank=10+0.5% or mfs_a=1.85%+whole; mfs_a=0 removes it. Channels: ${PAY_CHANNELS.join(', ')}.`,
      );
    }
    const { fixedPaisa, basisPoints, isWhole = false } = read.fee;
    fees[read.channel] = fixedPaisa === 0 && basisPoints === 0 && !isWhole ? undefined : read.fee;
  }
  return JSON.stringify(Object.fromEntries(PAY_CHANNELS.map((channel) => [channel, fees[channel]])));
}

interface NewBrand {
  readonly row: BrandTable;
  readonly look: ValidatedTheme;
  readonly key: BrandKeyTable;
  readonly secrets: BrandSecrets;
}

interface BrandOwner {
  /** Id of the merchant; a test brand has a merchant created for it alone. */
  readonly merchantId: string;
  /** The merchant whose brand for tests it is; null of all others. */
  readonly testOf: string | null;
}

/** Empty theme; a separate argument, as themes are validated before the database transaction begins. */
const NO_LOOK: ValidatedTheme = { columns: {}, pictures: new Map() };

/** @throws KashboxError `invalid_input` */
export function newBrand(
  core: Core,
  owner: BrandOwner,
  name: string,
  profile: BrandProfile,
  look: ValidatedTheme = NO_LOOK,
): NewBrand {
  const id = newRowId(core.random, core.clock.now(), 'brand');
  const secret = newWebhookSecret(core.random);
  const { row: key, key: brandKey } = issueBrandKey(core, { id, test_of: owner.testOf });
  const row: BrandTable = {
    id,
    merchant_id: owner.merchantId,
    name: nameField('name', name),
    mobile: '',
    whatsapp: '',
    email: '',
    webhook_url: null,
    webhook_secret: core.secrets.seal(secret, sealPurpose('webhook', id)),
    session_minutes: core.settings.sessionMinutes,
    proof_window_hours: core.settings.proofWindowHours,
    ...PLAIN,
    fees: '{}',
    accounts_stamp: '',
    old_webhook_secret: null,
    old_webhook_secret_expires_at: null,
    plugin: null,
    receipt_sms: 'off',
    called_by: '',
    test_of: owner.testOf,
    website: null,
    colour: null,
    logo: null,
    marks: '{}',
    questions: '[]',
    video: null,
    takes_parts: 0,
    refund_day_limit_paisa: null,
    created_at: core.clock.now(),
    ...brandColumns(
      profile,
      { fees: '{}', dialect: PLAIN.dialect },
      privateWebhooks(core.settings, owner.testOf !== null),
    ),
    ...themeColumns(look, '{}'),
  };
  return { row, look, key, secrets: { brand_key: brandKey, webhook_secret: secret } };
}

/** @throws KashboxError `already_exists` */
export async function putBrand(db: Db, brand: NewBrand): Promise<void> {
  if (!(await insertBrand(db, brand.row))) throw nameTaken('brand', brand.row.name);
  await insertKey(db, brand.key);
  await keepPictures(db, brand.row.id, brand.look);
}

/** Audit fields of a brand: all except its secret and internal fields. */
export function auditedBrand(row: BrandTable) {
  const { webhook_secret: _new, old_webhook_secret: _old, ...rest } = row;
  const { accounts_stamp: _stamp, called_by: _signs, ...kept } = rest;
  return kept;
}

interface CreateBrand extends BrandProfile {
  /** Identifier or name. */
  readonly merchant: string;
  readonly name: string;
  /** True for a test brand: its payments are simulated and do not count as money. Never changes. */
  readonly test?: boolean;
  readonly who: string;
}

export interface CreatedBrand extends BrandSecrets {
  readonly brand: { readonly id: string; readonly name: string; readonly kind: 'live' | 'test' };
}

/** @throws KashboxError `not_found`, `invalid_input`, `already_exists` (names are unique) */
export async function createBrand(core: Core, input: CreateBrand): Promise<CreatedBrand> {
  const look = await checkLook(input);
  const isTest = input.test === true;
  return core.store.write(async (db) => {
    const merchant = await requireMerchant(db, input.merchant);
    // A brand for tests begins with the state of its merchant, which must not change meanwhile.
    if (isTest) await lockMerchant(db, merchant.id);
    const owner = isTest
      ? { merchantId: newRowId(core.random, core.clock.now(), 'merchant'), testOf: merchant.id }
      : { merchantId: merchant.id, testOf: null };
    const brand = newBrand(core, owner, input.name, input, look);
    const { row } = brand;
    if (isTest) await insertTestSide(core, db, await requireMerchant(db, merchant.id), row);
    await putBrand(db, brand);
    if (isTest) await insertTestAccounts(core, db, row.id);
    await audit(core, db, input.who, 'brand.create', row.id, { after: auditedBrand(row) });
    return { brand: { id: row.id, name: row.name, kind: isTest ? 'test' : 'live' }, ...brand.secrets };
  });
}

/**
 * SMS, proofs and claims are looked up by merchant. So a brand for tests has a merchant that is made for it
 * alone, and nothing of it can meet anything that is real.
 */
async function insertTestSide(
  core: Core,
  db: Db,
  { status, allow_ips }: MerchantTable,
  brand: { readonly id: string; readonly merchant_id: string },
): Promise<void> {
  await insertMerchant(db, {
    ...{ id: brand.merchant_id, status, allow_ips, created_at: core.clock.now() },
    // A name that nobody else has, and nobody sees.
    name: brand.id,
    ...{ mobile: '', whatsapp: '', email: '' },
  });
}

async function insertTestAccounts(core: Core, db: Db, brand: string): Promise<void> {
  const now = core.clock.now();
  for (const account of TEST_ACCOUNTS) {
    const id = newRowId(core.random, now, 'account');
    const made = { id, brand_id: brand, ...account, active: 1, created_at: now, disabled_at: null };
    await insertAccount(db, {
      ...made,
      details: '{}',
      secret: null,
      day_limit_paisa: null,
      month_limit_paisa: null,
    });
  }
  await renewAccountsVersion(db, brand, newRowId(core.random, now, 'account'));
}

interface UpdateBrand extends BrandProfile {
  /** Identifier or name. */
  readonly brand: string;
  readonly name?: string | undefined;
  readonly who: string;
}

/** @throws KashboxError `not_found`, `invalid_input`, `already_exists` */
export async function updateBrand(core: Core, input: UpdateBrand): Promise<BrandView> {
  const name = input.name === undefined ? undefined : nameField('name', input.name);
  const look = await checkLook(input);
  const work = () =>
    core.store.write(async (db) => {
      const row = await requireBrand(db, input.brand);
      const columns = brandColumns(input, row, privateWebhooks(core.settings, row.test_of !== null));
      const wanted = {
        ...columns,
        ...themeColumns(look, row.marks),
        ...(name === undefined ? {} : { name }),
      };
      const change = diffRow(row, wanted);
      if (change === null) return brandView(row, core.clock.now());
      await changeBrand(db, row.id, change.after);
      await keepPictures(db, row.id, look);
      const { webhook_url: url } = change.after;
      if (url === null) await giveUpDue(db, row.id, core.clock.now());
      if (typeof url === 'string') {
        await redirectDue(db, row.id, { ...toDestination(row.id, url), now: core.clock.now() });
      }
      await audit(core, db, input.who, 'brand.update', row.id, change);
      return brandView({ ...row, ...change.after }, core.clock.now());
    });
  return renaming('brand', name, work);
}
