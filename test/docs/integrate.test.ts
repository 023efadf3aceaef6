/**
 * The shops of docs/examples, in PHP, Node and Python, run as docs/integrate.md says and paid through a real
 * daemon. Each delivers an order once if it is paid, and not at all otherwise.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { signatureHeaders } from '../../src/notify/signature.js';
import { blocksOf, readPage, sectionOf, tableRows } from '../helpers/browser/pages.js';
import { freePort } from '../helpers/network/free-port.js';
import { openCli } from '../helpers/programs/cli.js';
import { startDaemonHere } from '../helpers/programs/daemon-here.js';
import { type Process, root, runProgram, startProgram } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { until } from '../helpers/until.js';

const EXAMPLES = join(root, 'docs/examples');

interface Language {
  /** Folder in docs/examples. */
  readonly name: string;
  readonly extension: string;
  /** Language of the blocks on the page. */
  readonly block: string;
  command(folder: string, port: number): readonly [string, ...string[]];
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'php',
    extension: 'php',
    block: 'php',
    command: (folder, port) => ['php', '-n', '-S', `127.0.0.1:${port}`, join(folder, 'shop.php')],
  },
  {
    name: 'node',
    extension: 'mjs',
    block: 'js',
    command: (folder) => [process.execPath, join(folder, 'shop.mjs')],
  },
  {
    name: 'python',
    extension: 'py',
    block: 'python',
    command: (folder) => ['python3', '-B', join(folder, 'shop.py')],
  },
];

const ORDER = {
  amount: 500,
  success_url: 'https://shop.example.com/paid',
  cancel_url: 'https://shop.example.com/cart',
};

const NAMES = ['kashbox', 'orders', 'shop'] as const;
const MOST_LINES = 60;

test('docs/integrate.md shows the programs as they are, each short enough to be read', (t) => {
  const page = readPage('docs/integrate.md');
  for (const { name, extension, block } of LANGUAGES) {
    const files = NAMES.map((file) => `docs/examples/${name}/${file}.${extension}`);
    t.deepEqual(blocksOf(page, block), files.map(readPage));
    t.deepEqual(readdirSync(join(EXAMPLES, name)).length, files.length);
    for (const file of files) t.true(readPage(file).split('\n').length <= MOST_LINES + 1, file);
  }
});

interface Order {
  readonly id: string;
  readonly amount: string;
  readonly reference: string;
}

interface Shop {
  readonly kashbox: Awaited<ReturnType<typeof openCli>>;
  readonly secret: string;
  readonly program: Process;
  /** Presses the button, and returns the order as the shop keeps it. */
  buy(): Promise<Order>;
  /** Changes what the shop keeps of an order. */
  keep(order: Order): void;
  pay(order: Order): Promise<void>;
  /** Text of the return page. @param more of its query */
  returnPage(id: string, more?: string): Promise<string>;
  /** Status that the receiver answers. */
  receive(body: string, headers: Readonly<Record<string, string>>): Promise<number>;
  /** Ids of the orders that were delivered, in that order. */
  delivered(): readonly string[];
  /** Waits until all notifications were sent. */
  allSent(): Promise<readonly { readonly state: string; readonly event: string }[]>;
}

/** @param hasWebhook whether the daemon calls the shop. */
async function openShop(
  t: ExecutionContext<unknown>,
  language: Language,
  hasWebhook: boolean,
): Promise<Shop> {
  const kashbox = await openCli(t);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await kashbox('merchants', 'create', '--name', 'Alo');
  const webhook = hasWebhook ? ['--webhook-url', `${url}/kashbox`] : [];
  const brand = [
    'brands',
    'create',
    '--merchant',
    'Alo',
    '--name',
    'Alo test',
    '--test',
    '--json',
    ...webhook,
  ];
  const made = (await kashbox(...brand)).json<{ brand_key: string; webhook_secret: string }>();
  const daemon = await startDaemonHere(t, { home: kashbox.home });

  const data = await temporaryFolder(t);
  const certificate = join(kashbox.home, 'tls', 'cert.pem');
  const [command, ...args] = language.command(join(EXAMPLES, language.name), port);
  const program = startProgram(t, command, args, {
    ...{ KASHBOX_URL: daemon.url, KASHBOX_CA: certificate, NODE_EXTRA_CA_CERTS: certificate },
    ...{ BRAND_KEY: made.brand_key, WEBHOOK_SECRET: made.webhook_secret },
    ...{ SHOP_URL: url, PORT: String(port), DATA_FOLDER: data },
  });
  const ended = program.ended.then(() => Promise.reject(new Error(program.stderr())));
  ended.catch(() => {});
  await Promise.race([ended, until(async () => (await fetch(url).catch(() => null)) !== null)]);

  const orderFiles = () => readdirSync(data).filter((name) => name.endsWith('.json'));
  const list = async () =>
    (await kashbox('webhooks', 'list', '--json')).json<{ state: string; event: string }[]>();
  return {
    kashbox,
    secret: made.webhook_secret,
    program,
    buy: async () => {
      const before = new Set(orderFiles());
      const answer = await fetch(`${url}/buy`, { method: 'POST', redirect: 'manual' });
      const [file = ''] = orderFiles().filter((name) => !before.has(name));
      t.is(answer.status, 303, program.stderr());
      const order = JSON.parse(readFileSync(join(data, file), 'utf8')) as Order;
      t.is(answer.headers.get('location'), `${daemon.url}/api/execute/${order.reference}`);
      return order;
    },
    keep: (order) => writeFileSync(join(data, `${order.id}.json`), JSON.stringify(order)),
    pay: async ({ reference }) => {
      t.is((await kashbox('test', 'pay', reference)).code, 0);
    },
    returnPage: async (id, more = '') => (await fetch(`${url}/paid?order=${id}${more}`)).text(),
    receive: async (body, headers) =>
      (await fetch(`${url}/kashbox`, { method: 'POST', body, headers: { ...headers } })).status,
    delivered: () =>
      readdirSync(data).includes('deliveries.log')
        ? readFileSync(join(data, 'deliveries.log'), 'utf8').trimEnd().split('\n')
        : [],
    allSent: async () => {
      await until(async () => (await list()).every(({ state }) => state !== 'PENDING'));
      return list();
    },
  };
}

test('the README creates a payment in PHP, and delivers in Node once it is paid', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const brand = ['brands', 'create', '--merchant', 'Alo', '--name', 'Alo test', '--test', '--json'];
  const { brand_key: key } = (await kashbox(...brand)).json<{ brand_key: string }>();
  const { url } = await startDaemonHere(t, { home: kashbox.home });
  const certificate = join(kashbox.home, 'tls', 'cert.pem');
  const readme = readPage('README.md').replaceAll('https://pay.example.com', url);
  const [php = '', js = ''] = ['php', 'js'].map((language) => blocksOf(readme, language)[0]);

  const create = `$key = '${key}';\n${php}\nprint(json_decode($answer, true)['payment_url']);`;
  const made = await runProgram(t, 'php', ['-n', '-d', `openssl.cafile=${certificate}`, '-r', create]);
  t.true(made.stdout.startsWith(`${url}/api/execute/`), made.stderr);
  const reference = made.stdout.slice(-32);
  const verify = async () => {
    const given = `const key = '${key}', reference = '${reference}', order = 17;`;
    const program = `${given} const deliver = (it) => console.log('delivered', it);\n${js}`;
    const args = ['--input-type=module', '--eval', program];
    return (await runProgram(t, process.execPath, args, { NODE_EXTRA_CA_CERTS: certificate })).stdout;
  };
  t.is(await verify(), '');
  await kashbox('test', 'pay', reference);
  t.is(await verify(), 'delivered 17\n');
});

test('the errors of docs/integrate.md are answered with their status and message', async (t) => {
  const rows = tableRows(sectionOf(readPage('docs/integrate.md'), '6. Errors that you will meet')).slice(1);
  const told = rows.flatMap(([seen = '']) => {
    const [, status, text] = /^(\d{3}) `([^`]+)`/.exec(seen) ?? [];
    return text === undefined ? [] : [{ status: Number(status), text: text.replaceAll('…', '').trim() }];
  });
  t.true(told.length >= 9);

  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const brand = ['brands', 'create', '--merchant', 'Alo', '--name', 'Alo test', '--test', '--json'];
  const key = { 'brand-key': (await kashbox(...brand)).json<{ brand_key: string }>().brand_key };
  const { post } = await startDaemonHere(t, { home: kashbox.home });
  const create = (body: object, headers: Readonly<Record<string, string>> = key) =>
    post('/api/payment/create', headers, { ...ORDER, ...body });
  const open = async () =>
    (await post('/api/v2/payment/create', key, { cus_name: 'Rahim', amount: 500 })).body.id as string;
  const claim = (id: string, transaction_id: string) =>
    post('/api/v2/payment/verify', key, { id, method: 'mfs_a', transaction_id });
  const pay = async (id: string, scenario: string) =>
    (await kashbox('test', 'pay', id, '--scenario', scenario, '--json')).json<{ transaction_id: string }>();

  const [paid, other, tooMuch] = [await open(), await open(), await open()];
  const { transaction_id: spent } = await pay(paid, 'unclaimed');
  t.is((await claim(paid, spent)).status, 200);
  const more = await pay(tooMuch, 'more');
  t.is((await claim(tooMuch, more.transaction_id)).status, 202);
  t.is((await create({}, { ...key, 'idempotency-key': 'order-17' })).status, 200);
  const answers = [
    await create({}, {}),
    await create({}, { 'brand-key': 'test_wrong' }),
    await create({ success_url: 'http://shop.example.com/paid' }),
    await create({ amount: '1,000' }),
    await create({ amount: '10.505' }),
    await post('/api/payment/verify', key, { transaction_id: '0'.repeat(32) }),
    await claim(other, 'DKR4TYPO01'),
    await claim(other, spent),
    await create({ amount: 600 }, { ...key, 'idempotency-key': 'order-17' }),
  ].map(({ status, body }) => ({ status, message: String(body.message) }));
  for (const { status, text } of told) {
    const found = answers.filter((answer) => answer.status === status && answer.message.includes(text));
    t.true(found.length > 0, `${status} ${text}\n${JSON.stringify(answers, null, 1)}`);
  }
});

const PAID = /order is paid/;
const WAITING = /wait for your payment/;

/** A notification of that order as Kashbox would send it. @param ageS seconds since it was signed */
function notification({ id, reference }: Order, secret: string, ageS = 0) {
  const content = JSON.stringify({
    ...{ event: 'payment.completed', id: 'ntf_0', session_id: reference, amount: '500.00' },
    ...{ status: 'COMPLETED', meta_data: { order: id } },
  });
  const headers = signatureHeaders({
    ...{ id: 'ntf_0', at: Date.now() - ageS * 1_000, content, secrets: [secret] },
  });
  return { content, headers };
}

for (const language of LANGUAGES) {
  const { name } = language;

  test(`the ${name} shop delivers a paid order once, also when the webhook is replayed`, async (t) => {
    const shop = await openShop(t, language, true);
    const order = await shop.buy();
    await shop.pay(order);
    await until(() => shop.delivered().length > 0);
    t.deepEqual(shop.delivered(), [order.id]);
    t.like(await shop.allSent(), [{ event: 'payment.completed', state: 'DELIVERED' }]);

    t.regex(await shop.returnPage(order.id), PAID);
    t.is((await shop.kashbox('webhooks', 'replay', order.reference)).code, 0);
    t.like(await shop.allSent(), [{ event: 'payment.completed', state: 'DELIVERED' }]);
    const { content, headers } = notification(order, shop.secret);
    t.deepEqual(
      await Promise.all(Array.from({ length: 5 }, () => shop.receive(content, headers))),
      [200, 200, 200, 200, 200],
    );
    t.deepEqual(shop.delivered(), [order.id]);
  });

  test(`the ${name} shop delivers by its return page alone when the webhook does not arrive`, async (t) => {
    const shop = await openShop(t, language, false);
    const order = await shop.buy();
    t.regex(await shop.returnPage(order.id), WAITING);
    await shop.pay(order);
    t.regex(await shop.returnPage(order.id), PAID);
    t.regex(await shop.returnPage(order.id), PAID);
    t.deepEqual(shop.delivered(), [order.id]);
  });

  test(`the ${name} shop delivers no cancelled order`, async (t) => {
    const shop = await openShop(t, language, true);
    const order = await shop.buy();
    t.is((await shop.kashbox('payments', 'cancel', order.reference)).code, 0);
    await until(async () => (await shop.allSent()).length > 0);
    t.like(await shop.allSent(), [{ event: 'payment.failed', state: 'DELIVERED' }]);
    t.regex(await shop.returnPage(order.id, '&status=completed'), WAITING);
    t.deepEqual(shop.delivered(), []);
  });

  test(`the ${name} shop refuses a forged return, another payment and another amount`, async (t) => {
    const shop = await openShop(t, language, false);
    const [paid, unpaid] = [await shop.buy(), await shop.buy()];
    await shop.pay(paid);
    const forged = `&transactionId=${paid.reference}&paymentAmount=500.00&status=completed`;
    t.regex(await shop.returnPage(unpaid.id, forged), WAITING);
    t.regex(await shop.returnPage('../../etc/passwd'), /no such order/);
    t.regex(await shop.returnPage('0'.repeat(32)), /no such order/);
    shop.keep({ ...unpaid, reference: paid.reference });
    t.regex(await shop.returnPage(unpaid.id), WAITING, 'the payment of another order');
    shop.keep({ ...paid, amount: '900.00' });
    t.regex(await shop.returnPage(paid.id), WAITING, 'less than the order costs');
    t.deepEqual(shop.delivered(), []);
  });

  test(`the ${name} shop refuses a forged webhook`, async (t) => {
    const shop = await openShop(t, language, false);
    const order = await shop.buy();
    const good = notification(order, shop.secret);
    const other = notification(order, 'whsec_YW5vdGhlciBzZWNyZXQgb2YgMzIgYnl0ZXMgLi4uLi4=');
    const empty = notification(order, 'whsec_');
    const old = notification(order, shop.secret, 360);
    const ahead = notification(order, shop.secret, -360);
    t.is(await shop.receive(good.content, other.headers), 401, 'another secret');
    t.is(await shop.receive(good.content, empty.headers), 401, 'an empty secret');
    t.is(await shop.receive(good.content.replace('500', '501'), good.headers), 401, 'another body');
    t.is(await shop.receive(good.content, {}), 401, 'no signature');
    t.is(await shop.receive(old.content, old.headers), 401, 'six minutes old');
    t.is(await shop.receive(ahead.content, ahead.headers), 401, 'six minutes ahead');
    t.is(await shop.receive(good.content, good.headers), 500, 'well signed, and yet nobody has paid');
    t.deepEqual(shop.delivered(), []);
    await shop.pay(order);
    t.is(await shop.receive(good.content, good.headers), 200);
    t.deepEqual(shop.delivered(), [order.id]);
  });
}
