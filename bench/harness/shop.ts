/** A shop to measure with: made through the actions, as by an operator, before a daemon runs on its home. */
import { openCore } from '../../src/actions/core/core.js';
import { listDevices } from '../../src/actions/devices/device-view.js';
import { enrollDevice } from '../../src/actions/devices/enroll-device.js';
import { bkashId, bkashText, openShop, type Shop, WALLET } from '../../test/helpers/shop/shop.js';

export const PAISA = 50_000;

/** An open session, and the id of a payment that would pay it. */
export interface Order {
  readonly session: string;
  readonly reference: string;
}

interface Prepared {
  readonly brandKey: string;
  readonly owner: { readonly merchantId: string; readonly deviceId: string };
  /** Of every phone, all with a SIM of the shop's wallet. */
  readonly deviceKeys: readonly string[];
  /** Opens sessions without payments. */
  orders(count: number): Promise<Order[]>;
  /** Opens sessions whose payments have already been relayed. */
  paidOrders(count: number): Promise<Order[]>;
}

/** So many at once share a commit. */
const AT_ONCE = 200;

let serial = 0;
/** Has no factor in common with 36⁶, so that serial numbers give ids in no order, each only once. */
const SCATTER = 1_234_567_891;
const IDS = 36 ** 6;

function nextReference(at: number): string {
  for (;;) {
    serial += 1;
    const reference = bkashId(at, (serial * SCATTER) % IDS);
    // Two X in a row look like a number with hidden digits, which a person must look at.
    if (!reference.includes('XX')) return reference;
  }
}

/** A text of 500 taka that no other has been like, and its id. */
export function nextSms(at = Date.now()): { readonly reference: string; readonly body: string } {
  const reference = nextReference(at);
  return { reference, body: bkashText({ taka: '500.00', trxId: reference, at }) };
}

/**
 * Makes merchant, brand, account and phones in this home and what `prepare` asks for; then lets go of it.
 * @param env settings, such as a database of its own.
 */
export async function equip<Stock>(
  home: string,
  phones: number,
  prepare: (shop: Prepared) => Promise<Stock>,
  env: Readonly<Record<string, string>> = {},
): Promise<Stock> {
  const core = await openCore({ folder: home, env });
  try {
    const shop = await openShop(core);
    const deviceKeys = [shop.deviceKey];
    for (let phone = 2; phone <= phones; phone += 1) {
      const name = `phone ${phone}`;
      const device = { merchant: shop.brand.name, name, sims: [`1=${WALLET}`], who: 'bench' };
      const enrolled = await enrollDevice(core, device);
      deviceKeys.push(enrolled.device_key);
    }
    const [device] = await listDevices(core, {});
    return await prepare({
      brandKey: shop.brandKey,
      owner: { merchantId: shop.merchantId, deviceId: device?.id ?? '' },
      deviceKeys,
      orders: (count) => inChunks(count, (size) => open(shop, size)),
      paidOrders: (count) => inChunks(count, (size) => openPaid(shop, size)),
    });
  } finally {
    await core.close();
  }
}

/** Makes so many, `make` by `make`, each with as many as share a commit well. */
export async function inChunks<T>(count: number, make: (size: number) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < count) all.push(...(await make(Math.min(AT_ONCE, count - all.length))));
  return all;
}

function open(shop: Shop, size: number): Promise<Order[]> {
  const order = async () => ({ session: await shop.order(PAISA), reference: nextSms().reference });
  return Promise.all(Array.from({ length: size }, order));
}

async function openPaid(shop: Shop, size: number): Promise<Order[]> {
  const sms = Array.from({ length: size }, () => nextSms());
  const results = await shop.receive(...sms.map(({ body }) => body));
  if (results.some(({ state }) => state !== 'stored')) throw new Error('a prepared payment was not stored');
  return Promise.all(sms.map(async ({ reference }) => ({ session: await shop.order(PAISA), reference })));
}
