/** `kashbox sms learn` and `kashbox sms trust`, by flags and in a terminal. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type Failed, openCli } from '../../helpers/programs/cli.js';
import { kashboxProgram } from '../../helpers/programs/processes.js';
import { TALLYPAY } from '../../helpers/shop/sources.js';

const SHOP = ['setup', '--merchant-name', 'Alo', '--account', 'mfs_a:personal:01711000001'];
const SENDER = 'MY BANK';
const credit = (taka: string, name: string) =>
  `BDT ${taka} credited to A/C 12**34 by ${name} at Dhaka. Balance BDT 9,000.00`;
const TEXT = credit('500.00', 'Rahim');
const FLAGS = ['--text', TEXT, '--payer', 'Rahim', '--channel', 'bank', '--yes'];

async function shop(t: ExecutionContext<unknown>) {
  const kashbox = await openCli(t);
  await kashbox(...SHOP);
  const add = (text: string, sender = SENDER) =>
    kashbox(
      'sms',
      'add',
      '--merchant',
      'Alo',
      '--recipient',
      '01711000001',
      '--sender',
      sender,
      '--text',
      text,
    );
  const fileOf = (name: string) => join(kashbox.home, 'formats', `${name}.json`);
  return { kashbox, add, fileOf };
}

test('the senders that Kashbox knows are listed, and written without a question', async (t) => {
  const { kashbox, fileOf } = await shop(t);
  const listed = (await kashbox('sms', 'learn', '--list', '--json')).json<
    { name: string; texts: unknown[] }[]
  >();
  t.true(listed.length >= 9);
  t.true(listed.every(({ texts }) => texts.length > 0));
  t.regex((await kashbox('sms', 'learn', '--list')).stdout, /^ebl {2}EBL \(EBL\), usually bank\n {4}AC /m);
  const made = await kashbox('sms', 'learn', 'tallypay', '--json');
  t.is(made.code, 0, made.stderr);
  t.like(made.json(), { name: 'tallypay', channel: 'qr_interbank', read: 0, forgeries: 12 });
  t.is(statSync(fileOf('tallypay')).mode & 0o077, 0);
  const read = (await kashbox('sms', 'parse', '--sender', 'TallyPay', TALLYPAY, '--json')).json();
  t.like(read, { channel: 'qr_interbank', settle: 'review', amount: '1898.57', trx_id: 'YY1Z85HTP' });
  const ebl = await kashbox('sms', 'learn', 'ebl', '--channel', 'mfs_a', '--account', '01711000001');
  t.regex(ebl.stdout, /Must not read: 12 of 12 refused/);
  const { source } = JSON.parse(readFileSync(fileOf('ebl'), 'utf8'));
  t.like(source, { channel: 'mfs_a', account: '01711000001' });
});

test('a format is made of a stored text by flags, and says what it reads', async (t) => {
  const { kashbox, add, fileOf } = await shop(t);
  for (const [taka, name] of [
    ['500.00', 'Rahim'],
    ['1,200.00', 'Karim'],
    ['7.50', 'Salma'],
  ] as const) {
    await add(credit(taka, name));
  }
  await add('Your card is ready');
  const made = await kashbox(
    'sms',
    'learn',
    'my bank',
    '--payer',
    'Salma',
    '--channel',
    'bank',
    '--yes',
    '--json',
  );
  t.is(made.code, 0, made.stdout + made.stderr);
  const learned = made.json<{ samples: { amount: string; from: string }[]; unread_samples: string[] }>();
  t.like(learned, { name: 'my-bank', read: 3, unread: 1, unread_samples: ['Your card is ready'] });
  t.deepEqual(
    learned.samples.map(({ amount, from }) => [amount, from]),
    [
      ['7.50', 'Salma'],
      ['1200.00', 'Karim'],
      ['500.00', 'Rahim'],
    ],
  );
  const { source, formats } = JSON.parse(readFileSync(fileOf('my-bank'), 'utf8'));
  t.like(source, { name: 'my-bank', title: SENDER, senders: [SENDER], channel: 'bank' });
  t.like(formats[0], {
    settle: 'review',
    texts: ['{amount} credited to A/C {account} by {name} at Dhaka. Balance {balance}'],
  });

  const again = await kashbox('sms', 'learn', SENDER, ...FLAGS, '--json');
  t.is(again.code, 4);
  t.regex(again.json<Failed>().error.hint, /--add.*--replace/);
  const other = ['--text', 'A sum of BDT 5.00 was received in A/C 12**34', '--yes'];
  t.is((await kashbox('sms', 'learn', SENDER, ...other, '--add')).code, 0);
  t.is(JSON.parse(readFileSync(fileOf('my-bank'), 'utf8')).formats.length, 2);
  t.is((await kashbox('sms', 'learn', SENDER, ...other, '--replace')).code, 0);
  t.is(JSON.parse(readFileSync(fileOf('my-bank'), 'utf8')).formats.length, 1);

  const listed = await kashbox('sms', 'trust', '--json');
  t.like(listed.json<object[]>()[0], { name: 'my-bank', account: null, approved: 0, trust: 'none' });
  t.regex((await kashbox('sms', 'trust')).stdout, /^my-bank +MY BANK +bank +the only one/m);
  t.regex((await kashbox('sms', 'trust', '--csv')).stdout, /^name,title,senders,/);
  const early = await kashbox('sms', 'trust', 'my-bank', '--json');
  t.is(early.code, 4);
  t.regex(early.json<Failed>().error.message, /^0 of 10 approved/);
  t.is((await kashbox('sms', 'trust', 'nobody')).code, 3);
  t.is((await kashbox('sms', 'trust', 'my-bank', '--revoke')).code, 3);
  t.is((await kashbox('sms', 'trust', '--revoke')).code, 2);
});

test('what cannot become a format is refused, and nothing is written', async (t) => {
  const { kashbox, fileOf } = await shop(t);
  const refused = async (code: number, message: RegExp, ...args: readonly string[]) => {
    const ran = await kashbox('sms', 'learn', ...args, '--json');
    t.is(ran.code, code, ran.stdout);
    t.regex(ran.json<Failed>().error.message, message);
  };
  await refused(2, /Missing the sender/);
  await refused(3, /No SMS of the sender "MY BANK"/, SENDER, '--yes');
  await refused(2, /Missing flag --channel/, SENDER, '--text', TEXT, '--yes');
  await refused(2, /not a channel for SMS/, SENDER, '--text', TEXT, '--channel', 'bep20', '--yes');
  await refused(2, /No terminal for prompts/, SENDER, '--text', TEXT, '--channel', 'bank');
  await refused(2, /not in the text/, SENDER, ...FLAGS, '--amount', 'BDT 7');
  const open = [
    '--text',
    'BDT 5.00 was received from Rahim',
    '--payer',
    'Rahim',
    '--channel',
    'bank',
    '--yes',
  ];
  await refused(2, /also reads forged texts \(words after the message/, SENDER, ...open);
  t.false(existsSync(fileOf('my-bank')));
});

test('a text may be piped in, and a wallet gets a format without a source', async (t) => {
  const { kashbox, fileOf } = await shop(t);
  const text =
    'Shop bill Tk 900.00 paid by 01711000001. Balance Tk 950.00. TrxID DHL60302ZX at 21/08/2026 12:35';
  const made = await kashbox.piped(
    text,
    'sms',
    'learn',
    'bKash',
    '--text',
    '-',
    '--yes',
    '--name',
    'shop-bill',
  );
  t.is(made.code, 0, made.stderr);
  const file = JSON.parse(readFileSync(fileOf('shop-bill'), 'utf8'));
  t.like(file, { channel: 'mfs_a' });
  t.is(
    file.formats[0].texts[0],
    'Shop bill {amount} paid by {payer}. Balance {balance}. TrxID {id} at {date}',
  );
  t.like((await kashbox('sms', 'parse', '--sender', 'bKash', text, '--json')).json(), {
    settle: 'review',
    format: 'shop-bill-1',
  });
});

test('a faulty file is named, and the others are read', async (t) => {
  const { kashbox, fileOf } = await shop(t);
  await kashbox('sms', 'learn', 'ebl', '--channel', 'bank');
  mkdirSync(join(kashbox.home, 'formats'), { recursive: true });
  const ebl = readFileSync(fileOf('ebl'), 'utf8');
  writeFileSync(fileOf('twice'), ebl.replace('"name": "ebl"', '"name": "twice"'));
  writeFileSync(fileOf('words'), '{');
  const { stdout } = await kashbox('doctor');
  t.regex(stdout, /SMS format twice\.json: the sender "EBL" belongs to the source "ebl"/);
  t.regex(stdout, /SMS format words\.json: .*JSON/);
});

const isTerminalThere = spawnSync('script', ['--version']).status === 0;
(isTerminalThere ? test : test.skip)('in a terminal Enter accepts what is proposed', async (t) => {
  const { kashbox, add, fileOf } = await shop(t);
  await add(credit('500.00', 'Rahim'));
  const program = `"${process.execPath}" "${kashboxProgram}" sms learn "${SENDER}" --channel bank --payer -`;
  // What is typed ahead waits in the terminal.
  const enter = `for i in $(seq 90); do [ -e '${fileOf('my-bank')}' ] && exit; sleep 1; printf '\\r'; done`;
  const typed = `(${enter})`;
  const ran = spawnSync('sh', ['-c', `${typed} | script -qec '${program}' /dev/null`], {
    env: {
      ...process.env,
      KASHBOX_HOME: kashbox.home,
      KASHBOX_CONFIG_DIR: `${kashbox.home}/contexts`,
      CI: '',
    },
    encoding: 'utf8',
    timeout: 120_000,
  });
  t.true(existsSync(fileOf('my-bank')), ran.stdout + ran.stderr);
  t.regex(ran.stdout, /The amount:.*BDT 500\.00/);
});
