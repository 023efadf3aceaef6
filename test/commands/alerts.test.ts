/** `kashbox alerts` and what `devices` shows, as an operator types them; receivers speak HTTPS. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { AddedTarget, TargetView, TestedTarget } from '../../src/actions/alerts/alert-targets.js';
import type { AlertView } from '../../src/actions/alerts/list-alerts.js';
import { watchDevices } from '../../src/actions/devices/watch-devices.js';
import { checkSignature } from '../../src/notify/signature.js';
import { issue, newAuthority, type Pair } from '../helpers/network/authority.js';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { openShop } from '../helpers/shop/shop.js';
import { openTestCore, temporaryFolder } from '../helpers/stores/engines.js';

const TOKEN = '123456:AAH-not_a_real_token_of_anybody_0';

interface Got {
  readonly path: string;
  readonly signature: string;
  readonly body: string;
}

/** A receiver with a certificate for loopback. */
async function openSecure(t: ExecutionContext<unknown>, pair: Pair) {
  const received: Got[] = [];
  const server = createServer(pair, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const signature = String(request.headers['x-service-signature']);
    received.push({ path: request.url ?? '', signature, body });
    response.end('{"ok":true}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { received, origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test.serial('targets are added, tried out over HTTPS, listed and removed', async (t) => {
  const authority = await newAuthority();
  const ca = join(await temporaryFolder(t), 'ca.pem');
  writeFileSync(ca, authority.cert);
  const kashbox = await openCli(t, { NODE_EXTRA_CA_CERTS: ca });
  const { received, origin } = await openSecure(t, await issue(authority, { ips: ['127.0.0.1'] }));
  const stranger = await openSecure(t, await issue(null, { ips: ['127.0.0.1'] }));

  const hook = await kashbox('alert-targets', 'create', '--webhook', `${origin}/hook/s3cret`, '--json');
  t.is(hook.code, 0, hook.stderr);
  const added = hook.json<AddedTarget>();
  t.regex(added.webhook_secret ?? '', /^whsec_/);
  t.is(added.target.hint, `${origin}/…`);
  const bot = ['alert-targets', 'create', '--telegram', '-1007', '--telegram-api', origin];
  const human = await kashbox.piped(`${TOKEN}\n`, ...bot, '--token-stdin');
  t.is(human.code, 0, human.stderr);
  t.regex(human.stdout, /^Target {2}chat -1007 by bot 123456\n/);
  t.false(human.stdout.includes('AAH'));

  const again = await kashbox('alert-targets', 'create', '--webhook', `${origin}/hook/s3cret`, '--json');
  t.is(again.code, 4);
  t.like(again.json<Failed>().error, { code: 'already_exists' });
  t.true(again.json<Failed>().error.hint?.includes(`alert-targets delete ${added.target.id}`));

  const tested = await kashbox('alert-targets', 'test', '--json');
  t.is(tested.code, 0, tested.stdout);
  t.deepEqual(
    tested.json<TestedTarget[]>().map(({ kind, delivered }) => [kind, delivered]),
    [
      ['webhook', true],
      ['telegram', true],
    ],
  );
  t.deepEqual(received.map(({ path }) => path).sort(), [`/bot${TOKEN}/sendMessage`, '/hook/s3cret']);
  const told = received.find(({ path }) => path.startsWith('/hook'));
  t.like(JSON.parse(told?.body ?? ''), { event: 'test', device: null, merchant: null, detail: {} });
  const secrets = [added.webhook_secret ?? ''];
  const check = { body: told?.body ?? '', secrets, now: Date.now(), toleranceS: 600 };
  t.is(checkSignature(told?.signature, check).result, 'valid');

  await kashbox('alert-targets', 'create', '--webhook', `${stranger.origin}/x`);
  const failed = await kashbox('alert-targets', 'test');
  t.is(failed.code, 4);
  t.regex(failed.stdout, /^FAILED {3}webhook {2}https:.*certificate/m);
  t.is(stranger.received.length, 0);

  const listed = await kashbox('alert-targets', 'list', '--ndjson');
  t.deepEqual(
    listed.ndjson<TargetView>().map(({ kind }) => kind),
    ['webhook', 'telegram', 'webhook'],
  );
  t.is((await kashbox.piped(listed.stdout, 'alert-targets', 'delete', '-')).code, 0);
  t.regex((await kashbox('alert-targets', 'list')).stdout, /^Nobody is told/);
});

test.serial('a target is of one kind, and no secret is asked for without a terminal', async (t) => {
  const kashbox = await openCli(t);
  for (const args of [
    [],
    ['--webhook', 'https://a.example/x', '--command', 'true'],
    ['--command', 'true', '--token-stdin'],
    ['--webhook', 'http://a.example/x'],
  ]) {
    t.is((await kashbox('alert-targets', 'create', ...args, '--json')).code, 2, args.join(' '));
  }
  const asked = await kashbox('alert-targets', 'create', '--telegram', '7', '--json');
  t.is(asked.code, 2);
  t.regex(asked.json<Failed>().error.hint, /KASHBOX_TELEGRAM_TOKEN/);
  const mail = [
    'alert-targets',
    'create',
    '--email',
    'a@example.com',
    '--smtp',
    'smtps://me@mail.example.com',
  ];
  const unasked = await kashbox(...mail, '--json');
  t.is(unasked.code, 2);
  t.regex(unasked.json<Failed>().error.hint, /KASHBOX_SMTP_PASSWORD/);
  const early = await kashbox(
    'alert-targets',
    'create',
    '--email',
    'a@b.c',
    '--smtp',
    'smtp://me:pw@mail.example.com',
  );
  t.regex(early.stderr, /smtp contains a password/, 'before anything is asked');
  const added = await kashbox.piped('hunter2\n', ...mail, '--password-stdin');
  t.is(added.code, 0, added.stderr);
  t.regex(added.stdout, /^Target {2}a@example\.com by mail\.example\.com$/m);
  t.false(added.stdout.includes('hunter2'));
});

test.serial('a phone with a problem is shown with its alerts, in 80 columns', async (t) => {
  const kashbox = await openCli(t, { COLUMNS: '80' });
  const core = await openTestCore(t, 'sqlite', { folder: kashbox.home });
  const shop = await openShop(core, 'মেসার্স আলো ট্রেডার্স অ্যান্ড সন্স, মিরপুর');
  const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;
  const health = {
    battery: 7,
    charging: 0,
    network: 'wifi and mobile data',
    queued: 128,
    agent: 'forwarder',
  };
  const set = (row: object) => core.store.write((db) => db.query.updateTable('devices').set(row).execute());
  await set({ ...health, agent: 'relay', last_seen_at: minutesAgo(1) });
  const look = () => watchDevices(core, { listeningSince: 0 });
  await look();
  await set({ last_seen_at: minutesAgo(60 * 24 * 45) });
  await look();
  await kashbox('alert-targets', 'create', '--command', 'true');
  await set({ agent: 'forwarder' });

  const table = await kashbox('devices', 'list');
  t.regex(table.stdout, /^NAME +STATE +SEEN +DOWN +BATTERY +NETWORK +IN +OUT +BY\n/);
  t.regex(table.stdout, /OFFLINE +1mo +1 month.* +7% +wifi.* +128 +0 +forwarder\n/);
  const columns = (text: string) => Math.max(...text.split('\n').map((line) => [...line.normalize()].length));
  t.true(columns(table.stdout.replace(/\p{M}/gu, '')) <= 80, table.stdout);

  const shown = (await kashbox('devices', 'show', shop.deviceId)).stdout;
  t.regex(shown, /^Downtime +1 month 2 weeks$/m);
  t.regex(shown, /^Waiting SMS +128 on the phone, 0 in Kashbox to be sent$/m);
  const said = shown.replace(/\s+/g, ' ');
  t.regex(said, /device\.battery_low open The phone ".*" has 7% of its battery left/);
  t.regex(said, /device\.offline open The phone ".*" is offline/);
  t.true(columns(shown.replace(/\p{M}/gu, '')) <= 80, shown);

  const [first] = (await kashbox('alerts', 'list', '--open', '--json')).json<AlertView[]>();
  t.like(first, { event: 'device.offline', state: 'open', device_id: shop.deviceId, told: [] });
  t.is((await kashbox('alerts', 'list', '--device', 'nobody')).code, 3);

  await set({ problem: 'SMS cannot be read: Termux:API lacks the permission' });
  const failing = (await kashbox('devices', 'list')).stdout;
  t.regex(failing, /OUT +PROBLEM\n.* SMS cann/);
  t.true(columns(failing.replace(/\p{M}/gu, '')) <= 80, failing);
  t.regex((await kashbox('devices', 'show', shop.deviceId)).stdout, /^Problem +SMS cannot be read: T/m);
});

test.serial('the settings of a target are changed, and listed in 80 columns', async (t) => {
  const kashbox = await openCli(t, { COLUMNS: '80' });
  const given = ['--events', 'money,sms.gap', '--quiet-hours', '২৩:০০-৭:০০', '--daily-summary', '21:00'];
  const added = await kashbox('alert-targets', 'create', '--command', 'true', ...given, '--json');
  const { id } = added.json<AddedTarget>().target;
  t.like(added.json<AddedTarget>().target, {
    ...{ quiet: '23:00-07:00', quiet_all: false, daily: '21:00', buttons: false, held: 0 },
  });
  const shown = await kashbox(
    'alert-targets',
    'update',
    id.slice(0, 16),
    '--no-daily-summary',
    '--quiet-all',
    '--quiet-hours',
    '1:00-2:00',
  );
  t.is(shown.code, 0, shown.stderr);
  t.regex(shown.stdout, /^Quiet hours {2}01:00-02:00, for all$/m);
  t.notRegex(shown.stdout, /Daily/);
  const listed = await kashbox('alert-targets', 'list', '--json');
  t.deepEqual(listed.json<TargetView[]>()[0]?.events, ['money', 'sms.gap']);
  for (const [args, message] of [
    [['--quiet-hours', 'night'], /quiet "night" is not a time range/],
    [['--daily-summary', '9pm'], /daily "9pm" is no time/],
    [['--events', 'monye'], /no event "monye"/],
    [['--buttons'], /Only Telegram shows buttons/],
    [[], /Nothing to change was given/],
    [['--quiet-hours', '1:00-2:00', '--no-quiet-hours'], /quiet/],
  ] as const) {
    const refused = await kashbox('alert-targets', 'update', id, ...args);
    t.is(refused.code, 2, args.join(' '));
    t.regex(refused.stderr, message);
  }
});
