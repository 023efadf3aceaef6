/** A slip over a slow mobile network: it may take longer than any other request. */
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { openPorts, openTlsWire, requestText, statusCodes } from '../wire.js';
import { multipart, PAGES, RETURN } from './browser.js';

test('an upload may take longer than 10 s, a form without a file may not', async (t) => {
  const { core, shop, httpsPort } = await openPorts(t);
  const customer = { cusName: '', cusEmail: '', amountPaisa: 50_000, metaJson: null };
  const { id } = await createSession(core, { brand: shop.brand, hosted: RETURN, ...customer });
  const { payload, headers } = multipart({ reference: 'A1', token: 'wrong' }, Buffer.alloc(200));
  const cookie = `__Host-kashbox-visitor=${'A'.repeat(22)}`;
  const upload = await openTlsWire(t, httpsPort);
  const form = await openTlsWire(t, httpsPort);
  const bare = await openTlsWire(t, httpsPort);
  upload.socket.write(requestText(`POST ${PAGES}/${id}/bank`, { cookie, ...headers, connection: 'close' }));
  // A request that names no payment is answered at once.
  bare.socket.write(
    requestText(`POST ${PAGES}/${'0'.repeat(32)}/bank`, { cookie, ...headers, connection: 'close' }),
  );
  const type = 'application/x-www-form-urlencoded';
  form.socket.write(
    requestText(`POST ${PAGES}/${id}/claim`, { cookie, 'content-type': type, 'content-length': 9 }),
  );
  t.deepEqual(statusCodes(await form.closed), [408]);
  t.is(statusCodes(bare.received())[0], 403);
  await sleep(1_500);
  t.is(upload.received(), '');
  upload.socket.write(payload);
  t.deepEqual(statusCodes(await upload.closed), [403], 'it was read whole: its token is wrong');
});
