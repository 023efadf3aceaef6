/** Fees, dialects, bank accounts and hosted payments on the command line, with the real program. */
import test from 'ava';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { pngOf } from '../helpers/shop/hosted.js';
import { openQueue } from '../helpers/shop/queue.js';

interface Brand {
  readonly fees: Readonly<Record<string, string>>;
  readonly dialect: string;
}

test.serial('fees and answers of a brand are given, changed one by one, shown and listed', async (t) => {
  const kashbox = await openCli(t);
  const hosted = ['--fee', 'mfs_a=1.85%', '--fee', 'bank=10+0.5%', '--dialect', 'flat'];
  t.is((await kashbox('merchants', 'create', '--name', 'Alo', ...hosted)).code, 0);
  const shown = (await kashbox('brands', 'show', 'Alo', '--json')).json<Brand>();
  t.like(shown, { dialect: 'flat', metadata_as: 'object', return_type: 'GET' });
  t.deepEqual(shown.fees, { mfs_a: '1.85%', bank: '10.00+0.50%' });
  const changes = ['--fee', 'mfs_a=0', '--metadata-as', 'string', '--return-type', 'POST'];
  const updated = (await kashbox('brands', 'update', 'Alo', ...changes, '--json')).json<Brand>();
  t.like(updated, { dialect: 'flat', metadata_as: 'string', return_type: 'POST' });
  t.deepEqual(updated.fees, { bank: '10.00+0.50%' });
  const { stdout } = await kashbox('brands', 'show', 'Alo');
  t.regex(stdout, /Fees +bank=10\.00\+0\.50%\n/);
  const second = ['brands', 'create', '--merchant', 'Alo', '--name', 'Eid', '--fee', 'mfs_c=5'];
  t.is((await kashbox(...second)).code, 0);
  const listed = (await kashbox('brands', 'list', '--json')).json<Brand[]>();
  t.deepEqual(
    listed.map((brand) => brand.fees),
    [{ bank: '10.00+0.50%' }, { mfs_c: '5.00' }],
  );
  const csv = (await kashbox('brands', 'list', '--csv')).stdout.split('\r\n');
  t.true(csv[1]?.includes(',flat,string,upper,POST,"{""bank"":""10.00+0.50%""}",'), csv[1]);
});

test.serial('rejects an invalid fee and an unknown dialect with exit code 2', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  for (const fee of ['mfs_a', 'mfs_a=1,5%', 'mfs_z=1%', 'mfs_a=51%', 'bank=-1', '=1']) {
    const ran = await kashbox('brands', 'update', 'Alo', `--fee=${fee}`, '--json');
    t.is(ran.code, 2, fee);
    t.regex(ran.json<Failed>().error.message, /^fee: /);
  }
  t.is((await kashbox('brands', 'update', 'Alo', '--dialect', 'loose')).code, 2);
  t.is((await kashbox('brands', 'update', 'Alo', '--return-type', 'put')).code, 2);
  t.deepEqual((await kashbox('brands', 'show', 'Alo', '--json')).json<Brand>().fees, {});
});

test.serial('one minute and one hour are shown in the singular', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  await kashbox('brands', 'update', 'Alo', '--session-minutes', '1', '--proof-window-hours', '1');
  const { stdout } = await kashbox('brands', 'show', 'Alo');
  t.regex(stdout, /expire after 1 minute\n.*may be 1 hour older than/);
  await kashbox('brands', 'update', 'Alo', '--session-minutes', '2', '--proof-window-hours', '2');
  t.regex((await kashbox('brands', 'show', 'Alo')).stdout, /after 2 minutes\n.*may be 2 hours older/);
});

test.serial('a bank account is set with what customers need, and said what is missing', async (t) => {
  const kashbox = await openCli(t, { COLUMNS: '80' });
  await kashbox('merchants', 'create', '--name', 'Alo');
  const set = (...args: string[]) =>
    kashbox('accounts', 'set', '--brand', 'Alo', '--channel', 'bank', '--number', '1234567890123', ...args);
  const bare = await set('--json');
  t.is(bare.code, 2);
  t.is(bare.json<Failed>().error.message, 'bank-name and holder are missing');
  const made = await set(
    '--bank-name',
    'City Bank',
    '--holder',
    'আমার দোকান',
    '--routing',
    '123456789',
    '--json',
  );
  t.like(made.json(), { channel: 'bank', type: 'account', number: '1234567890123', active: true });
  t.deepEqual(made.json().details, { bank_name: 'City Bank', holder: 'আমার দোকান', routing: '123456789' });
  const again = await set('--branch', 'Mirpur', '--json');
  t.is(again.json().id, made.json().id);
  const other = ['--type', 'dbbl', '--bank-name', 'DBBL', '--holder', 'Alo', '--json'];
  t.is((await set(...other)).json().type, 'dbbl');
  t.regex((await set()).stdout, /Bank +City Bank\nHolder +আমার দোকান\nBranch +Mirpur\nRouting +123456789\n/);
  t.is((await set('--qr-payload', '0002')).code, 2);
  const wallet = ['accounts', 'set', '--brand', 'Alo', '--channel', 'mfs_a', '--number', '01711000001'];
  const typeless = await kashbox(...wallet, '--json');
  t.is(typeless.json<Failed>().error.message, 'type is missing');
  const drawn = await kashbox(...wallet, '--type', 'payment', '--qr-payload', '00020101', '--json');
  t.deepEqual(drawn.json().details, { qr: '00020101' });
  t.is((await kashbox(...wallet, '--type', 'payment', '--routing', '123456789')).code, 2);
  const listed = (await kashbox('accounts', 'list', '--json')).json<{ details: object }[]>();
  t.is(listed.length, 3);
  for (const line of (await kashbox('accounts', 'list')).stdout.split('\n'))
    t.true([...line].length <= 80, line);
});

test.serial('a wallet has the name that its app shows, until the number changes', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const set = (number: string, ...args: string[]) =>
    kashbox(
      ...['accounts', 'set', '--brand', 'Alo', '--channel', 'bkash', '--type', 'personal'],
      ...['--number', number, ...args],
    );
  const named = await set('01711000001', '--holder', ' আলো স্টোর ');
  t.is(named.code, 0, named.stderr);
  t.regex(named.stdout, /Holder +আলো স্টোর\n/);
  t.regex((await kashbox('accounts', 'list')).stdout, /01711000001 আলো স্টোর/);
  const kept = await set('01711000001', '--qr-payload', 'bkash:1', '--json');
  t.deepEqual(kept.json().details, { holder: 'আলো স্টোর', qr: 'bkash:1' });
  t.deepEqual((await set('01711000001', '--holder', '', '--json')).json().details, { qr: 'bkash:1' });
  await set('01711000001', '--holder', 'x'.repeat(60));
  const long = await set('01711000001', '--holder', 'x'.repeat(61), '--json');
  t.is(long.code, 2);
  t.is(long.json<Failed>().error.message, 'holder may have at most 60 characters, this has 61');
  t.deepEqual((await set('01711000002', '--json')).json().details, {}, 'another number is of another person');
});

test.serial('a hosted payment is shown with its link, its return URLs and its open reviews', async (t) => {
  const kashbox = await openCli(t, {
    KASHBOX_PUBLIC_URL: 'https://pay.example.com',
    KASHBOX_BASE_PATH: '/pay',
  });
  const { bank, overpaid } = await openQueue(kashbox.home, pngOf(100));
  const shown = (await kashbox('payments', 'show', bank, '--json')).json();
  t.like(shown, {
    flow: 'hosted',
    payment_url: `https://pay.example.com/pay/api/execute/${bank}`,
    success_url: 'https://shop.example/paid',
    cancel_url: 'https://shop.example/cart',
    return_type: 'GET',
    paid: null,
    fee: null,
    fees: {},
  });
  const [review] = shown.reviews as { id: string; state: string; reason: string }[];
  t.like(review, { state: 'OPEN', reason: 'bank_transfer' });
  const { stdout } = await kashbox('payments', 'show', bank);
  t.true(stdout.includes(`kashbox verifications show ${review?.id}\n`), stdout);
  const listed = (await kashbox('payments', 'list', '--json')).json<{ id: string; payment_url: string }[]>();
  t.deepEqual(listed.map((row) => row.id).sort(), [bank, overpaid].sort());
  t.true(listed.every((row) => row.payment_url.endsWith(row.id)));
});

test.serial('without a public address no link is shown, and how to set one is', async (t) => {
  const kashbox = await openCli(t);
  const { bank } = await openQueue(kashbox.home, pngOf(100));
  t.is((await kashbox('payments', 'show', bank, '--json')).json().payment_url, null);
  t.regex((await kashbox('payments', 'show', bank)).stdout, /set KASHBOX_PUBLIC_URL/);
});
