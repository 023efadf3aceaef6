/** The processes that are measured: the real daemon, and the server that stores nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Run } from './figure.js';

export interface Server {
  readonly pid: number;
  /** Plain HTTP on 127.0.0.1, to be called as a reverse proxy would. */
  readonly port: number;
}

export interface Daemon extends Server {
  /** `https://127.0.0.1:…`, as customers' browsers call it. */
  readonly url: string;
  /** PEM of its certificate. */
  readonly certificate: string;
}

/** The root of the repository, seen from `dist/bench/harness`. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const kashbox = `${root}bin/run.js`;

const STOP_MS = 15_000;

/**
 * Behind a trusted proxy on this machine, and without rate limits, which no question here is about;
 * everything else is as an operator gets it, the log too.
 */
const SETTINGS = {
  KASHBOX_TRUST_PROXY: '127.0.0.1',
  KASHBOX_REQUESTS_PER_MINUTE: '100000000',
  KASHBOX_FAILED_AUTH_PER_MINUTE: '100000000',
  KASHBOX_CHECKOUT_REQUESTS_PER_MINUTE: '100000000',
};

/** `kashbox daemon` on this home. @param env settings of its own. */
export async function startDaemon(
  run: Run,
  home: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Daemon> {
  return listening(await start(run, daemonArgs, { ...SETTINGS, ...env, KASHBOX_HOME: home }), home);
}

const daemonArgs = [kashbox, 'daemon', '--json', '--port', '0', '--http-port', '0'];

function listening({ pid, line }: Started, home: string): Daemon {
  const { listening } = JSON.parse(line) as {
    readonly listening: { readonly http: string; readonly https: string };
  };
  const certificate = readFileSync(join(home, 'tls', 'cert.pem'), 'utf8');
  return { pid, port: Number(new URL(listening.http).port), url: listening.https, certificate };
}

/** The server that stores nothing. @param file of the answers that it gives. */
export async function startNothing(run: Run, home: string, file: string): Promise<Server> {
  const program = fileURLToPath(new URL('./nothing-server.js', import.meta.url));
  const { pid, line } = await start(run, [program, home, file], SETTINGS);
  return { pid, port: Number(line) };
}

interface Started {
  readonly pid: number;
  /** The first line that it printed. */
  readonly line: string;
}

/** Its log is written and read by nobody. */
async function start(
  run: Run,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Started> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  run.atEnd(() => stop(child));
  const line = await Promise.race([firstLine(child), endOf(child)]);
  return { pid: child.pid ?? 0, line };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('its output is not read');
  const [line] = (await once(createInterface(stdout), 'line')) as [string];
  return line;
}

async function endOf(child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, 'exit');
  throw new Error(`${child.spawnargs.slice(1, 3).join(' ')} ended (${code ?? signal}) before it listened`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(deadline);
}
