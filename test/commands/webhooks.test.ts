/** `kashbox webhooks` as an operator and a shop's developer use it, with the real program. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openCore } from '../../src/actions/core/core.js';
import { signatureHeaders } from '../../src/notify/signature.js';
import { openReceiver } from '../helpers/network/receiver.js';
import { type Cli, type Failed, openCli } from '../helpers/programs/cli.js';
import { BRAND, NOWHERE, openOutbox, PRIVATE } from '../helpers/programs/cli-outbox.js';
import { kashboxProgram, startNode, withinTime } from '../helpers/programs/processes.js';

interface Row {
  readonly id: string;
  readonly payment: string;
  readonly gateway_reference: string;
  readonly state: string;
  readonly tries: number;
  readonly attempts: readonly { readonly outcome: string; readonly asked_by: string }[];
}

const rowsOf = async (kashbox: Cli, ...flags: string[]) =>
  (await kashbox('webhooks', 'list', '--json', ...flags)).json<Row[]>();

function fits(t: ExecutionContext, text: string): void {
  for (const line of text.split('\n')) t.true(line.startsWith('  {') || [...line].length <= 80, line);
}

test.serial('notifications are listed and shown as text, JSON and CSV', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('rates', 'set', '120');
  t.is((await kashbox('webhooks', 'list')).stdout, 'There are no such notifications.\n');
  await openOutbox(kashbox);
  t.deepEqual(
    (await rowsOf(kashbox)).map(({ state }) => state),
    ['PENDING', 'PENDING', 'FAILED'],
  );
  const [dead, ...others] = await rowsOf(kashbox, '--failed', '--since', '1h', '--brand', BRAND);
  t.deepEqual(others, []);
  const { stdout } = await kashbox('webhooks', 'list');
  fits(t, stdout);
  t.regex(stdout, /^ntf_[0-9a-f]{24} {2}FAILED\n {2}payment\.failed, payment [0-9A-Z]{12}, /m);
  t.true(stdout.includes(`${BRAND} at http://127.0.0.1:9: failed permanently after 10 attempts\n`), stdout);
  t.regex(stdout, /not tried yet, due now/);
  t.false(stdout.includes('\u001b'));
  const [head, ...lines] = (await kashbox('webhooks', 'list', '--csv')).stdout.trimEnd().split('\r\n');
  t.regex(head ?? '', /^id,event,payment,gateway_reference,brand,state,/);
  t.is(lines.length, 3);
  const shown = await kashbox('webhooks', 'show', dead?.gateway_reference ?? '');
  t.is(shown.code, 0);
  fits(t, shown.stdout);
  t.regex(shown.stdout, /Body \(json\):\n {2}\{"event":"payment\.failed","id":"ntf_/);
  t.regex(shown.stdout, /refused after 5 ms\n {4}answered 500, 200 is required; \ufffd\[31mred/);
  t.true(shown.stdout.includes(`kashbox webhooks replay ${dead?.id}`));
  const piped = (await kashbox('webhooks', 'list', '--ndjson')).stdout;
  const all = (await kashbox.piped(piped, 'webhooks', 'show', '-', '--json')).json<Row[]>();
  t.deepEqual(
    all.map(({ attempts }) => attempts.length),
    [0, 0, 1],
  );
  const payment = (await kashbox('payments', 'show', dead?.payment ?? '')).stdout;
  t.regex(payment, new RegExp(`^Webhook +payment\\.failed: failed permanently \\(${dead?.id}\\)$`, 'm'));
  t.is((await kashbox('webhooks', 'show', 'ntf_000000000000000000000000')).code, 3);
});

test.serial('replay warns of an address that was blocked and is still the same', async (t) => {
  const kashbox = await openCli(t);
  await openOutbox(kashbox);
  const core = await openCore({ folder: kashbox.home, env: {} });
  await core.store.write((db) => db.query.updateTable('attempts').set({ outcome: 'blocked' }).execute());
  await core.close();
  const replayed = await kashbox('webhooks', 'replay', '--failed', '--since', '2d');
  t.regex(replayed.stdout, /^WARNING: 1 of them go to an address that is never called/m);
});

test.serial(
  'failed notifications are resent by id, from a pipe or all at once, but never without a limit',
  async (t) => {
    const kashbox = await openCli(t);
    await openOutbox(kashbox);
    const [dead] = await rowsOf(kashbox, '--failed');
    const id = dead?.id ?? '';
    for (const args of [[], ['--failed'], ['--since', '2d'], ['--failed', '--since', '2d', id]]) {
      t.is((await kashbox('webhooks', 'replay', ...args)).code, 2, args.join(' '));
    }
    const all = (await kashbox('webhooks', 'replay', '--failed', '--since', '2d', '--json')).json<{
      replayed: Row[];
      under_way: number;
    }>();
    t.is(all.under_way, 0);
    t.deepEqual(
      all.replayed.map((one) => one.id),
      [id],
    );
    t.regex(
      (await kashbox('webhooks', 'replay', '--failed', '--since', '2d')).stdout,
      /nothing to send again/,
    );
    t.like((await rowsOf(kashbox)).at(-1), { id, state: 'PENDING', tries: 0 });
    t.regex((await kashbox('webhooks', 'show', id)).stdout, /^State +PENDING: to be sent again, due now$/m);
    const one = await kashbox('webhooks', 'replay', id);
    t.regex(
      one.stdout,
      /due again under its old webhook-id\.\nA running daemon sends it.*\n.*webhooks show ntf_/,
    );
    const mixed = await kashbox.piped(`${id}\nntf_0\n`, 'webhooks', 'replay', '-', '--json');
    t.is(mixed.code, 3);
    const [good, bad] = mixed.json<(Row & Failed)[]>();
    t.like(good, { id, state: 'PENDING' });
    t.is(bad?.error.code, 'not_found');
  },
);

test.serial('a key in a shop’s address is shown nowhere, and the address is called with it', async (t) => {
  const kashbox = await openCli(t, PRIVATE);
  const shop = await openReceiver(t);
  const key = 'bk_0123456789abcdefghijklmnopqrstuvwxyz0123';
  await openOutbox(kashbox, `${shop.url}?api=${key}&invoice=501`, 1);
  const [row] = await rowsOf(kashbox);
  const shown = `${shop.url}?api=…&invoice=…`;
  t.like(row, { url: shown });
  const ways = [
    ['list'],
    ['list', '--csv'],
    ['list', '--ndjson'],
    ['show', row?.id ?? ''],
    ['show', row?.id ?? '', '--json'],
    ['replay', row?.id ?? ''],
    ['replay', row?.id ?? '', '--json'],
    ['test', '--brand', BRAND],
    ['test', '--brand', BRAND, '--json'],
  ];
  for (const way of ways) {
    const ran = await kashbox('webhooks', ...way);
    t.is(ran.code, 0, way.join(' '));
    t.false(`${ran.stdout}${ran.stderr}`.includes(key), way.join(' '));
  }
  t.regex((await kashbox('webhooks', 'show', row?.id ?? '')).stdout, /Goes to +http\S+\?api=…&invoice=…\n/);
  t.deepEqual(new Set(shop.received.map(({ path }) => path)), new Set([`/hook?api=${key}&invoice=501`]));
});

test.serial('a test is sent at once and kept; only 200 is exit code 0', async (t) => {
  const kashbox = await openCli(t, PRIVATE);
  let status = 200;
  const shop = await openReceiver(t, (_got, response) => void response.writeHead(status).end('thanks'));
  await openOutbox(kashbox, shop.url, 1);
  const send = (...flags: string[]) => kashbox('webhooks', 'test', '--brand', BRAND, ...flags);
  const heard = await send();
  t.is(heard.code, 0, heard.stderr);
  fits(t, heard.stdout);
  t.regex(heard.stdout, /delivered 200 after \d+ ms, requested by cli:.*\n {4}answered 200\n {4}\| thanks\n/);
  status = 500;
  const refused = await send('--json');
  t.is(refused.code, 4);
  const pinged = refused.json<{ id: string; state: string; attempt: { outcome: string } }>();
  t.like(pinged, { state: 'FAILED' });
  t.is(pinged.attempt.outcome, 'refused');
  t.regex(
    (await send()).stdout,
    /Not delivered; stored as ntf_.*\nThe shop answered 500: its program failed/,
  );
  const shown = (await kashbox('webhooks', 'show', pinged.id, '--json')).json<Row>();
  t.like(shown, { payment: null, state: 'FAILED' });
  t.regex(shown.attempts[0]?.asked_by ?? '', /^cli:/);
  t.is(shop.received.length, 3);
  t.is(new Set(shop.received.map(({ id }) => id)).size, 3);
  t.is((await kashbox('webhooks', 'replay', pinged.id)).code, 4);
  await kashbox('brands', 'update', BRAND, '--webhook-url', '');
  const nowhere = await send('--json');
  t.is(nowhere.code, 2);
  t.regex(nowhere.json<Failed>().error.hint, /brands update 'Alo Store' --webhook-url/);
});

test.serial('without the setting for development a test goes to no private address', async (t) => {
  const kashbox = await openCli(t);
  const shop = await openReceiver(t);
  await openOutbox(kashbox, shop.url, 1);
  const blocked = await kashbox('webhooks', 'test', '--brand', BRAND);
  t.is(blocked.code, 4);
  t.regex(blocked.stdout, /blocked after/);
  t.deepEqual(shop.received, []);
});

test.serial('listen prints and checks notifications, marks repeats, and ends after --count', async (t) => {
  const kashbox = await openCli(t, PRIVATE);
  t.is((await kashbox('webhooks', 'listen', '--path', 'hook')).code, 2);
  await openOutbox(kashbox, NOWHERE, 1);
  t.is((await kashbox('webhooks', 'listen', '--brand', 'Nobody')).code, 3);
  const listener = startNode(
    t,
    [kashboxProgram, 'webhooks', 'listen', '--brand', BRAND, '--port', '0', '--count', '3', '--ndjson'],
    { ...PRIVATE, KASHBOX_HOME: kashbox.home },
  );
  const [, url = ''] = await listener.logged(/Listening on (\S+)\n[\s\S]*Ctrl-C ends it\./);
  t.is((await kashbox('brands', 'update', BRAND, '--webhook-url', url, '--webhook-format', 'form')).code, 0);
  t.is((await kashbox('webhooks', 'test', '--brand', BRAND)).code, 0);
  for (let n = 0; n < 2; n += 1) {
    await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'ntf_1' } });
  }
  const { code } = await withinTime(listener);
  const lines = listener
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.deepEqual(
    lines.map(({ id, times, signature, answered }) => [id === 'ntf_1', times, signature, answered]),
    [
      [false, 1, 'valid', 200],
      [true, 1, 'no_header', 401],
      [true, 2, 'no_header', 401],
    ],
  );
  t.regex(lines[0].content_type, /form/);
  t.is(code, 4);
  t.regex(listener.stderr(), /3 received, 1 of them again, 2 with a wrong signature\.\n$/);
});

test.serial(
  'a captured notification is verified by the secret of a brand or of the environment',
  async (t) => {
    const kashbox = await openCli(t);
    await openOutbox(kashbox, NOWHERE, 1);
    const rotated = await kashbox('webhooks', 'rotate', '--brand', BRAND, '--overlap', '24h', '--json');
    const { webhook_secret: secret } = rotated.json<{ webhook_secret: string }>();
    const body = '{"event":"ping","name":"আলো"}';
    const signed = signatureHeaders({ id: 'ntf_1', at: Date.now(), content: body, secrets: [secret] });
    const signature = signed['x-service-signature'] ?? '';
    const verify = (...args: string[]) => kashbox.piped(body, 'webhooks', 'verify', ...args);
    const valid = await verify('--brand', BRAND, '--signature', signature);
    t.is(valid.code, 0);
    t.regex(valid.stdout, /^X-Service-Signature\n {2}Valid: signed \d+ s ago/);
    const headers = Object.entries(signed).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const both = await verify('--brand', BRAND, '--json', ...headers);
    t.like(both.json(), { valid: true });
    t.is(both.json<{ checks: unknown[] }>().checks.length, 2);
    const file = join(kashbox.home, 'body.json');
    writeFileSync(file, `${body}\n`);
    const anew = await kashbox(
      'webhooks',
      'verify',
      '--brand',
      BRAND,
      '--signature',
      signature,
      '--body-file',
      file,
    );
    t.is(anew.code, 4);
    t.regex(anew.stdout.replace(/\s+/g, ' '), /secret is right, but .* line break was added/);
    const empty = await kashbox('webhooks', 'verify', '--brand', BRAND, '--signature', signature);
    t.is(empty.code, 2);
    t.regex(empty.stderr, /The body is empty/);
    const nobody = await verify('--signature', signature, '--json');
    t.is(nobody.code, 2);
    t.regex(nobody.json<Failed>().error.hint, /KASHBOX_WEBHOOK_SECRET/);
    t.is((await verify('--signature', signature, '--secret', secret)).code, 2);
    const elsewhere = await openCli(t, { KASHBOX_WEBHOOK_SECRET: secret });
    t.is((await elsewhere.piped(body, 'webhooks', 'verify', '--signature', signature)).code, 0);
    const old = signatureHeaders({
      id: 'ntf_1',
      at: Date.now() - 7_200_000,
      content: body,
      secrets: [secret],
    });
    const late = (...more: string[]) =>
      verify('--brand', BRAND, '--signature', old['x-service-signature'] ?? '', ...more);
    t.is((await late()).code, 4);
    t.is((await late('--tolerance', '0')).code, 0);
    t.is((await late('--at', '2h')).code, 0);
  },
);

test.serial('a rotated secret is shown once; brands shows the overlap and the format', async (t) => {
  const kashbox = await openCli(t);
  await openOutbox(kashbox, NOWHERE, 1);
  const rotated = await kashbox('webhooks', 'rotate', '--brand', BRAND, '--overlap', '24h');
  const [secret = ''] = /whsec_\S{43}=/.exec(rotated.stdout) ?? [];
  t.regex(secret, /^whsec_/);
  t.regex(rotated.stdout, /Both sign until \d{4}-\d\d-\d\d \d\d:\d\d \(Bangladesh time\)/);
  const show = (...flags: string[]) => kashbox('brands', 'show', BRAND, ...flags);
  const shown = await show();
  t.regex(shown.stdout, /^Webhook +http:\S+ as json\nSecrets +two sign notifications until /m);
  t.like((await show('--json')).json(), { webhook_format: 'json' });
  t.regex((await kashbox('brands', 'list')).stdout, /json, 2 secrets/);
  const second = await kashbox('webhooks', 'rotate', '--brand', BRAND, '--overlap', '1h');
  t.is(second.code, 4);
  t.regex(second.stderr, /sign until .*\nNext: .*without --overlap/);
  t.regex((await kashbox('webhooks', 'rotate', '--brand', BRAND)).stdout, /Older secrets no longer work/);
  t.like((await show('--json')).json(), { old_webhook_secret_expires_at: null });
  const formed = await kashbox('brands', 'update', BRAND, '--webhook-format', 'form');
  t.regex(formed.stdout, /as form$/m);
  t.is((await kashbox('brands', 'update', BRAND, '--webhook-format', 'xml')).code, 2);
  t.is((await kashbox('webhooks', 'rotate', '--brand', BRAND, '--overlap', '8d')).code, 2);
});
