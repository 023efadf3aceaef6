/** The cases of clients/vectors.json: in each of our clients, and in Kashbox where it decides the same. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { formatTaka, parseFloatTaka } from '../../src/base/values/money.js';
import { checkStandardSignature, type SignatureCheck, signatureHeaders } from '../../src/notify/signature.js';
import { type Owner, ownerOf, root } from '../helpers/programs/processes.js';
import { type Call, type Driver, LANGUAGES, type Options, type Outcome } from './drivers/drivers.js';

type Expected = {
  readonly result?: object;
  readonly error?: {
    readonly kind: string;
    readonly status?: number;
    readonly reason?: string;
    /** Part of the message. */
    readonly says?: string;
  };
};

interface Answered extends Expected {
  readonly name: string;
  readonly options?: Options;
  readonly call: object;
  readonly request?: {
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body: object;
  };
  /** Absent where nothing may be sent. A text is sent as it is. */
  readonly answer?: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body: object | string;
  };
}

interface Vectors {
  readonly key: string;
  readonly secret: string;
  readonly create: readonly Answered[];
  readonly createInvalid: readonly { readonly name: string; readonly call: object; readonly says: string }[];
  readonly verify: readonly Answered[];
  readonly refund: readonly Answered[];
  readonly receive: readonly {
    readonly name: string;
    readonly headers: Readonly<Record<string, string | string[]>>;
    readonly body: string;
    readonly now: number;
    readonly result?: object;
    readonly error?: SignatureCheck['result'] | 'InvalidInputError';
    /** True if the signature is valid although the client refuses the body. */
    readonly valid?: boolean;
  }[];
  readonly amount: { readonly good: readonly [unknown, string][]; readonly bad: readonly unknown[] };
  readonly options: {
    readonly good: readonly { readonly options: Options }[];
    readonly bad: readonly { readonly says: string; readonly options: Options }[];
  };
}

const vectors = JSON.parse(readFileSync(join(root, 'clients/vectors.json'), 'utf8')) as Vectors;

interface Request {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

interface Server {
  readonly url: string;
  /** Sets what is answered from now on, and forgets the requests. */
  answer(vector: Answered): void;
  readonly requests: Request[];
}

async function openServer(owner: Owner): Promise<Server> {
  let answer: Answered['answer'];
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    requests.push({ method, path, headers, body: JSON.parse(await textOf(request)) });
    const body = answer?.body ?? '';
    response.writeHead(answer?.status ?? 500, answer?.headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.teardown(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (vector) => {
      answer = vector.answer;
      requests.length = 0;
    },
  };
}

/** @param shown what a failure says of the case. */
function check(
  t: ExecutionContext<unknown>,
  { result, error }: Outcome,
  want: Expected,
  shown: string,
): void {
  t.is(error?.kind, want.error?.kind, `${shown}: ${error?.message ?? JSON.stringify(result)}`);
  if (want.result !== undefined) t.like(result, want.result, shown);
  if (want.error?.status !== undefined) t.is(error?.status, want.error.status, shown);
  if (want.error?.reason !== undefined) {
    t.is(error?.reason, want.error.reason, shown);
    t.true(error?.message.includes(want.error.reason), shown);
  }
  const says = want.error?.says ?? '';
  t.true((error?.message ?? '').toLowerCase().includes(says.toLowerCase()), `${shown}: ${error?.message}`);
  const told = JSON.stringify({ result, error });
  for (const kept of [vectors.key, vectors.secret.slice(6, -1)]) t.false(told.includes(kept), shown);
}

const PATHS = {
  create: '/api/payment/create',
  verify: '/api/payment/verify',
  refund: '/api/v2/payment/refund',
} as const;

const owner = ownerOf(test);
const STRICT = { url: 'https://pay.example.com', key: vectors.key, secret: vectors.secret };

for (const [language, start] of Object.entries(LANGUAGES)) {
  let driver: Driver;
  test.before(`${language} is started`, () => {
    driver = start(owner);
  });
  const run = (call: Call) => driver(call);

  for (const [action, path] of Object.entries(PATHS) as [keyof typeof PATHS, string][]) {
    test(`${language}: ${action} sends and answers as the vectors say`, async (t) => {
      const server = await openServer(t);
      for (const vector of vectors[action]) {
        server.answer(vector);
        const options = { url: server.url, key: vectors.key, timeout: 60, ...vector.options };
        check(t, await run({ do: action, options, call: vector.call }), vector, vector.name);
        t.is(server.requests.length, vector.answer === undefined ? 0 : 1, vector.name);
        const [request] = server.requests;
        if (request === undefined) continue;
        const headers = { 'brand-key': String(options.key), 'content-type': 'application/json' };
        t.like(request, { method: 'POST', path, headers: { ...headers, accept: 'application/json' } });
        if (vector.request === undefined) continue;
        t.like(request.headers, vector.request.headers, vector.name);
        t.deepEqual(request.body, vector.request.body, vector.name);
      }
    });
  }

  test(`${language}: a path of the installation comes before that of the API`, async (t) => {
    const server = await openServer(t);
    const [paid] = vectors.verify;
    if (paid === undefined) return t.fail();
    server.answer(paid);
    const options = { url: `${server.url}/pay/`, key: vectors.key, timeout: 60 };
    check(t, await run({ do: 'verify', options, call: paid.call }), paid, paid.name);
    t.deepEqual(
      server.requests.map(({ path }) => path),
      ['/pay/api/payment/verify'],
    );
  });

  test(`${language}: create refuses what it cannot send, and sends nothing`, async (t) => {
    const server = await openServer(t);
    for (const { name, call, says } of vectors.createInvalid) {
      const got = await run({ do: 'create', options: { url: server.url, key: vectors.key }, call });
      check(t, got, { error: { kind: 'InvalidInputError', says } }, name);
    }
    t.is(server.requests.length, 0);
  });

  test(`${language}: receive accepts a good signature and refuses every other`, async (t) => {
    for (const { name, result, error, ...given } of vectors.receive) {
      const got = await run({ do: 'receive', options: STRICT, ...given });
      const isInput = error === 'InvalidInputError';
      const refusal = isInput ? { kind: error } : { kind: 'SignatureError' };
      check(t, got, result === undefined ? { error: refusal } : { result }, name);
      if (!isInput) t.is(got.error?.reason, error, name);
    }
    const [first] = vectors.receive;
    if (first === undefined) return t.fail();
    const { headers, body, now } = first;
    const without = await run({ do: 'receive', options: { ...STRICT, secret: '' }, headers, body, now });
    check(t, without, { error: { kind: 'InvalidInputError', says: 'secret' } }, 'without secret');
    const late = await run({ do: 'receive', options: STRICT, headers, body });
    t.is(late.error?.reason === 'too_old' || late.error?.reason === 'in_the_future', true);
  });

  test(`${language}: amounts are read as text, and never rounded`, async (t) => {
    for (const [amount, text] of vectors.amount.good) {
      t.deepEqual(await run({ do: 'amount', amount }), { result: text }, String(amount));
    }
    for (const amount of vectors.amount.bad) {
      check(t, await run({ do: 'amount', amount }), { error: { kind: 'InvalidInputError' } }, String(amount));
    }
  });

  test(`${language}: settings are trimmed, and a malformed one is refused`, async (t) => {
    for (const { options } of vectors.options.good) {
      t.deepEqual(await run({ do: 'configure', options }), { result: 'configured' }, JSON.stringify(options));
    }
    for (const { says, options } of vectors.options.bad) {
      const got = await run({ do: 'configure', options });
      check(
        t,
        got,
        { error: { kind: 'InvalidInputError', says: `Set ${says} to` } },
        JSON.stringify(options),
      );
    }
  });
}

test('Kashbox itself judges the signatures as the vectors say', (t) => {
  for (const { name, headers, body, now, error, valid } of vectors.receive) {
    const plain = Object.entries(headers).map(([key, value]) => [
      key
        .toLowerCase()
        .replaceAll('_', '-')
        .replace(/^http-/, ''),
      Array.isArray(value) ? value[0] : value,
    ]);
    const check = { body, secrets: [vectors.secret], now: now * 1_000, toleranceS: 300 };
    const { result } = checkStandardSignature(Object.fromEntries(plain), check);
    t.is(result as string, valid === true ? 'valid' : (error ?? 'valid'), name);
  }
});

test('Kashbox itself signs as the first vector says', (t) => {
  const [first] = vectors.receive;
  if (first === undefined) return t.fail();
  const { headers, body: content, now } = first;
  const id = String(headers['webhook-id']);
  t.like(signatureHeaders({ id, at: now * 1_000, content, secrets: [vectors.secret] }), headers);
});

test('Kashbox itself reads the amounts as the vectors say', (t) => {
  const read = (amount: unknown) => {
    const parsed = parseFloatTaka(String(amount));
    return parsed.ok ? formatTaka(parsed.paisa) : null;
  };
  for (const [amount, text] of vectors.amount.good) t.is(read(amount), text);
  const texts = vectors.amount.bad.filter((amount) => typeof amount === 'string');
  // Ten digits are an amount to it, and out of range.
  for (const amount of texts) if (amount !== '1234567890') t.is(read(amount), null, String(amount));
});
