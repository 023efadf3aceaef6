/** A developer of a shop, from nothing to a paid test payment, at the command line. */
import test from 'ava';
import { type Failed, openCli } from '../../helpers/programs/cli.js';

interface Played {
  readonly outcome: string;
  readonly about: string | null;
  readonly transaction_id: string;
  readonly text: string;
}

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly test: boolean;
}

async function openTrial(t: Parameters<typeof openCli>[0]) {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo', '--json');
  const made = await kashbox('brands', 'create', '--merchant', 'Alo', '--name', 'Trial', '--test', '--json');
  const pay = async (brand: string) =>
    (
      await kashbox('payments', 'create', '--brand', brand, '--name', 'Rahim', '--amount', '500', '--json')
    ).json<{ id: string; gateway_reference: string }>();
  return { kashbox, made, pay };
}

test.serial('a test brand has its key and accounts at once, and its payments are played', async (t) => {
  const { kashbox, made, pay } = await openTrial(t);
  t.is(made.code, 0);
  const { brand, brand_key: key } = made.json<{ brand: { kind: string }; brand_key: string }>();
  t.is(brand.kind, 'test');
  t.regex(key, /^test_/);
  const accounts = (await kashbox('accounts', 'list', '--brand', 'Trial', '--json')).json<object[]>();
  t.is(accounts.length, 9);
  const { gateway_reference: number, id } = await pay('Trial');
  const played = await kashbox('test', 'pay', number);
  t.is(played.code, 0);
  for (const words of [
    'simulated, no real money',
    'the payment is completed',
    'bKash:',
    'You have received Tk 500.00',
  ]) {
    t.true(played.stdout.includes(words), words);
  }
  const shown = await kashbox('payments', 'show', number);
  t.true(shown.stdout.includes('TEST: simulated, no money was moved'));
  t.deepEqual((await kashbox('payments', 'list', '--json')).json(), []);
  t.like((await kashbox('payments', 'list', '--test', '--json')).json<Listed[]>()[0], { id, test: true });
  t.true((await kashbox('payments', 'list', '--test')).stdout.includes('TEST Trial'));
  const again = await kashbox('test', 'pay', id, '--json');
  t.is(again.json<Failed>().error.code, 'session_completed');
});

test.serial('each play has its outcome, in words and as JSON', async (t) => {
  const { kashbox, pay } = await openTrial(t);
  for (const [as, outcome, words] of [
    ['less', 'refused', 'refused, because of the amount'],
    ['more', 'under_review', 'kashbox verifications list --test'],
    ['other_type', 'refused', 'refused, because of the account type'],
    ['old', 'refused', 'refused, because of the time'],
    ['unclaimed', 'waiting', 'on the page, or to verify with method mfs_b'],
  ] as const) {
    const { id } = await pay('Trial');
    const line = ['test', 'pay', id, '--channel', 'mfs_b', '--scenario', as];
    t.is((await kashbox(...line, '--json')).json<Played>().outcome, outcome);
    const other = await pay('Trial');
    const { stdout } = await kashbox('test', 'pay', other.id, '--channel', 'mfs_b', '--scenario', as);
    t.true(stdout.includes(words), stdout);
  }
  t.deepEqual((await kashbox('verifications', 'list', '--json')).json(), []);
  t.is((await kashbox('verifications', 'list', '--test', '--json')).json<object[]>().length, 2);
  t.true((await kashbox('verifications', 'list', '--test')).stdout.includes('TEST, no money: Trial'));
});

test.serial('less than is due pays a part of a payment that takes parts', async (t) => {
  const { kashbox } = await openTrial(t);
  const order = ['--brand', 'Trial', '--name', 'Rahima', '--amount', '500', '--parts', 'on', '--json'];
  const { id = '' } = (await kashbox('payments', 'create', ...order)).json<{ id?: string }>();
  const line = ['test', 'pay', id, '--scenario', 'less'];
  t.is((await kashbox(...line, '--json')).json<Played>().outcome, 'part');
  t.true((await kashbox(...line)).stdout.includes('a part is paid; the rest is still due'));
});

test.serial('an id that was played is verified as with real money', async (t) => {
  const { kashbox, pay } = await openTrial(t);
  const { id } = await pay('Trial');
  const played = (await kashbox('test', 'pay', id, '--scenario', 'unclaimed', '--json')).json<Played>();
  const verified = await kashbox(
    ...['payments', 'verify', id, '--channel', 'mfs_a', '--transaction-id', played.transaction_id, '--json'],
  );
  t.like(verified.json(), { status: 'COMPLETED', transaction_id: played.transaction_id });
});

test.serial('rejects a live brand and says what to do', async (t) => {
  const { kashbox, pay } = await openTrial(t);
  const { id } = await pay('Alo');
  const ran = await kashbox('test', 'pay', id, '--json');
  const { error } = ran.json<Failed>();
  t.is(error.code, 'state_refused');
  t.regex(error.message, /takes real money: payments cannot be simulated there/);
  t.regex(error.hint, /kashbox brands create --test/);
  t.not(ran.code, 0);
});

test.serial('a test brand is in no books and takes no real accounts', async (t) => {
  const { kashbox } = await openTrial(t);
  for (const line of [
    ['report', 'daily', '--brand', 'Trial'],
    ['payments', 'export', '-', '--brand', 'Trial'],
    ...[
      [
        'accounts',
        'set',
        '--brand',
        'Trial',
        '--channel',
        'mfs_a',
        '--type',
        'personal',
        '--number',
        '01711000001',
      ],
    ],
  ]) {
    const ran = await kashbox(...line);
    t.regex(ran.stderr, /test brand/);
    t.not(ran.code, 0);
  }
  const brands = (await kashbox('brands', 'list', '--json')).json<
    { name: string; kind: string; merchant: string }[]
  >();
  t.deepEqual(
    brands.map(({ name, kind, merchant }) => [name, kind, merchant]),
    [
      ['Alo', 'live', 'Alo'],
      ['Trial', 'test', 'Alo'],
    ],
  );
  t.is((await kashbox('merchants', 'list', '--json')).json<object[]>().length, 1);
  const updated = await kashbox('brands', 'update', 'Trial', '--test');
  t.is(updated.code, 2);
});
