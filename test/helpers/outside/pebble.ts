/**
 * Pebble, the test server of the ACME protocol, with a DNS of its own and a proxy in front that sees every
 * request. Their certificates are signed by an authority that the daemon under test must be told to trust.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as httpsRequest } from 'node:https';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { issue, newAuthority, type Pair } from '../network/authority.js';
import { freePort } from '../network/free-port.js';
import { type Environment, type Owner, startProgram } from '../programs/processes.js';
import { temporaryFolder } from '../stores/engines.js';
import { until } from '../until.js';

export interface Pebble {
  /** URL of the directory, through the proxy. */
  readonly directory: string;
  /** File for NODE_EXTRA_CA_CERTS. */
  readonly caFile: string;
  /** All requests so far, such as `POST /order-plz`. */
  readonly requests: readonly string[];
  /** Called with each request before it is passed on; true if it has answered itself. */
  intercept: (request: string, response: ServerResponse) => boolean;
  /** Sets the address that every name has; null: none. */
  resolve(address: string | null): Promise<void>;
  /** What pebble has logged so far. */
  log(): string;
  /** Lets this process trust it, as NODE_EXTRA_CA_CERTS lets another. */
  trustHere(): void;
}

/** One for all of a process, whose trust is its own. */
let authority: Promise<Pair> | undefined;

/**
 * @param httpPort of 127.0.0.1, where it requests the proof in place of port 80.
 * @param env such as PEBBLE_WFE_NONCEREJECT.
 */
export async function startPebble(t: Owner, httpPort: number, env: Environment = {}): Promise<Pebble> {
  const folder = await temporaryFolder(t);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  authority ??= newAuthority();
  const { cert: ca, key } = await authority;
  const pair = await issue({ cert: ca, key }, { names: ['localhost'], ips: ['127.0.0.1'] });
  const [listen, dns, management] = [await freePort(), await freePort(), await freePort()];
  const config = {
    listenAddress: `127.0.0.1:${listen}`,
    managementListenAddress: '',
    certificate: file('cert.pem', pair.cert),
    privateKey: file('key.pem', pair.key),
    httpPort,
    tlsPort: httpPort,
  };
  const names = startProgram(t, 'pebble-challtestsrv', [
    ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${management}`, '-defaultIPv6', ''],
    ...['-http01', '', '-https01', '', '-tlsalpn01', ''],
  ]);
  await names.printed(/Starting management server/);
  const args = ['-config', file('pebble.json', JSON.stringify({ pebble: config }))];
  const quick = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' };
  const server = startProgram(t, 'pebble', [...args, '-dnsserver', `127.0.0.1:${dns}`], { ...quick, ...env });
  // What they print, they print before they listen.
  await Promise.all([listen, dns, management].map((port) => until(() => isListening(port))));
  const proxy = await startProxy(t, pair, { port: listen, ca });
  return Object.assign(proxy, {
    caFile: file('ca.pem', ca),
    log: () => server.stdout(),
    trustHere: () => setDefaultCACertificates([...getCACertificates(), ca]),
    async resolve(address: string | null) {
      const body = JSON.stringify({ ip: address ?? '' });
      await fetch(`http://127.0.0.1:${management}/set-default-ipv4`, { method: 'POST', body });
    },
  });
}

/** @returns whether somebody takes connections on a port of 127.0.0.1. */
async function isListening(port: number): Promise<boolean> {
  const socket = connectTcp(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

interface Upstream {
  readonly port: number;
  readonly ca: string;
}

async function startProxy(t: Owner, pair: Pair, upstream: Upstream) {
  const requests: string[] = [];
  const server = createServer(pair, (request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    if (!proxy.intercept(line, response)) passOn(request, response, upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const proxy = {
    directory: `https://127.0.0.1:${port}/dir`,
    requests,
    intercept: (_request: string, _response: ServerResponse): boolean => false,
  };
  return proxy;
}

/** The Host header stays, from which pebble makes its addresses: the client comes back to the proxy. */
function passOn(request: IncomingMessage, response: ServerResponse, { port, ca }: Upstream): void {
  const { method, url, headers } = request;
  const target = { host: '127.0.0.1', port, ca, method, path: url, headers };
  const outgoing = httpsRequest(target, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
}
