/** Targets and messages of alerts from before targets chose what they want: all of it stays as it was. */

import { join } from 'node:path';
import test from 'ava';
import { ALERT_KINDS } from '../../src/domain/alerts/alert.js';
import { isChosen } from '../../src/domain/alerts/alert-choice.js';
import { fillSqlite } from '../../src/store/backup/sqlite-ledger.js';
import { MIGRATIONS, migrate } from '../../src/store/migrate.js';
import { openStore } from '../../src/store/open.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { activeTargets } from '../../src/store/tables/alert-targets.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const BEFORE = [
  "INSERT INTO alert_targets VALUES ('tgt_1', 'telegram', 'sealed', 'a chat', 'f1', 5, NULL)",
  "INSERT INTO alert_targets VALUES ('tgt_2', 'command', 'sealed', 'gone', 'f2', 6, 7)",
  "INSERT INTO alerts VALUES ('alr_1', 'slips.full', NULL, NULL, 'i1', '{}', 8, 8)",
  "INSERT INTO alert_messages VALUES ('msg_1', 'alr_1', 'tgt_1', 'DEAD', 6, NULL, 'answered 500')",
  "INSERT INTO alert_messages VALUES ('msg_2', 'alr_1', 'tgt_2', 'DUE', 1, 99, NULL)",
];

/** What there was to be told of. */
const KNOWN = [
  ...['device.offline', 'device.recovered', 'device.battery_low', 'device.trouble', 'sms.gap'],
  ...['payment.disputed', 'payment.other_merchant', 'payment.guessing', 'slips.full'],
];

test('a target from before is told of what it was told, and its messages keep their state', async (t) => {
  const file = join(await temporaryFolder(t), 'kashbox.db');
  const version = MIGRATIONS.findIndex(({ name }) => name === 'who-hears-what');
  const ledger = await fillSqlite(file, version, 1);
  await ledger.close();
  const old = new SqliteFile(file);
  for (const sql of BEFORE) old.prepare(sql).run();
  old.close();
  const store = await openStore({ file, databaseUrl: null, now: 9 });
  t.teardown(() => store.close());
  t.deepEqual(await migrate((work) => store.write(work), 10), []);
  const [target, ...others] = await store.read(activeTargets);
  t.deepEqual(others, []);
  t.like(target, {
    id: 'tgt_1',
    kind: 'telegram',
    hint: 'a chat',
    buttons: 0,
    quiet_from: null,
    daily_at: null,
  });
  const told = ALERT_KINDS.filter((kind) => isChosen(target?.events ?? '', kind));
  t.deepEqual([...told].toSorted(), KNOWN.toSorted() as typeof told);
  const messages = await store.read((db) =>
    db.query
      .selectFrom('alert_messages')
      .orderBy('id')
      .select(['id', 'state', 'tries', 'next_at', 'error'])
      .execute(),
  );
  t.deepEqual(messages, [
    { id: 'msg_1', state: 'DEAD', tries: 6, next_at: null, error: 'answered 500' },
    { id: 'msg_2', state: 'DUE', tries: 1, next_at: 99, error: null },
  ]);
});
