/** The samples of the reference: curl, PHP and JavaScript send the very same request. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test from 'ava';
import { exampleCalls } from '../../../daemon/http/reference/page.js';
import { openApi } from '../api.js';
import { getOpenApi, operationsOf } from './documented.js';

const run = promisify(execFile);

/** Header names may hold no such sign in JavaScript; each reader puts a key in its place. */
const withKey = (sample: string) => sample.replaceAll('…', 'key');

test('each sample runs unchanged and sends the same method, address, key and body', async (t) => {
  const seen: unknown[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const keys = Object.entries(headers).filter(([name]) => name.endsWith('-key') || name.endsWith('-keys'));
    const body = await text(request);
    seen.push({ method, url, keys, type: headers['content-type'], body: body && JSON.parse(body) });
    response.end('{"status":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const samples = operationsOf(await getOpenApi(await openApi(t))).flatMap(({ name, operation }) => {
    const [method = '', path = ''] = name.split(' ');
    const calls = exampleCalls(origin, method, path, operation);
    return calls.length === 1 ? [] : [calls.map((call) => ({ ...call, text: withKey(call.text) }))];
  });
  t.true(samples.length > 10);
  const byCurl = samples.map(([curl]) => `${curl?.text} -s`).join('\n');
  const byPhp = samples.map(([, php]) => php?.text).join('\n');
  const byScript = samples.map(([, , script]) => `{ ${script?.text} }`).join('\n');
  await run('sh', ['-c', byCurl]);
  await run('php', ['-r', byPhp]);
  await run(process.execPath, ['--input-type=module', '-e', byScript]);
  t.is(seen.length, 3 * samples.length);
  const [curl, php, script] = [0, 1, 2].map((at) =>
    seen.slice(at * samples.length, (at + 1) * samples.length),
  );
  t.deepEqual(php, curl);
  t.deepEqual(script, curl);
});
