/** The processes that are measured: the real daemon, and the server that stores nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Run } from './figure.js';

export interface Server {
  readonly pid: number;
  /** Plain HTTP on 127.0.0.1, to be called as a reverse proxy would. */
  readonly port: number;
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
};

/** `kashbox daemon` on this home. */
export async function startDaemon(run: Run, home: string): Promise<Server> {
  const args = [kashbox, 'daemon', '--json', '--port', '0', '--http-port', '0'];
  const { pid, line } = await start(run, args, { ...SETTINGS, KASHBOX_HOME: home });
  const { listening } = JSON.parse(line) as { readonly listening: { readonly http: string } };
  return { pid, port: Number(new URL(listening.http).port) };
}

/**
 * @param home of a brand whose key will be sent.
 * @param answers file of the answers that it gives (nothing-server.ts).
 */
export async function startNothing(run: Run, home: string, answers: string): Promise<Server> {
  const program = fileURLToPath(new URL('./nothing-server.js', import.meta.url));
  const { pid, line } = await start(run, [program, home, answers], SETTINGS);
  return { pid, port: Number(line) };
}

/** @returns the process and the first line that it printed. Its log is written and read by nobody. */
async function start(run: Run, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  run.atEnd(() => stop(child));
  const line = await Promise.race([firstLine(child.stdout), endOf(child)]);
  return { pid: child.pid ?? 0, line };
}

async function firstLine(stream: Readable): Promise<string> {
  const [line] = (await once(createInterface(stream), 'line')) as [string];
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
