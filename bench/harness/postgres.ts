/** A throw-away PostgreSQL for the benchmark, with what is asked of it beside Kashbox. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../test/helpers/stores/postgres-server.js';
import type { Run } from './figure.js';

const TICK_MS = 10;

export interface Postgres {
  /** Of an empty database. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Processor time of the server and all its processes, ended ones too, in milliseconds. */
  processorMs(): number;
}

export async function openPostgres(run: Run): Promise<Postgres> {
  const server = await startPostgres();
  run.atEnd(() => server.stop());
  const url = new URL(server.url);
  const name = `bench_${randomBytes(4).toString('hex')}`;
  await query(server.url, `CREATE DATABASE ${name}`);
  const [row] = await query(
    server.url,
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid",
  );
  const postmaster = Number(row?.pid);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    host: url.hostname,
    port: Number(url.port),
    processorMs: () => familyTicks(postmaster) * TICK_MS,
  };
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Of a process with its children, and of those of them that have ended. Linux only. */
function familyTicks(parent: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields === null) continue;
    // proc(5): behind the name come state, parent …; utime and stime, then those of children that ended.
    const own = Number(fields[11]) + Number(fields[12]);
    if (Number(name) === parent) ticks += own + Number(fields[13]) + Number(fields[14]);
    else if (Number(fields[1]) === parent) ticks += own;
  }
  return ticks;
}

function statOf(pid: string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}

const PGBENCH_SECONDS = 3;

/** @returns durable inserts a second of pgbench: one row of a payment's size in a transaction, prepared. */
export function bareInserts(run: Run, { url, host, port }: Postgres, connections: number): () => number {
  const folder = run.folder('pgbench');
  mkdirSync(folder);
  const script = join(folder, 'insert.sql');
  writeFileSync(script, "INSERT INTO bare (id, note) VALUES (gen_random_uuid()::text, repeat('x', 200));\n");
  const database = new URL(url).pathname.slice(1);
  const server = ['-h', host, '-p', String(port), '-U', 'kashbox'];
  execFileSync('psql', [...server, '-qc', 'CREATE TABLE bare (id text PRIMARY KEY, note text)', database]);
  return () => {
    const load = ['-n', '-M', 'prepared', '-c', String(connections), '-T', String(PGBENCH_SECONDS)];
    const said = execFileSync('pgbench', [...server, ...load, '-f', script, database], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(/tps = ([\d.]+)/.exec(said)?.[1]);
  };
}

/** A way to the server that counts how often somebody waits for its answer. */
export async function countTrips(run: Run, { url, host, port }: Postgres) {
  let trips = 0;
  const proxy = createServer((near) => {
    const far = connect({ host, port });
    let hasAnswered = true;
    near.on('data', (chunk) => {
      if (hasAnswered) trips += 1;
      hasAnswered = false;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      hasAnswered = true;
      near.write(chunk);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.setNoDelay(true);
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  run.atEnd(() => proxy.close());
  const through = new URL(url);
  through.port = String((proxy.address() as AddressInfo).port);
  return { url: through.href, trips: () => trips };
}
