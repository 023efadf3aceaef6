/** What arrives in another store is compared row by row before it is kept. */
import test from 'ava';
import {
  checkedWriter,
  type LedgerFacts,
  type LedgerTarget,
  ledgerTables,
} from '../../src/store/backup/ledger.js';
import { MIGRATIONS } from '../../src/store/migrate.js';

const FACTS: LedgerFacts = { schemaVersion: MIGRATIONS.length, payments: 0, merchants: 0, phones: 0 };
const ROWS = ['{"id":"a","at":1}', '{"id":"b","at":2}', '{"id":"b","at":2}'];

/** A store that keeps rows as they come, and gives them back as `back` makes them. */
function storeThat(back: (rows: readonly string[]) => readonly string[], facts = FACTS) {
  const tables = new Map<string, string[]>();
  const done = { isCommitted: false, isClosed: false };
  const target: LedgerTarget = {
    schemaVersion: MIGRATIONS.length,
    insert: async (table, rows) => void tables.set(table, [...(tables.get(table) ?? []), ...rows]),
    facts: async () => facts,
    rows: async function* (table) {
      const rows = back(tables.get(table) ?? []);
      if (rows.length > 0) yield rows;
    },
    commit: async () => {
      done.isCommitted = true;
    },
    close: async () => {
      done.isClosed = true;
    },
  };
  return { target, done };
}

async function kept(back: (rows: readonly string[]) => readonly string[], facts = FACTS): Promise<string> {
  const { target, done } = storeThat(back, facts);
  const writer = checkedWriter(target);
  for (const row of ROWS) await writer.add('audit', [row]);
  const result = await writer.keep(FACTS).then(
    () => 'kept',
    ({ code, cause }: { code: string; cause: Error }) => `${code} ${cause.message}`,
  );
  return `${result}${done.isCommitted ? ', committed' : ''}`;
}

test('rows and columns may come back in any order', async (t) => {
  t.is(await kept((rows) => rows), 'kept, committed');
  t.is(await kept((rows) => rows.toReversed()), 'kept, committed');
  t.is(
    await kept((rows) => rows.map((row) => row.replace(/"id":"(.)","at":(.)/, '"at": $2, "id":"$1"'))),
    'kept, committed',
  );
});

test('what is missing, doubled or another one is not kept, and its table is named', async (t) => {
  const faults: readonly ((rows: readonly string[]) => readonly string[])[] = [
    (rows) => rows.slice(1),
    (rows) => [...rows, ...rows],
    (rows) => (rows.length === 0 ? rows : [...rows, '{"id":"c","at":3}']),
    (rows) => rows.map((row) => row.replace('"at":2', '"at":3')),
    (rows) => rows.map((row) => row.replace('"at":2', '"at":"2"')),
    (rows) => rows.map((row) => row.replace('"at":2', '"at":null')),
    (rows) => [rows[0] ?? '', rows[0] ?? '', rows[1] ?? ''].slice(0, rows.length),
  ];
  for (const fault of faults) t.is(await kept(fault), 'backup_damaged table audit', String(fault));
});

test('rows in a table that nothing was written to, and other totals, are noticed', async (t) => {
  const other = (rows: readonly string[]) => (rows.length === 0 ? ['{"id":"x"}'] : rows);
  t.is(await kept(other), `backup_damaged table ${ledgerTables(MIGRATIONS.length)[0]}`);
  t.is(await kept((rows) => rows, { ...FACTS, payments: 1 }), 'backup_damaged table sessions');
});
