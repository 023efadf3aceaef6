/**
 * Our clients against a real daemon over TLS, in every language: what is paid is delivered once, and nothing
 * else is. Beside it what answers no call: nobody, a slow server, a login page, a stranger's certificate.
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { freePort } from '../helpers/network/free-port.js';
import { openReceiver, type Received } from '../helpers/network/receiver.js';
import { newTlsPair } from '../helpers/network/tls-pair.js';
import { openCli } from '../helpers/programs/cli.js';
import { startDaemonHere } from '../helpers/programs/daemon-here.js';
import type { Owner } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { until } from '../helpers/until.js';
import { type Driver, LANGUAGES, type Options, type Outcome, TYPESCRIPT } from './drivers/drivers.js';

const PAGES = { successUrl: 'https://shop.example.com/paid', cancelUrl: 'https://shop.example.com/cart' };
/** A busy machine answers late. */
const PATIENCE_S = 60;
const KEY = 'bk_0123456789abcdefghijABCDEFGHIJ0123456789';

type Start = (owner: Owner) => Driver;
type T = ExecutionContext<unknown>;

interface Created {
  readonly id: string;
  readonly url: string;
}

interface Query {
  readonly id: string;
  readonly order: string;
  readonly amount: string;
}

interface Shop {
  readonly kashbox: Awaited<ReturnType<typeof openCli>>;
  readonly options: Options;
  /** Notifications, in the order of their coming. */
  readonly received: readonly Received[];
  create(order: string, more?: object): Promise<Outcome>;
  /** A created payment, for 500.00 taka. */
  buy(order: string): Promise<Query>;
  verify(query: Query): Promise<Outcome>;
  settle(query: Query, fails?: boolean): Promise<Outcome>;
  receive(notification: Received): Promise<Outcome>;
  /** Simulates the customer's wallet. */
  pay(query: Query, scenario?: string): Promise<void>;
  delivered(): readonly string[];
}

/** @param settings of the brand, as flags. */
async function openShop(t: T, start: Start, settings: readonly string[] = []): Promise<Shop> {
  const kashbox = await openCli(t);
  const { url: hook, received } = await openReceiver(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const brand = ['brands', 'create', '--merchant', 'Alo', '--name', 'Alo test', '--test', '--json'];
  const made = (await kashbox(...brand, '--webhook-url', hook)).json<{
    brand_key: string;
    webhook_secret: string;
  }>();
  if (settings.length > 0) t.is((await kashbox('brands', 'update', 'Alo test', ...settings)).code, 0);
  const daemon = await startDaemonHere(t, { home: kashbox.home });
  const folder = await temporaryFolder(t);
  const log = `${folder}.log`;
  const options = {
    url: daemon.url,
    key: made.brand_key,
    secret: made.webhook_secret,
    ca: join(kashbox.home, 'tls', 'cert.pem'),
    deliveries: folder,
    timeout: PATIENCE_S,
  };
  const driver = start(t);
  const create = (order: string, more: object = {}) =>
    driver({ do: 'create', options, call: { order, amount: '500.00', ...PAGES, ...more } });
  return {
    kashbox,
    options,
    received,
    create,
    buy: async (order) => {
      const { result, error } = await create(order);
      t.is(error, undefined);
      const { id, url } = result as Created;
      t.is(url, `${daemon.url}/api/execute/${id}`);
      return { id, order, amount: '500.00' };
    },
    verify: (query) => driver({ do: 'verify', options, call: query }),
    // A process of its own, as two requests to a shop are.
    settle: (query, fails = false) => start(t)({ do: 'settle', options, call: query, log, fails }),
    receive: ({ body, headers }) => driver({ do: 'receive', options, body, headers }),
    pay: async ({ id }, scenario = 'exact') => {
      t.is((await kashbox('test', 'pay', id, '--scenario', scenario)).code, 0);
    },
    delivered: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
  };
}

const stateOf = ({ result }: Outcome) => (result as { readonly state?: string } | undefined)?.state;
const deliveryOf = ({ result }: Outcome) => (result as { readonly delivery?: string } | undefined)?.delivery;

async function listen(owner: Owner, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

// In the other languages the vectors show the same.
test('typescript: a brand with other settings of verify is read alike', async (t) => {
  const settings = ['--dialect', 'flat', '--metadata-as', 'string', '--status-as', 'lower'];
  const shop = await openShop(t, TYPESCRIPT, settings);
  const query = await shop.buy('17');
  t.is(stateOf(await shop.verify(query)), 'pending');
  await shop.pay(query);
  t.is(stateOf(await shop.verify(query)), 'completed');
  t.is((await shop.verify({ ...query, order: '18' })).error?.kind, 'PaymentMismatchError');
});

for (const [language, start] of Object.entries(LANGUAGES)) {
  test(`${language}: a paid order is delivered once, by webhook and return page, also simultaneously`, async (t) => {
    const shop = await openShop(t, start);
    const query = await shop.buy('17');
    t.is(stateOf(await shop.settle(query)), 'pending');
    await shop.pay(query);
    await until(() => shop.received.length > 0);
    const [notification] = shop.received;
    if (notification === undefined) return t.fail();
    t.like((await shop.receive(notification)).result, {
      event: 'payment.completed',
      order: '17',
      sessionId: query.id,
    });
    const all = await Promise.all(Array.from({ length: 5 }, () => shop.settle(query)));
    for (const outcome of all) t.is(stateOf(outcome), 'completed', outcome.error?.message);
    t.is(all.filter((outcome) => deliveryOf(outcome) === 'delivered').length, 1);
    t.is(deliveryOf(await shop.settle(query)), 'repeated');
    t.deepEqual(shop.delivered(), ['17']);
    t.like((await shop.verify(query)).result, { isPaid: true, isTest: true, paidAmount: '500.00' });
    const altered = { ...notification, body: notification.body.replace('500.00', '900.00') };
    t.is((await shop.receive(altered)).error?.reason, 'wrong');
  });

  test(`${language}: an order whose delivery fails is delivered by the next call, one that was killed is left alone`, async (t) => {
    const shop = await openShop(t, start);
    const query = await shop.buy('অর্ডার/18');
    await shop.pay(query);
    t.like((await shop.settle(query, true)).error, { kind: 'other', message: 'no stock' });
    t.deepEqual(shop.delivered(), []);
    t.is(deliveryOf(await shop.settle(query)), 'delivered');
    t.deepEqual(shop.delivered(), ['অর্ডার/18']);

    // As a process leaves it that was killed while it delivered.
    const killed = join(await temporaryFolder(t), createHash('sha256').update(query.order).digest('hex'));
    await writeFile(killed, `${query.order}\n`);
    const left = { ...shop.options, deliveries: dirname(killed) };
    const again = () => start(t)({ do: 'settle', options: left, call: query, log: `${killed}.log` });
    t.is(deliveryOf(await again()), 'running');
    await rm(killed);
    t.is(deliveryOf(await again()), 'delivered');

    const nowhere = { ...shop.options, deliveries: '/nowhere' };
    const lost = await start(t)({ do: 'settle', options: nowhere, call: query, log: '/nowhere' });
    t.regex(lost.error?.message ?? '', /Cannot write to the folder \/nowhere/);
  });

  test(`${language}: unpaid, cancelled and doubtful payments and those of another order deliver nothing`, async (t) => {
    const shop = await openShop(t, start);
    const [paid, open, cancelled, doubtful] = [
      await shop.buy('1'),
      await shop.buy('2'),
      await shop.buy('3'),
      await shop.buy('4'),
    ];
    await shop.pay(paid);
    await shop.pay(doubtful, 'more');
    await shop.kashbox('payments', 'cancel', cancelled.id);
    t.is(stateOf(await shop.settle(open)), 'pending');
    t.is(stateOf(await shop.settle(cancelled)), 'failed');
    t.is(stateOf(await shop.settle(doubtful)), 'review');
    t.is((await shop.settle({ ...open, id: paid.id })).error?.kind, 'PaymentMismatchError');
    t.is((await shop.settle({ ...paid, amount: '5000' })).error?.kind, 'PaymentMismatchError');
    t.is((await shop.settle({ ...paid, amount: '499.99' })).error?.kind, 'PaymentMismatchError');
    t.like((await shop.settle({ ...paid, id: '0'.repeat(32) })).error, { kind: 'RefusedError', status: 404 });
    t.deepEqual(shop.delivered(), []);
  });

  test(`${language}: a create that is repeated returns the same payment, a second attempt another`, async (t) => {
    const shop = await openShop(t, start);
    const first = await shop.create('17');
    t.deepEqual(await shop.create('17'), first);
    t.deepEqual(await shop.create('17', { amount: 500 }), first);
    const second = await shop.create('17', { attempt: 2 });
    t.is(second.error, undefined);
    t.notDeepEqual(second, first);
    const other = await shop.create('17', { customerName: 'Rahim' });
    t.like(other.error, { kind: 'RefusedError', status: 409 });
    t.like((await shop.create('18', { amount: '0.50' })).error, { kind: 'RefusedError', status: 422 });
  });

  test(`${language}: a connection that fails is explained in one sentence, without the key`, async (t) => {
    const driver = start(t);
    const call = { id: 'e21896d8223209df3f7fe8cb5be031fa', order: '17', amount: '500' };
    const verify = async (options: Options) => {
      const outcome = await driver({
        do: 'verify',
        options: { key: KEY, timeout: PATIENCE_S, ...options },
        call,
      });
      t.is(outcome.error?.kind, 'ApiConnectionError', JSON.stringify(outcome));
      t.false(outcome.error?.message.includes(KEY));
      return outcome.error?.message ?? '';
    };
    const open = (answer: RequestListener) => listen(t, createServer(answer));

    t.regex(
      await verify({ url: `http://127.0.0.1:${await freePort()}` }),
      /Check url, and that Kashbox is running/,
    );
    const silent = await open(() => {});
    t.regex(await verify({ url: `http://127.0.0.1:${silent}`, timeout: 1 }), /no answer within the timeout/);
    const slow = await open((_request, response) => {
      response.writeHead(200).write('{');
      const drip = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(drip));
    });
    t.regex(await verify({ url: `http://127.0.0.1:${slow}`, timeout: 1 }), /no answer within the timeout/);
    const cut = await open((request) => void request.socket.destroy());
    t.regex(await verify({ url: `http://127.0.0.1:${cut}` }), /cannot be reached: .+Check url/);
    const endless = await open((_request, response) => {
      const fill = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', fill).on('error', () => {});
      fill();
    });
    t.regex(await verify({ url: `http://127.0.0.1:${endless}` }), /too long|without JSON/);

    const pair = await newTlsPair();
    const tls = await listen(
      t,
      createTlsServer(pair, (_request, response) => response.end('{}')),
    );
    const ca = join(await temporaryFolder(t), 'cert.pem');
    await writeFile(ca, pair.cert);
    t.regex(await verify({ url: `https://127.0.0.1:${tls}` }), /certificate is not trusted.*set ca/);
    t.regex(await verify({ url: `https://localhost:${tls}`, ca }), /certificate is not trusted.*name in it/);
    t.regex(await verify({ url: `https://127.0.0.1:${tls}`, ca }), /without data/);
  });
}
