import { join } from 'node:path';
import test from 'ava';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { type Cli, type Failed, openCli } from '../helpers/programs/cli.js';
import { bkash } from '../helpers/shop/sms.js';

const WALLET = '01711000001';
const DHAKA_MS = 6 * 3_600_000;

interface Payment {
  readonly id: string;
  readonly gateway_reference: string;
  readonly status: string;
  readonly transaction_id: string | null;
  readonly cus_name: string;
}

/** A bKash text of this minute: ids begin with year, month and day. */
function freshSms(amount: string, tail: string): { body: string; trx: string } {
  const now = new Date(Date.now() + DHAKA_MS);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate()];
  const prefix = `${(year - 2013).toString(36)}${(month + 9).toString(36)}${day.toString(36)}`.toUpperCase();
  const [yyyy, mm, rest = ''] = now.toISOString().slice(0, 16).split('-');
  const [dd, time] = rest.split('T');
  const trx = `${prefix}${tail}`;
  return { trx, body: bkash({ amount: `Tk ${amount}`, id: trx, at: `${dd}/${mm}/${yyyy} ${time}` }) };
}

async function openShop(kashbox: Cli): Promise<void> {
  const account = `mfs_a:personal:${WALLET}`;
  const ran = await kashbox('setup', '--merchant-name', 'Alo', '--account', account, '--json');
  if (ran.code !== 0) throw new Error(ran.stderr + ran.stdout);
}

test.serial('a payment made, claimed and paid by hand is completed when its SMS is typed in', async (t) => {
  const kashbox = await openCli(t);
  await openShop(kashbox);
  const made = await kashbox(
    ...['payments', 'create', '--brand', 'Alo', '--name', 'রহিমা "R", ঢাকা', '--amount', '500'],
    ...['--meta', '{"order":17}', '--json'],
  );
  t.is(made.code, 0);
  const created = made.json<Payment & { methods: { name: string; personal: string }[] }>();
  t.regex(created.id, /^[0-9a-f]{32}$/);
  t.like(created.methods[0], { name: 'mfs_a', personal: WALLET });

  const { body, trx } = freshSms('500.00', '4KQ2P0Z');
  const verify = [
    'payments',
    'verify',
    created.gateway_reference,
    '--channel',
    'mfs_a',
    '--transaction-id',
    trx,
  ];
  const early = await kashbox(...verify, '--json');
  t.is(early.code, 3);
  t.is(early.json<Failed>().error.code, 'transaction_not_found');

  const sms = ['sms', 'add', '--merchant', 'Alo', '--recipient', WALLET, '--sender', 'bKash', '--text', body];
  const added = await kashbox(...sms, '--json');
  t.like(added.json(), {
    state: 'stored',
    settled: [created.id],
    reading: { format: 'bkash-received', amount: '500.00', trx_id: trx, settle: 'auto' },
  });
  t.is((await kashbox(...sms, '--json')).json<{ state: string }>().state, 'duplicate');

  const verified = await kashbox(...verify, '--json');
  t.is(verified.code, 0);
  t.like(verified.json(), {
    outcome: 'completed',
    status: 'COMPLETED',
    amount: '500.00',
    transaction_id: trx,
  });

  const [listed] = (await kashbox('payments', 'list', '--status', 'COMPLETED', '--json')).json<Payment[]>();
  t.is(listed?.transaction_id, trx);
  for (const field of ['id', 'gateway_reference', 'brand', 'status', 'amount', 'channel', 'created_at']) {
    t.true(field in (listed ?? {}), field);
  }
  const csv = await kashbox('payments', 'list', '--csv');
  t.true(csv.stdout.includes(',"রহিমা ""R"", ঢাকা",'), csv.stdout);
  const table = (await kashbox('payments', 'list')).stdout;
  t.regex(table, /AMOUNT {2}STATUS/);
  t.regex(table, / 500\.00 {2}COMPLETED {2}bKash \(mfs_a\)/);
});

test.serial(
  'SMS that no payment has used are listed as unmatched, unreadable ones as unparsed',
  async (t) => {
    const kashbox = await openCli(t);
    await openShop(kashbox);
    const add = (sender: string, text: string) =>
      kashbox('sms', 'add', '--merchant', 'Alo', '--recipient', WALLET, '--sender', sender, '--text', text);
    const { body, trx } = freshSms('75.00', '4KQ2P1A');
    t.is((await add('bKash', body)).code, 0);
    t.is((await add('bKash', 'Tk 500 has come from 01711000009 in words nobody knows')).code, 0);
    const unmatched = (await kashbox('sms', 'list', '--unmatched', '--json')).json<{ trx_id: string }[]>();
    t.deepEqual(
      unmatched.map((row) => row.trx_id),
      [trx],
    );
    const unparsed = (await kashbox('sms', 'list', '--unparsed', '--ndjson')).ndjson<{ body: string }>();
    t.deepEqual(
      unparsed.map((row) => row.body),
      ['Tk 500 has come from 01711000009 in words nobody knows'],
    );
    t.deepEqual((await kashbox('sms', 'list', '--since', '2099-01-01', '--json')).json(), []);
    const counts = async () => new RegExp(`${trx} +(\\w+)`).exec((await kashbox('sms', 'list')).stdout)?.[1];
    t.is(await counts(), 'waits');
    const store = new SqliteFile(join(kashbox.home, 'kashbox.db'));
    store.exec('UPDATE sms SET recipient = NULL');
    store.close();
    t.is(await counts(), 'review', 'nobody knows which number received it');
    const reparsed = await kashbox('sms', 'reparse', '--json');
    t.like(reparsed.json(), { changed: 0, settled: [] });
    t.is((await add('bKash', 'x'.repeat(20_000))).code, 2);
  },
);

test.serial('shows no paying transaction while manual review is pending', async (t) => {
  const kashbox = await openCli(t);
  await openShop(kashbox);
  const order = ['payments', 'create', '--brand', 'Alo', '--name', 'Karim', '--amount', '500', '--json'];
  const { gateway_reference: payment } = (await kashbox(...order)).json<Payment>();
  const { body, trx } = freshSms('600.00', '4KQ2P2B');
  const sms = ['sms', 'add', '--merchant', 'Alo', '--recipient', WALLET, '--sender', 'bKash', '--text', body];
  t.is((await kashbox(...sms)).code, 0);
  const asked = await kashbox('payments', 'verify', payment, '--channel', 'mfs_a', '--transaction-id', trx);
  t.regex(asked.stdout, /Status +PENDING: it needs manual review/);
  t.notRegex(asked.stdout, /Paid by/);
});

test.serial('a payment with order lines and a description shows both', async (t) => {
  const kashbox = await openCli(t);
  await openShop(kashbox);
  const create = (...args: string[]) =>
    kashbox('payments', 'create', '--brand', 'Alo', '--name', 'Karim', '--amount', '560.50', ...args);
  const lines = ['--item', 'জামা; লাল;2;300', '--item', 'Delivery;;60.50', '--item', 'Discount;1;-100'];
  const made = await create(...lines, '--description', 'Eid order', '--json');
  t.is(made.code, 0, made.stdout);
  const { gateway_reference: payment } = made.json<Payment>();
  t.like((await kashbox('payments', 'show', payment, '--json')).json<object>(), {
    description: 'Eid order',
    items: [
      { name: 'জামা; লাল', quantity: 2, price: '300.00', total: '600.00' },
      { name: 'Delivery', quantity: 1, price: '60.50', total: '60.50' },
      { name: 'Discount', quantity: 1, price: '-100.00', total: '-100.00' },
    ],
  });
  const { stdout } = await kashbox('payments', 'show', payment);
  t.regex(stdout, /Description +Eid order\nItem +2 x জামা; লাল: 600\.00 BDT\nItem +Delivery: 60\.50 BDT\n/);
  const wrong = await create('--item', 'Shirt;1;500');
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /The items add up to 500\.00 taka, but the amount is 560\.50/);
  const cut = await create('--item', 'Shirt 500');
  t.is(cut.code, 2);
  t.regex(cut.stderr, /--item "Shirt 500" is not NAME;QUANTITY;PRICE/);
});

test.serial('a number of a payment that is too short is said to be so', async (t) => {
  const kashbox = await openCli(t);
  await openShop(kashbox);
  const short = await kashbox('payments', 'show', 'K7');
  t.is(short.code, 2);
  t.regex(short.stderr, /"K7" is too short: a payment is named by at least 4 characters of its number/);
});

test.serial('payments rejects invalid amounts, broken metadata and unknown payments', async (t) => {
  const kashbox = await openCli(t);
  await openShop(kashbox);
  const create = (...args: string[]) =>
    kashbox('payments', 'create', '--brand', 'Alo', '--name', 'A', ...args, '--json');
  for (const amount of ['0', '-1', '1e5', '٥٠٠', '1,000', 'NaN', '1000000.01']) {
    const ran = await create(`--amount=${amount}`);
    t.is(ran.code, 2, amount);
    t.is(ran.json<Failed>().error.code, 'amount_out_of_range');
  }
  t.is((await create('--amount', '0.001')).json<Failed>().error.code, 'amount_decimals');
  t.is((await create('--amount', '5', '--meta', '{"order":')).code, 2);
  const unknown = await kashbox('payments', 'show', 'NOSUCHPAYMNT', '--json');
  t.is(unknown.code, 3);
  t.deepEqual((await kashbox('payments', 'list', '--json')).json(), []);
  t.is((await kashbox('merchants', 'suspend', 'Alo')).code, 0);
  const suspended = await create('--amount', '5');
  t.is(suspended.code, 4);
  t.is(suspended.json<Failed>().error.code, 'merchant_suspended');
});

test.serial(
  'the JSON of --meta is kept character by character, also with ids that no float holds',
  async (t) => {
    const kashbox = await openCli(t);
    await openShop(kashbox);
    const meta = '{"discord": 1234567890123456789, "rate": 1.10}';
    const order = ['--brand', 'Alo', '--name', 'R', '--amount', '5', '--meta', meta];
    const made = await kashbox('payments', 'create', ...order, '--json');
    t.is(made.code, 0);
    const { openCore } = await import('../../src/actions/core/core.js');
    const core = await openCore({ folder: kashbox.home, env: {} });
    const kept = await core.store.read((db) =>
      db.query.selectFrom('sessions').select('meta_data').executeTakeFirst(),
    );
    await core.close();
    t.is(kept?.meta_data, meta);
  },
);

test.serial('parts are a setting of the brand and of one payment, an advance of one payment', async (t) => {
  const kashbox = await openCli(t);
  await openShop(kashbox);
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await kashbox(...args, '--json');
    t.is(code, 0, stderr);
    return JSON.parse(stdout) as Payment;
  };
  t.like(await json('brands', 'show', 'Alo'), { parts: false });
  t.like(await json('brands', 'update', 'Alo', '--parts', 'on'), { parts: true });
  const create = ['payments', 'create', '--brand', 'Alo', '--name', 'Rahima', '--amount', '1000'];
  const plain = await json(...create);
  t.like(await json('payments', 'show', plain.id), { takes_parts: true, due_on_delivery: null, parts: [] });
  const advance = await json(...create, '--advance', '200', '--parts', 'off', '--item', 'Sofa;1;1000');
  t.like(await json('payments', 'show', advance.id), {
    ...{ amount: '200.00', takes_parts: false, due_on_delivery: '800.00', paid: null, refunded: null },
  });
  const { stdout } = await kashbox('payments', 'show', advance.id);
  t.regex(stdout, /On delivery +800\.00 BDT/);
  for (const amount of ['0.99', '1000', '2000']) {
    const refused = await kashbox(...create, '--advance', amount);
    t.regex(refused.stderr, /advance must be at least 1 taka, and less than the amount, 1000\.00 taka/);
  }
});
