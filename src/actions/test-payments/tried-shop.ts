/** A shop that a test payment is made to: its wallets, and the phones that hear of them. */
import {
  CHANNEL,
  isMfsAccountType,
  type MfsAccountType,
  type MfsChannel,
} from '../../domain/accounts/channels.js';
import { listAccounts } from '../accounts/account-view.js';
import { brandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { type DeviceView, listDevices } from '../devices/device-view.js';

export interface TriedWallet {
  readonly channel: MfsChannel;
  readonly type: MfsAccountType;
  readonly number: string;
}

export interface TriedShop {
  /** Of the brand. */
  readonly name: string;
  readonly brandId: string;
  readonly merchantId: string;
  /** Those in use. */
  readonly wallets: readonly TriedWallet[];
  /** Numbers that have their SIM in a phone that is not revoked. */
  readonly sims: readonly string[];
  readonly devices: readonly DeviceView[];
}

/** @param named identifier or name of the brand. @throws KashboxError `not_found` */
export async function triedShop(core: Core, named: string): Promise<TriedShop> {
  const { name, brandId, merchantId } = await brandContext(core, named);
  const accounts = await listAccounts(core, { brand: brandId, disabledToo: false });
  const devices = (await listDevices(core, { merchant: merchantId })).filter(
    ({ state }) => state !== 'REVOKED',
  );
  const wallets = accounts.flatMap(({ channel, type, number }) => {
    const row = CHANNEL[channel];
    return row.kind === 'sms' && isMfsAccountType(type) ? [{ channel: row.channel, type, number }] : [];
  });
  const sims = devices.flatMap((device) => device.sims.map((sim) => sim.number));
  return { name, brandId, merchantId, wallets, sims, devices };
}
