/** Hints between processes on one PostgreSQL. */
import test from 'ava';
import pg from 'pg';
import { createHints } from '../../src/store/postgres-hints.js';
import type { Hint } from '../../src/store/store.js';
import { freshDatabase } from '../helpers/stores/postgres.js';
import { until } from '../helpers/until.js';

const CHANNEL = 'kashbox';

test('listeners connect to the server in use, even if the old one is still connected', async (t) => {
  const old = await freshDatabase(t);
  const next = await freshDatabase(t);
  let inUse = old;
  const hints = createHints(
    () => inUse,
    async () => {},
  );
  const heard: Hint[] = [];
  const deafen = hints.listen((hint) => heard.push(hint));
  const tell = async (url: string, id: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const told = { from: 'another process', hints: [{ topic: 'moved', id }] };
    await client.query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(told)]);
    await client.end();
  };
  const isHeard = (url: string, id: string) =>
    until(async () => {
      await tell(url, id);
      return heard.some((hint) => hint.id === id);
    });
  await isHeard(old, 'before');
  inUse = next;
  hints.move();
  await isHeard(next, 'after');
  await tell(old, 'behind');
  await isHeard(next, 'again');
  t.false(heard.some(({ id }) => id === 'behind'));
  await deafen();
  await hints.close();
});

test('a server that does not answer the goodbye is left all the same', async (t) => {
  const url = await freshDatabase(t);
  const hints = createHints(
    () => url,
    async () => {},
  );
  const deafen = hints.listen(() => {});
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let pid = 0;
  await until(async () => {
    const { rows } = await client.query(
      "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()",
    );
    pid = rows[0]?.pid ?? 0;
    return pid > 0;
  });
  await client.end();
  process.kill(pid, 'SIGSTOP');
  try {
    await deafen();
    t.pass();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await hints.close();
});
