/**
 * A shop with the plugin, as it is unpacked from its zip: PHP made of stubs, or a real WordPress. Two
 * processes of PHP serve it behind HTTPS, so that two requests are two processes.
 */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, createServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { freePort } from '../../helpers/network/free-port.js';
import { tlsPair } from '../../helpers/network/tls-pair.js';
import {
  type Environment,
  type Owner,
  root,
  runNode,
  runProgram,
  startProgram,
} from '../../helpers/programs/processes.js';
import type { Heard } from '../client.js';

const here = join(root, 'test/clients/woocommerce');

export interface Answer {
  readonly status: number;
  /** Where a redirect leads; empty without one. */
  readonly location: string;
  readonly text: string;
}

/** An order as the shop has it. */
export interface ShopOrder {
  readonly status: string;
  readonly transaction: string;
  readonly isPaid: boolean;
  /** How often WooCommerce completed its payment. */
  readonly completed: number;
  readonly stockTaken: boolean;
  readonly notes: readonly string[];
  /** Taka of each refund that WooCommerce has. */
  readonly refunds: readonly string[];
  readonly payments: readonly { readonly reference: string; readonly state: string }[];
}

export interface Site {
  /** `https://127.0.0.1:…` */
  readonly url: string;
  /** A command of driver.php. */
  command<Result>(name: string, fields?: object): Promise<Result>;
  get(url: string): Promise<Answer>;
  /** Sends a notification as it was heard. */
  post(told: Pick<Heard, 'headers' | 'body'>): Promise<Answer>;
  /** Notifications that arrived at its front. */
  readonly heard: readonly Heard[];
  /** A front that is deaf answers 503 to notifications, and the shop never sees them. */
  setDeaf(isDeaf: boolean): void;
}

/** Unpacks the plugin into a folder. @returns the plugin's own folder */
export async function unpackPlugin(owner: Owner, folder: string): Promise<string> {
  const packed = await runNode(owner, [join(root, 'bin/woocommerce.js'), folder]);
  const zip = packed.stdout.trim();
  const unpacked = await runProgram(owner, 'python3', ['-m', 'zipfile', '-e', zip, folder]);
  if (packed.code !== 0 || unpacked.code !== 0) throw new Error(packed.stderr + unpacked.stderr);
  rmSync(zip);
  return join(folder, 'kashbox');
}

interface OpenSite {
  /** Certificate of the daemon, as PEM. */
  readonly certificate: string;
  /** Folder of a real WordPress; null for the stubs. */
  readonly wordpress: string | null;
  readonly env?: Environment;
}

export async function openSite(owner: Owner, { certificate, wordpress, env = {} }: OpenSite): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'kashbox-shop-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const plugin = await unpackPlugin(owner, folder);
  const { cert, key } = await tlsPair();
  writeFileSync(join(folder, 'ca.pem'), `${certificate}\n${cert}\n`);
  const heard: Heard[] = [];
  let isDeaf = false;
  const backends: Backend[] = [];
  const server = createServer({ cert, key }, async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await textOf(request);
    const isTold = headers['webhook-id'] !== undefined;
    if (isTold) heard.push({ url: new URL(url, 'https://shop.example'), headers, body });
    if (isTold && isDeaf) return void response.writeHead(503).end();
    try {
      await forward(backends, { method, url, headers, body }, response);
    } catch {
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shared = {
    KASHBOX_TEST_FOLDER: folder,
    KASHBOX_TEST_SITE: url,
    KASHBOX_TEST_CA: join(folder, 'ca.pem'),
    KASHBOX_TEST_PLUGIN: plugin,
    ...env,
  };
  if (wordpress !== null) install(owner, plugin, wordpress);
  for (let count = 0; count < 2; count += 1) backends.push(await startPhp(owner, wordpress, shared));

  const agent = new Agent({ ca: cert });
  owner.teardown(() => agent.destroy());
  const post = (told: Pick<Heard, 'headers' | 'body'>, query = 'wc-api=kashbox') =>
    send(agent, `${url}/?${query}`, { method: 'POST', ...told });
  return {
    url,
    heard,
    setDeaf: (value) => {
      isDeaf = value;
    },
    get: (address) => send(agent, address, { method: 'GET', headers: {}, body: '' }),
    post,
    command: async (name, fields = {}) => {
      const answer = await post(
        { headers: {}, body: JSON.stringify({ do: name, ...fields }) },
        'kashbox_driver=1',
      );
      try {
        return JSON.parse(answer.text);
      } catch {
        throw new Error(`${name}: ${answer.status} ${answer.text}`);
      }
    },
  };
}

/** The plugin and the commands of the tests, in a real WordPress while the tests run. */
function install(owner: Owner, plugin: string, wordpress: string): void {
  const content = join(wordpress, 'wp-content');
  const target = join(content, 'plugins', 'kashbox');
  const driver = join(content, 'mu-plugins', 'kashbox-driver.php');
  owner.teardown(() => rmSync(target, { recursive: true, force: true }));
  owner.teardown(() => rmSync(driver, { force: true }));
  rmSync(target, { recursive: true, force: true });
  for (const name of readdirSync(plugin, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const folder = join(target, name.parentPath.slice(plugin.length));
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(name.parentPath, name.name), join(folder, name.name));
  }
  mkdirSync(join(content, 'mu-plugins'), { recursive: true });
  copyFileSync(join(here, 'driver.php'), driver);
}

interface Backend {
  readonly port: number;
  /** Requests that it has not answered yet. */
  open: number;
}

async function startPhp(owner: Owner, wordpress: string | null, env: Environment): Promise<Backend> {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const args =
    wordpress === null
      ? ['-n', '-S', address, join(here, 'router.php')]
      : ['-d', `auto_prepend_file=${join(here, 'prepend.php')}`, '-S', address, '-t', wordpress];
  // A prepared WordPress may need extensions that only its own environment names.
  const own = wordpress === null ? {} : (process.env as Record<string, string>);
  const php = startProgram(owner, 'php', args, { ...own, ...env });
  await php.logged(/started/);
  return { port, open: 0 };
}

interface Sent {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One process answers one request at a time. */
async function forward(
  backends: Backend[],
  { method, url, headers, body }: Sent & { readonly url: string },
  response: ServerResponse,
): Promise<void> {
  const [backend] = backends.toSorted((one, other) => one.open - other.open);
  if (backend === undefined) throw new Error('no PHP is started');
  backend.open += 1;
  try {
    const own = { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) };
    const plain = Object.fromEntries(Object.entries(own).filter(([name]) => name !== 'transfer-encoding'));
    const options = { host: '127.0.0.1', port: backend.port, method, path: url, headers: plain };
    const request = httpRequest(options).end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const { connection: _ended, ...kept } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, kept);
    await pipeline(answer, response);
  } finally {
    backend.open -= 1;
  }
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const { statusCode = 0, headers } = response;
  return { status: statusCode, location: headers.location ?? '', text: await textOf(response) };
}

function send(agent: Agent, url: string, { method, headers, body }: Sent): Promise<Answer> {
  const { host: _host, ...own } = headers;
  return new Promise((resolve, reject) => {
    httpsRequest(url, { agent, method, headers: own }, (response) => resolve(answerOf(response)))
      .on('error', reject)
      .end(body);
  });
}
