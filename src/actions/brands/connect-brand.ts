/** What a shop needs to use Kashbox for a brand: a key, the webhook secret and the webhook address. */
import { refuse } from '../../base/errors/refuse.js';
import { hashKey, keyHint } from '../../base/io/secret.js';
import { quoted } from '../../base/values/text.js';
import type { Db } from '../../store/schema/index.js';
import { brandByKey, insertKey } from '../../store/tables/access.js';
import { audit } from '../../store/tables/audit.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import { issueBrandKey } from '../keys/keys.js';
import { updateBrand } from './change-brand.js';
import { secretsOfBrand } from './webhook-secrets.js';

interface ConnectBrand {
  /** Identifier or name. */
  readonly brand: string;
  /** Existing Brand Key of the brand; absent creates one more. */
  readonly key?: string | undefined;
  /** New webhook address; absent keeps the present one. */
  readonly webhookUrl?: string | undefined;
  readonly who: string;
}

/** Key and secret are for the shop's server alone. */
export interface ConnectedBrand {
  readonly brand: { readonly id: string; readonly name: string; readonly kind: 'live' | 'test' };
  readonly brand_key: string;
  /** `created` is false for a key that was given. */
  readonly key: { readonly hint: string; readonly created: boolean };
  readonly webhook_secret: string;
  /** Null if the brand has no webhook. */
  readonly webhook_url: string | null;
}

/**
 * Ends no key: what a shop uses already still works.
 * @throws KashboxError `not_found`, `invalid_input`, `secret_unreadable`; nothing is changed then
 */
export async function connectBrand(core: Core, input: ConnectBrand): Promise<ConnectedBrand> {
  const { webhookUrl, who } = input;
  const given = input.key?.trim();
  const brand = await core.store.read(async (db) => {
    const row = await requireBrand(db, input.brand);
    if (given !== undefined) await requireOwnKey(core, db, row, given);
    return row;
  });
  const [secret = ''] = await secretsOfBrand(core, brand.id, core.clock.now());
  const { webhook_url } =
    webhookUrl === undefined ? brand : await updateBrand(core, { brand: brand.id, webhookUrl, who });
  const key = given ?? (await createKey(core, brand, who));
  return {
    brand: { id: brand.id, name: brand.name, kind: brand.test_of === null ? 'live' : 'test' },
    brand_key: key,
    key: { hint: keyHint(key), created: given === undefined },
    webhook_secret: secret,
    webhook_url,
  };
}

async function requireOwnKey(
  core: Core,
  db: Db,
  brand: { readonly id: string; readonly name: string },
  key: string,
): Promise<void> {
  const owner = await brandByKey.first(db, { hash: hashKey(key), now: core.clock.now() });
  if (owner?.id === brand.id) return;
  refuse(
    `That is not a valid key of brand "${brand.name}"`,
    `See its keys: kashbox keys list --brand ${quoted(brand.name)}. Without a key, a new one is created.`,
  );
}

async function createKey(
  core: Core,
  brand: { readonly id: string; readonly test_of: string | null },
  who: string,
): Promise<string> {
  const { row, key } = issueBrandKey(core, brand);
  await core.store.write(async (db) => {
    await insertKey(db, row);
    await audit(core, db, who, 'key.create', brand.id, { after: { key: row.id, hint: row.hint } });
  });
  return key;
}
