/** A shop that can be paid, made through the same actions as an operator's, and the SMS it would receive. */
import type { DeviceContext } from '../../../src/actions/access/authenticate-device.js';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { type BrandContext, brandContext } from '../../../src/actions/brands/brand-context.js';
import type { Core } from '../../../src/actions/core/core.js';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { createSession, type HostedReturn } from '../../../src/actions/sessions/create-session.js';
import { hashKey } from '../../../src/base/io/secret.js';
import { dhakaIso, dhakaText } from '../../../src/base/values/clock.js';

export const WALLET = '01711000001';

/** Where the customers of test shops go after a hosted payment. */
const HOSTED: HostedReturn = {
  successUrl: 'https://shop.example.com/paid?order=7',
  cancelUrl: 'https://shop.example.com/cart',
  webhookUrl: null,
  returnType: 'GET',
};

export interface Shop {
  readonly brand: BrandContext;
  readonly brandKey: string;
  readonly deviceKey: string;
  readonly gatewayKey: string;
  readonly merchantId: string;
  readonly deviceId: string;
  /** As the gate hands it to actions. */
  readonly device: DeviceContext;
  /** Opens a headless session and returns its id. @param takesParts default: false. */
  order(paisa: number, takesParts?: boolean): Promise<string>;
  /** Opens a hosted session and returns its id, which is the last part of its link. */
  link(paisa: number): Promise<string>;
  /** Delivers texts as the phone would, from the SIM in slot 1. */
  receive(...bodies: readonly string[]): Promise<readonly { state: string }[]>;
}

/** @param name of merchant, brand and phone; shops of one test need different ones. */
export async function openShop(core: Core, name = 'Alo Store', wallet = WALLET): Promise<Shop> {
  const who = 'test';
  const made = await createMerchant(core, { name, allowIps: [], who });
  await setAccount(core, { brand: name, channel: 'mfs_a', type: 'personal', number: wallet, who });
  const phone = await enrollDevice(core, {
    merchant: name,
    name: `${name} phone`,
    sims: [`1=${wallet}`],
    who,
  });
  const brand = await brandContext(core, name);
  const merchantId = made.merchant.id;
  const device: DeviceContext = {
    deviceId: phone.device.id,
    merchantId,
    name: phone.device.name,
    keyHash: hashKey(phone.device_key),
    agent: '',
    resendSince: null,
    clock: null,
    hasDispatches: true,
  };
  let delivered = 0;
  const open = async (amountPaisa: number, hosted: HostedReturn | null, takesParts = false) => {
    const customer = { cusName: 'Customer', cusEmail: '', metaJson: '{"order":7}' };
    return (await createSession(core, { brand, hosted, amountPaisa, takesParts, ...customer })).id;
  };
  return {
    brand,
    brandKey: made.brand_key,
    deviceKey: phone.device_key,
    gatewayKey: phone.gateway_key,
    merchantId,
    deviceId: phone.device.id,
    device,
    order: (amountPaisa, takesParts) => open(amountPaisa, null, takesParts),
    link: (amountPaisa) => open(amountPaisa, HOSTED),
    receive: async (...bodies) => {
      const messages = bodies.map((body) => {
        delivered += 1;
        return {
          id: `m${delivered}`,
          sender: 'bKash',
          body,
          received_at: dhakaIso(core.clock.now()),
          sim_slot: 1,
        };
      });
      return (await syncDevice(core, { device, messages, health: null })).results;
    },
  };
}

/** "2026-08-21", "12:35" in Bangladesh time. */
const written = (at: number) => dhakaText(at).slice(0, 16).split(' ') as [date: string, time: string];

/**
 * A bKash id as one of that moment would look, in whose first signs year, month and day stand in base 36; its
 * last seven signs are decided by `n`.
 */
export function bkashId(at: number, n: number): string {
  const [year = 0, month = 0, day = 0] = written(at)[0].split('-').map(Number);
  const signs = [year - 2013, month + 9, day].map((sign) => sign.toString(36).toUpperCase());
  return `${signs.join('')}${n % 10}${n.toString(36).toUpperCase().padStart(6, '0').slice(-6)}`;
}

/** What bKash writes to whom money was sent: shape 1 of sms-formats. */
export function bkashReceived(
  receipt: { readonly amount: string; readonly balance: string; readonly from: string; readonly at: number },
  trxId: string,
  ref = '',
): string {
  const { amount, balance, from, at } = receipt;
  const note = ref === '' ? '' : ` Ref ${ref}.`;
  const text = `You have received Tk ${amount} from ${from}.${note} Fee Tk 0.00. Balance Tk ${balance}.`;
  return `${text} TrxID ${trxId} at ${stamp(at)}`;
}

/** What bKash writes to who sends money, which costs 5 taka. */
export function bkashSent(
  transfer: { readonly amount: string; readonly balance: string; readonly to: string; readonly at: number },
  trxId: string,
): string {
  const { amount, balance, to, at } = transfer;
  const text = `Send Money Tk ${amount} to ${to} successful. Fee Tk 5.00. Balance Tk ${balance}.`;
  return `${text} TrxID ${trxId} at ${stamp(at)}`;
}

/** `21/08/2026 12:35` */
function stamp(at: number): string {
  const [date, time] = written(at);
  return `${date.split('-').reverse().join('/')} ${time}`;
}

/** The text of shape 1 of sms-formats: money received from a customer's number. */
export function bkashText(sms: {
  readonly taka: string;
  readonly trxId: string;
  readonly at: number;
  readonly ref?: string;
}): string {
  const receipt = { amount: sms.taka, from: '01900000001', balance: '98,731.19', at: sms.at };
  return bkashReceived(receipt, sms.trxId, sms.ref);
}
