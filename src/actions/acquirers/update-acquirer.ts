/** Changes the rules of an acquirer. Its key, secret and references stay. */
import { KashboxError } from '../../base/errors/errors.js';
import type { AcquirerAuth } from '../../domain/accounts/acquirer.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { acquirerOfMerchant, changeAcquirer } from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import { nameField } from '../input/fields.js';
import { requireAcquirer } from '../input/require-row.js';
import { changeOf } from '../input/row-change.js';
import { readRules, rulesField, type TypedRules } from './acquirer-rules.js';
import { type AcquirerView, acquirerView } from './acquirer-view.js';

/** What is absent stays. */
export interface UpdateAcquirer extends Omit<TypedRules, 'auth'> {
  /** Identifier or name. */
  readonly acquirer: string;
  readonly name?: string | undefined;
  readonly auth?: AcquirerAuth | undefined;
  readonly who: string;
}

/**
 * It holds from the next push on; what came before is read by it with `reparsePushes`.
 * @throws KashboxError `not_found`, `invalid_input`, `already_exists`, `state_refused` (revoked)
 */
export async function updateAcquirer(core: Core, input: UpdateAcquirer): Promise<AcquirerView> {
  const name = input.name === undefined ? undefined : nameField('name', input.name);
  return core.store.write(async (db) => {
    const named = await requireAcquirer(db, input.acquirer);
    await lockMerchant(db, named.merchant_id);
    const row = await requireAcquirer(db, named.id);
    if (row.revoked_at !== null) throw revoked(row.name);
    const change = changeOf(row, {
      ...(name === undefined ? {} : { name }),
      ...(input.auth === undefined ? {} : { auth: input.auth }),
      ...rulesColumn(input, row),
    });
    if (change === null) return acquirerView(row);
    if (name !== undefined && name !== row.name) {
      if ((await acquirerOfMerchant(db, row.merchant_id, name)) !== undefined) throw taken(name);
    }
    await changeAcquirer(db, row.id, change.after);
    await audit(core, db, input.who, 'acquirer.update', row.id, change);
    return acquirerView({ ...row, ...change.after });
  });
}

/** Another authentication method may need rules that are missing. */
function rulesColumn(
  { auth, allowIps, map, signatureHeader, signatureEncoding, signaturePrefix }: UpdateAcquirer,
  row: { readonly auth: AcquirerAuth; readonly rules: string },
): { rules?: string } {
  const typed = { allowIps, map, signatureHeader, signatureEncoding, signaturePrefix };
  if ([auth, ...Object.values(typed)].every((value) => value === undefined)) return {};
  return { rules: JSON.stringify(rulesField({ ...typed, auth: auth ?? row.auth }, readRules(row.rules))) };
}

function revoked(name: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `Acquirer "${name}" is revoked`,
    hint: 'Let it in again with `kashbox acquirers create`, which gives it a new key and the rules you name.',
  });
}

function taken(name: string): KashboxError {
  return new KashboxError('already_exists', {
    message: `There is an acquirer named "${name}" already`,
    hint: 'Choose another name: one that was revoked keeps its own.',
  });
}
