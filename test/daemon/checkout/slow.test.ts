/** A slip over a slow mobile network: it may take longer than any other request, for as long as it moves. */
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { openPorts, openTlsWire, requestText, statusCodes } from '../wire.js';
import { multipart, PAGES, RETURN } from './browser.js';

const COOKIE = `__Host-kashbox-visitor=${'A'.repeat(22)}`;

/** A payment, and an upload of so many bytes to it whose token is wrong: read whole, it is answered 403. */
async function openUpload(t: ExecutionContext, bytes: number) {
  const { core, shop, httpsPort } = await openPorts(t);
  const customer = { cusName: '', cusEmail: '', amountPaisa: 50_000, metaJson: null };
  const { id } = await createSession(core, { brand: shop.brand, hosted: RETURN, ...customer });
  const { payload, headers } = multipart({ reference: 'A1', token: 'wrong' }, Buffer.alloc(bytes));
  const head = requestText(`POST ${PAGES}/${id}/bank`, { cookie: COOKIE, ...headers, connection: 'close' });
  const begin = async () => {
    const wire = await openTlsWire(t, httpsPort);
    wire.socket.write(head);
    return wire;
  };
  return { id, httpsPort, payload, begin };
}

test('an upload that moves slowly outlasts one that has stalled, which is cut', async (t) => {
  const { payload, begin } = await openUpload(t, 1024 * 1024);
  const stalled = await begin();
  const slow = await begin();
  stalled.socket.write(payload.subarray(0, 100_000));
  let sent = 0;
  let isCut = false;
  const cut = stalled.closed.finally(() => {
    isCut = true;
  });
  while (!isCut) {
    slow.socket.write(payload.subarray(sent, sent + 1024));
    sent += 1024;
    await sleep(250);
  }
  t.deepEqual(statusCodes(await cut), [408]);
  slow.socket.write(payload.subarray(sent));
  t.deepEqual(statusCodes(await slow.closed), [403], 'it was read whole: its token is wrong');
});

test('an upload may take longer than 10 s, a form without a file may not', async (t) => {
  const { id, httpsPort, payload, begin } = await openUpload(t, 200);
  const upload = await begin();
  const form = await openTlsWire(t, httpsPort);
  const bare = await openTlsWire(t, httpsPort);
  // A request that names no payment is answered at once.
  const { headers } = multipart({ reference: 'A1', token: 'wrong' }, Buffer.alloc(200));
  bare.socket.write(
    requestText(`POST ${PAGES}/${'0'.repeat(32)}/bank`, { cookie: COOKIE, ...headers, connection: 'close' }),
  );
  const type = 'application/x-www-form-urlencoded';
  form.socket.write(
    requestText(`POST ${PAGES}/${id}/claim`, { cookie: COOKIE, 'content-type': type, 'content-length': 9 }),
  );
  t.deepEqual(statusCodes(await form.closed), [408]);
  t.is(statusCodes(bare.received())[0], 403);
  await sleep(1_500);
  t.is(upload.received(), '');
  upload.socket.write(payload);
  t.deepEqual(statusCodes(await upload.closed), [403], 'it was read whole: its token is wrong');
});
