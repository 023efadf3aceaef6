/** GET /openapi.json: a valid document of all that the app serves, the same for everybody. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import test from 'ava';
import type { FastifyInstance } from 'fastify';
import { type Api, HOSTED_CREATE, openApi } from '../api.js';
import { getOpenApi, judgeOf, operationsOf } from './documented.js';

/** What the app serves and shops do not call. A new route stands here, or in the document. */
const HIDDEN = [
  'GET /metrics',
  'GET /api/execute/{session_ref}/qr',
  'GET /api/execute/{session_ref}/qr/{channel}/{type}',
  'POST /api/execute/{session_ref}/claim',
  'POST /api/execute/{session_ref}/ask',
  'POST /api/execute/{session_ref}/cancel',
  'POST /api/execute/{session_ref}/bank',
  'POST /api/execute/{session_ref}/play',
  'POST /api/execute/{session_ref}/quote',
  'GET /api/execute/{session_ref}/state',
  'GET /api/execute/{session_ref}/events',
  // The preview of a payment: chats find it in the page.
  'GET /api/execute/{session_ref}/card.png',
  // Back to the page, for who loads the address of a form.
  'GET /api/execute/{session_ref}/claim',
  'GET /api/execute/{session_ref}/ask',
  'GET /api/execute/{session_ref}/cancel',
  'GET /api/execute/{session_ref}/bank',
  'GET /api/execute/{session_ref}/play',
  'GET /api/execute/{session_ref}/quote',
  // The agent's own file, which a phone fetches by the lines that pairing prints.
  'GET /relay/kashbox-relay.mjs',
  'GET /relay/kashbox-relay.mjs.sha256',
  // Other programs' names for create and verify: docs/api.md.
  'GET /api/payment/checkout',
  'POST /api/payment/checkout',
  'GET /api/payment/verify-payment',
  'POST /api/payment/verify-payment',
  // The API of somebody else's app, in its own words: docs/sms-gateway-app.md.
  'GET /mobile/v1/device',
  'POST /mobile/v1/device',
  'PATCH /mobile/v1/device',
  'GET /mobile/v1/events',
  'GET /mobile/v1/message',
  'PATCH /mobile/v1/message',
  'GET /mobile/v1/settings',
  'GET /mobile/v1/webhooks',
  'POST /mobile/v1/webhooks/{device}',
  'GET /mobile/v1/user/code',
  'PATCH /mobile/v1/user/password',
  // The form of a payment link.
  'POST /pay/{link}',
  // The page of a tablet at the counter, whose address nobody else knows.
  'GET /display/{session_ref}',
  'GET /display/{session_ref}/state',
  'GET /display/{session_ref}/events',
  'GET /display/{session_ref}/code',
  'GET /display/{session_ref}/show',
  'POST /display/{session_ref}/show',
  'GET /display/{session_ref}/digits',
  'POST /display/{session_ref}/digits',
  'GET /display/{session_ref}/cancel',
  'POST /display/{session_ref}/cancel',
  'GET /display/{session_ref}/done',
  'POST /display/{session_ref}/done',
  // Mistyped links of payments.
  'GET *',
  // What a person or a browser asks for by itself.
  'GET /',
  'GET /favicon.ico',
];

/** Every address of the app, as the router prints them: a tree whose branches are four signs wide. */
function addressesOf(app: FastifyInstance): string[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part] = /^(.*?)[├└]── (\S+) \(/.exec(line) ?? [];
      if (part === undefined) return [];
      const depth = indent.length / 4;
      parents.length = depth;
      parents[depth] = `${depth === 0 ? '' : parents[depth - 1]}${part}`;
      return [parents[depth]];
    });
}

/** What the app serves, asked of the app itself: each address names its methods to who uses a wrong one. */
async function servedBy({ app, callBare }: Api): Promise<string[]> {
  const served: string[] = [];
  for (const address of addressesOf(app)) {
    const path = address.replace(/^\/?\*$/, '/api/execute/x/y/z').replace(/:\w+/g, 'x');
    const { headers } = await callBare(path, { method: 'OPTIONS' });
    const methods = String(headers.allow).split(', ');
    const shown = address
      .replace(/^\/\*$/, '*')
      .replace('/pay/:ref', '/pay/:link')
      .replace(':ref', ':session_ref')
      .replace(/:(\w+)/g, '{$1}');
    served.push(...methods.filter((name) => name !== 'HEAD').map((name) => `${name} ${shown}`));
  }
  return served.sort();
}

test('the document is valid OpenAPI 3.1', async (t) => {
  const api = await openApi(t);
  const validator = new Validator();
  const document = await getOpenApi(api);
  t.deepEqual(await validator.validate({ ...document }), { valid: true });
  t.is(validator.version, '3.1');
});

test('every route of the app is in the document or hidden by name, and the document names no other', async (t) => {
  const api = await openApi(t);
  const documented = operationsOf(await getOpenApi(api)).map(({ name }) => name);
  t.deepEqual(await servedBy(api), [...documented, ...HIDDEN].sort());
});

test('every operation of docs/api.md is in the document', async (t) => {
  const api = await openApi(t);
  const text = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
  const cells = text
    .split('\n')
    .flatMap((line) => /^\| (.*?`\/.*?|`(?:GET|POST).*?) \|/.exec(line)?.[1] ?? []);
  const paths = cells.flatMap((cell) => cell.match(/\/[\w/<>.]+/g) ?? []);
  t.true(paths.length >= 11);
  const documented = Object.keys((await getOpenApi(api)).paths);
  for (const path of paths) {
    t.true(documented.includes(path.replace('<', '{').replace('>', '}')), path);
  }
});

test('each operation has a name of its own, a tag, words, and a key or none', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const all = operationsOf(document).map(({ operation }) => operation);
  t.is(new Set(all.map(({ operationId }) => operationId)).size, all.length);
  const tags = document.tags.map(({ name }) => name);
  const schemes = Object.keys(document.components.securitySchemes);
  for (const { operationId, tags: own, summary, description, security, responses } of all) {
    t.is(own.filter((name) => tags.includes(name)).length, 1, operationId);
    t.true(summary.length > 5 && description.length > 5 && responses[200] !== undefined, operationId);
    for (const way of security) t.true(schemes.includes(String(Object.keys(way))), operationId);
  }
});

/** As generators make names of a type, a constant or an argument of it. */
const nameIn = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Every schema inside of a value. */
function schemasIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [value as Readonly<Record<string, unknown>>];
  return [...own, ...Object.values(value).flatMap(schemasIn)];
}

test('a generated client compiles: no two names of a request are the same but for their spelling', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const requests = operationsOf(document).flatMap(({ name, operation: { parameters = [], requestBody } }) => {
    const refs = Object.values(requestBody?.content ?? {}).map(({ schema }) => String(schema.$ref));
    const bodies = refs.map((ref) => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {});
    const names = bodies.map((body) => Object.keys((body.properties ?? {}) as object));
    return [parameters.map((parameter) => parameter.name), ...names].map((names) => ({ name, names }));
  });
  t.true(requests.length > 20);
  for (const { name, names } of requests) t.is(new Set(names.map(nameIn)).size, names.length, name);
  for (const { enum: values } of schemasIn(document)) {
    if (!Array.isArray(values)) continue;
    t.false(values.includes(''));
    t.is(new Set(values.map((value) => nameIn(String(value)))).size, values.length, String(values));
  }
});

test('a generated client sends the Brand Key in one of two headers, and never in an address', async (t) => {
  const document = await getOpenApi(await openApi(t));
  for (const { name, operation } of operationsOf(document)) {
    const ways = operation.security.flatMap((way) => Object.keys(way));
    if (!ways.includes('BRAND-KEY')) continue;
    t.deepEqual(ways, ['BRAND-KEY', 'Bearer'], name);
    t.false(
      (operation.parameters ?? []).some((parameter) => parameter.name === 'api_key'),
      name,
    );
  }
  const schemes = Object.values(document.components.securitySchemes) as readonly { readonly in?: string }[];
  t.deepEqual(
    schemes.filter((scheme) => scheme.in === 'query'),
    [],
  );
});

test('the examples are as their schemas say', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const { faults } = judgeOf(document);
  let judged = 0;
  for (const { name, operation } of operationsOf(document)) {
    const { parameters = [], requestBody, responses } = operation;
    for (const { schema, example } of parameters) {
      if (example !== undefined) t.is(faults(schema, example), '', name);
    }
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}),
    );
    for (const { schema, example, examples = {} } of contents) {
      const values = Object.values(examples).map(({ value }) => value);
      for (const value of example === undefined ? values : [example, ...values]) {
        judged += 1;
        t.is(faults(schema, value), '', name);
      }
    }
  }
  t.true(judged > 100);
});

test('it needs no key, is kept for some minutes, and holds nothing of the installation', async (t) => {
  const api = await openApi(t);
  await api.call(HOSTED_CREATE, { body: {} });
  const bare = await api.callBare('/openapi.json', { method: 'GET' });
  t.is(bare.statusCode, 200);
  t.is(bare.headers['content-type'], 'application/json; charset=utf-8');
  t.is(bare.headers['cache-control'], 'public, max-age=300');
  const { shop, core } = api;
  for (const secret of [shop.brandKey, shop.deviceKey, shop.merchantId, 'Alo Store', core.settings.host]) {
    t.false(bare.body.includes(secret), secret);
  }
  // What may be given for a test brand is the same at every installation.
  const rule = 'For a test brand also `http://` on `localhost`.';
  t.true(bare.body.includes(rule));
  t.notRegex(bare.body.replaceAll(rule, ''), /[bdg]k_\w|whsec_|127\.0\.0\.1|localhost/);
  const headers = { 'accept-encoding': 'gzip' };
  const packed = await api.callBare('/openapi.json', { method: 'GET', headers });
  t.is(packed.headers['content-encoding'], 'gzip');
  t.is(gunzipSync(packed.rawPayload).toString('utf8'), bare.body);
});

test('it names the address of the installation where there is a setting for it', async (t) => {
  const own = await openApi(t);
  t.deepEqual((await getOpenApi(own)).servers, [{ url: '/' }]);
  const known = await openApi(t, { env: { KASHBOX_PUBLIC_URL: 'https://pay.shop.example' } });
  t.deepEqual((await getOpenApi(known)).servers, [{ url: 'https://pay.shop.example' }]);
});

test('with a base path it is served below it, and so are its paths, except health and challenges', async (t) => {
  const api = await openApi(t, { env: { KASHBOX_BASE_PATH: '/pay' } });
  t.is((await api.callBare('/openapi.json', { method: 'GET' })).statusCode, 404);
  const paths = Object.keys((await getOpenApi(api, '/pay/openapi.json')).paths);
  t.deepEqual(
    paths.filter((path) => !path.startsWith('/pay/')),
    ['/healthz', '/readyz', '/.well-known/acme-challenge/{token}'],
  );
  t.true(paths.includes(`/pay${HOSTED_CREATE}`));
});
