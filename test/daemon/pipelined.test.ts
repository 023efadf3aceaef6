/** Requests that arrive on a connection while an earlier answer is still being written. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { answerClientError } from '../../daemon/http/errors.js';
import { createHttpServer } from '../../daemon/http/server.js';
import { tlsPair } from '../helpers/network/tls-pair.js';
import { openTlsWire, requestText, statusCodes } from './wire.js';

/** More than what Node 20, 22, 24 or 26 lets wait on a socket before it pauses the connection. */
const LONG = 'x'.repeat(256 * 1024);

test('a long body that comes right behind a long answer is read whole', async (t) => {
  const lengths: number[] = [];
  const server = createHttpServer(
    (request, response) => {
      if (request.method === 'GET') {
        response.end(LONG);
        return;
      }
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on('end', () => {
        lengths.push(bytes);
        response.writeHead(201).end();
      });
    },
    await tlsPair(),
  );
  server.on('clientError', answerClientError);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const wire = await openTlsWire(t, (server.address() as AddressInfo).port);
  const get = requestText('GET /', {});
  const post = requestText('POST /', { 'content-length': LONG.length }, LONG);
  const last = requestText('POST /', { 'content-length': LONG.length, connection: 'close' }, LONG);
  wire.socket.write(get + post + get + last);
  t.deepEqual(statusCodes(await wire.closed), [200, 201, 200, 201]);
  t.deepEqual(lengths, [LONG.length, LONG.length]);
});
