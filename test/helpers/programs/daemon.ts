/**
 * The daemon as a real process, and a client that talks to it as a shop's server and a relay phone do: over
 * HTTPS, trusting the certificate of its home folder and no other.
 */
import { readFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../network/free-port.js';
import type { SmallDisk } from '../stores/small-disk.js';
import { type Environment, kashboxProgram, type Owner, type Process, startNode } from './processes.js';

/** No test is about limits here, and load is what it is about. */
export const UNLIMITED: Environment = {
  KASHBOX_REQUESTS_PER_MINUTE: '100000000',
  KASHBOX_FAILED_AUTH_PER_MINUTE: '100000000',
  KASHBOX_CHECKOUT_REQUESTS_PER_MINUTE: '100000000',
  KASHBOX_CHECKOUT_FAILURES_PER_MINUTE: '100000000',
};

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came. */
  readonly text: string;
  /** Empty object for a body that is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Where a daemon listens, and what its certificate is known by. */
export interface Listening {
  readonly https: string;
  readonly http: string;
  readonly fingerprint: string;
}

export interface DaemonClient {
  /** `https://127.0.0.1:…` */
  readonly url: string;
  readonly plainUrl: string;
  readonly fingerprint: string;
  get(path: string): Promise<Answer>;
  /** Rejects with the socket's error when no whole answer came. */
  post(path: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<Answer>;
}

export interface Daemon extends DaemonClient {
  readonly process: Process;
  /** Its home as it is seen from here. */
  readonly seen: string;
}

export interface StartDaemon {
  readonly home: string;
  readonly env?: Environment;
  /** HTTPS port; any that is free unless told otherwise. A phone looks for a daemon where it was. */
  readonly port?: number;
  /** Plain HTTP port; any that is free unless told otherwise. */
  readonly httpPort?: number;
  /** Arguments for node, before the program. */
  readonly nodeArgs?: readonly string[];
  /** Where the home lies, if it is a disk that only the daemon sees. */
  readonly disk?: SmallDisk;
}

/** Starts a daemon on 127.0.0.1 and waits until it listens. */
export async function startDaemon(t: Owner, options: StartDaemon): Promise<Daemon> {
  const { home, env = {}, nodeArgs = [], disk, httpPort = 0 } = options;
  const port = options.port ?? (await freePort());
  const ports = ['--port', String(port), '--http-port', String(httpPort)];
  const args = [...nodeArgs, kashboxProgram, 'daemon', '--json', ...ports];
  const environment = { ...UNLIMITED, HOME: home, KASHBOX_HOME: home, ...env };
  const process = disk?.start(args, environment) ?? startNode(t, args, environment);
  const seen = disk?.seen() ?? home;
  const [line] = await process.printed(/^\{"listening".*\}$/m);
  const { listening, fingerprint } = JSON.parse(line) as {
    readonly listening: { readonly https: string; readonly http: string };
    readonly fingerprint: string;
  };
  const ca = readFileSync(join(seen, 'tls', 'cert.pem'));
  return { process, seen, ...talkTo(t, { ...listening, fingerprint }, ca) };
}

/** Kills a daemon, and starts it again where it was after `downMs`. `options` are those of its start. */
export async function restartDaemon(
  t: Owner,
  { url, process }: Daemon,
  options: StartDaemon,
  downMs = 0,
): Promise<Daemon> {
  process.kill('SIGKILL');
  await process.ended;
  await sleep(downMs);
  return startDaemon(t, { ...options, port: Number(new URL(url).port) });
}

/** @param ca the certificate of its home folder. @returns calls over connections that end with the test. */
export function talkTo(t: Owner, { https, http, fingerprint }: Listening, ca: Buffer): DaemonClient {
  const agent = new Agent({ keepAlive: true, ca, maxSockets: 64 });
  t.teardown(() => agent.destroy());
  const call = (method: string, path: string, headers: Readonly<Record<string, string>>, body: string) =>
    exchange(agent, `${https}${path}`, method, headers, body);
  return {
    url: https,
    plainUrl: http,
    fingerprint,
    get: (path) => call('GET', path, {}, ''),
    post: (path, headers, body) =>
      call('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
  };
}

function exchange(
  agent: Agent,
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, text, body: parseObject(text) });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
