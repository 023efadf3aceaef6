/** A throw-away PostgreSQL for the benchmark. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from '../../test/helpers/stores/postgres-server.js';
import type { Run } from './figure.js';

/** @returns the address of an empty database. */
export async function openPostgres(run: Run): Promise<string> {
  const server = await startPostgres();
  run.atEnd(() => server.stop());
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client(server.url);
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}
