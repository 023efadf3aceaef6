/**
 * A shop with the plugin and its brand at a daemon, and what customers and tests do there.
 */
import type { ExecutionContext } from 'ava';
import type { MakeProgram, ShopPlace } from '../client.js';
import type { Ground, Shop } from '../ground.js';
import type { ShopOrder, Site } from './site.js';

/** What must hold in a shop of stubs as in a real WooCommerce. */
export type Scenario = readonly [
  title: string,
  run: (t: ExecutionContext<unknown>, world: World) => Promise<void>,
];

export const PRICE = '1250.50';

export interface World {
  /** Of the merchant, its brand and the tests. */
  readonly name: string;
  readonly ground: Ground;
  readonly shop: Shop;
  readonly site: Site;
  /** Key and webhook secret of the live brand. */
  readonly place: ShopPlace;
}

interface Paid {
  readonly result: string;
  readonly redirect?: string;
  readonly notices: readonly { readonly notice: string }[];
}

interface Made {
  readonly id: number;
  readonly key: string;
}

/** Opens the brand whose shop the site is, and connects the site to it. */
export async function connect(ground: Ground, site: Site, name: string): Promise<World> {
  let place: ShopPlace | undefined;
  const make: MakeProgram = (its) => {
    place = its;
    const ids = new Map<string, number>();
    return {
      taka: PRICE,
      open: async (order) => {
        const { id } = await create(site);
        ids.set(order, id);
        return (await pay(site, id)).redirect ?? '';
      },
      visit: async ({ href }) => void (await site.get(href)),
      hear: async () => 404,
      booked: () => 0,
    };
  };
  const shop = await ground.shop(name, make, {});
  if (place === undefined) throw new Error('the shop has no place');
  const live = { url: ground.daemonUrl, key: place.key, secret: place.secret };
  await setSettings(site, { enabled: 'yes', ...live });
  await site.command('set', { options: { woocommerce_currency: 'BDT' } });
  await site.command('forgetJobs');
  return { name, ground, shop, site, place };
}

export const setSettings = (site: Site, settings: object) =>
  site.command('set', { options: { woocommerce_kashbox_settings: settings } });
export const create = (site: Site, total = PRICE, currency = 'BDT') =>
  site.command<Made>('create', { total, currency });
export const pay = (site: Site, id: number) => site.command<Paid>('pay', { id });
export const orderOf = (site: Site, id: number) => site.command<ShopOrder>('order', { id });

export type Placed = Awaited<ReturnType<typeof placed>>;

/** An order whose customer is at the payment page. */
export async function placed({ site, shop }: World) {
  const made = await create(site);
  const { redirect = '' } = await pay(site, made.id);
  return { ...made, link: redirect, customer: shop.customer(redirect) };
}

/** The customer pays what an order costs, and all notifications arrive. @returns the transaction id. */
export async function payPrice({ shop }: World, customer: Placed['customer']): Promise<string> {
  const trxId = await shop.receive(PRICE);
  await customer.claim(trxId);
  await shop.allTold();
  return trxId;
}

export async function paid(at: World) {
  const order = await placed(at);
  return { order, trxId: await payPrice(at, order.customer) };
}

/** The setting of an order's payment, without that of its brand. */
export const takeParts = ({ ground }: World, { link }: Placed) =>
  ground.core.store.write((db) =>
    db.query.updateTable('sessions').set({ takes_parts: 1 }).where('id', '=', link.slice(-32)).execute(),
  );

/** The customer returns. @returns where the shop leads next */
export async function goBack({ site }: World, { customer }: Placed): Promise<string> {
  const address = await customer.wayBack();
  return address === null ? '' : (await site.get(address.href)).location;
}

export const notesOf = ({ notes }: ShopOrder) => notes.join('\n');

export function isCompletedOnce(t: ExecutionContext<unknown>, order: ShopOrder, transaction: string): void {
  const { status, isPaid, completed, stockTaken } = order;
  t.deepEqual(
    { status, isPaid, completed, stockTaken, transaction: order.transaction },
    {
      ...{ status: 'processing', isPaid: true, completed: 1, stockTaken: true },
      transaction,
    },
  );
  t.is(order.notes.filter((note) => note.includes('bKash') && note.includes(transaction)).length, 1);
}

export function isUnpaid(t: ExecutionContext<unknown>, order: ShopOrder, status: string): void {
  t.deepEqual([order.status, order.isPaid, order.completed], [status, false, 0]);
}
