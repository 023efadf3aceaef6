/**
 * A real core on each engine, for tests that must hold on both: a temporary home with SQLite, or with a
 * database of its own on the test server. Everything is gone when the test is over.
 */

import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { type Core, type CoreOptions, openCore } from '../../../src/actions/core/core.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import type { Clock } from '../../../src/base/values/clock.js';
import { openStore } from '../../../src/store/open.js';
import type { Engine } from '../../../src/store/schema/index.js';
import type { Owner } from '../programs/processes.js';
import { variants } from '../tiers.js';
import { databaseWithTables } from './postgres.js';

/**
 * For tests of what each database does in its own way: settlement, claims, SMS, locks, races, the chain of
 * the audit log, backups, leases, and SQL that is another for each.
 */
export const engines: readonly Engine[] = ['sqlite', 'postgres'];

/** For tests of rules that are decided above the store: SQLite in `npm test`, both in the soak. */
export const enginesOfTier = variants(engines);

/** @returns the path of an empty folder that is removed after the test. */
export async function temporaryFolder(t: Owner): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kashbox-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

let emptyStore: Promise<string> | undefined;

/** A file with all tables and without rows, made once a process: copying it is faster than the migrations. */
async function makeEmptyStore(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kashbox-test-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'kashbox.db');
  const store = await openStore({ file, databaseUrl: null, now: Date.now() });
  await store.close();
  return file;
}

async function putTables(home: string): Promise<void> {
  emptyStore ??= makeEmptyStore();
  await copyFile(await emptyStore, join(home, 'kashbox.db'));
}

/** @returns the path of a home folder whose store has all tables and no rows; removed after the test. */
export async function temporaryHome(t: Owner): Promise<string> {
  const home = await temporaryFolder(t);
  await putTables(home);
  return home;
}

/** @param options what the test wants to be otherwise, first of all the clock. */
export async function openTestCore(
  t: ExecutionContext<unknown>,
  engine: Engine,
  options: Partial<CoreOptions> = {},
): Promise<Core> {
  const folder = options.folder ?? (await temporaryFolder(t));
  if (engine === 'sqlite' && options.folder === undefined) await putTables(folder);
  const database = engine === 'postgres' ? { KASHBOX_DATABASE_URL: await databaseWithTables(t) } : {};
  const core = await openPatiently({ folder, ...options, env: { ...database, ...options.env } });
  t.teardown(() => core.close());
  return core;
}

/** A busy machine may take longer to connect to PostgreSQL than Kashbox waits. */
async function openPatiently(options: CoreOptions, tries = 5): Promise<Core> {
  try {
    return await openCore(options);
  } catch (error) {
    if (tries === 1 || !isKashboxError(error) || error.code !== 'store_unreachable') throw error;
    return openPatiently(options, tries - 1);
  }
}

/** A clock that stands still until the test moves it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

/** @param start milliseconds since the epoch; by default a moment of 2026 in Bangladesh. */
export function testClock(start = Date.UTC(2026, 7, 21, 6, 35)): TestClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
