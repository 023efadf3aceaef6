/** Ports of a daemon inside the test's process, and bytes sent to them exactly as written. */
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { ExecutionContext } from 'ava';
import { type Serving, serve } from '../../daemon/serve.js';
import type { Core, CoreOptions } from '../../src/actions/core/core.js';
import { openLog } from '../../src/base/io/log.js';
import { openShop, type Shop } from '../helpers/shop/shop.js';
import { openTestCore } from '../helpers/stores/engines.js';

export interface Ports {
  readonly core: Core;
  readonly shop: Shop;
  readonly serving: Serving;
  readonly logLines: string[];
  readonly httpsPort: number;
  readonly httpPort: number;
}

/** Serves a shop on free ports of 127.0.0.1 until the test is over. */
export async function openPorts(
  t: ExecutionContext<unknown>,
  options: Partial<CoreOptions> = {},
): Promise<Ports> {
  const core = await openTestCore(t, 'sqlite', {
    ...options,
    env: { KASHBOX_PORT: '0', KASHBOX_HTTP_PORT: '0', ...options.env },
  });
  const shop = await openShop(core);
  const logLines: string[] = [];
  const { log } = openLog('debug', { write: (line) => logLines.push(line) });
  const serving = await serve(core, log);
  t.teardown(() => serving.drain());
  const port = (address: string) => Number(new URL(address).port);
  return { core, shop, serving, logLines, httpsPort: port(serving.https), httpPort: port(serving.http) };
}

/** A socket that has sent nothing yet, and what it has been sent so far. */
export interface Wire {
  readonly socket: Socket;
  received(): string;
  /** Resolves with everything received once the other side has hung up. */
  readonly closed: Promise<string>;
}

function wireOver(t: ExecutionContext<unknown>, socket: Socket): Wire {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  // A reset is one of the ways to hang up.
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(text));
  });
  return { socket, received: () => text, closed };
}

export function openWire(t: ExecutionContext<unknown>, port: number): Wire {
  return wireOver(t, connectPlain({ host: '127.0.0.1', port }));
}

/** The certificate is not checked here; tests that are about it look at it themselves. */
export async function openTlsWire(
  t: ExecutionContext<unknown>,
  port: number,
  options: ConnectionOptions = {},
): Promise<Wire & { readonly socket: TLSSocket }> {
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
  const wire = wireOver(t, socket);
  await once(socket, 'secureConnect');
  return { ...wire, socket };
}

/** @returns the answers' status codes in their order. */
export function statusCodes(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
}

/** A request as bytes. */
export function requestText(
  line: string,
  headers: Readonly<Record<string, string | number>>,
  body = '',
): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
