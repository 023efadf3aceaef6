/** Says on which wallet number a brand is paid. */
import { KashboxError } from '../base/errors.js';
import { newRowId } from '../base/ids.js';
import {
  CHANNELS,
  isChannel,
  isMfsChannel,
  MFS_ACCOUNT_TYPES,
  MFS_CHANNELS,
  type MfsChannel,
  walletNumber,
} from '../domain/channels.js';
import type { AccountTable } from '../store/schema.js';
import { activeAccount, disableAccountRow, insertAccount } from '../store/tables/accounts.js';
import { writeAudit } from '../store/tables/audit.js';
import { lockMerchant } from '../store/tables/merchants.js';
import type { Core } from './core.js';
import { requireBrand } from './required.js';
import { type AccountView, accountView } from './views.js';

export interface SetAccount {
  /** Identifier or name. */
  readonly brand: string;
  readonly channel: string;
  readonly type: string;
  readonly number: string;
  readonly who: string;
}

interface Wallet {
  readonly channel: MfsChannel;
  readonly type: string;
  readonly number: string;
}

function mfsChannelOf(channel: string): MfsChannel {
  if (isMfsChannel(channel)) return channel;
  if (isChannel(channel)) {
    throw new KashboxError('invalid_input', {
      message: `channel ${channel} is not available yet in this version`,
      hint: `This version takes payments on ${MFS_CHANNELS.join(', ')}.`,
    });
  }
  throw new KashboxError('invalid_input', {
    message: `channel "${channel}" is unknown; there are ${CHANNELS.join(', ')}`,
    hint: `This version takes payments on ${MFS_CHANNELS.join(', ')}.`,
  });
}

/**
 * @returns the account in the form in which it is kept.
 * @throws KashboxError `invalid_input` that names channel, type or number.
 */
export function walletOf(input: {
  readonly channel: string;
  readonly type: string;
  readonly number: string;
}): Wallet {
  const channel = mfsChannelOf(input.channel);
  const types = MFS_ACCOUNT_TYPES[channel];
  const type = types.find((known) => known === input.type);
  if (type === undefined) {
    throw new KashboxError('invalid_input', {
      message: `type "${input.type}" does not exist on ${channel}`,
      hint: `Accounts on ${channel} are of type ${types.join(', ')}.`,
    });
  }
  const number = walletNumber(channel, input.number.trim());
  if (number === null) {
    throw new KashboxError('invalid_input', {
      message: `number "${input.number}" is no wallet number`,
      hint: 'Write the 11 digits of the mobile number, such as 01712345678.',
    });
  }
  return { channel, type, number };
}

/**
 * A brand has one active account on each channel and type: an older one is disabled, the same number again
 * changes nothing.
 * @throws KashboxError `not_found`, `invalid_input`
 */
export async function setAccount(core: Core, input: SetAccount): Promise<AccountView> {
  const wallet = walletOf(input);
  return core.store.write(async (db) => {
    const brand = await requireBrand(db, input.brand);
    await lockMerchant(db, brand.merchant_id);
    const now = core.clock.now();
    const old = await activeAccount(db, brand.id, wallet.channel, wallet.type);
    if (old?.number === wallet.number) return accountView({ ...old, brand: brand.name });
    if (old !== undefined) await disableAccountRow(db, old.id, now);
    const row: AccountTable = {
      id: newRowId(core.random, now, 'account'),
      brand_id: brand.id,
      ...wallet,
      active: 1,
      created_at: now,
      disabled_at: null,
      details: '{}',
    };
    await insertAccount(db, row);
    await writeAudit(db, core.random, {
      at: now,
      who: input.who,
      action: 'account.set',
      subject: row.id,
      before: old === undefined ? null : { id: old.id, number: old.number },
      after: { brand: brand.id, ...wallet },
    });
    return accountView({ ...row, brand: brand.name });
  });
}
