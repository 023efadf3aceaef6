/** A brand with its first Brand Key and its webhook secret, ready to be written in one unit of work. */
import { newBrandKey, newRowId, newWebhookSecret } from '../base/ids.js';
import { hashKey, keyHint } from '../base/secret.js';
import { MAX_PROOF_WINDOW_HOURS, MAX_SESSION_MINUTES } from '../config/settings.js';
import type { BrandKeyTable, BrandTable, Db } from '../store/schema.js';
import { insertBrand } from '../store/tables/brands.js';
import { insertKey } from '../store/tables/keys.js';
import { nameTaken } from './change.js';
import type { Core } from './core.js';
import { emailField, nameField, phoneField, urlField, wholeField } from './fields.js';

/** What an operator may say of a brand; what is absent stays as it is, or starts with the setting's value. */
export interface BrandProfile {
  readonly mobile?: string | undefined;
  readonly whatsapp?: string | undefined;
  readonly email?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly sessionMinutes?: number | undefined;
  readonly proofWindowHours?: number | undefined;
}

/** Both are shown once and never again. */
export interface BrandSecrets {
  readonly brand_key: string;
  readonly webhook_secret: string;
}

/** @returns the columns that were given, checked. @throws KashboxError `invalid_input` */
export function brandColumns(profile: BrandProfile) {
  const { mobile, whatsapp, email, webhookUrl, sessionMinutes, proofWindowHours } = profile;
  return {
    ...(mobile === undefined ? {} : { mobile: phoneField('mobile', mobile) }),
    ...(whatsapp === undefined ? {} : { whatsapp: phoneField('whatsapp', whatsapp) }),
    ...(email === undefined ? {} : { email: emailField('email', email) }),
    ...(webhookUrl === undefined ? {} : { webhook_url: urlField('webhook-url', webhookUrl) }),
    ...(sessionMinutes === undefined
      ? {}
      : { session_minutes: wholeField('session-minutes', sessionMinutes, 1, MAX_SESSION_MINUTES) }),
    ...(proofWindowHours === undefined
      ? {}
      : {
          proof_window_hours: wholeField('proof-window-hours', proofWindowHours, 1, MAX_PROOF_WINDOW_HOURS),
        }),
  };
}

export interface NewBrand {
  readonly row: BrandTable;
  readonly key: BrandKeyTable;
  readonly secrets: BrandSecrets;
}

/** Makes key row and key of a brand. The key itself is in no row. */
export function newKeyOf(core: Core, brandId: string): { readonly row: BrandKeyTable; readonly key: string } {
  const key = newBrandKey(core.random);
  const row = {
    id: newRowId(core.random, core.clock.now(), 'key'),
    brand_id: brandId,
    hash: hashKey(key),
    hint: keyHint(key),
    created_at: core.clock.now(),
    dies_at: null,
  };
  return { row, key };
}

/** @throws KashboxError `invalid_input` */
export function newBrand(core: Core, merchantId: string, name: string, profile: BrandProfile): NewBrand {
  const id = newRowId(core.random, core.clock.now(), 'brand');
  const secret = newWebhookSecret(core.random);
  const { row: key, key: brandKey } = newKeyOf(core, id);
  const row: BrandTable = {
    id,
    merchant_id: merchantId,
    name: nameField('name', name),
    mobile: '',
    whatsapp: '',
    email: '',
    webhook_url: null,
    webhook_secret: core.secrets.seal(secret, `brand:${id}:webhook`),
    session_minutes: core.settings.sessionMinutes,
    proof_window_hours: core.settings.proofWindowHours,
    dialect: 'standard',
    metadata_as: 'object',
    return_type: 'GET',
    fees: '{}',
    created_at: core.clock.now(),
    ...brandColumns(profile),
  };
  return { row, key, secrets: { brand_key: brandKey, webhook_secret: secret } };
}

/** @throws KashboxError `already_exists` */
export async function putBrand(db: Db, brand: NewBrand): Promise<void> {
  if (!(await insertBrand(db, brand.row))) throw nameTaken('brand', brand.row.name);
  await insertKey(db, brand.key);
}

/** What the audit keeps of a brand: everything but its secret. */
export function auditedBrand(row: BrandTable) {
  const { webhook_secret: _secret, ...kept } = row;
  return kept;
}
