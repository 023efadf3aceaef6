/** What does it cost to take SMS from phones over HTTP, read and match them, next to only inserting rows? */
import { join } from 'node:path';
import { dhakaIso } from '../../src/base/values/clock.js';
import { openSqlite } from '../../src/store/sqlite.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { type Job, load } from '../harness/client.js';
import type { Question, Run } from '../harness/figure.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { inserter, type Owner, smsRow } from '../harness/rows.js';
import { type Server, startDaemon } from '../harness/servers.js';
import { equip, nextSms } from '../harness/shop.js';
import { createBodies, payment } from '../harness/till.js';

const PHONES = 8;
const BATCH = 50;
/** What phones bring that were without a network for a day. */
const RUSH = 15_200;

export const ingest: Question = {
  word: 'ingest',
  title: 'Taking SMS from phones',
  about:
    `\`POST /api/v2/relay/sync\` in batches of ${BATCH} messages from ${PHONES} phones at once, each over its own ` +
    'kept connection: authenticated, parsed, stored, made into proofs and matched, against a bare loop ' +
    `of Node's SQLite on another file that inserts rows of the same shape into the same table, ${BATCH} a transaction, ` +
    'synchronous=FULL. Per message. And payments created right after so many SMS, against right before them.',
  async answer(run) {
    const home = run.folder('ingest');
    const batches = run.quick ? 160 : 400;
    const { owner, deviceKeys, brandKey } = await equip(home, PHONES, async (shop) => shop);
    const daemon = await startDaemon(run, home);
    const bare = await openBare(run, join(home, 'bare.db'), owner);
    const results = await alternate(run.quick ? 3 : 9, {
      bare: async () => bare(batches),
      daemon: () => relay(daemon, deviceKeys, batches),
    });
    const creates = async () =>
      (await load(payment(daemon, brandKey, 'create', createBodies(1_000), 200))).perSecond;
    const before: number[] = [];
    const after: number[] = [];
    for (let round = 0; round < (run.quick ? 3 : 9); round += 1) {
      before.push(await creates());
      await relay(daemon, deviceKeys, RUSH / BATCH);
      after.push(await creates());
    }
    return [
      {
        name: 'ingest',
        value: medianRatio(results.daemon, results.bare),
        unit: 'of the rate of bare inserts',
        atLeast: 0.35,
        detail: `${Math.round(median(results.daemon))} messages/s against ${Math.round(median(results.bare))}`,
      },
      {
        name: `create right after ${RUSH} SMS`,
        value: medianRatio(after, before),
        unit: 'of the rate before them',
        // No slower, but for what two equal loads differ by.
        atLeast: 0.9,
        detail: `${Math.round(median(after))}/s against ${Math.round(median(before))}/s`,
      },
    ];
  },
};

/** @returns messages a second. */
async function relay(daemon: Server, deviceKeys: readonly string[], batches: number): Promise<number> {
  const bodies = Array.from({ length: batches }, batch);
  const share = batches / deviceKeys.length;
  const jobs = deviceKeys.map(
    (key, phone): Job => ({
      port: daemon.port,
      path: '/api/v2/relay/sync',
      headers: { 'device-key': key },
      bodies: bodies.slice(phone * share, (phone + 1) * share),
      connections: 1,
      expect: 200,
      onAnswer: (_index, body) => {
        if (body.split('"stored"').length !== BATCH + 1) throw new Error(`not all was stored: ${body}`);
      },
    }),
  );
  const began = performance.now();
  await Promise.all(jobs.map(load));
  return (batches * BATCH * 1000) / (performance.now() - began);
}

function batch(): string {
  const now = Date.now();
  const messages = Array.from({ length: BATCH }, () => {
    const { reference, body } = nextSms(now);
    return { id: reference, sender: 'bKash', body, received_at: dhakaIso(now), sim_slot: 1 };
  });
  const health = { battery: 88, charging: true, network: 'wifi', queued: BATCH, app_version: '0.1.0' };
  return JSON.stringify({ messages, reports: [], health });
}

/**
 * Opens the baseline, a file with all our tables and indexes.
 * @returns a function that inserts so many batches and says how many rows a second.
 */
async function openBare(run: Run, file: string, owner: Owner): Promise<(batches: number) => number> {
  const store = await openSqlite(file, { now: Date.now() });
  await store.close();
  const raw = new SqliteFile(file);
  run.atEnd(() => raw.close());
  raw.exec('PRAGMA journal_mode = WAL');
  raw.exec('PRAGMA synchronous = FULL');
  // The rows belong to no merchant and no phone of this file.
  raw.exec('PRAGMA foreign_keys = OFF');
  const insert = inserter(raw, 'sms', smsRow(owner));
  const insertAll = (rows: readonly object[]) => {
    raw.exec('BEGIN');
    rows.forEach(insert);
    raw.exec('COMMIT');
  };
  return (batches) => {
    const work = Array.from({ length: batches }, () => Array.from({ length: BATCH }, () => smsRow(owner)));
    const began = performance.now();
    for (const rows of work) insertAll(rows);
    return (batches * BATCH * 1000) / (performance.now() - began);
  };
}
