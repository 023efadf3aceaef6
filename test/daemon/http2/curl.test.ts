/** curl, and with it whatever is built upon libcurl: it takes HTTP/2 where it is offered. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { temporaryFolder } from '../../helpers/stores/engines.js';
import { CREATE } from '../api.js';
import { openHttp2 } from './session.js';

const run = promisify(execFile);

/** False where there is no curl, or one without HTTP/2. */
const knowsHttp2 = () =>
  run('curl', ['--version']).then(
    ({ stdout }) => /\bHTTP2\b/.test(stdout),
    () => false,
  );

test('curl agrees on HTTP/2, is answered, and reads the answer to a body that is too large', async (t) => {
  if (!(await knowsHttp2())) return t.pass('no curl with HTTP/2 here');
  const { serving, shop } = await openHttp2(t);
  const large = join(await temporaryFolder(t), 'large');
  writeFileSync(large, Buffer.alloc(8 * 1024 * 1024, ' '));
  const curl = async (path: string, ...more: string[]) => {
    const all = ['--silent', '--show-error', '--insecure', '--write-out', ' %{http_version} %{http_code}'];
    return (await run('curl', [...all, ...more, `${serving.https}${path}`])).stdout;
  };
  const key = ['--header', `brand-key: ${shop.brandKey}`, '--header', 'content-type: application/json'];
  const post = (body: string, ...more: string[]) => curl(CREATE, ...key, '--data-binary', body, ...more);
  t.is(await curl('/healthz', '--http2'), '{"status":true,"message":"up"} 2 200');
  t.is(await curl('/healthz', '--http1.1'), '{"status":true,"message":"up"} 1.1 200');
  t.regex(await post('{"cus_name":"R","amount":5}', '--http2'), /^\{"status":true,.* 2 200$/);
  for (const version of ['--http2', '--http1.1']) {
    const answer = await post(`@${large}`, version);
    t.regex(answer, /^\{"status":false,"message":"The request body is too large"\} [\d.]+ 413$/);
  }
  t.regex(await curl('/nowhere', '--http2', '--head'), /^HTTP\/2 404 \r\n[\s\S]* 2 404$/);
});
