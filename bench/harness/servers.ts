/** The processes that are measured: the real daemon, and the servers that store nothing. */
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

/** The same, which also says how many SQL statements it has run since it started. */
export async function startCountedDaemon(
  run: Run,
  home: string,
): Promise<{ readonly daemon: Daemon; statements(): Promise<number> }> {
  const args = ['--import', program('count-statements'), ...daemonArgs];
  const started = await start(run, args, { ...SETTINGS, KASHBOX_HOME: home }, 'ipc');
  const { child } = started;
  const statements = async () => {
    child.send('statements');
    const [count] = (await once(child, 'message')) as [number];
    return count;
  };
  return { daemon: listening(started, home), statements };
}

const daemonArgs = [kashbox, 'daemon', '--json', '--port', '0', '--http-port', '0'];

function listening({ pid, line }: Started, home: string): Daemon {
  const { listening } = JSON.parse(line) as {
    readonly listening: { readonly http: string; readonly https: string };
  };
  const certificate = readFileSync(join(home, 'tls', 'cert.pem'), 'utf8');
  return { pid, port: Number(new URL(listening.http).port), url: listening.https, certificate };
}

/**
 * A server that stores nothing (its file says which). @param args what its first comment asks for.
 */
export async function startNothing(
  run: Run,
  name: 'nothing-server' | 'page-server',
  ...args: readonly string[]
): Promise<Server> {
  const { pid, line } = await start(run, [program(name), ...args], SETTINGS);
  return { pid, port: Number(line) };
}

/** A program beside the one that is measured, which its first comment tells of; to be talked to. */
export async function startHelper(
  run: Run,
  name: 'shops' | 'bare-got' | 'chain-node' | 'bare-chain',
  ...args: readonly string[]
) {
  const { child, pid, line } = await start(run, [program(name), ...args], {}, 'ipc');
  return { child, pid, line };
}

const program = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The first line that it printed. */
  readonly line: string;
}

/**
 * Its log is written and read by nobody.
 * @param channel `ipc` to a program that is asked things while it runs.
 */
async function start(
  run: Run,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  channel: 'ipc' | 'ignore' = 'ignore',
): Promise<Started> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore', channel],
  });
  run.atEnd(() => stop(child));
  const line = await Promise.race([firstLine(child), endOf(child)]);
  return { child, pid: child.pid ?? 0, line };
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
