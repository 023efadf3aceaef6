/** Renewal of the certificate for a domain: when it is due, what fails, and what is served meanwhile. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { startRenewer } from '../../../daemon/loops/certificate-renewer.js';
import { openJobRecords } from '../../../daemon/loops/job-records.js';
import { serve } from '../../../daemon/serve.js';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import type { Check } from '../../../src/actions/doctor/check.js';
import { checkDomain } from '../../../src/actions/doctor/check-home.js';
import { loadCertificate } from '../../../src/actions/installation/certificate.js';
import {
  loadPublicCertificate,
  type RenewalResult,
  renewCertificate,
  requestAttempt,
} from '../../../src/actions/installation/public-certificate.js';
import { openLog } from '../../../src/base/io/log.js';
import type { AcmeProblemKind } from '../../../src/domain/certificates/public-certificate.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { inEnglish } from '../../helpers/in-english.js';
import { issue, newAuthority, type Pair } from '../../helpers/network/authority.js';
import { freePort } from '../../helpers/network/free-port.js';
import { type Pebble, startPebble } from '../../helpers/outside/pebble.js';
import { openTestCore, testClock } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';

const DOMAIN = 'pay.amardokan.com';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Beside {
  readonly core: Core;
  readonly clock: ReturnType<typeof testClock>;
}

/** @param beside another daemon, whose store and time it shares. */
async function openDaemon(
  t: ExecutionContext,
  pebble: Pebble,
  { httpPort = 0, engine = 'sqlite', beside }: { httpPort?: number; engine?: Engine; beside?: Beside },
) {
  const clock = beside?.clock ?? testClock(Date.now());
  const env = {
    KASHBOX_DOMAIN: DOMAIN,
    KASHBOX_HOST: '127.0.0.1',
    KASHBOX_PORT: '0',
    KASHBOX_HTTP_PORT: String(httpPort),
    KASHBOX_ACME_DIRECTORY: pebble.directory,
  };
  const shared = { ...env, KASHBOX_DATABASE_URL: beside?.core.settings.databaseUrl ?? '' };
  const core =
    beside === undefined
      ? await openTestCore(t, engine, { clock, env })
      : await openCore({ folder: beside.core.home.folder, clock, env: shared });
  if (beside !== undefined) t.teardown(() => core.close());
  const serving = await serve(core, openLog('silent').log);
  t.teardown(() => serving.drain());
  return { clock, core, serving };
}

async function scene(t: ExecutionContext) {
  const httpPort = await freePort();
  const pebble = await startPebble(t, httpPort);
  pebble.trustHere();
  const daemon = await openDaemon(t, pebble, { httpPort });
  return { httpPort, pebble, ...daemon };
}

const renew = (core: Core): Promise<RenewalResult> =>
  renewCertificate(core, { holder: 'test', signal: new AbortController().signal });

/** @returns the name in the certificate that a client of the domain gets. */
async function servedName(url: string): Promise<string | undefined> {
  const port = Number(new URL(url).port);
  const socket = connect({ host: '127.0.0.1', port, servername: DOMAIN, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const name = socket.getPeerX509Certificate()?.checkHost(DOMAIN);
  socket.destroy();
  return name;
}

const certificateOf = async (core: Core): Promise<X509Certificate | null> => {
  const certificate = await loadPublicCertificate(core);
  return certificate === null ? null : new X509Certificate(certificate.cert);
};

const ordersOf = ({ requests }: Pebble) => requests.filter((line) => line === 'POST /order-plz').length;

const openIncidents = (core: Core) =>
  core.store.read((db) =>
    db.query.selectFrom('alerts').where('kind', '=', 'certificate.failing').select('ended_at').execute(),
  );

test('a certificate is renewed after two thirds of its life, and not before', async (t) => {
  const { core, clock, pebble } = await scene(t);
  t.is((await renew(core)).outcome, 'renewed');
  const first = await certificateOf(core);
  t.is((await renew(core)).outcome, 'not_due');
  const lifeMs = Date.parse(first?.validTo ?? '') - Date.parse(first?.validFrom ?? '');
  clock.advance(Math.floor(lifeMs * (2 / 3)) - DAY_MS);
  t.is((await renew(core)).outcome, 'not_due');
  clock.advance(2 * DAY_MS);
  t.is((await renew(core)).outcome, 'renewed');
  t.not((await certificateOf(core))?.fingerprint256, first?.fingerprint256);
  t.true(ordersOf(pebble) > 1);
});

interface Fault {
  readonly name: string;
  readonly kind: AcmeProblemKind;
  /** What the doctor says about it. */
  readonly says: RegExp;
  /** @returns what ends it */
  cause(at: { readonly pebble: Pebble; readonly t: ExecutionContext }): Promise<() => Promise<void> | void>;
}

/** Answers of the authority itself, in place of pebble's. */
function refuseOrders(pebble: Pebble, status: number, type: string, headers = {}): () => void {
  pebble.intercept = (request, response: ServerResponse) => {
    if (request !== 'POST /order-plz') return false;
    const nonce = { 'replay-nonce': 'AAAA', 'content-type': 'application/problem+json' };
    response.writeHead(status, { ...nonce, ...headers });
    response.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail: 'no order today' }));
    return true;
  };
  return () => {
    pebble.intercept = () => false;
  };
}

const FAULTS: readonly Fault[] = [
  {
    name: 'an authority that names the problem of the domain',
    kind: 'caa',
    says: /a CAA record of pay\.amardokan\.com does not allow this certificate authority/,
    cause: async ({ pebble }) => refuseOrders(pebble, 403, 'caa'),
  },
  {
    name: 'an authority that is down',
    kind: 'other',
    says: /the certificate authority answered: status 503/,
    cause: async ({ pebble }) => {
      pebble.intercept = (_request, response) => {
        response.writeHead(503).end('<html>down</html>');
        return true;
      };
      return () => {
        pebble.intercept = () => false;
      };
    },
  },
  {
    name: 'a domain without an address',
    kind: 'dns',
    says: /the domain pay\.amardokan\.com has no address/,
    cause: async ({ pebble }) => refuseOrders(pebble, 400, 'dns'),
  },
  {
    name: 'a domain whose port 80 is closed',
    kind: 'connection',
    says: /port 80 of pay\.amardokan\.com does not answer/,
    cause: async ({ pebble }) => {
      await pebble.resolve('127.0.0.99');
      return () => pebble.resolve('127.0.0.1');
    },
  },
];

for (const { name, kind, says, cause } of FAULTS) {
  test(`${name} is reported, the old certificate serves on, and the next attempt succeeds`, async (t) => {
    const { core, clock, pebble } = await scene(t);
    await renew(core);
    const before = await certificateOf(core);
    const left = Date.parse(before?.validTo ?? '') - clock.now();
    clock.advance(left - 20 * DAY_MS);
    const end = await cause({ pebble, t });
    for (let failures = 1; failures <= 3; failures += 1) {
      const result = await renew(core);
      t.is(result.outcome, 'failed');
      if (result.outcome !== 'failed') return;
      t.is(result.problem.kind, kind, result.problem.detail);
      t.is((await renew(core)).outcome, 'waiting');
      t.is((await openIncidents(core)).length, failures < 3 ? 0 : 1);
      clock.advance(result.nextAt - clock.now());
    }
    t.is((await certificateOf(core))?.fingerprint256, before?.fingerprint256);
    const [check] = (await inEnglish(checkDomain(core, 9))) as Check[];
    t.is(check?.state, 'warn');
    t.regex(check?.message ?? '', says);
    t.regex(check?.message ?? '', /certificate for pay\.amardokan\.com, 19 days left/);
    await end();
    t.is((await renew(core)).outcome, 'renewed');
    t.true((await openIncidents(core)).every(({ ended_at }) => ended_at !== null));
  });
}

test('a domain that leads to another server is reported', async (t) => {
  const other = createServer((_request, response) => response.end('<html>hello</html>'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => other.close());
  const { port } = other.address() as { readonly port: number };
  const pebble = await startPebble(t, port);
  pebble.trustHere();
  const { core } = await openDaemon(t, pebble, {});
  const result = await renew(core);
  t.is(result.outcome === 'failed' && result.problem.kind, 'wrong_server');
  t.is(await certificateOf(core), null);
});

test('a rate limit is obeyed, also if an operator requests an attempt', async (t) => {
  const { core, clock, pebble } = await scene(t);
  const end = refuseOrders(pebble, 429, 'rateLimited', { 'retry-after': '7200' });
  t.is((await renew(core)).outcome, 'failed');
  end();
  clock.advance(119 * MINUTE_MS);
  await requestAttempt(core);
  t.is((await renew(core)).outcome, 'waiting');
  clock.advance(MINUTE_MS);
  t.is((await renew(core)).outcome, 'renewed');
});

test('an operator who corrected something need not wait for the pause to end', async (t) => {
  const { core, clock, pebble } = await scene(t);
  const end = refuseOrders(pebble, 403, 'rejectedIdentifier');
  for (let failures = 0; failures < 4; failures += 1) {
    const result = await renew(core);
    clock.advance((result.outcome === 'failed' ? result.nextAt : 0) - clock.now());
  }
  t.is((await renew(core)).outcome, 'failed');
  end();
  clock.advance(MINUTE_MS);
  t.is((await renew(core)).outcome, 'waiting');
  await requestAttempt(core);
  t.is((await renew(core)).outcome, 'renewed');
});

test('a certificate of another key is refused', async (t) => {
  const { core, pebble } = await scene(t);
  const { cert } = await loadCertificate(core);
  pebble.intercept = (request, response) => {
    if (!request.includes('/certZ/')) return false;
    response.writeHead(200, { 'replay-nonce': 'AAAA', 'content-type': 'application/pem-certificate-chain' });
    response.end(cert);
    return true;
  };
  const result = await renew(core);
  t.is(
    result.outcome === 'failed' && result.problem.detail,
    'a certificate that does not belong to the key or to the domain',
  );
});

test('an account of another authority is not used', async (t) => {
  const { core, httpPort } = await scene(t);
  await renew(core);
  const second = await startPebble(t, httpPort);
  second.trustHere();
  const moved = {
    ...core,
    settings: { ...core.settings, acmeDirectory: second.directory, domain: 'shop.amardokan.com' },
  };
  t.is((await renew(moved)).outcome, 'renewed');
  t.is((await certificateOf(moved))?.checkHost('shop.amardokan.com'), 'shop.amardokan.com');
});

test('of two daemons on one store one obtains the certificate, either proves it, and both serve it', async (t) => {
  const httpPort = await freePort();
  const pebble = await startPebble(t, httpPort, { PEBBLE_WFE_NONCEREJECT: '0' });
  pebble.trustHere();
  const first = await openDaemon(t, pebble, { engine: 'postgres' });
  const second = await openDaemon(t, pebble, { httpPort, beside: first });
  const { log } = openLog('silent');
  for (const { core, serving } of [first, second]) {
    const renewer = startRenewer(core, log, openJobRecords(core, log), serving);
    t.teardown(() => renewer.stop());
  }
  for (const { serving } of [first, second]) {
    await until(async () => (await servedName(serving.https)) === DOMAIN);
  }
  t.is(ordersOf(pebble), 1);
});

test('an authority that cannot be called is reported as down, not trusted, or as a wrong clock here', async (t) => {
  const authority = await newAuthority('authority of another time');
  setDefaultCACertificates([...getCACertificates(), authority.cert]);
  const ips = ['127.0.0.1'];
  const expired = await startTls(t, await issue(authority, { ips, isExpired: true }));
  const unknown = await startTls(t, await issue(null, { ips }));
  const cases: readonly (readonly [port: number, kind: AcmeProblemKind])[] = [
    [expired, 'clock'],
    [unknown, 'authority_untrusted'],
    [await freePort(), 'authority_unreachable'],
  ];
  for (const [port, kind] of cases) {
    const env = { KASHBOX_DOMAIN: DOMAIN, KASHBOX_ACME_DIRECTORY: `https://127.0.0.1:${port}/dir` };
    const result = await renew(await openTestCore(t, 'sqlite', { env }));
    t.is(result.outcome === 'failed' && result.problem.kind, kind);
  }
});

/** @returns the port of an HTTPS server. */
async function startTls(t: ExecutionContext, pair: Pair): Promise<number> {
  const server = createTlsServer(pair, (_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
