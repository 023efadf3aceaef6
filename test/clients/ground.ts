/**
 * A daemon as a process, on SQLite, and shops around it, each with a program of its own, a phone that gets
 * its SMS and an operator. What shops and customers send goes over HTTPS; what the daemon tells them, too, is
 * a real request.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrandProfile, updateBrand } from '../../src/actions/brands/change-brand.js';
import { secretsOfBrand } from '../../src/actions/brands/webhook-secrets.js';
import { type Core, openCore } from '../../src/actions/core/core.js';
import { approveReview, rejectReview } from '../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../src/actions/reviews/list-reviews.js';
import { dhakaText } from '../../src/base/values/clock.js';
import { formatTaka } from '../../src/base/values/money.js';
import { startDaemon } from '../helpers/programs/daemon.js';
import type { Environment, Owner } from '../helpers/programs/processes.js';
import { addBank } from '../helpers/shop/hosted.js';
import { bkashId, bkashText, openShop } from '../helpers/shop/shop.js';
import type { Heard, MakeProgram, ShopProgram } from './client.js';
import { type Customer, call, openCustomer } from './customer.js';
import { type Php, startPhp } from './php.js';

const WHO = 'test';
/** Paisa that each SMS of received money says that the wallet holds. */
const BALANCE = 9_873_119;
/** What a test waits for at most; nothing is asserted of how long it takes. */
const PATIENCE_MS = 120_000;

export interface Shop {
  readonly program: ShopProgram;
  /** Opens a payment for an order, and the browser of the customer at its page. */
  order(name: string): Promise<{ readonly link: string; readonly customer: Customer }>;
  /** The browser of a customer at a payment page. */
  customer(link: string): Customer;
  /** What its server was told so far, in that order. */
  readonly heard: readonly Heard[];
  /** The phone gets an SMS of that much. @returns its transaction id */
  receive(taka: string): Promise<string>;
  /** The operator sends that much, and the phone gets the SMS of it. @returns its transaction id */
  send(taka: string, to: string): Promise<string>;
  /** The customer goes back to the shop, if the page leads there. */
  goBack(customer: Customer): Promise<void>;
  /** The operator decides about all that lies before a person, or about the payment of that link alone. */
  decide(how: 'approve' | 'reject', link?: string): Promise<void>;
  /** Waits until everything that the shop is to be told was tried. @returns what became of each */
  allTold(): Promise<readonly string[]>;
}

export interface Ground {
  readonly core: Core;
  readonly daemonUrl: string;
  /** Of the daemon, as PEM. */
  readonly certificate: string;
  /** @param name of the shop, one of its own; also the path at which it hears. */
  shop(name: string, make: MakeProgram, profile: BrandProfile): Promise<Shop>;
  close(): Promise<void>;
}

const env = { KASHBOX_ALLOW_PRIVATE_WEBHOOKS: 'true', KASHBOX_LOG_LEVEL: 'fatal' };

/** @param more of the daemon's environment. */
export async function openGround(more: Environment = {}): Promise<Ground> {
  const cleanups: (() => unknown)[] = [];
  const owner: Owner = {
    teardown: (work) => {
      cleanups.unshift(work as () => unknown);
    },
  };
  const home = mkdtempSync(join(tmpdir(), 'kashbox-clients-'));
  owner.teardown(() => rmSync(home, { recursive: true, force: true }));
  const core = await openCore({ folder: home, env });
  owner.teardown(() => core.close());
  const daemon = await startDaemon(owner, { home, env: { ...env, ...more } });
  const certificate = readFileSync(join(home, 'tls', 'cert.pem'), 'utf8');
  const agent = new Agent({ keepAlive: true, ca: certificate });
  owner.teardown(() => agent.destroy());
  const php = startPhp(owner);
  const programs = new Map<string, Hearing>();
  const hooks = await openHooks(owner, programs);
  let shops = 0;
  return {
    core,
    daemonUrl: daemon.url,
    certificate,
    shop: async (name, make, profile) => {
      shops += 1;
      const parts = { core, daemonUrl: daemon.url, agent, php, hook: `${hooks}/${name}` };
      const shop = await openPlace(parts, { name, number: shops, make, profile });
      programs.set(name, { program: shop.program, heard: shop.heard });
      return shop;
    },
    close: async () => {
      for (const work of cleanups) await work();
    },
  };
}

/** A shop's server. */
interface Hearing {
  readonly program: ShopProgram;
  readonly heard: Heard[];
}

/** The servers of all shops: the first part of the path is the shop's name. */
async function openHooks(owner: Owner, programs: ReadonlyMap<string, Hearing>): Promise<string> {
  const server = createServer(async (request, response) => {
    const [, name = '', rest = '/'] = /^\/([\w-]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const url = new URL(rest, 'http://shop.example');
    const { headers } = request;
    try {
      const told = { url, headers, body: await textOf(request) };
      const shop = programs.get(name);
      shop?.heard.push(told);
      const status = await shop?.program.hear(told);
      response.writeHead(status ?? 404, { location: '/elsewhere' }).end();
    } catch {
      // A program that breaks off answers nothing; one that asks back while the daemon ends has no choice.
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Parts {
  readonly core: Core;
  readonly daemonUrl: string;
  readonly agent: Agent;
  readonly php: Php;
  readonly hook: string;
}

interface NewShop {
  readonly name: string;
  readonly number: number;
  readonly make: MakeProgram;
  readonly profile: BrandProfile;
}

async function openPlace(
  parts: Parts,
  { name, number, make, profile }: NewShop,
): Promise<Shop & Pick<Hearing, 'heard'>> {
  const { core, daemonUrl, agent, php, hook } = parts;
  const { brand, brandKey, receive } = await openShop(core, name, `017110${String(number).padStart(5, '0')}`);
  await addBank(core, name);
  // For programs that name no address themselves.
  const webhookUrl = `${hook}/payment/drutopay`;
  await updateBrand(core, { brand: name, webhookUrl, ...profile, who: WHO });
  const [secret = ''] = await secretsOfBrand(core, name, core.clock.now());
  const program = make({
    ask: (path, ask) => call(agent, `${daemonUrl}${path}`, ask),
    key: brandKey,
    secret,
    site: 'https://shop.example',
    hook,
    php,
  });
  let sms = 0;
  let balance = 0;
  const nextId = (at: number) => bkashId(at, number * 1_000 + ++sms);
  const goBack = async (customer: Customer): Promise<void> => {
    const address = await customer.wayBack();
    if (address !== null) await program.visit(address);
  };
  return {
    program,
    heard: [],
    order: async (order) => {
      const link = await program.open(order);
      return { link, customer: openCustomer(agent, link) };
    },
    customer: (link) => openCustomer(agent, link),
    receive: async (taka) => {
      const at = core.clock.now();
      const trxId = nextId(at);
      await receive(bkashText({ taka, trxId, at }));
      balance = BALANCE;
      return trxId;
    },
    send: async (taka, to) => {
      const at = core.clock.now();
      const trxId = nextId(at);
      balance -= Math.round(100 * Number(taka)) + 500;
      const [date = '', time = ''] = dhakaText(at).slice(0, 16).split(' ');
      const stamp = `${date.split('-').reverse().join('/')} ${time}`;
      const costs = `Fee Tk 5.00. Balance Tk ${formatTaka(balance)}.`;
      await receive(`Send Money Tk ${taka} to ${to} successful. ${costs} TrxID ${trxId} at ${stamp}`);
      return trxId;
    },
    goBack,
    decide: async (how, link) => {
      const open = await listReviews(core, { brand: name, state: 'OPEN', limit: 100 });
      const decision = { note: 'looked at', who: WHO };
      for (const { id, payment } of open) {
        if (link !== undefined && !link.endsWith(payment)) continue;
        if (how === 'approve') await approveReview(core, { id, ...decision });
        else await rejectReview(core, { id, ...decision });
      }
    },
    allTold: () => untilTold(core, brand.brandId),
  };
}

/** One that no program has answered in time, on a busy machine, is tried again at once. */
async function untilTold(core: Core, brandId: string): Promise<readonly string[]> {
  for (let left = PATIENCE_MS; left > 0; left -= 50) {
    const all = await core.store.read((db) =>
      db.query
        .selectFrom('notifications as n')
        .leftJoin('attempts as a', (join) =>
          join.onRef('a.notification_id', '=', 'n.id').on('a.status', 'is not', null),
        )
        .where('n.brand_id', '=', brandId)
        .groupBy(['n.id', 'n.state', 'n.tries'])
        .orderBy('n.id')
        .select(['n.id', 'n.state', 'n.tries'])
        .select(({ fn }) => fn.count<number>('a.id').as('answers'))
        .execute(),
    );
    const open = all.filter(({ state, answers }) => state === 'PENDING' && answers === 0);
    if (open.length === 0) return all.map(({ state }) => state);
    for (const { id, tries } of open) if (tries > 0) await tryNow(core, id);
    await sleep(50);
  }
  throw new Error('a notification was not answered');
}

function tryNow(core: Core, id: string): Promise<unknown> {
  return core.store.write((db) =>
    db.query
      .updateTable('notifications')
      .set({ next_at: core.clock.now() })
      .where('id', '=', id)
      .where('lease', 'is', null)
      .execute(),
  );
}
