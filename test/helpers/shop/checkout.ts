/**
 * Everything that a hosted payment needs, for real: a shop with wallets and a bank account, its website, its
 * phone, and the daemon. What the shop and the phone send goes over HTTPS as theirs does.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import { type BrandProfile, updateBrand } from '../../../src/actions/brands/change-brand.js';
import { setRate } from '../../../src/actions/brands/rates.js';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { createSession, type HostedReturn } from '../../../src/actions/sessions/create-session.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { tlsPair } from '../network/tls-pair.js';
import { type Answer, type DaemonClient, startDaemon } from '../programs/daemon.js';
import { type StartDaemonHere, startDaemonHere } from '../programs/daemon-here.js';
import type { Environment, Owner } from '../programs/processes.js';
import { temporaryHome } from '../stores/engines.js';
import { printedPayload } from './qr.js';
import { bkashId, bkashSent, bkashText, openShop, type Shop, WALLET } from './shop.js';
import { openShopSite, type ShopSite } from './shop-site.js';

export const BRAND = 'Alo Store';

export interface OpenCheckout {
  /** What the shop is called. */
  readonly brand?: string;
  readonly profile?: BrandProfile;
  /** All ways to pay, instead of one bKash number. No node of a chain and no exchange answers. */
  readonly everything?: boolean;
  readonly env?: Environment;
  /** The daemon is the program as it is shipped, in a process of its own, as for a customer. */
  readonly asProgram?: boolean;
}

export interface Checkout {
  readonly core: Core;
  readonly shop: Shop;
  readonly site: ShopSite;
  readonly home: string;
  daemon(): DaemonClient;
  /** The shop asks for a payment by API v1, with addresses that have a query of their own. */
  create(amount: number, more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** A link that runs out so many milliseconds from now; before now when negative. */
  createEnding(amount: number, inMs: number): Promise<string>;
  verify(transactionId: string): Promise<Answer>;
  /** The shop's phone receives an SMS, from bKash unless told otherwise, and hands it over. */
  deliver(body: string, sender?: string): Promise<void>;
  /** The daemon ends, and another one starts where it was. */
  stop(): Promise<unknown>;
  start(): Promise<void>;
}

const OTHER_WALLETS = [
  ['mfs_b', 'personal', '01811000002'],
  ['mfs_c', 'personal', '019110000034'],
  ['mfs_d', 'personal', '01611000004'],
] as const;

export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
export const EXCHANGE_USER = '358127946';
/** BDT for one USDT. */
const RATE = '121.50';
/** Nobody listens there. */
const DEAD_EXCHANGE = 'http://127.0.0.1:9';

const HOUR_MS = 3_600_000;

async function openAccounts(core: Core, brand: string): Promise<void> {
  const who = 'test';
  for (const [channel, type, number] of OTHER_WALLETS) {
    await setAccount(core, { brand, channel, type, number, who });
  }
  await setAccount(core, {
    brand,
    channel: 'bank',
    type: 'account',
    number: '1501201234567001',
    details: { bank_name: 'Shapla Bank', holder: brand, branch: 'Mirpur 10', routing: '123456789' },
    who,
  });
  await setRate(core, { brand, rate: RATE, who });
  await setAccount(core, { brand, channel: 'bep20', number: ADDRESS, who });
  await setAccount(core, {
    brand,
    channel: 'exchange_pay',
    type: 'personal',
    number: EXCHANGE_USER,
    details: { base_url: DEAD_EXCHANGE },
    credentials: { key: 'a-key-of-nobody-0001', secret: 'a-secret-of-nobody-01' },
    who,
  });
  await setAccount(core, { brand, channel: 'qr_interbank', details: { qr: printedPayload }, who });
}

/** A home whose daemon has the one certificate that browsers of the tests trust. */
async function openHome(t: Owner): Promise<string> {
  const home = await temporaryHome(t);
  const { cert, key } = await tlsPair();
  mkdirSync(join(home, 'tls'), { mode: 0o700 });
  writeFileSync(join(home, 'tls', 'cert.pem'), cert);
  writeFileSync(join(home, 'tls', 'key.pem'), key, { mode: 0o600 });
  return home;
}

/** @returns the id of a session that was opened an hour before `endsAt`, in milliseconds since the epoch. */
async function sessionEnding(
  core: Core,
  brand: BrandContext,
  hosted: HostedReturn,
  amount: number,
  endsAt: number,
) {
  const clock = { now: () => endsAt - HOUR_MS };
  const input = {
    brand,
    hosted,
    cusName: 'Customer',
    cusEmail: '',
    amountPaisa: amount * 100,
    metaJson: null,
  };
  return (await createSession({ ...core, clock }, input)).id;
}

/** Home, shop and wallets are made by the operator's own actions, then the daemon is started. */
export async function openCheckout(t: Owner, options: OpenCheckout = {}): Promise<Checkout> {
  const { brand = BRAND, profile = {}, everything = false, env = {}, asProgram = false } = options;
  const home = await openHome(t);
  const core = await openCore({ folder: home, env: {} });
  t.teardown(() => core.close());
  const shop = await openShop(core, brand, WALLET);
  await updateBrand(core, { brand, mobile: '01711000099', ...profile, who: 'test' });
  if (everything) await openAccounts(core, brand);
  const site = await openShopSite(t);
  const successUrl = `${site.url}/paid?order=7`;
  const cancelUrl = `${site.url}/cart?from=pay`;
  let running = await start(t, asProgram, { home, env });
  const port = Number(new URL(running.url).port);
  const brandKey = { 'brand-key': shop.brandKey };
  let delivered = 0;
  return {
    core,
    shop,
    site,
    home,
    daemon: () => running,
    create: async (amount, more = {}) => {
      const addresses = { success_url: successUrl, cancel_url: cancelUrl };
      const body = { amount, cus_name: 'Customer', ...addresses, ...more };
      return String((await accepted(running.post('/api/payment/create', brandKey, body))).payment_url);
    },
    createEnding: async (amount, inMs) => {
      const hosted: HostedReturn = { successUrl, cancelUrl, webhookUrl: null, returnType: 'GET' };
      const id = await sessionEnding(core, shop.brand, hosted, amount, Date.now() + inMs);
      return `${running.url}/api/execute/${id}`;
    },
    verify: (transactionId) =>
      running.post('/api/payment/verify', brandKey, { transaction_id: transactionId }),
    deliver: async (body, sender = 'bKash') => {
      delivered += 1;
      const message = { id: `m${delivered}`, sender, body, sim_slot: 1 };
      const messages = [{ ...message, received_at: dhakaIso(Date.now()) }];
      await accepted(running.post('/api/v2/relay/sync', { 'device-key': shop.deviceKey }, { messages }));
    },
    stop: () => running.stop(),
    start: async () => {
      running = await start(t, asProgram, { home, env, port });
    },
  };
}

interface Running extends DaemonClient {
  stop(): Promise<unknown>;
}

async function start(t: Owner, asProgram: boolean, options: StartDaemonHere): Promise<Running> {
  if (!asProgram) return startDaemonHere(t, options);
  const daemon = await startDaemon(t, options);
  const stop = () => {
    daemon.process.kill('SIGTERM');
    return daemon.process.ended;
  };
  return { ...daemon, stop };
}

async function accepted(answering: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answering;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
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
  const sent = bkashSent({ amount: taka, to: WALLET, balance: '1,204.50', at }, trxId).replace(
    / (?=Fee|TrxID)/g,
    '\n',
  );
  return { trxId, received: bkashText({ taka, trxId, at }), sent };
}
