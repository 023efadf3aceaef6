/**
 * A throw-away PostgreSQL server for tests: started in a temporary folder, gone without a trace afterwards.
 * Used by the test runner (one server for all) and by single tests run by hand. Knows nothing of Kashbox's
 * tables.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../network/free-port.js';

export interface PostgresServer {
  /** Connection URL of the maintenance database; any user of this machine may connect, over loopback only. */
  readonly url: string;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 180_000;

/**
 * Runs the server and cleans up behind it. Its stdin is a lifeline: it ends when whoever started us closes it
 * or dies in any way, kill -9 included, and then the server goes too. Signals of the terminal are ignored,
 * so that tests which are winding down after Ctrl-C still find their database.
 * fsync stays on (the default): the store's promises are tested against it.
 */
const SUPERVISOR = `
trap '' INT TERM HUP
exec 3<&0
"$BIN/initdb" -D "$DIR/data" -U kashbox -A trust -E UTF8 --locale=C --no-sync >"$DIR/initdb.log" 2>&1 || {
  cat "$DIR/initdb.log" >&2
  rm -rf "$DIR"
  exit 1
}
"$BIN/postgres" -D "$DIR/data" -p "$PORT" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
  -c max_connections=200 -c log_min_messages=log 3<&- &
server=$!
{ cat <&3 >/dev/null; kill -QUIT $server 2>/dev/null; } &
lifeline=$!
wait $server
kill $lifeline 2>/dev/null
rm -rf "$DIR"
`;

/** @returns the folder that holds `initdb` and `postgres`, of the newest version, or undefined */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(debian, version, 'bin'));
  folders.push(...(process.env.PATH ?? '').split(delimiter));
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
}

/** PostgreSQL refuses to run as root; the user it runs as then, or undefined when we are not root. */
export function unprivilegedUser(): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      return Number(
        execFileSync('id', ['-u', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      );
    } catch {
      // No such user here: the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.');
}

function spawnSupervisor(bin: string, port: number): ChildProcess {
  const dir = mkdtempSync(join(tmpdir(), 'kashbox-postgres-'));
  const uid = unprivilegedUser();
  if (uid !== undefined) chownSync(dir, uid, -1);
  return spawn('/bin/sh', ['-c', SUPERVISOR], {
    cwd: dir,
    env: { PATH: process.env.PATH, BIN: bin, DIR: dir, PORT: String(port), LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    ...(uid === undefined ? {} : { uid }),
  });
}

/** Resolves when the server takes connections; rejects with what it printed when it ends or hangs. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const fail = (why: string) => reject(new Error(`PostgreSQL ${why}:\n${log}`));
    const timer = setTimeout(() => {
      fail(`was not ready after ${START_TIMEOUT_MS} ms`);
      child.stdin?.destroy();
    }, START_TIMEOUT_MS);
    child.on('close', () => {
      clearTimeout(timer);
      fail('did not start');
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      // Later output is read and forgotten, so that the server never waits for room in the pipe.
      if (log.length < 20_000) log += chunk;
      if (!log.includes('ready to accept connections')) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The server must not keep the process alive that started it. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stderr]) {
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
}

/**
 * Starts a server on a free port of 127.0.0.1 with an empty data folder.
 * @throws Error when PostgreSQL is not installed or does not start, with what it printed
 */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = findPostgres();
  if (bin === undefined) {
    throw new Error(
      'PostgreSQL is not installed: `initdb` and `postgres` are missing (Debian: apt-get install postgresql).',
    );
  }
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const child = spawnSupervisor(bin, port);
    try {
      await untilReady(child);
    } catch (error) {
      if (attempt < 3 && String(error).includes('Address already in use')) continue;
      throw error;
    }
    letGo(child);
    return {
      url: `postgres://kashbox@127.0.0.1:${port}/postgres`,
      stop: () =>
        new Promise((resolve) => {
          if (child.exitCode !== null || child.signalCode !== null) return resolve();
          child.ref();
          child.on('exit', () => resolve());
          child.stdin?.destroy();
        }),
    };
  }
}
