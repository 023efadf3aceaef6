/**
 * Banks and acquirers that may report payments to a merchant's QR code: added, changed, revoked and listed.
 * No hash and no secret gets into a list.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey, keyHint } from '../../base/io/secret.js';
import { newAcquirerKey, newAcquirerSecret, newRowId } from '../../base/values/ids.js';
import type { AcquirerAuth } from '../../domain/accounts/access.js';
import type { AcquirerTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import {
  acquirerOfMerchant,
  changeAcquirer,
  insertAcquirer,
  listedAcquirers,
} from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import { nameField } from '../input/fields.js';
import { idOfMerchant, requireAcquirer, requireMerchant } from '../input/require-row.js';
import { diffRow } from '../input/row-change.js';
import { defineView } from '../input/view.js';
import { parseRules, rulesField, type TypedRules } from './acquirer-rules.js';

export type AcquirerView = ReturnType<typeof acquirerView>;

export const acquirerView = defineView<AcquirerTable & { readonly merchant: string }>()(
  ({ same, times }) => ({
    ...same('id', 'name', 'merchant_id', 'merchant'),
    status: (row) => (row.revoked_at === null ? ('ACTIVE' as const) : ('REVOKED' as const)),
    ...same('auth', 'key_hint'),
    /** Null where nothing is signed. */
    signature: (row) => (row.auth === 'hmac' ? parseRules(row.rules).signature : null),
    /** Empty means any address. */
    allow_ips: (row) => parseRules(row.rules).allow_ips,
    map: (row) => parseRules(row.rules).map,
    ...times('created_at'),
  }),
);

/**
 * @param input.merchant identifier or name; absent for all.
 * @returns the oldest first, revoked ones too.
 * @throws KashboxError `not_found`
 */
export async function listAcquirers(
  core: Core,
  input: { readonly merchant?: string | undefined },
): Promise<AcquirerView[]> {
  return core.store.read(async (db) => {
    const rows = await listedAcquirers(db, await idOfMerchant(db, input.merchant));
    return rows.map((row) => acquirerView(row));
  });
}

export interface CreateAcquirer extends TypedRules {
  /** Identifier or name. */
  readonly merchant: string;
  readonly name: string;
  readonly who: string;
}

/** Key and secret are shown once and never again. */
export interface CreatedAcquirer {
  readonly acquirer: AcquirerView;
  readonly acquirer_key: string;
  readonly secret: string;
}

/**
 * One that was revoked comes back under its name with a new key, secret and rules: its old references stay in
 * its scope, so none can be credited again.
 * @throws KashboxError `not_found`, `invalid_input`, `already_exists`
 */
export async function createAcquirer(core: Core, input: CreateAcquirer): Promise<CreatedAcquirer> {
  const name = nameField('name', input.name);
  const rules = JSON.stringify(rulesField(input));
  const key = newAcquirerKey(core.random);
  const secret = newAcquirerSecret(core.random);
  const acquirer = await core.store.write(async (db) => {
    const merchant = await requireMerchant(db, input.merchant);
    await lockMerchant(db, merchant.id);
    const now = core.clock.now();
    const old = await acquirerOfMerchant(db, merchant.id, name);
    if (old !== undefined && old.revoked_at === null)
      throw taken(
        name,
        'Choose another name, or revoke it first with `kashbox acquirers revoke`, then register it again.',
      );
    const id = old?.id ?? newRowId(core.random, now, 'acquirer');
    const row = {
      id,
      merchant_id: merchant.id,
      name,
      key_hash: hashKey(key),
      key_hint: keyHint(key),
      secret: core.secrets.seal(secret, sealPurpose('acquirer', id)),
      auth: input.auth,
      rules,
      created_at: old?.created_at ?? now,
      revoked_at: null,
    };
    await (old === undefined ? insertAcquirer(db, row) : changeAcquirer(db, id, row));
    await audit(core, db, input.who, 'acquirer.create', id, {
      before: old === undefined ? null : { revoked_at: old.revoked_at },
      after: { merchant: merchant.id, name, auth: input.auth, rules },
    });
    return acquirerView({ ...row, merchant: merchant.name });
  });
  return { acquirer, acquirer_key: key, secret };
}

function taken(name: string, hint: string): KashboxError {
  return new KashboxError('already_exists', {
    message: `There is already an acquirer named "${name}"`,
    hint,
  });
}

/** Changes to an acquirer. Absent fields stay unchanged. */
interface UpdateAcquirer extends Omit<TypedRules, 'auth'> {
  /** Identifier or name. */
  readonly acquirer: string;
  readonly name?: string | undefined;
  readonly auth?: AcquirerAuth | undefined;
  readonly who: string;
}

/**
 * Changes an acquirer from the next push on; `reparsePushes` applies the rules to earlier pushes.
 * @throws KashboxError `not_found`, `invalid_input`, `already_exists`, `state_refused` (revoked)
 */
export async function updateAcquirer(core: Core, input: UpdateAcquirer): Promise<AcquirerView> {
  const name = input.name === undefined ? undefined : nameField('name', input.name);
  return core.store.write(async (db) => {
    const named = await requireAcquirer(db, input.acquirer);
    await lockMerchant(db, named.merchant_id);
    const row = await requireAcquirer(db, named.id);
    if (row.revoked_at !== null) throw revoked(row.name);
    const change = diffRow(row, {
      ...(name === undefined ? {} : { name }),
      ...(input.auth === undefined ? {} : { auth: input.auth }),
      ...rulesColumn(input, row),
    });
    if (change === null) return acquirerView(row);
    if (name !== undefined && name !== row.name) {
      if ((await acquirerOfMerchant(db, row.merchant_id, name)) !== undefined) {
        throw taken(name, 'Choose another name: a revoked acquirer keeps its name.');
      }
    }
    await changeAcquirer(db, row.id, change.after);
    await audit(core, db, input.who, 'acquirer.update', row.id, change);
    return acquirerView({ ...row, ...change.after });
  });
}

/** Validates all rules, because a new authentication method may require rules that are missing. */
function rulesColumn(
  { auth, allowIps, map, signatureHeader, signatureEncoding, signaturePrefix }: UpdateAcquirer,
  row: { readonly auth: AcquirerAuth; readonly rules: string },
): { rules?: string } {
  const typed = { allowIps, map, signatureHeader, signatureEncoding, signaturePrefix };
  if ([auth, ...Object.values(typed)].every((value) => value === undefined)) return {};
  return { rules: JSON.stringify(rulesField({ ...typed, auth: auth ?? row.auth }, parseRules(row.rules))) };
}

function revoked(name: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `Acquirer "${name}" is revoked`,
    hint: 'Register it again with `kashbox acquirers create`, which creates a new key.',
  });
}

/**
 * One that is revoked already stays so, without an audit row.
 * @param input.acquirer identifier or name.
 * @throws KashboxError `not_found`, `invalid_input` (several merchants have one of that name)
 */
export async function revokeAcquirer(
  core: Core,
  input: { readonly acquirer: string; readonly who: string },
): Promise<AcquirerView> {
  return core.store.write(async (db) => {
    const row = await requireAcquirer(db, input.acquirer);
    if (row.revoked_at !== null) return acquirerView(row);
    const now = core.clock.now();
    await changeAcquirer(db, row.id, { revoked_at: now });
    await audit(core, db, input.who, 'acquirer.revoke', row.id, {
      before: { revoked_at: null },
      after: { revoked_at: now },
    });
    return acquirerView({ ...row, revoked_at: now });
  });
}
