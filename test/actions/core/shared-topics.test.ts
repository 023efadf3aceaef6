/** What one process changes, others on the same PostgreSQL hear of. */
import test, { type ExecutionContext } from 'ava';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { openTestCore } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';

/** Another process's core on the same store, as far as the store can tell. */
async function beside(t: ExecutionContext, { home, settings }: Core): Promise<Core> {
  const other = await openCore({
    folder: home.folder,
    env: { KASHBOX_DATABASE_URL: settings.databaseUrl },
  });
  t.teardown(() => other.close());
  return other;
}

/** Tells again and again until it is heard: who listens needs a moment to connect. */
async function heardFrom(teller: Core, hearer: Core, id: string): Promise<boolean> {
  let isHeard = false;
  const end = hearer.moved.listen(id, () => {
    isHeard = true;
  });
  await until(() => {
    if (!isHeard) teller.moved.tell(id);
    return isHeard;
  });
  end();
  return isHeard;
}

test('a message of one process reaches another, on each topic, and its own listeners once', async (t) => {
  const here = await openTestCore(t, 'postgres');
  const there = await beside(t, here);
  t.teardown(here.hearOthers());
  t.teardown(there.hearOthers());
  t.true(await heardFrom(here, there, 'a'));
  t.true(await heardFrom(there, here, 'b'));

  const heard: string[] = [];
  here.called.listen('phone', () => heard.push('here'));
  here.moved.listen('phone', () => heard.push('another topic'));
  there.called.listen('phone', () => heard.push('there'));
  here.called.tell('phone');
  t.deepEqual(heard, ['here'], 'at once');
  // What is heard after it has come through the same connection.
  t.true(await heardFrom(here, there, 'c'));
  t.true(await heardFrom(there, here, 'd'));
  t.deepEqual(heard, ['here', 'there']);
});

test('a message sent right before a process ends arrives, and a broken connection is reopened', async (t) => {
  const here = await openTestCore(t, 'postgres');
  t.teardown(here.hearOthers());
  const command = await beside(t, here);
  t.true(await heardFrom(command, here, 'a'));

  const last = new Promise<void>((resolve) => {
    here.moved.listen('last word', resolve);
  });
  const short = await openCore({
    folder: here.home.folder,
    env: { KASHBOX_DATABASE_URL: here.settings.databaseUrl },
  });
  short.moved.tell('last word');
  await short.close();
  await last;

  const ended = await here.store.read((db) =>
    db.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()",
      [],
    ),
  );
  t.is(ended.length, 1);
  t.true(await heardFrom(command, here, 'b'));
});

test('ignores unknown messages on the channel', async (t) => {
  const here = await openTestCore(t, 'postgres');
  t.teardown(here.hearOthers());
  const other = await beside(t, here);
  const strange = [
    '',
    '{',
    'null',
    '[]',
    '{"from":1,"hints":[]}',
    '{"from":"x","hints":[{"topic":"moved"}]}',
  ];
  t.true(await heardFrom(other, here, 'a'));
  for (const text of [...strange, '{"from":"x","hints":[{"topic":"nothing","id":"b"}]}']) {
    await here.store.read((db) => db.execute('SELECT pg_notify($1, $2)', ['kashbox', text]));
  }
  const own = new Promise<void>((resolve) => {
    here.moved.listen('c', resolve);
  });
  await here.store.read((db) =>
    db.execute('SELECT pg_notify($1, $2)', ['kashbox', '{"from":"x","hints":[{"topic":"moved","id":"c"}]}']),
  );
  await t.notThrowsAsync(own);
});

test('on SQLite nothing is sent, and no listener is needed', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  t.is(core.store.hints, null);
  await core.hearOthers()();
  core.moved.tell('a');
  t.pass();
});
