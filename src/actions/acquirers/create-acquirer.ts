/** Adds a bank or acquirer, which may then report payments to a merchant's QR code. */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey, keyHint } from '../../base/io/secret.js';
import { newAcquirerKey, newAcquirerSecret, newRowId } from '../../base/values/ids.js';
import { acquirerOfMerchant, changeAcquirer, insertAcquirer } from '../../store/tables/acquirers.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import { nameField } from '../input/fields.js';
import { requireMerchant } from '../input/require-row.js';
import { rulesField, type TypedRules } from './acquirer-rules.js';
import { type AcquirerView, acquirerView } from './acquirer-view.js';

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
    if (old !== undefined && old.revoked_at === null) throw taken(name);
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

function taken(name: string): KashboxError {
  return new KashboxError('already_exists', {
    message: `There is an acquirer named "${name}" already`,
    hint: 'Choose another name, or revoke it first with `kashbox acquirers revoke`: it then comes back anew.',
  });
}
