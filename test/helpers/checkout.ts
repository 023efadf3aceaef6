/**
 * Everything that a hosted payment needs, for real: a shop with wallets and a bank account, its website, its
 * phone, and the daemon as a process. What the shop and the phone send goes over HTTPS as theirs does.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brandContext } from '../../src/actions/brand-context.js';
import type { BrandProfile } from '../../src/actions/brand-parts.js';
import { type Core, openCore } from '../../src/actions/core.js';
import { createSession } from '../../src/actions/create-session.js';
import { setAccount } from '../../src/actions/set-account.js';
import { updateBrand } from '../../src/actions/update-brand.js';
import { dhakaIso } from '../../src/base/clock.js';
import { type Answer, type Daemon, startDaemon } from './daemon.js';
import { temporaryFolder } from './engines.js';
import type { Environment, Owner } from './processes.js';
import { bkashId, bkashText, openShop, type Shop, WALLET } from './shop.js';
import { openShopSite, type ShopSite } from './shop-site.js';
import { tlsPair } from './tls-pair.js';

export const BRAND = 'Alo Store';

export interface OpenCheckout {
  readonly profile?: BrandProfile;
  /** All wallets and a bank, instead of one bKash number. */
  readonly everything?: boolean;
  readonly env?: Environment;
}

export interface Checkout {
  readonly core: Core;
  readonly shop: Shop;
  readonly site: ShopSite;
  readonly home: string;
  daemon(): Daemon;
  /** The shop asks for a payment by API v1, with addresses that have a query of their own. */
  create(amount: number, more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** A link that runs out so many milliseconds from now; before now when negative. */
  createEnding(amount: number, inMs: number): Promise<string>;
  verify(transactionId: string): Promise<Answer>;
  /** The shop's phone receives an SMS from bKash and hands it over. */
  deliver(body: string): Promise<void>;
  /** The daemon ends, and another one starts where it was. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const OTHER_WALLETS = [
  ['mfs_b', 'personal', '01811000002'],
  ['mfs_c', 'personal', '019110000034'],
  ['mfs_d', 'personal', '01611000004'],
] as const;

const HOUR_MS = 3_600_000;

async function openAccounts(core: Core): Promise<void> {
  const who = 'test';
  for (const [channel, type, number] of OTHER_WALLETS) {
    await setAccount(core, { brand: BRAND, channel, type, number, who });
  }
  await setAccount(core, {
    brand: BRAND,
    channel: 'bank',
    type: 'account',
    number: '1501201234567001',
    details: { bank_name: 'Shapla Bank', holder: BRAND, branch: 'Mirpur 10', routing: '123456789' },
    who,
  });
}

/** Home, shop and wallets are made by the operator's own actions, then the daemon is started. */
export async function openCheckout(t: Owner, options: OpenCheckout = {}): Promise<Checkout> {
  const { profile = {}, everything = false, env = {} } = options;
  const home = await temporaryFolder(t);
  const { cert, key } = await tlsPair();
  mkdirSync(join(home, 'tls'), { mode: 0o700 });
  writeFileSync(join(home, 'tls', 'cert.pem'), cert);
  writeFileSync(join(home, 'tls', 'key.pem'), key, { mode: 0o600 });
  const core = await openCore({ folder: home, env: {} });
  t.teardown(() => core.close());
  const shop = await openShop(core, BRAND, WALLET);
  await updateBrand(core, { brand: BRAND, mobile: '01711000099', ...profile, who: 'test' });
  if (everything) await openAccounts(core);
  const site = await openShopSite(t);
  let running = await startDaemon(t, { home, env });
  const { port } = new URL(running.url);
  const addresses = { success_url: `${site.url}/paid?order=7`, cancel_url: `${site.url}/cart?from=pay` };
  let delivered = 0;
  return {
    core,
    shop,
    site,
    home,
    daemon: () => running,
    create: async (amount, more = {}) => {
      const body = { amount, cus_name: 'Customer', ...addresses, ...more };
      const answer = await running.post('/api/payment/create', { 'brand-key': shop.brandKey }, body);
      if (answer.status !== 200) throw new Error(`no link: ${JSON.stringify(answer.body)}`);
      return String(answer.body.payment_url);
    },
    createEnding: async (amount, inMs) => {
      const brand = await brandContext(core, BRAND);
      const clock = { now: () => Date.now() + inMs - HOUR_MS };
      const session = await createSession(
        { ...core, clock },
        {
          brand,
          hosted: {
            successUrl: addresses.success_url,
            cancelUrl: addresses.cancel_url,
            webhookUrl: null,
            returnType: 'GET',
          },
          cusName: 'Customer',
          cusEmail: '',
          amountPaisa: amount * 100,
          metaJson: null,
        },
      );
      return `${running.url}/api/execute/${session.id}`;
    },
    verify: (transactionId) =>
      running.post('/api/payment/verify', { 'brand-key': shop.brandKey }, { transaction_id: transactionId }),
    deliver: async (body) => {
      delivered += 1;
      const message = { id: `m${delivered}`, sender: 'bKash', body, sim_slot: 1 };
      const answer = await running.post(
        '/api/v2/relay/sync',
        { 'device-key': shop.deviceKey },
        { messages: [{ ...message, received_at: dhakaIso(Date.now()) }] },
      );
      if (answer.status !== 200) throw new Error(`SMS not taken: ${JSON.stringify(answer.body)}`);
    },
    stop: async () => {
      running.process.kill('SIGTERM');
      await running.process.ended;
    },
    start: async () => {
      running = await startDaemon(t, { home, env, port: Number(port) });
    },
  };
}

export interface Payment {
  readonly trxId: string;
  /** What bKash writes to the shop's phone. */
  readonly received: string;
  /** What bKash writes to the customer, over several lines, as it is copied whole. */
  readonly sent: string;
}

let payments = 0;

/** Money that a customer sends to the shop now. `taka` such as `500.00`. */
export function pay(taka: string): Payment {
  payments += 1;
  const at = Date.now();
  const trxId = bkashId(at, payments);
  const [date = '', time = ''] = dhakaIso(at).slice(0, 16).split('T');
  const written = `${date.split('-').reverse().join('/')} ${time}`;
  const sent = `Send Money Tk ${taka} to ${WALLET} successful.\nFee Tk 5.00. Balance Tk 1,204.50.\nTrxID ${trxId} at ${written}`;
  return { trxId, received: bkashText({ taka, trxId, at }), sent };
}
