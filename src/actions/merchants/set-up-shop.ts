/**
 * A first shop in one go: merchant, accounts and phone. What can be refused is refused before anything
 * is made.
 */

import { findBrand } from '../../store/tables/brands.js';
import { findMerchant } from '../../store/tables/merchants.js';
import type { AccountView } from '../accounts/account-view.js';
import { checkAccount, validateWallet } from '../accounts/check-account.js';
import { setAccount } from '../accounts/set-account.js';
import type { Core } from '../core/core.js';
import { type EnrolledDevice, enrollDevice } from '../devices/enroll-device.js';
import { simFields } from '../devices/update-device.js';
import { nameField } from '../input/fields.js';
import { nameTaken } from '../input/row-change.js';
import { type CreatedMerchant, createMerchant } from './change-merchant.js';

export interface ShopPlan {
  readonly name: string;
  readonly mobile?: string | undefined;
  readonly email?: string | undefined;
  /** The program that the shop runs (domain/plugins/plugins). */
  readonly plugin?: string | undefined;
  readonly accounts: readonly {
    readonly channel: string;
    readonly type: string;
    readonly number: string;
    /** Text of its QR code; absent for none. */
    readonly qr?: string | undefined;
  }[];
  /** The phone; absent where it comes later. */
  readonly device?: { readonly name: string; readonly sims: readonly string[] } | undefined;
}

export interface CreatedShop extends CreatedMerchant {
  readonly accounts: readonly AccountView[];
  readonly device: EnrolledDevice | null;
}

/** @throws KashboxError `invalid_input`, `already_exists` */
export async function setUpShop(core: Core, plan: ShopPlan, who: string): Promise<CreatedShop> {
  for (const { qr, ...wallet } of plan.accounts) {
    validateWallet(wallet);
    await checkAccount(wallet, { qr });
  }
  const device = plan.device === undefined ? null : checkedDevice(plan.device);
  const { name, mobile, email, plugin } = plan;
  const about = { name, mobile, whatsapp: mobile, email, plugin };
  const made = await createMerchant(core, { ...about, allowIps: [], who });
  const accounts: AccountView[] = [];
  for (const { qr, ...wallet } of plan.accounts) {
    accounts.push(await setAccount(core, { brand: made.brand.id, ...wallet, details: { qr }, who }));
  }
  const enrolled =
    device === null ? null : await enrollDevice(core, { merchant: made.merchant.id, ...device, who });
  return { ...made, accounts, device: enrolled };
}

/** Validates a device of a merchant that does not exist yet, so no other device can have its name. */
function checkedDevice<Device extends { readonly name: string; readonly sims: readonly string[] }>(
  device: Device,
): Device {
  simFields(device.sims);
  nameField('device-name', device.name);
  return device;
}

/** A new merchant's first brand has its name. @throws KashboxError `invalid_input`, `already_exists` */
export async function requireFreeName(core: Core, text: string): Promise<void> {
  const name = nameField('name', text);
  const [merchant, brand] = await core.store.read((db) =>
    Promise.all([findMerchant(db, name), findBrand(db, name)]),
  );
  if (merchant !== undefined) throw nameTaken('merchant', name);
  if (brand !== undefined) throw nameTaken('brand', name);
}
