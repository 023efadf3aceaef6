/** A daemon with a domain obtains its certificate from pebble, the test server of the ACME protocol. */
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:tls';
import test from 'ava';
import { freePort } from '../helpers/network/free-port.js';
import { type Pebble, startPebble } from '../helpers/outside/pebble.js';
import { openCli } from '../helpers/programs/cli.js';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import type { Owner } from '../helpers/programs/processes.js';
import { temporaryHome } from '../helpers/stores/engines.js';
import { amount } from '../helpers/tiers.js';
import { until } from '../helpers/until.js';

const DOMAIN = 'pay.amardokan.com';

/** @returns the certificate that a client gets for this name, or for the address alone. */
async function served({ url }: Pick<Daemon, 'url'>, servername = ''): Promise<X509Certificate> {
  const port = Number(new URL(url).port);
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (certificate === undefined) throw new Error('no certificate');
  return certificate;
}

const hasPublicCertificate = async (daemon: Daemon) =>
  (await served(daemon, DOMAIN)).checkHost(DOMAIN) !== undefined;

/** @returns a function that starts a daemon with the domain, each time in the same home on the same ports. */
async function scene(t: Owner, env: Readonly<Record<string, string>> = {}) {
  const home = await temporaryHome(t);
  const [port, httpPort] = [await freePort(), await freePort()];
  const pebble = await startPebble(t, httpPort, env);
  const own = {
    KASHBOX_DOMAIN: DOMAIN,
    KASHBOX_HOST: '127.0.0.1',
    KASHBOX_ACME_DIRECTORY: pebble.directory,
    KASHBOX_ACME_EMAIL: 'owner@amardokan.com',
    NODE_EXTRA_CA_CERTS: pebble.caFile,
  };
  return { pebble, start: () => startDaemon(t, { home, env: own, port, httpPort }) };
}

test('setup of a server stores the domain, waits for the certificate, and makes a shop', async (t) => {
  const [port, httpPort] = [await freePort(), await freePort()];
  const pebble = await startPebble(t, httpPort);
  const env = { KASHBOX_HOST: '127.0.0.1', KASHBOX_PORT: String(port), KASHBOX_HTTP_PORT: String(httpPort) };
  const kashbox = await openCli(t, env);
  const server = ['setup', '--server', '--domain', DOMAIN, '--acme-directory', pebble.directory];
  const typo = await kashbox('setup', '--server', '--domain', `https://${DOMAIN}/`);
  t.regex(typo.stderr, /--domain must be a domain name such as pay\.example\.com, without https:\/\//);
  const stored = await kashbox(...server, '--only-settings');
  t.is(stored.code, 0, stored.stderr);
  const early = await kashbox(...server, '--merchant-name', 'Alo');
  t.is(early.code, 4, early.stdout);
  t.regex(early.stderr, /The daemon does not run with this domain/);
  pebble.intercept = (request, response) => {
    if (request !== 'POST /order-plz') return false;
    response.writeHead(403, { 'content-type': 'application/problem+json', 'replay-nonce': 'AAAA' });
    response.end('{"type":"urn:ietf:params:acme:error:caa","detail":"no"}');
    return true;
  };
  const daemon = await startDaemon(t, {
    ...{ home: kashbox.home, port, httpPort },
    env: { ...env, NODE_EXTRA_CA_CERTS: pebble.caFile },
  });
  await daemon.process.logged(/no certificate: a CAA record/);
  const failing = await kashbox(...server, '--merchant-name', 'Alo');
  t.is(failing.code, 4, failing.stdout);
  t.regex(failing.stderr, /No certificate for pay\.amardokan\.com: a CAA record of .* does not allow/);
  pebble.intercept = () => false;
  const wallet = ['--merchant-name', 'Alo', '--account', 'bkash:personal:01711000001'];
  const phone = ['--device-name', 'counter-1', '--sim', '1=01711000001', '--test-payment', 'simulated'];
  const made = await kashbox(...server, ...wallet, ...phone);
  t.is(made.code, 0, made.stderr);
  t.regex(made.stderr, /ok {4}https:\/\/pay\.amardokan\.com has a certificate/);
  t.regex(made.stderr, /ok {4}bKash personal 01711000001: an SMS of Tk .* completes a payment/);
  t.regex(made.stdout, new RegExp(`kashbox-relay pair --url https://${DOMAIN}:${port} --code \\S+$`, 'm'));
});

const orders = ({ requests }: Pebble) => requests.filter((line) => line === 'POST /order-plz').length;

test('a daemon obtains a certificate in spite of refused nonces, and serves it after a restart', async (t) => {
  const { pebble, start } = await scene(t, { PEBBLE_WFE_NONCEREJECT: '40' });
  const daemon = await start();
  await until(() => hasPublicCertificate(daemon));
  const [own, named] = [await served(daemon), await served(daemon, DOMAIN)];
  t.is(own.fingerprint256.replaceAll(':', '').toLowerCase(), daemon.fingerprint, 'phones have pinned it');
  daemon.process.kill('SIGTERM');
  await daemon.process.ended;
  const before = pebble.requests.length;
  const again = await start();
  t.is((await served(again, DOMAIN)).fingerprint256, named.fingerprint256);
  t.is(pebble.requests.length, before, 'the authority is not called');
  await again.process.logged(/certificate of the domain loaded/);
});

test('a daemon that is killed at any step obtains the certificate after its restart', async (t) => {
  const { pebble, start } = await scene(t, { PEBBLE_WFE_NONCEREJECT: '0' });
  // An order makes about 16 requests; each kill is right before another of them is answered.
  const steps = amount(3, 16);
  for (let step = 1; step <= steps; step += 1) {
    const victim = await start();
    const at = pebble.requests.length + Math.ceil((step * 16) / steps);
    pebble.intercept = () => {
      if (pebble.requests.length >= at) victim.process.kill('SIGKILL');
      return false;
    };
    await Promise.race([victim.process.ended, until(() => hasPublicCertificate(victim)).catch(() => {})]);
    victim.process.kill('SIGKILL');
    await victim.process.ended;
  }
  pebble.intercept = () => false;
  const daemon = await start();
  await until(() => hasPublicCertificate(daemon));
  t.true(orders(pebble) > 0);
});
