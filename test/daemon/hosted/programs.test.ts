/**
 * Real programs against a real daemon, each asking in its own way for an order and then for its state: what
 * they put on the wire is their library's doing and not ours. Those that this machine lacks are left out.
 */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { startDaemon } from '../../helpers/programs/daemon.js';
import { openShop } from '../../helpers/shop/shop.js';
import { openTestCore, temporaryFolder } from '../../helpers/stores/engines.js';
import { HOSTED_CREATE, HOSTED_VERIFY } from '../api.js';
import { ORDER } from './orders.js';

const run = promisify(execFile);

interface Scene {
  readonly url: string;
  readonly key: string;
  /** Certificate file of the daemon. */
  readonly ca: string;
}

async function openScene(t: ExecutionContext<unknown>): Promise<Scene> {
  const home = await temporaryFolder(t);
  const core = await openTestCore(t, 'sqlite', { folder: home });
  const { brandKey } = await openShop(core);
  const { url } = await startDaemon(t, { home });
  return { url, key: brandKey, ca: join(home, 'tls', 'cert.pem') };
}

/** @param lines what a program printed: one answer a line, each to a create and a verify of its own. */
function checkAnswers(t: ExecutionContext<unknown>, { url }: Scene, lines: string, orders: number): void {
  const answers = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.is(answers.length, orders * 2);
  for (const [index, answer] of answers.entries()) {
    const isCreated = index % 2 === 0;
    // What verify has at its top of an unpaid order depends on the name under which the key came.
    if (isCreated) t.true(answer.status, JSON.stringify(answer));
    if (isCreated) t.regex(String(answer.payment_url), new RegExp(`^${url}/api/execute/[0-9a-f]{32}$`));
    else t.like(answer.data, { amount: '500.00', cus_name: 'রহিম & Sons', status: 'PENDING' });
  }
}

const NODE = `
const [url, key, order] = [process.argv[1], process.argv[2], JSON.parse(process.argv[3])];
const ask = async (path, init) => {
  const answer = await (await fetch(url + path, init)).json();
  console.log(JSON.stringify(answer));
  return answer.payment_url?.slice(-32);
};
const form = (fields) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};
const ways = [
  (fields) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }),
  (fields) => ({ body: new URLSearchParams(fields) }),
  (fields) => ({ body: form(fields) }),
];
for (const way of ways) {
  const post = (fields) => {
    const { headers, body } = way(fields);
    return { method: 'POST', headers: { ...headers, 'API-KEY': key, 'SECRET-KEY': 'placeholder' }, body };
  };
  const transaction_id = await ask('${HOSTED_CREATE}', post(order));
  await ask('${HOSTED_VERIFY}', post({ transaction_id }));
}
const headers = { Authorization: 'Bearer ' + key };
const trx = await ask('${HOSTED_CREATE}?' + new URLSearchParams(order), { headers });
await ask('${HOSTED_VERIFY}?' + new URLSearchParams({ trx }), { headers });
`;

const PYTHON = `
import json, ssl, sys, urllib.parse, urllib.request
url, key, ca, order = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
context = ssl.create_default_context(cafile=ca)
def ask(path, data=None, **headers):
    request = urllib.request.Request(url + path, data, {'BRAND-KEY': key, **headers})
    answer = json.load(urllib.request.urlopen(request, context=context))
    print(json.dumps(answer))
    return answer.get('payment_url', '')[-32:]
form = lambda fields: urllib.parse.urlencode(fields).encode()
trx = ask('${HOSTED_CREATE}', form(order))
ask('${HOSTED_VERIFY}', form({'transaction_id': trx}))
trx = ask('${HOSTED_CREATE}', json.dumps(order).encode(), **{'Content-Type': 'application/json'})
ask('${HOSTED_VERIFY}', json.dumps({'trx_id': trx}).encode(), **{'Content-Type': 'application/json'})
trx = ask('${HOSTED_CREATE}?' + urllib.parse.urlencode(order))
ask('${HOSTED_VERIFY}?' + urllib.parse.urlencode({'transaction': trx}))
`;

const order = { ...ORDER, amount: '500.00', cus_name: 'রহিম & Sons' };
const isHere = (program: string) => spawnSync(program, ['--version']).status === 0;

test('Node: fetch with JSON, URLSearchParams, FormData and a query', async (t) => {
  const scene = await openScene(t);
  const args = ['--input-type=module', '-e', NODE, scene.url, scene.key, JSON.stringify(order)];
  const env = { PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: scene.ca };
  const { stdout } = await run(process.execPath, args, { env });
  checkAnswers(t, scene, stdout, 4);
});

if (isHere('python3')) {
  test('Python: urllib with a form, JSON and a query', async (t) => {
    const scene = await openScene(t);
    const args = ['-c', PYTHON, scene.url, scene.key, scene.ca, JSON.stringify(order)];
    const { stdout } = await run('python3', args);
    checkAnswers(t, scene, stdout, 3);
  });
}

if (isHere('curl')) {
  test('curl: a form with --data-urlencode, a multipart form, JSON and a query', async (t) => {
    const scene = await openScene(t);
    const curl = async (path: string, ...args: string[]) => {
      const common = ['-sS', '--cacert', scene.ca, '-H', `BRAND-KEY: ${scene.key}`, '-w', '\n'];
      return (await run('curl', [...common, ...args, `${scene.url}${path}`])).stdout;
    };
    const each = (flag: string, fields: object) =>
      Object.entries(fields).flatMap(([name, value]) => [flag, `${name}=${value}`]);
    const json = (fields: object) => ['-H', 'Content-Type: application/json', '-d', JSON.stringify(fields)];
    const ways = [
      (fields: object) => each('--data-urlencode', fields),
      (fields: object) => each('--form-string', fields),
      json,
      (fields: object) => ['-G', ...each('--data-urlencode', fields)],
    ];
    for (const way of ways) {
      const created = await curl(HOSTED_CREATE, ...way(order));
      const transaction_id = created.trim().slice(-34, -2);
      const verified = await curl(HOSTED_VERIFY, ...way({ transaction_id }));
      checkAnswers(t, scene, created + verified, 1);
    }
  });
}
