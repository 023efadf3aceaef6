/** A PostgreSQL server of the test's own that can be stopped, killed and started again with its data. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { freePort } from '../network/free-port.js';
import { temporaryFolder } from './engines.js';
import { findPostgres, unprivilegedUser } from './postgres-server.js';

export interface FragilePostgres {
  readonly url: string;
  /** A program of its version, such as `pg_receivewal`. */
  program(name: string): string;
  start(): Promise<void>;
  /** @param how `fast` ends every connection in order, `crash` drops everything as a broken machine would. */
  stop(how: 'fast' | 'crash'): Promise<void>;
  /**
   * Makes a standby the primary. It is asked from outside: the snapshot of a query that asks would hold up
   * the replay that has to end first, and be cancelled for it.
   */
  promote(): Promise<void>;
  /** Removes the data of a server that is stopped for good, which a long run would collect. */
  discard(): void;
  /** Whether it is a read-only standby from its next start on; with no primary it waits for one for ever. */
  setStandby(isStandby: boolean): void;
}

/** The server ends with the process that started it, even if that is killed: its stdin is a lifeline. */
const SUPERVISOR = `
"$0" "$@" 3<&- & server=$!
exec 3<&0
{ cat <&3 >/dev/null; kill -QUIT $server 2>/dev/null; } & lifeline=$!
trap 'kill -INT $server' INT
trap 'kill -QUIT $server' QUIT
while kill -0 $server 2>/dev/null; do wait $server; done
kill $lifeline 2>/dev/null`;

const START_TIMEOUT_MS = 180_000;

/**
 * @param options.standbyOf makes a copy of that server, which has to run, and follows it.
 * @param options.settings more of them, such as `fsync=off`.
 */
export async function fragilePostgres(
  t: ExecutionContext<unknown>,
  options: { readonly standbyOf?: FragilePostgres; readonly settings?: readonly string[] } = {},
): Promise<FragilePostgres> {
  const { standbyOf, settings: given = [] } = options;
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const folder = await temporaryFolder(t);
  const uid = unprivilegedUser();
  const user = uid === undefined ? {} : { uid };
  if (uid !== undefined) chownSync(folder, uid, -1);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'kashbox', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const [program, made] =
    standbyOf === undefined ? ['initdb', initdb] : ['pg_basebackup', copyOf(standbyOf, data)];
  execFileSync(join(bin, program), made, { ...user, cwd: folder, stdio: 'ignore' });
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'log_min_messages=log',
    ...given,
  ];
  const started = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  let server: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (server === undefined) return;
    const ended = once(server, 'close');
    server.kill(signal);
    await ended;
    server = undefined;
  };
  t.teardown(() => end('SIGQUIT'));
  return {
    url: `postgres://kashbox@127.0.0.1:${port}/postgres`,
    program: (name) => join(bin, name),
    start: async () => {
      server = spawn('/bin/sh', ['-c', SUPERVISOR, join(bin, 'postgres'), ...started], {
        ...user,
        cwd: folder,
        env: { PATH: process.env.PATH, LC_ALL: 'C' },
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      await ready(server);
    },
    setStandby: (isStandby) => {
      const signal = join(data, 'standby.signal');
      if (!isStandby) return rmSync(signal);
      writeFileSync(signal, '');
      if (uid !== undefined) chownSync(signal, uid, -1);
    },
    promote: async () => {
      const seconds = String(START_TIMEOUT_MS / 1000);
      const args = ['promote', '-w', '-t', seconds, '-D', data];
      await promisify(execFile)(join(bin, 'pg_ctl'), args, { ...user, cwd: folder });
    },
    discard: () => rmSync(data, { recursive: true }),
    stop: (how) => end(how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
  };
}

function copyOf({ url }: FragilePostgres, data: string): string[] {
  const { hostname, port } = new URL(url);
  return ['-D', data, '-h', hostname, '-p', port, '-U', 'kashbox', '-R', '-c', 'fast', '--no-sync'];
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const late = setTimeout(() => reject(new Error(`PostgreSQL is not ready:\n${log}`)), START_TIMEOUT_MS);
    server.on('close', () => reject(new Error(`PostgreSQL ended:\n${log}`)));
    server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (log.length < 20_000) log += chunk;
      if (!/ready to accept (read-only )?connections/.test(log)) return;
      clearTimeout(late);
      resolve();
    });
  });
}
