/** Uploads that take their time: nobody keeps others from showing their slips. */
import { once } from 'node:events';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { until } from '../../helpers/until.js';
import { openPorts, openTlsWire, requestText, statusCodes } from '../wire.js';
import { multipart, PAGES, RETURN } from './browser.js';

const COOKIE = `__Host-kashbox-visitor=${'A'.repeat(22)}`;
const FORM = multipart({ reference: 'A1', token: 'wrong' }, Buffer.alloc(200));

/** Not how often is asked about here, but how much at once. */
const UNCOUNTED = {
  KASHBOX_CHECKOUT_REQUESTS_PER_MINUTE: '1000000',
  KASHBOX_CHECKOUT_FAILURES_PER_MINUTE: '1000000',
};

/** What the address of all these tests may do at once. */
const PLACES = 8;

async function openUploads(t: ExecutionContext<unknown>) {
  const { core, shop, httpsPort } = await openPorts(t, { env: UNCOUNTED });
  const customer = { cusName: '', cusEmail: '', amountPaisa: 50_000, metaJson: null };
  const { id } = await createSession(core, { brand: shop.brand, hosted: RETURN, ...customer });
  const page = `${PAGES}/${id}`;
  const head = (path: string, more: object = {}) =>
    requestText(`POST ${path}/bank`, { cookie: COOKIE, ...FORM.headers, ...more });
  return {
    page,
    head,
    connect: () => openTlsWire(t, httpsPort),
    /** The status of an upload that is sent whole: 403, for its token is wrong, or 429 without a place. */
    async tried() {
      const wire = await openTlsWire(t, httpsPort);
      wire.socket.write(Buffer.concat([Buffer.from(head(page, { connection: 'close' })), FORM.payload]));
      return statusCodes(await wire.closed)[0];
    },
  };
}

test('an address has eight places for uploads, and gets one back when an upload breaks off', async (t) => {
  const { page, head, connect, tried } = await openUploads(t);
  const wires = await Promise.all(Array.from({ length: PLACES }, connect));
  t.is(await tried(), 403);
  for (const { socket } of wires) socket.write(head(page));
  let status = await tried();
  while (status !== 429) status = await tried();
  wires[0]?.socket.destroy();
  while (status === 429) {
    await sleep(20);
    status = await tried();
  }
  t.is(status, 403);
});

test('an upload for nobody’s payment is refused before it is read', async (t) => {
  const { head, connect } = await openUploads(t);
  const { socket, received } = await connect();
  socket.write(head(`${PAGES}/${'0'.repeat(32)}`));
  while (received() === '') await once(socket, 'data');
  t.deepEqual(statusCodes(received()), [403]);
});

test('uploads that break off behind another answer keep no place', async (t) => {
  const { page, head, connect, tried } = await openUploads(t);
  const before = requestText(`GET ${page}`, {}).repeat(20);
  const upload = head(page) + FORM.payload.toString('latin1');
  for (let round = 0; round < 40; round += 1) {
    const { socket } = await connect();
    socket.write(Buffer.from(before + upload.repeat(2), 'latin1'));
    await turn();
    socket.destroy();
  }
  let status: number | undefined;
  await until(async () => {
    status = await tried();
    return status !== 429;
  });
  t.is(status, 403);
});
