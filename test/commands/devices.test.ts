import { createHash, X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { generate } from 'selfsigned';
import { terminalQr } from '../../src/cli/text/qr.js';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { scanned } from '../helpers/shop/qr.js';

interface Enrolled {
  readonly device: { readonly id: string; readonly name: string; readonly state: string };
  readonly device_key: string;
  readonly gateway_key: string;
  readonly pairing_code: string;
}

interface Doctor {
  readonly ok: boolean;
  readonly checks: { readonly name: string; readonly state: string; readonly remedy: string | null }[];
}

const SIM = '1=01711000001';

test.serial(
  'devices enroll shows keys, code and a QR; list, show, rotate and revoke know the phone',
  async (t) => {
    const kashbox = await openCli(t);
    await kashbox('merchants', 'create', '--name', 'Alo');
    const enroll = (...args: string[]) => kashbox('devices', 'enroll', '--merchant', 'Alo', ...args);
    const made = await enroll('--name', 'counter-1', '--sim', SIM, '--sim', '2=+8801811000002', '--json');
    t.is(made.code, 0);
    const enrolled = made.json<Enrolled>();
    t.like(enrolled.device, { name: 'counter-1', state: 'OFFLINE' });
    t.regex(enrolled.device_key, /^dk_[0-9A-Za-z]{40}$/);
    t.regex(enrolled.gateway_key, /^[0-9A-Za-z]{18}$/);
    t.regex(enrolled.pairing_code, /^[2-9A-Z]{4}-[2-9A-Z]{4}$/);

    const human = await enroll('--name', 'counter-2', '--sim', SIM, '--url', 'https://till.example.com:8443');
    t.regex(human.stdout, /█▀▀▀▀▀█/);
    t.regex(
      human.stdout,
      /kashbox-relay pair --url https:\/\/till\.example\.com:8443 --code [2-9A-Z]{4}-[2-9A-Z]{4}\n/,
    );

    const [listed] = (await kashbox('devices', 'list', '--json')).json<Record<string, unknown>[]>();
    t.like(listed, { name: 'counter-1', state: 'OFFLINE', last_active: '', queued: null });
    const table = (await kashbox('devices', 'list')).stdout.split('\n');
    const [from, until] = ['DOWN', 'BATTERY'].map((head) => table[0]?.indexOf(head) ?? 0);
    t.regex(table[1] ?? '', /^counter-1 +OFFLINE +never /);
    t.is(table[1]?.slice(from, until).trim(), '', 'nothing went down that was never up');
    t.regex(String(listed?.downtime), /^less than a minute$|^1 minute$/);
    t.deepEqual(listed?.sims, [
      { slot: 1, number: '01711000001' },
      { slot: 2, number: '01811000002' },
    ]);
    const rotated = (await kashbox('devices', 'rotate', 'counter-1', '--json')).json<Enrolled>();
    t.is(rotated.device.id, enrolled.device.id);
    t.not(rotated.device_key, enrolled.device_key);
    const near = await kashbox('devices', 'rotate', 'counter-1', '--url', 'https://127.0.0.1:28443');
    t.regex(near.stderr, /kashbox devices rotate counter-1 --url https:\/\/[\w.]+:(28443|PORT)$/m);
    const revoked = await kashbox('devices', 'revoke', 'counter-1', '--json');
    t.is(revoked.json<{ state: string }>().state, 'REVOKED');
    t.is((await kashbox('devices', 'rotate', 'counter-1')).code, 4);
  },
);

test.serial('devices enroll rejects invalid SIMs, a name in use and an address without TLS', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const enroll = (...args: string[]) =>
    kashbox('devices', 'enroll', '--merchant', 'Alo', '--name', 'counter-1', ...args, '--json');
  const wrong = [
    ['--sim', '01711000001'],
    ['--sim', '0=01711000001'],
    ['--sim', '1=0171'],
    ['--sim', SIM, '--sim', '1=01811000002'],
    ['--sim', SIM, '--url', 'http://till.example.com'],
  ];
  for (const args of wrong) {
    const ran = await enroll(...args);
    t.is(ran.code, 2, args.join(' '));
    t.is(ran.json<Failed>().error.code, 'invalid_input');
  }
  t.is((await enroll('--sim', SIM)).code, 0);
  t.is((await enroll('--sim', SIM)).code, 4);
});

test.serial('enroll and rotate end with two lines to paste, and a QR code of the same link', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const { cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  mkdirSync(`${kashbox.home}/tls`);
  writeFileSync(`${kashbox.home}/tls/cert.pem`, cert);
  const { fingerprint256, publicKey } = new X509Certificate(cert);
  const fingerprint = fingerprint256.replaceAll(':', '').toLowerCase();
  const key = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' }));
  const url = ['--url', 'https://192.168.0.5:8443/'];
  const enroll = ['devices', 'enroll', '--merchant', 'Alo', '--name', 'counter-1', '--sim', SIM, ...url];
  for (const args of [enroll, ['devices', 'rotate', 'counter-1', ...url]]) {
    const { stdout } = await kashbox(...args);
    t.true(stdout.includes(`--fingerprint ${fingerprint}\n`), stdout);
    const [fetch, blank, install] = stdout.trimEnd().split('\n').slice(-3);
    t.is(
      fetch,
      'pkg install -y curl nodejs-lts termux-api termux-services && curl -fO -k --pinnedpubkey ' +
        `sha256//${key.copy().digest('base64')} https://192.168.0.5:8443/relay/kashbox-relay.mjs`,
    );
    t.is(blank, '');
    const link = /^node kashbox-relay\.mjs install '(kashbox:\/\/pair\?[^']*)'$/.exec(install ?? '')?.[1];
    t.is(
      link?.replace(/code=[^&]*/, ''),
      `kashbox://pair?url=https%3A%2F%2F192.168.0.5%3A8443&&fp=${fingerprint}`,
    );
    t.is(scanned(stdout.split('\n').filter((line) => /[█▀▄]/.test(line))), link);
    t.is(scanned(await terminalQr(link ?? '', true)), link, 'in the colours of a terminal');
  }
});

test.serial(
  'at the address of a trusted proxy the certificate of the daemon is not what a phone meets',
  async (t) => {
    const kashbox = await openCli(t, { KASHBOX_TRUST_PROXY: '127.0.0.1' });
    await kashbox('merchants', 'create', '--name', 'Alo');
    const { cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    mkdirSync(`${kashbox.home}/tls`);
    writeFileSync(`${kashbox.home}/tls/cert.pem`, cert);
    const enroll = ['devices', 'enroll', '--merchant', 'Alo', '--name', 'counter-1', '--sim', SIM];
    const { stdout } = await kashbox(...enroll, '--url', 'https://pay.example.com');
    t.notRegex(stdout, /pinned|fingerprint|fp=/);
    const direct = await kashbox('devices', 'rotate', 'counter-1', '--url', 'https://192.168.0.5:8443');
    t.regex(direct.stdout, /pinnedpubkey.*fp=/s);
  },
);

test.serial('with a certificate that everybody trusts curl checks as it always does', async (t) => {
  const kashbox = await openCli(t, { KASHBOX_TLS_CERT: '/etc/pay.pem', KASHBOX_TLS_KEY: '/etc/pay.key' });
  await kashbox('merchants', 'create', '--name', 'Alo');
  const enroll = ['devices', 'enroll', '--merchant', 'Alo', '--name', 'counter-1', '--sim', SIM];
  const { stdout } = await kashbox(...enroll, '--url', 'https://pay.example.com/kash$(box)');
  t.true(
    stdout.includes("&& curl -fO 'https://pay.example.com/kash$(box)/relay/kashbox-relay.mjs'\n"),
    stdout,
  );
  t.false(stdout.includes('pinned'));
  const refused = await kashbox(...enroll, '--url', 'https://pay.example.com/?shop=1');
  t.is(refused.code, 2, 'the agent would refuse such an address');
});

test.serial(
  'setup without a terminal takes flags only, and makes nothing when one of them is wrong',
  async (t) => {
    const kashbox = await openCli(t);
    const asked = await kashbox('setup');
    t.is(asked.code, 2);
    t.regex(asked.stderr, /^Error: There is no terminal to ask in\nNext: .*--merchant-name/);
    const setup = (account: string) =>
      kashbox(
        ...['setup', '--merchant-name', 'Alo', '--account', account, '--device-name', 'counter-1'],
        ...['--sim', SIM, '--json'],
      );
    t.is((await setup('mfs_a:personal')).code, 2);
    t.is((await setup('mfs_a:gold:01711000001')).code, 2);
    t.deepEqual((await kashbox('merchants', 'list', '--json')).json(), []);
    const made = await setup('mfs_a:personal:01711000001');
    t.is(made.code, 0);
    const shop = made.json<{ brand_key: string; accounts: unknown[]; device: Enrolled }>();
    t.regex(shop.brand_key, /^bk_/);
    t.is(shop.accounts.length, 1);
    t.is(shop.device.device.name, 'counter-1');
  },
);

test.serial('doctor names what is wrong with its remedy, and exits 4 only if something failed', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const account = ['accounts', 'set', '--brand', 'Alo', '--channel', 'mfs_a', '--type', 'personal'];
  await kashbox(...account, '--number', '01711000001');
  const well = await kashbox('doctor', '--json');
  t.is(well.code, 0);
  const state = (ran: { json<T>(): T }, name: string) =>
    ran.json<Doctor>().checks.find((check) => check.name === name)?.state;
  for (const name of ['home', 'key file', 'store', 'integrity', 'tables', 'clock', 'certificate']) {
    t.is(state(well, name), 'ok', name);
  }
  t.is(state(well, 'phones'), 'warn');
  t.is(state(well, 'account 01711000001'), 'warn');

  chmodSync(`${kashbox.home}/secret.key`, 0o644);
  const open = await kashbox('doctor', '--json');
  t.is(open.code, 4);
  t.is(state(open, 'key file'), 'fail');
  t.true(open.json<Doctor>().checks.every((check) => (check.state === 'ok') === (check.remedy === null)));
  t.is(statSync(`${kashbox.home}/secret.key`).mode & 0o777, 0o600);

  writeFileSync(`${kashbox.home}/kashbox.json`, '{"settings":{"port":"many"}}');
  const settings = await kashbox('doctor', '--json');
  t.is(settings.code, 4);
  t.is(state(settings, 'settings'), 'fail');
});

test.serial('devices update changes SIMs and name, and says on stderr what that means', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('setup', '--merchant-name', 'Alo', '--account', 'mfs_a:personal:01711000001');
  await kashbox('devices', 'enroll', '--merchant', 'Alo', '--name', 'counter-1', '--sim', SIM);
  const update = (...args: string[]) => kashbox('devices', 'update', ...args);
  const told = await update('counter-1', '--sim', '1=01711000009', '--name', 'counter');
  t.is(told.code, 0);
  t.regex(told.stdout, /SIMs +1=01711000009/);
  t.is(told.stderr.match(/^Note: /gm)?.length, 3);
  t.regex(
    told.stderr,
    /Note: No phone reads the SMS of 01711000001 any longer, but brand Alo receives payments there/,
  );
  const both = (await update('counter', '--sim', '২=০১৮১১০০০০০২', '--json')).json<{ sims: object[] }>();
  t.is(both.sims.length, 2);
  const less = (await update('counter', '--remove-sim', '1', '--json')).json<{ sims: object[] }>();
  t.deepEqual(less.sims, [{ slot: 2, number: '01811000002' }]);
  t.is((await update('counter', '--remove-sim', '2')).code, 2);
  t.is((await update('counter')).code, 2);
  t.is((await update('nobody', '--name', 'x')).code, 3);
  await kashbox('devices', 'revoke', 'counter');
  t.is((await update('counter', '--name', 'x')).code, 4);
});
