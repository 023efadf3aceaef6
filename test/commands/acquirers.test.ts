/** Acquirers and their pushes from the command line: made, listed, revoked, and what came of each push. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { authenticateAcquirer } from '../../src/actions/access/authenticate-acquirer.js';
import type { CreatedAcquirer } from '../../src/actions/acquirers/acquirers.js';
import type { PushRow } from '../../src/actions/pushes/list-pushes.js';
import { receivePush } from '../../src/actions/pushes/take-push.js';
import { type Cli, type Failed, openCli } from '../helpers/programs/cli.js';
import { sign } from '../helpers/shop/bank.js';
import { printedPayload } from '../helpers/shop/qr.js';
import { openTestCore } from '../helpers/stores/engines.js';

const MAP = {
  reference: 'tran_id',
  amount: 'amount',
  status: 'status',
  success: ['0'],
  bill: 'ref',
  payer: 'from',
};

async function withShop(t: ExecutionContext<unknown>): Promise<Cli> {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  return kashbox;
}

const create = (kashbox: Cli, ...args: readonly string[]) =>
  kashbox('acquirers', 'create', '--merchant', 'Alo', '--name', 'city-bank', ...args);

/** Brings a signed push in, as the daemon does. */
async function pusher(
  t: ExecutionContext<unknown>,
  { home }: Cli,
  { key, secret }: { readonly key: string; readonly secret: string },
) {
  const core = await openTestCore(t, 'sqlite', { folder: home });
  return async (body: string) => {
    const bytes = Buffer.from(body);
    const header = () => sign(secret, bytes);
    const named = { headerKey: key, basic: undefined, queryKey: undefined };
    const acquirer = await authenticateAcquirer(core, { ...named, ip: '192.0.2.1', body: bytes, header });
    await receivePush(core, { acquirer, contentType: 'application/json', bytes });
  };
}

test.serial('acquirers create shows key and secret once; list and revoke know the acquirer', async (t) => {
  const kashbox = await withShop(t);
  const file = join(kashbox.home, 'map.json');
  writeFileSync(file, JSON.stringify(MAP));
  const signature = [
    '--signature-header',
    'X-Bank',
    '--signature-prefix',
    'sha256=',
    '--allow-ip',
    '203.0.113.7',
  ];
  const made = await create(kashbox, '--field-map', file, ...signature, '--json');
  t.is(made.code, 0, made.stdout);
  const { acquirer, acquirer_key, secret } = made.json<CreatedAcquirer>();
  t.deepEqual(Object.keys(made.json()), ['acquirer', 'acquirer_key', 'secret']);
  t.regex(acquirer_key, /^aq_[0-9A-Za-z]{40}$/);
  t.regex(secret, /^aqs_[0-9A-Za-z]{43}$/);
  t.like(acquirer, { name: 'city-bank', merchant: 'Alo', status: 'ACTIVE', auth: 'hmac' });
  t.like(acquirer.map, { ...MAP, amount_unit: 'taka', merchant: null });
  t.deepEqual(acquirer.signature, { header: 'x-bank', encoding: 'hex', prefix: 'sha256=' });

  const list = await kashbox('acquirers', 'list', '--json');
  t.deepEqual(list.json<unknown[]>(), [acquirer]);
  t.false(list.stdout.includes(acquirer_key) || list.stdout.includes(secret));
  t.regex((await kashbox('acquirers', 'list')).stdout, /city-bank +Alo +ACTIVE +hmac/);

  t.like((await create(kashbox, '--json')).json<Failed>().error, { code: 'already_exists' });
  const revoked = await kashbox('acquirers', 'revoke', 'city-bank', '--json');
  t.like(revoked.json(), { id: acquirer.id, status: 'REVOKED' });
  const human = await create(kashbox);
  t.regex(human.stdout, /ACQUIRER-KEY +aq_.*\nSecret +aqs_/);
  t.regex(human.stdout, /POST https:\/\/YOUR-DAEMON\/api\/v2\/acquirer\/push/);
  t.is((await kashbox('acquirers', 'revoke', 'nobody')).code, 3);
});

test.serial('a map is taken from stdin, and all that is wrong with it is said at once', async (t) => {
  const kashbox = await withShop(t);
  const piped = (map: string, ...args: readonly string[]) =>
    kashbox.piped(map, 'acquirers', 'create', '--merchant', 'Alo', '--name', 'b', ...args, '--json');
  const wrong = await piped('{"amount":"a","unit":"x","time_zone":"Dhaka"}', '--field-map', '-');
  t.is(wrong.code, 2);
  t.regex(
    wrong.json<Failed>().error.message,
    /^The map is not valid: unit is unknown;.*; reference is missing: .*; time_zone must be like \+06:00$/,
  );
  t.is((await piped('{', '--field-map', '-')).json<Failed>().error.message, 'The map is not valid JSON');
  t.is((await piped('', '--field-map', 'nowhere.json')).code, 2);
  t.is((await piped('', '--auth', 'ip')).json<Failed>().error.message, 'allow-ip is missing');
  t.is((await piped('', '--auth', 'basic', '--signature-prefix', 'v1=')).code, 2);
  t.is((await piped(JSON.stringify(MAP), '--field-map', '-')).code, 0);
});

test.serial('pushes list says what each push settled, or why it did not', async (t) => {
  const kashbox = await withShop(t);
  const qr = ['--channel', 'qr_interbank', '--type', 'qr', '--qr-payload', printedPayload];
  const account = await kashbox('accounts', 'set', '--brand', 'Alo', ...qr);
  t.is(account.code, 0, account.stderr);
  const { acquirer_key: key, secret } = (await create(kashbox, '--json')).json<CreatedAcquirer>();
  const order = await kashbox(
    'payments',
    'create',
    '--brand',
    'Alo',
    '--amount',
    '500',
    '--name',
    'C',
    '--json',
  );
  const { id } = order.json<{ id: string }>();
  const shown = await kashbox('payments', 'show', id, '--json');
  const { gateway_reference: bill } = shown.json<{ gateway_reference: string }>();

  const push = await pusher(t, kashbox, { key, secret });
  const paid = { amount: '500.00', status: 'SUCCESS' };
  await push(JSON.stringify({ ...paid, reference: 'R1', bill }));
  await push(JSON.stringify({ ...paid, reference: 'R2', payer: '=cmd()|\u001b[31m' }));
  await push('{"oops":1}');

  const list = async (...flags: string[]) =>
    (await kashbox('pushes', 'list', ...flags, '--json')).json<PushRow[]>();
  const all = await list();
  t.deepEqual(
    all.map(({ reference, payment, state }) => [reference, payment, state]),
    [
      [null, null, 'UNREAD'],
      ['R2', null, 'SETTLED'],
      ['R1', id, 'SETTLED'],
    ],
  );
  t.deepEqual(await list('--unmatched', '--since', '1h'), all.slice(1, 2));
  t.deepEqual(await list('--unread', '--merchant', 'Alo'), all.slice(0, 1));
  t.is((await kashbox('pushes', 'list', '--ndjson')).ndjson().length, 3);
  const human = (await kashbox('pushes', 'list')).stdout;
  t.regex(human, /R1 +500\.00 +paid/);
  t.false(human.includes('\u001b'));
  const csv = (await kashbox('pushes', 'list', '--csv')).stdout;
  t.regex(csv, /^id,received_at,acquirer,state,reference,amount,payer,/);
  t.false(/(?:^|,)=cmd/m.test(csv));
  t.is((await kashbox('pushes', 'list', '--unmatched', '--unread')).code, 2);
});

test.serial('a wrong map is mended, and what came under it is read again', async (t) => {
  const kashbox = await withShop(t);
  const made = (await create(kashbox, '--json')).json<CreatedAcquirer>();
  const push = await pusher(t, kashbox, { key: made.acquirer_key, secret: made.secret });
  await push('{"tran_id":"R1","amount":"500.00","status":"0"}');
  await push('{"tran_id":"R1","amount":"500.00","status":"0","again":1}');
  await push('{"tran_id":"R2","amount":"500.00","status":"W\\u001b[31m"}');
  await push('{"oops":1}');
  const fault = 'it could not be read: reference has no reference of a bank';
  const blind = await kashbox('pushes', 'reparse');
  t.is(
    blind.stdout,
    `4 pushes read, 0 of them turned out to be money.\n4 still do not count as money: ${fault}.\n`,
  );

  const update = (...args: readonly string[]) => kashbox('acquirers', 'update', 'city-bank', ...args);
  const updated = await kashbox.piped(
    JSON.stringify(MAP),
    ...['acquirers', 'update', 'city-bank', '--field-map', '-', '--allow-ip', '192.0.2.1', '--json'],
  );
  t.is(updated.code, 0, updated.stdout);
  const view = updated.json<CreatedAcquirer['acquirer']>();
  t.like(view, { id: made.acquirer.id, key_hint: made.acquirer.key_hint, allow_ips: ['192.0.2.1'] });
  t.like(view.map, MAP);
  t.regex((await update('--allow-any-ip')).stdout, /Allowed IPs +any\n/);
  t.is((await update()).code, 2);
  t.is((await update('--allow-any-ip', '--allow-ip', '192.0.2.1')).code, 2);
  t.is((await kashbox('acquirers', 'update', 'nobody', '--name', 'x')).code, 3);

  const read = await kashbox('pushes', 'reparse', '--acquirer', 'city-bank', '--json');
  t.deepEqual(read.json(), {
    read: 4,
    paid: 1,
    repeated: 1,
    contradicted: 0,
    settled: [],
    reviewed: [],
    left: [
      { why: 'the bank reports status W\u001b[31m', count: 1 },
      { why: 'it could not be read: tran_id has no reference of a bank', count: 1 },
    ],
  });
  const human = await kashbox('pushes', 'reparse');
  t.regex(human.stdout, /^2 pushes read, 0 of them/);
  t.false(human.stdout.includes('\u001b'));
  t.is((await kashbox('pushes', 'list', '--unread', '--json')).json<PushRow[]>().length, 1);
  t.is((await kashbox('pushes', 'reparse', '--acquirer', 'nobody')).code, 3);
});
