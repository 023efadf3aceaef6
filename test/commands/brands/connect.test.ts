/** `kashbox brands connect`: what a shop gets, the key that it costs, and what is said of its webhook. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { decodeQrImage } from '../../../src/channels/qr-interbank/image.js';
import { checkStandardSignature } from '../../../src/notify/signature.js';
import { issue, newAuthority, type Pair } from '../../helpers/network/authority.js';
import { freePort } from '../../helpers/network/free-port.js';
import { openReceiver } from '../../helpers/network/receiver.js';
import { type Cli, type Failed, openCli } from '../../helpers/programs/cli.js';
import { scanned } from '../../helpers/shop/qr.js';

const PUBLIC = { KASHBOX_PUBLIC_URL: 'https://pay.example.com', KASHBOX_BASE_PATH: '/k' };

interface Connected {
  readonly url: string;
  readonly brand_key: string;
  readonly key: { readonly hint: string; readonly created: boolean };
  readonly webhook_secret: string;
  readonly webhook_url: string | null;
  readonly code: string;
  readonly check: { readonly state: string; readonly fault: string | null } | null;
}

async function openBrand(kashbox: Cli, name = 'Alo'): Promise<void> {
  if (name === 'Alo') await kashbox('merchants', 'create', '--name', 'Shop');
  const ran = await kashbox('brands', 'create', '--merchant', 'Shop', '--name', name, '--test');
  if (ran.code !== 0) throw new Error(ran.stderr);
}

const connect = (kashbox: Cli, ...flags: readonly string[]) => kashbox('brands', 'connect', 'Alo', ...flags);

const keysOf = async (kashbox: Cli) =>
  (await kashbox('keys', 'list', '--brand', 'Alo', '--json')).json<{ state: string; hint: string }[]>();

const parseCode = (code: string) => {
  const [start = '', body = ''] = code.split('.');
  return { start, body, ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object) };
};

test.serial('a shop gets address, key and secret as lines, as a code and as a QR code', async (t) => {
  const kashbox = await openCli(t, PUBLIC);
  await openBrand(kashbox);
  const png = join(kashbox.home, 'code.png');
  const { stdout, stderr, code: exit } = await connect(kashbox, '--qr-png', png);
  t.is(exit, 0, stderr);
  const code = stdout.split('\n').find((line) => line.startsWith('kashbox1.')) ?? '';
  const { start, body, ...parts } = parseCode(code);
  t.is(start, 'kashbox1');
  t.regex(body, /^[\w-]+$/);
  t.deepEqual(Object.keys(parts), ['url', 'key', 'secret']);
  const shown = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(stdout)?.[1];
  t.deepEqual(parts as object, {
    url: 'https://pay.example.com/k',
    key: shown('Brand Key'),
    secret: shown('Webhook secret'),
  });
  t.is(shown('Address of Kashbox'), 'https://pay.example.com/k');
  t.is(scanned(stdout.split('\n').filter((line) => /[█▀▄]/.test(line))), code);
  t.deepEqual(await decodeQrImage(readFileSync(png)), { ok: true, text: code });
  t.regex(stdout, /The brand has no webhook URL/);
  t.regex(stdout, /The key is new and shown only once/);
  const bangla = await connect(kashbox, '--lang', 'bn', '--url', 'https://other.example.com/');
  t.regex(bangla.stdout, /চাবিটি নতুন/);
  t.regex(bangla.stdout, /^Kashbox-এর ঠিকানা +https:\/\/other\.example\.com$/m);
});

test.serial('each connection has a key of its own, and no earlier one ends', async (t) => {
  const kashbox = await openCli(t, PUBLIC);
  await openBrand(kashbox);
  const first = (await connect(kashbox, '--json')).json<Connected>();
  const second = (await connect(kashbox, '--json')).json<Connected>();
  t.not(first.brand_key, second.brand_key);
  t.is(first.webhook_secret, second.webhook_secret);
  t.deepEqual(
    (await keysOf(kashbox)).map(({ state }) => state),
    ['ACTIVE', 'ACTIVE', 'ACTIVE'],
  );
  const given = await kashbox.piped(
    ` ${first.brand_key}\n`,
    'brands',
    'connect',
    'Alo',
    '--key-stdin',
    '--json',
  );
  t.like(given.json<Connected>(), { code: first.code, key: { hint: first.key.hint, created: false } });
  t.is((await keysOf(kashbox)).length, 3);
});

test.serial('a key that is not the brand’s own changes nothing', async (t) => {
  const kashbox = await openCli(t, PUBLIC);
  await openBrand(kashbox);
  await openBrand(kashbox, 'Other');
  const old = (await connect(kashbox, '--json')).json<Connected>().brand_key;
  await kashbox('keys', 'rotate', '--brand', 'Alo');
  const other = (await kashbox('brands', 'connect', 'Other', '--json')).json<Connected>().brand_key;
  const before = await keysOf(kashbox);
  for (const key of [old, other, 'test_nothing', '']) {
    const flags = ['--key-stdin', '--webhook-url', 'http://127.0.0.1:3000/hook', '--json'];
    const ran = await kashbox.piped(key, 'brands', 'connect', 'Alo', ...flags);
    t.is(ran.code, 2, key);
    t.is(ran.json<Failed>().error.message, 'That is not a valid key of brand "Alo"');
  }
  t.deepEqual(await keysOf(kashbox), before);
  t.like((await kashbox('brands', 'show', 'Alo', '--json')).json(), { webhook_url: null });
});

test.serial('what is typed wrong costs no key', async (t) => {
  const kashbox = await openCli(t, PUBLIC);
  await openBrand(kashbox);
  const wrong: readonly (readonly [code: number, says: RegExp, ...flags: string[]])[] = [
    [2, /is not the address of a WooCommerce shop/, '--shop', 'https://shop.example/?wc-api=kashbox'],
    [2, /is not the address of a WooCommerce shop/, '--shop', 'https://'],
    [2, /--shop or --webhook-url/, '--shop', 'https://a.example', '--webhook-url', 'https://b.example'],
    [2, /webhook-url/, '--webhook-url', 'ftp://shop.example/hook'],
    [2, /no plain https address/, '--url', 'http://pay.example.com'],
    [2, /There is no folder/, '--qr-png', join(kashbox.home, 'nowhere', 'code.png')],
  ];
  for (const [code, says, ...flags] of wrong) {
    const ran = await connect(kashbox, ...flags);
    t.is(ran.code, code, flags.join(' '));
    t.regex(ran.stderr, says, flags.join(' '));
  }
  t.is((await keysOf(kashbox)).length, 1);
  t.is((await kashbox('brands', 'connect', 'Nobody')).code, 3);
});

test.serial(
  'the test is signed by the secret of the code, and no secret is in audit log or stderr',
  async (t) => {
    const kashbox = await openCli(t);
    await openBrand(kashbox);
    const shop = await openReceiver(t);
    const ran = await connect(kashbox, '--webhook-url', shop.url, '--json');
    t.is(ran.code, 0, ran.stdout);
    const connected = ran.json<Connected>();
    t.like(connected, { webhook_url: shop.url, check: { state: 'DELIVERED', fault: null } });
    const [got] = shop.received;
    const secrets = [connected.webhook_secret];
    const check = { body: got?.body ?? '', secrets, now: Date.now(), toleranceS: 300 };
    t.is(checkStandardSignature(got?.headers ?? {}, check).result, 'valid');
    const shown = await connect(kashbox);
    t.regex(shown.stdout, /^The webhook answers: the shop accepted a signed test\.$/m);
    t.regex(shown.stderr, /Only programs on this machine can reach https:\/\/127\.0\.0\.1:8443\./);
    const log = (await kashbox('audit', 'list', '--json')).stdout;
    t.regex(log, /key\.create/);
    for (const hidden of [connected.brand_key, connected.webhook_secret, connected.code]) {
      t.false(`${log}${ran.stderr}`.includes(hidden));
    }
  },
);

test.serial('the webhook of a WooCommerce shop is derived from its address', async (t) => {
  const kashbox = await openCli(t);
  await openBrand(kashbox);
  const host = `127.0.0.1:${await freePort()}`;
  const addresses: readonly (readonly [shop: string, webhook: string])[] = [
    [`https://${host}`, `https://${host}/?wc-api=kashbox`],
    [`${host}/shop/`, `https://${host}/shop/?wc-api=kashbox`],
    [` http://${host}// `, `http://${host}/?wc-api=kashbox`],
  ];
  for (const [shop, webhook] of addresses) {
    const ran = await connect(kashbox, '--shop', shop, '--json');
    t.is(ran.json<Connected>().webhook_url, webhook);
    t.is(ran.code, 4);
  }
});

const page = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body>Hi</body></html>`;

type Answer = (response: ServerResponse) => void;

const FAULTS: readonly (readonly [says: RegExp, answer: Answer])[] = [
  [/answered 200 with a web page and took no/, (to) => to.end(page('Amar Dokan'))],
  [/leads to a login page/, (to) => to.end(page('Log In ‹ Amar Dokan'))],
  [
    /leads to http:\/\/127\.0\.0\.1:\d+\/wp-login\.php\?redirect_to=…/,
    moved('/wp-login.php?redirect_to=%2Fhook'),
  ],
  [
    /redirects to https:\/\/www\.shop\.example\/hook, and redirects/,
    moved('https://u:p@www.shop.example/hook'),
  ],
  [/redirects to another one/, (to) => to.writeHead(302).end()],
  [/WooCommerce answered, but the Kashbox plugin is not active/, (to) => to.writeHead(400).end('-1')],
  [/answered 401: it has another webhook secret/, (to) => to.writeHead(401).end()],
  [/answered 403: a firewall/, (to) => to.writeHead(403).end(page('Attention'))],
  [/answered 404: nothing is at this address/, (to) => to.writeHead(404).end(page('Not found'))],
  [/answered 500: its program failed/, (to) => to.writeHead(500).end()],
  [/answered 503: its program failed, or is in maintenance/, (to) => to.writeHead(503).end()],
  [/answered 204, 200 is required\. See the log/, (to) => to.writeHead(204).end()],
  [/cannot be reached: the connection was closed/, (to) => to.destroy()],
];

function moved(location: string): Answer {
  return (to) => to.writeHead(302, { location }).end();
}

test.serial('what is wrong with a webhook is one sentence, here and of webhooks test', async (t) => {
  const kashbox = await openCli(t);
  await openBrand(kashbox);
  let answer: Answer = () => {};
  const shop = await openReceiver(t, (_got, response) => answer(response));
  await kashbox('brands', 'update', 'Alo', '--webhook-url', shop.url);
  for (const [says, next] of FAULTS) {
    answer = next;
    const ran = await connect(kashbox, '--json');
    t.is(ran.code, 4, String(says));
    t.regex(ran.json<Connected>().check?.fault ?? '', says);
    const tested = await kashbox('webhooks', 'test', '--brand', 'Alo');
    t.regex(tested.stdout.replaceAll('\n', ' '), says);
  }
  const nobody = await connect(kashbox, '--webhook-url', `http://127.0.0.1:${await freePort()}/hook`);
  t.is(nobody.code, 4);
  t.regex(
    nobody.stdout.replaceAll('\n', ' '),
    /does not work yet\. The shop's server cannot be reached: connection refused/,
  );
  t.regex(nobody.stdout, /^kashbox1\./m, 'the code is printed all the same');
});

async function secureShop(t: ExecutionContext, { cert, key }: Pair): Promise<string> {
  const server = createServer({ cert, key }, (request, response) => {
    request.resume();
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

test.serial('a certificate that is not valid is reported with the reason', async (t) => {
  const authority = await newAuthority();
  const ips = ['127.0.0.1'];
  const shops: readonly (readonly [says: RegExp | null, pair: Pair])[] = [
    [null, await issue(authority, { ips })],
    [/HTTPS to the shop's server fails: self-signed certificate\./, await issue(null, { ips })],
    [/fails: the certificate has expired\./, await issue(authority, { ips, isExpired: true })],
    [/fails: the certificate is for another name\./, await issue(authority, { names: ['shop.example'] })],
  ];
  // Node reads the authority when it starts, so that each command is a process.
  const ca = join((await openCli(t)).home, 'ca.pem');
  writeFileSync(ca, authority.cert);
  const kashbox = await openCli(t, { NODE_EXTRA_CA_CERTS: ca });
  await openBrand(kashbox);
  for (const [says, pair] of shops) {
    const ran = await connect(kashbox, '--webhook-url', await secureShop(t, pair), '--json');
    const fault = ran.json<Connected>().check?.fault ?? null;
    if (says === null) t.is(fault, null);
    else t.regex(fault ?? '', says);
  }
});
