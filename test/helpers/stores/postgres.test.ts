/** The database that store tests are given: it is real, empty, the test's own, and leaves nothing behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import pg from 'pg';
import { freshDatabase } from './postgres.js';

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

test('each test gets an empty database of its own', async (t) => {
  const [first, second] = [await freshDatabase(t), await freshDatabase(t)];
  await query(first, 'CREATE TABLE mark (id int)');
  t.deepEqual(await query(second, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"), []);
});

test('the server writes through to the disk, as the promises of the store require', async (t) => {
  const url = await freshDatabase(t);
  t.deepEqual(await query(url, 'SHOW fsync'), [{ fsync: 'on' }]);
});

test('a server whose starter is killed stops and removes its folder', async (t) => {
  const module = fileURLToPath(new URL('./postgres-server.js', import.meta.url));
  const code = `const { startPostgres } = await import(${JSON.stringify(module)});
    console.log((await startPostgres()).url); setInterval(() => {}, 1000);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(starter.stdout, 'data')) as [Buffer];
  const url = printed.toString().trim();
  const [row] = await query(url, 'SHOW data_directory');
  const folder = String(row?.data_directory).split('/').at(-2) ?? '';
  t.true(readdirSync(tmpdir()).includes(folder));
  starter.kill('SIGKILL');
  for (let waited = 0; waited < 600 && readdirSync(tmpdir()).includes(folder); waited += 1) await sleep(100);
  t.false(readdirSync(tmpdir()).includes(folder));
  await t.throwsAsync(query(url, 'SELECT 1'));
});
