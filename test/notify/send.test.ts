/**
 * What becomes of a notification at every kind of endpoint. Receivers are real servers on a public-looking
 * address in a network of their own, so that the guard is in force. The numbers are those of the list of bad
 * inputs that notifications must stand.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { checkSignature, checkStandardSignature } from '../../src/notify/signature.js';
import { newAuthority } from '../helpers/network/authority.js';
import { openNetwork } from '../helpers/network/network.js';
import { type Environment, withinTime } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { REFUSED } from './answer-scenarios.js';
import { CONTENT, type Outcome, SECRETS } from './ground.js';
import { INSIDE, REDIRECTS } from './guard-scenarios.js';

const program = fileURLToPath(new URL('scenarios.js', import.meta.url));

type Outcomes = (name: string) => Outcome;

/** Runs one set of scenarios in a process of its own. */
async function outcomesOf(
  t: ExecutionContext<unknown>,
  set: string,
  env: Environment = {},
): Promise<Outcomes> {
  const folder = await temporaryFolder(t);
  const authority = await newAuthority();
  writeFileSync(join(folder, 'ca.pem'), authority.cert);
  writeFileSync(join(folder, 'ca.key'), authority.key);
  const network = openNetwork(t);
  const kind = network.allowPrivate ? 'private' : 'public';
  const child = network.start(['--expose-gc', program, network.address, kind, folder, set], {
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    ...env,
  });
  const { code } = await withinTime(child);
  t.is(code, 0, child.stderr());
  const outcomes = JSON.parse(child.stdout()) as Record<string, Outcome>;
  return (name) => {
    const outcome = outcomes[name];
    if (outcome === undefined) throw new Error(`no scenario ${name} in ${set}`);
    return outcome;
  };
}

/** Cut at the deadline: not before, and long before what it waits for, however slow the machine is. */
const wasCut = (ms: number) => ms >= 4_900 && ms < 15_000;

/** `outcome: detail` */
const told = ({ outcome, detail }: Outcome) => `${outcome}: ${detail}`;

test.serial(
  '72, 74: never connects to a private address: as a literal, by name, next to a public one',
  async (t) => {
    const outcomes = await outcomesOf(t, 'inside');
    for (const ip of INSIDE) {
      for (const way of ['literal', 'name of', 'public and']) {
        const outcome = outcomes(`${way} ${ip}`);
        t.like(outcome, { outcome: 'blocked', status: null, answer: null, seen: 0 }, `${way} ${ip}`);
        t.regex(
          outcome.detail,
          /private or reserved address(, which is never called)?; KASHBOX_ALLOW_PRIVATE_WEBHOOKS/,
        );
      }
    }
  },
);

test.serial('73, 75: a name is looked up once, and one that leads nowhere is not delivered', async (t) => {
  const outcomes = await outcomesOf(t, 'names');
  const { outcome, seen } = outcomes('rebinding name');
  t.deepEqual({ outcome, seen }, { outcome: 'delivered', seen: { asked: 1, open: 1, inside: 0 } });
  const unknown = 'unreachable: the name shop.example is not known';
  t.is(told(outcomes('name without addresses')), unknown);
  t.is(told(outcomes('unknown name')), unknown);
  t.is(told(outcomes('broken DNS')), 'unreachable: the name shop.example could not be looked up (ESERVFAIL)');
  const late = outcomes('look-up of 20 s');
  t.is(told(late), 'timeout: no DNS answer for the name shop.example within 5 s');
  t.true(wasCut(late.ms), String(late.ms));
  t.is(outcomes('no way there').outcome, 'unreachable');
  t.like(outcomes('first of two addresses refuses'), { outcome: 'delivered', answer: 'second' });
  t.like(outcomes('first of two addresses is far away'), { outcome: 'delivered', answer: 'far' });
});

test.serial('75: names are asked of DNS, and silent servers of many names delay no other name', async (t) => {
  if (openNetwork(t).allowPrivate) {
    t.pass('the DNS server of this machine is not ours to play');
    return;
  }
  const outcomes = await outcomesOf(t, 'dns');
  t.is(told(outcomes('known name')), 'delivered: answered 200');
  t.is(told(outcomes('silent about IPv6')), 'delivered: answered 200');
  t.is(told(outcomes('unknown name')), 'unreachable: the name unknown.example is not known');
  t.regex(
    told(outcomes('name that leads inside')),
    /^blocked: inside.example resolves to 10.0.0.7, a private or reserved address, which is never called; /,
  );
  const besides = outcomes('known name beside twenty silent ones');
  t.deepEqual(besides.seen, Array(20).fill('timeout: no DNS answer for the name silent.example within 5 s'));
  t.is(besides.outcome, 'delivered');
});

test.serial('76: a redirect is a refusal, and where it points nobody calls', async (t) => {
  const outcomes = await outcomesOf(t, 'redirects');
  for (const status of REDIRECTS) {
    const outcome = outcomes(`redirect ${status}`);
    t.is(told(outcome), `refused: answered ${status}, 200 is required; redirects are not followed`);
    t.deepEqual(outcome.seen, { first: 1, target: 0 });
    t.regex(outcome.redirect ?? '', /^https:\/\/shop\.example:\d+\/next$/);
  }
});

test.serial('78: only 200 is a delivery; what was sent is what the signatures hold for', async (t) => {
  // A proxy would look names up by itself, and the guard would see nothing.
  const proxy = 'http://127.0.0.1:9';
  const outcomes = await outcomesOf(t, 'plain', {
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, http_proxy: proxy, https_proxy: proxy },
    NODE_USE_ENV_PROXY: '1',
  });
  for (const status of REFUSED) {
    const outcome = outcomes(`status ${status}`);
    t.is(told(outcome), `refused: answered ${status}, 200 is required`);
    t.like(outcome, { status, retryAfterS: 120, seen: 1, answer: status === 204 ? null : 'not so' });
  }
  const right = outcomes('answers 200');
  t.like(right, { outcome: 'delivered', status: 200, answer: 'thanks [2J', retryAfterS: null });
  const { headers, ...seen } = right.seen as { readonly headers: Record<string, string> };
  t.deepEqual(seen as object, { method: 'POST', path: '/hook', body: CONTENT, servername: 'shop.example' });
  t.like(headers, { 'content-type': 'application/json', connection: 'close' });
  t.regex(headers.host ?? '', /^shop\.example:\d+$/);
  t.regex(headers['user-agent'] ?? '', /^Kashbox\/\d+\.\d+\.\d+$/);
  for (const name of ['accept-encoding', 'cookie', 'authorization']) t.false(name in headers, name);
  for (const secret of SECRETS) {
    const check = { body: CONTENT, secrets: [secret], now: Date.now(), toleranceS: 300 };
    t.is(checkSignature(headers['x-service-signature'], check).result, 'valid');
    t.is(checkStandardSignature(headers, check).result, 'valid');
  }
  const long = outcomes('long answer');
  t.is(long.outcome, 'delivered');
  t.is(long.answer, 'ক'.repeat(341));
});

test.serial('77: one deadline of 5 s holds for everything that an endpoint can draw out', async (t) => {
  const outcomes = await outcomesOf(t, 'late');
  t.is(outcomes('200 after 4,800 ms').outcome, 'delivered');
  const late = ['200 after 5,200 ms', 'headers in drips', 'accepts and says nothing', 'TLS in drips'];
  for (const name of late) t.is(told(outcomes(name)), 'timeout: no answer within 5 s', name);
  t.is(told(outcomes('body in drips')), 'timeout: answered 200, but not to its end within 5 s');
  for (const name of [...late, 'body in drips']) {
    const { ms } = outcomes(name);
    t.true(wasCut(ms), `${name}: ${ms}`);
  }
});

test.serial(
  '81: a truncated answer is not a delivery, one without a length ends with its connection',
  async (t) => {
    const outcomes = await outcomesOf(t, 'broken');
    const closed = 'the connection was closed before the answer was whole';
    t.is(told(outcomes('closes before the answer')), `unreachable: ${closed}`);
    for (const name of ['closes inside the body', 'closes inside a chunk']) {
      t.is(told(outcomes(name)), `unreachable: answered 200, but ${closed}`);
      t.like(outcomes(name), { status: 200, answer: 'only this' });
    }
    t.is(told(outcomes('closes at the end of a body without length')), 'delivered: answered 200');
    t.is(told(outcomes('is no web server')), 'refused: answered with something that is not HTTP');
    t.is(told(outcomes('switches protocols')), 'refused: answered 101, 200 is required');
    t.is(told(outcomes('hints before it answers')), 'delivered: answered 200');
    t.is(told(outcomes('nobody listens')), 'unreachable: connection refused');
  },
);

test.serial('80: endless answers are cut early, and nothing of them is kept in memory', async (t) => {
  const outcomes = await outcomesOf(t, 'floods');
  const wanted: Readonly<Record<string, string>> = {
    'endless body': 'delivered: answered 200',
    'endless refusal': 'refused: answered 500, 200 is required',
    'gzip bomb': 'delivered: answered 200',
    'headers without end': 'refused: answered with headers of more than 16 KiB',
    'interim answers without end': 'refused: answered 102, 200 is required',
  };
  for (const [name, words] of Object.entries(wanted)) {
    const outcome = outcomes(name);
    t.is(told(outcome), words, name);
    t.true((outcome.answer ?? '').length <= 1_024, name);
    const { pushed, grown, times } = outcome.seen as { pushed: number; grown: number; times: number };
    t.is(times, 10, name);
    // What the buffers of two sockets hold, and far less than seconds of pouring would bring.
    t.true(pushed < 32 * 1_048_576, `${name}: ${pushed} bytes were taken`);
    t.true(grown < 16 * 1_048_576, `${name}: ${grown} bytes are still held`);
  }
});

const TLS: Readonly<Record<string, string>> = {
  'self-signed': 'self-signed certificate',
  expired: 'the certificate has expired',
  'wrong host': 'the certificate is for another name',
  'unknown authority': 'the certificate is signed by nobody known, or its chain is incomplete',
  'TLS 1.0': 'speaks no TLS 1.2 or later',
  'TLS 1.1': 'speaks no TLS 1.2 or later',
};

/** Each would let one of these through if the sender left it to the environment. */
const LAX = {
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_OPTIONS: '--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0',
};

for (const [title, env] of [
  ['79: only TLS 1.2 or later with a certificate that holds for the name is spoken to', {}],
  ['79: an environment that allows anything else changes nothing of that', LAX],
] as const) {
  test.serial(title, async (t) => {
    const outcomes = await outcomesOf(t, 'tls', env);
    for (const name of ['trusted certificate', 'TLS 1.2', 'TLS 1.3']) {
      t.like(outcomes(name), { outcome: 'delivered', seen: 1 }, name);
    }
    for (const [name, words] of Object.entries(TLS)) {
      t.is(told(outcomes(name)), `tls: ${words}`);
      t.like(outcomes(name), { status: null, seen: 0 }, name);
    }
    // Who resumes a session is not asked for a certificate again.
    t.deepEqual(outcomes('second attempt').seen, [false, false]);
    t.is(told(outcomes('plain http')), 'tls: answered without TLS on an https address');
  });
}
