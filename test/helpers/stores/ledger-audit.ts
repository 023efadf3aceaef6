/**
 * Compares what a daemon has promised with what its SQLite store holds, by plain SQL and without any code
 * of the store, so that an error there cannot hide itself.
 */
import { SqliteFile } from '../../../src/store/sqlite-driver.js';
import type { Promises } from '../shop/till.js';

/** Rows that break a rule which every committed store obeys; each query should find nothing. */
const RULES: Readonly<Record<string, string>> = {
  'SMS stored twice': 'SELECT body AS what FROM sms GROUP BY sender, body HAVING count(*) > 1',
  'reference credited twice':
    'SELECT reference AS what FROM transactions GROUP BY channel, reference HAVING count(*) > 1',
  'session credited twice':
    'SELECT session_id AS what FROM transactions GROUP BY session_id HAVING count(*) > 1',
  'completed without a transaction':
    "SELECT id AS what FROM sessions WHERE status = 'COMPLETED' AND id NOT IN (SELECT session_id FROM transactions)",
  'transaction of a session that is not completed':
    "SELECT session_id AS what FROM transactions WHERE session_id NOT IN (SELECT id FROM sessions WHERE status = 'COMPLETED')",
  'transaction without its audit row': `SELECT session_id AS what FROM transactions WHERE session_id NOT IN
    (SELECT subject FROM audit WHERE action = 'payment.credit')`,
  'claim that does not know it was credited': `SELECT t.session_id AS what FROM transactions AS t
    JOIN claims AS c ON c.session_id = t.session_id AND c.reference = t.reference WHERE c.state <> 'CREDITED'`,
  'transaction without its SMS': `SELECT t.reference AS what FROM transactions AS t WHERE NOT EXISTS
    (SELECT 1 FROM proofs AS p JOIN sms AS s ON s.id = p.source_id WHERE p.id = t.proof_id AND s.trx_id = t.reference)`,
};

function strings(store: SqliteFile, sql: string): Set<string> {
  return new Set(
    store
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0])),
  );
}

/** What was promised and is not there. */
export function lostPromises(file: string, promises: Promises): string[] {
  const store = new SqliteFile(file, { timeout: 5_000 });
  try {
    const sessions = strings(store, 'SELECT id FROM sessions');
    const sms = strings(store, 'SELECT body FROM sms');
    const credits = strings(store, "SELECT session_id || ' ' || reference FROM transactions");
    return [
      ...[...promises.created].filter((id) => !sessions.has(id)).map((id) => `session ${id}`),
      ...[...promises.sms].filter((body) => !sms.has(body)).map((body) => `SMS ${body}`),
      ...[...promises.completed]
        .map(([id, reference]) => `${id} ${reference}`)
        .filter((credit) => !credits.has(credit))
        .map((credit) => `credit ${credit}`),
    ];
  } finally {
    store.close();
  }
}

/** What is there and must not be: damage, doubles, halves. */
export function brokenRules(file: string): string[] {
  const store = new SqliteFile(file, { timeout: 5_000 });
  try {
    const broken = Object.entries(RULES).flatMap(([rule, sql]) =>
      [...strings(store, sql)].map((what) => `${rule}: ${what}`),
    );
    const integrity = [...strings(store, 'PRAGMA integrity_check')].filter((line) => line !== 'ok');
    const orphans = store.prepare('PRAGMA foreign_key_check').all();
    return [...broken, ...integrity, ...orphans.map((row) => `orphan: ${JSON.stringify(row)}`)];
  } finally {
    store.close();
  }
}
