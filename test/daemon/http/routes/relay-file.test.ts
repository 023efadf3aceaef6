/** The one file of the relay agent, as phones fetch it from the daemon. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { openApi } from '../../api.js';

const FILE = '/relay/kashbox-relay.mjs';

test('the agent is one small file that anybody may fetch, with its checksum next to it', async (t) => {
  const { callBare } = await openApi(t);
  const whole = await callBare(FILE, { method: 'GET' });
  t.is(whole.statusCode, 200);
  t.regex(String(whole.headers['content-type']), /^text\/javascript/);
  t.is(whole.headers['cache-control'], 'no-cache');
  t.true(whole.rawPayload.length <= 300 * 1024, `${whole.rawPayload.length} bytes`);
  t.log(`${whole.rawPayload.length} bytes`);
  const sha256 = createHash('sha256').update(whole.rawPayload).digest('hex');
  t.is(whole.headers.etag, `"${sha256}"`);
  const sum = await callBare(`${FILE}.sha256`, { method: 'GET' });
  t.is(sum.body, `${sha256}  kashbox-relay.mjs\n`, 'as sha256sum -c reads it');
});

test('serves the same file smaller with gzip, and does not resend it to a client that has it', async (t) => {
  const { callBare } = await openApi(t);
  const plain = await callBare(FILE, { method: 'GET' });
  const zipped = await callBare(FILE, { method: 'GET', headers: { 'accept-encoding': 'gzip' } });
  t.is(zipped.headers['content-encoding'], 'gzip');
  t.is(zipped.headers.vary, 'accept-encoding');
  t.true(zipped.rawPayload.length < plain.rawPayload.length / 2);
  t.deepEqual(gunzipSync(zipped.rawPayload), plain.rawPayload);
  for (const tag of [plain.headers.etag, zipped.headers.etag, `"other", ${plain.headers.etag}`]) {
    const again = await callBare(FILE, { method: 'GET', headers: { 'if-none-match': String(tag) } });
    t.is(again.statusCode, 304, String(tag));
    t.is(again.body, '');
  }
  const other = await callBare(FILE, { method: 'GET', headers: { 'if-none-match': '"other"' } });
  t.is(other.statusCode, 200);
});

test('under a base path the file is there and nowhere else, and it is only read', async (t) => {
  const { callBare } = await openApi(t, { env: { KASHBOX_BASE_PATH: '/pay' } });
  t.is((await callBare(`/pay${FILE}`, { method: 'GET' })).statusCode, 200);
  t.is((await callBare(`/pay${FILE}`, { method: 'HEAD' })).statusCode, 200);
  t.is((await callBare(FILE, { method: 'GET' })).statusCode, 404);
  t.is((await callBare(`/pay${FILE}`, { method: 'POST' })).statusCode, 405);
});
