/** `kashbox accounts` for what is no wallet: secrets come in by every way but a flag, and never out. */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import QRCode from 'qrcode';
import { type Cli, type Failed, openCli } from '../helpers/programs/cli.js';
import { MERCHANT_ID, personalPayload, printedPayload } from '../helpers/shop/qr.js';

interface Account {
  readonly id: string;
  readonly number: string;
  readonly details: Readonly<Record<string, string>>;
}

const KEY = 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A';
const SECRET = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';
const EXCHANGE = ['--channel', 'exchange_pay', '--number', '34355667'];

const OWN_NUMBER = '01712345678';

const alo = (kashbox: Cli) => kashbox('merchants', 'create', '--name', 'Alo');
const set = (...args: string[]) => ['accounts', 'set', '--brand', 'Alo', ...args];

test.serial('credentials are piped in as two lines, shown as a hint, and in no file', async (t) => {
  const kashbox = await openCli(t);
  await alo(kashbox);
  const args = set(...EXCHANGE, '--credentials-stdin', '--json');
  const ran = await kashbox.piped(`${KEY}\r\n${SECRET}\n`, ...args);
  t.is(ran.code, 0, ran.stderr);
  t.is(ran.json<Account>().details.key, 'vmPUZE6…Eh8A');
  t.regex(ran.stderr, /^Note: .*kashbox rates set/);
  const listed = await kashbox('accounts', 'list');
  const file = readFileSync(`${kashbox.home}/kashbox.db`, 'latin1');
  for (const text of [ran.stdout, ran.stderr, listed.stdout, file]) {
    t.false(text.includes(KEY));
    t.false(text.includes(SECRET));
  }
  const kept = await kashbox(...set(...EXCHANGE));
  t.is(kept.code, 0, kept.stderr);
  t.regex(kept.stdout, /API key +vmPUZE6…Eh8A/);
});

test.serial('of an unknown channel it is said which wallet has which name', async (t) => {
  const kashbox = await openCli(t);
  await alo(kashbox);
  const ran = await kashbox(...set('--channel', 'paypal', '--type', 'personal', '--number', '01711000001'));
  t.is(ran.code, 2);
  t.regex(
    ran.stderr,
    /channel "paypal" is unknown\nNext: .*bKash is mfs_a, Nagad is mfs_b, .*USDT \(BEP20\) is bep20/,
  );
});

test.serial('credentials come from the environment, and no flag takes them', async (t) => {
  const kashbox = await openCli(t, { KASHBOX_EXCHANGE_KEY: KEY, KASHBOX_EXCHANGE_SECRET: SECRET });
  await alo(kashbox);
  t.is((await kashbox(...set(...EXCHANGE))).code, 0);
  const wallet = ['--channel', 'mfs_a', '--type', 'personal', '--number', '01711000001'];
  t.is((await kashbox(...set(...wallet))).code, 0);
  const help = (await kashbox('accounts', 'set', '--help')).stdout;
  t.notRegex(help, /--[\w-]*(?:secret|key)\b/);
});

test.serial('half of the credentials, none of them or too many are refused', async (t) => {
  const kashbox = await openCli(t);
  await alo(kashbox);
  const piped = (input: string) => kashbox.piped(input, ...set(...EXCHANGE, '--credentials-stdin', '--json'));
  const runs = [
    [await piped(''), 'The API key is missing'],
    [await piped(`${KEY}\n`), 'The API secret is missing'],
    [await piped(`${KEY}\n${SECRET}\nmore\n`), 'There are more than two lines on stdin'],
    [await piped('x'.repeat(5_000)), 'stdin contains more than a key and a secret'],
    [await kashbox(...set(...EXCHANGE, '--json')), 'The API key and secret of the exchange are missing'],
  ] as const;
  for (const [ran, message] of runs) {
    t.is(ran.code, 2);
    t.is(JSON.parse(ran.stderr || ran.stdout).error.message, message);
    t.false(`${ran.stdout}${ran.stderr}`.includes(SECRET));
  }
});

test.serial('a QR code is set from a picture of it', async (t) => {
  const kashbox = await openCli(t);
  await alo(kashbox);
  const file = join(kashbox.home, 'counter.png');
  await writeFile(file, await QRCode.toBuffer(printedPayload, { scale: 4 }));
  const ran = await kashbox(...set('--channel', 'qr_interbank', '--qr-image', file, '--json'));
  t.is(ran.code, 0, ran.stderr);
  t.is(ran.json<Account>().number, MERCHANT_ID);
  t.is(ran.json<Account>().details.qr, printedPayload);
  t.true((await readFile(file)).length > 0);
  const missing = await kashbox(...set('--channel', 'qr_interbank', '--qr-image', `${file}.gone`, '--json'));
  t.is(missing.code, 2);
});

test.serial('an address is set, listed with its network, and one wrong letter is found', async (t) => {
  const kashbox = await openCli(t);
  await alo(kashbox);
  const address = '0x7Ab1E5c0DE5A1E5b07705e1F5A1E0ddbA11CA5e5';
  const ran = await kashbox(...set('--channel', 'bep20', '--number', address.toLowerCase()));
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stdout, /Network +BNB Smart Chain \(BEP20\)/);
  t.regex(ran.stderr, /kashbox nodes add --public --chain 56/);
  t.true((await kashbox('accounts', 'list', '--csv')).stdout.includes(address));
  const wrong = await kashbox(
    ...set('--channel', 'bep20', '--number', address.replace('Ab', 'ab'), '--json'),
  );
  t.is(wrong.code, 2);
  const { error } = JSON.parse(wrong.stderr || wrong.stdout) as Failed;
  t.regex(error.message, /checksum/);
});

test.serial('a channel is taken by the name that people call it', async (t) => {
  const kashbox = await openCli(t);
  const made = await kashbox(
    ...['setup', '--merchant-name', 'Alo', '--account', 'bKash:personal:01711000001', '--json'],
  );
  t.is(made.code, 0, made.stderr + made.stdout);
  const wallet = [
    'accounts',
    'set',
    '--brand',
    'Alo',
    '--type',
    'personal',
    '--number',
    '01711000001',
    '--json',
  ];
  for (const [typed, channel] of [
    ['--channel=nagad', 'mfs_b'],
    ['--channel=ROCKET', 'mfs_c'],
    ['--channel=upay', 'mfs_d'],
    ['--channel=mfs_a', 'mfs_a'],
  ] as const) {
    const ran = await kashbox(...wallet, typed);
    t.is(ran.json<Account & { channel: string }>().channel, channel, typed);
  }
  t.is((await kashbox('brands', 'update', 'Alo', '--fee', 'bkash=1.5%', '--fee', 'bangla-qr=5')).code, 0);
  const none = await kashbox(...wallet, '--channel', 'paypal');
  t.is(none.code, 2);
  const listed = (...more: string[]) =>
    kashbox('payments', 'list', '--status', 'completed', ...more, '--json');
  t.deepEqual((await listed('--channel', 'usdt')).json(), []);
});

test.serial('a wallet takes a further number with limits, which the list shows', async (t) => {
  const kashbox = await openCli(t);
  await alo(kashbox);
  const wallet = ['--channel', 'bkash', '--type', 'personal', '--number'];
  t.is((await kashbox(...set(...wallet, '01711000001'))).code, 0);
  t.notRegex((await kashbox('accounts', 'list')).stdout, /TODAY/);
  const further = await kashbox(...set(...wallet, '01711000002', '--add', '--month-limit', '২০০০০০'));
  t.is(further.code, 0, further.stderr);
  t.regex(further.stdout, /Month limit +200000\.00 BDT/);
  const refused = await kashbox(...set(...wallet, '01711000003'));
  t.is(refused.code, 2);
  t.regex(refused.stderr, /Add --add to set up 01711000003 as well, or disable one first/);
  const listed = await kashbox('accounts', 'list');
  t.regex(listed.stdout, /TODAY +MONTH/);
  t.regex(listed.stdout, /0\.00 +0\.00 of 200000\.00/);
  const [one] = (await kashbox('accounts', 'list', '--json')).json<Record<string, unknown>[]>();
  t.like(one, {
    number: '01711000001',
    day_limit: null,
    month_limit: null,
    in_today: '0.00',
    in_month: '0.00',
  });
});

test.serial(
  'a picture of the own code is set, shown with its name, used by payments, and cleared',
  async (t) => {
    const kashbox = await openCli(t);
    await kashbox('merchants', 'create', '--name', 'Alo');
    const set = (...args: string[]) =>
      kashbox('accounts', 'set', '--brand', 'Alo', '--channel', 'bkash', '--type', 'personal', ...args);
    const picture = async (name: string, text: string) => {
      const file = join(kashbox.home, name);
      await writeFile(file, await QRCode.toBuffer(text, { scale: 4 }));
      return file;
    };
    const own = await picture('own.png', personalPayload(OWN_NUMBER));
    const made = await set('--number', OWN_NUMBER, '--qr-image', own);
    t.is(made.code, 0, made.stderr);
    t.regex(made.stdout, /Holder +KARIM MIA\n/);
    t.regex(made.stdout, /Bangla QR +personal, of KARIM MIA\n/);
    t.regex(
      made.stderr,
      /^Note: The QR code is of KARIM MIA, at institution 1008 \(type 03\)\. Its signature cannot be checked here; wallet apps check it/m,
    );
    t.regex((await kashbox('accounts', 'list')).stdout, /01712345678 QR of KARIM MIA/);
    const [listed] = (await kashbox('accounts', 'list', '--json')).json<{ personal_qr: object }[]>();
    t.like(listed?.personal_qr, { name: 'KARIM MIA', signed: true });

    const paid = await kashbox('payments', 'create', '--brand', 'Alo', '--name', 'Rahima', '--amount', '500');
    t.regex(paid.stdout, /Pay to +mfs_a personal 01712345678\n/);
    t.regex(paid.stdout, /Bangla QR +mfs_a https:\S+\/api\/qr\/[0-9a-f]{32}\.png\n/);

    const renamed = personalPayload(OWN_NUMBER, 'RAHIMA', { signature: null });
    const again = await set('--qr-payload', renamed);
    t.regex(again.stderr, /It has no signature/);
    t.regex(again.stderr, /^Note: The QR code before named KARIM MIA\. Wallet apps now show RAHIMA/m);

    const merchant = await set('--number', OWN_NUMBER, '--qr-image', await picture('m.png', printedPayload));
    t.is(merchant.code, 2);
    t.regex(merchant.stderr, /This is a merchant's code \(category 5411\) of DOKAN STORE/);
    t.regex(merchant.stderr, /Next: .*--channel qr_interbank --qr-image FILE/);
    const other = await set('--number', '01812345678', '--qr-image', own, '--json');
    t.is(other.json<Failed>().error.message, 'This is the code of 01712345678, not of 01812345678');

    const plain = await set('--number', OWN_NUMBER, '--qr-payload', 'https://qr.example/1');
    t.regex(plain.stderr, /^Note: It is not a personal Bangla QR: customers see it as it is/m);
    const cleared = await set('--number', OWN_NUMBER, '--qr-payload', '', '--json');
    t.is(cleared.json<{ personal_qr: null }>().personal_qr, null);
  },
);
